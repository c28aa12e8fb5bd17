//! Distilling as the tables keep it: never what a model was, or would be, sent, nor what it answered.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::distill::{Asked, DistillRequest, Distilled, Status};

/// A session that is to be distilled.
#[derive(Serialize, Deserialize)]
pub(in crate::jobs) struct StoredRequest {
    agent: String,
    session: String,
    asked: StoredAsked,
    preview: bool,
}

#[derive(Serialize, Deserialize)]
enum StoredAsked {
    Person,
    Ended,
    Sweep,
}

impl StoredRequest {
    pub(super) fn of(request: &DistillRequest) -> Self {
        let DistillRequest { agent, session, asked, preview } = request.clone();
        let asked = match asked {
            Asked::Person => StoredAsked::Person,
            Asked::Ended => StoredAsked::Ended,
            Asked::Sweep => StoredAsked::Sweep,
        };
        Self { agent, session, asked, preview }
    }

    pub(super) fn request(self) -> DistillRequest {
        let Self { agent, session, asked, preview } = self;
        let asked = match asked {
            StoredAsked::Person => Asked::Person,
            StoredAsked::Ended => Asked::Ended,
            StoredAsked::Sweep => Asked::Sweep,
        };
        DistillRequest { agent, session, asked, preview }
    }
}

/// What came of it.
#[derive(Serialize, Deserialize)]
pub(in crate::jobs) struct StoredOutput {
    status: String,
    session: String,
    journal_path: Option<PathBuf>,
    written: u64,
    left_out: u64,
    omitted_turns: u64,
    withheld_turns: u64,
    model: Option<String>,
    tokens: Option<u64>,
    reason: Option<String>,
}

impl StoredOutput {
    pub(super) fn of(distilled: Distilled) -> Self {
        let Distilled {
            status,
            session,
            insights: _,
            journal_path,
            written,
            left_out,
            omitted_turns,
            withheld_turns,
            model,
            tokens,
            would_send: _,
            reason,
        } = distilled;
        Self {
            status: status.name().to_owned(),
            session,
            journal_path,
            written,
            left_out,
            omitted_turns,
            withheld_turns,
            model,
            tokens,
            reason,
        }
    }

    /// The output; `None` for words of another version.
    pub(super) fn output(self) -> Option<Distilled> {
        let Self { status, session, journal_path, written, left_out, .. } = self;
        Some(Distilled {
            status: Status::parse(&status)?,
            session,
            insights: Vec::new(),
            journal_path,
            written,
            left_out,
            omitted_turns: self.omitted_turns,
            withheld_turns: self.withheld_turns,
            model: self.model,
            tokens: self.tokens,
            would_send: None,
            reason: self.reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distill::Insight;

    #[test]
    fn both_are_read_back_and_no_words_are_kept() {
        for asked in [Asked::Person, Asked::Ended, Asked::Sweep] {
            let (agent, session) = ("codex".to_owned(), "s".to_owned());
            let request = DistillRequest { agent, session, asked, preview: true };
            let stored = serde_json::to_string(&StoredRequest::of(&request)).unwrap();
            let read: StoredRequest = serde_json::from_str(&stored).unwrap();
            assert_eq!(read.request(), request);
        }
        let distilled = Distilled {
            status: Status::Distilled,
            session: "s".into(),
            insights: vec![Insight {
                name: "walnut".into(),
                description: "b".into(),
                body: "c".into(),
            }],
            journal_path: Some("/x/2026-01-01.md".into()),
            written: 1,
            left_out: 2,
            omitted_turns: 3,
            withheld_turns: 4,
            model: Some("m".into()),
            tokens: Some(5),
            would_send: Some("walnut".into()),
            reason: Some("why".into()),
        };
        let stored = serde_json::to_string(&StoredOutput::of(distilled.clone())).unwrap();
        assert!(!stored.contains("walnut"));
        let read: StoredOutput = serde_json::from_str(&stored).unwrap();
        let (insights, would_send) = (Vec::new(), None);
        assert_eq!(read.output(), Some(Distilled { insights, would_send, ..distilled }));
    }
}
