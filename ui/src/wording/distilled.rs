//! What came of distilling a conversation, in words for people.

use coffer_api::distill::{DistillOut, DistillStatus};
use coffer_api::jobs::JobState;

use crate::format::{count, sentence};

/// What goes on, on the button.
pub(crate) const fn working(state: JobState) -> &'static str {
    match state {
        JobState::Queued => "Waiting…",
        JobState::Running | JobState::Done | JobState::Failed | JobState::Cancelled => "Reading…",
    }
}

/// What would be done, or was.
pub(crate) fn said(done: &DistillOut) -> String {
    let text = match done.status {
        DistillStatus::DryRun => {
            let about = count(done.tokens.unwrap_or_default(), "token", "tokens");
            return format!(
                "This is sent to the language model: about {about}, without the answer. Keys and \
                 passwords are taken out, and what tools were given and gave is not in it. What \
                 it learns is added to the journal:"
            );
        }
        DistillStatus::Distilled if done.written > 0 => {
            return format!(
                "{} written to the journal.",
                count(done.written, "insight was", "insights were")
            );
        }
        DistillStatus::Distilled => "Nothing here is worth keeping, says the model.",
        DistillStatus::Preview => "This is what it would write.",
        DistillStatus::AlreadyDistilled => {
            "This is distilled already, and nothing was said since then."
        }
        DistillStatus::Empty => "Nothing was said here that could be distilled.",
        DistillStatus::NoModel => "No language model is set. Choose one in the settings.",
        DistillStatus::NotAProject => "This took place in no git project.",
        DistillStatus::Off => "Distilling was switched off.",
        DistillStatus::Budget => {
            "The tokens of today are used up. Go on tomorrow, or raise the limit in the settings."
        }
        DistillStatus::Unavailable | DistillStatus::Refused | DistillStatus::Malformed => {
            let why = done.reason.as_deref().unwrap_or("the language model gave no answer");
            return format!("Nothing was written: {}", sentence(why));
        }
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(status: DistillStatus) -> DistillOut {
        DistillOut {
            status,
            session_id: "1".into(),
            insights: Vec::new(),
            journal_path: None,
            written: 0,
            left_out: 0,
            omitted_turns: 0,
            withheld_turns: 0,
            model: None,
            would_send: None,
            tokens: Some(1200),
            reason: None,
        }
    }

    #[test]
    fn what_came_of_it_is_a_sentence() {
        assert!(said(&done(DistillStatus::DryRun)).contains("about 1,200 tokens"));
        let nothing = done(DistillStatus::Distilled);
        assert_eq!(said(&nothing), "Nothing here is worth keeping, says the model.");
        let one = DistillOut { written: 1, ..nothing };
        assert_eq!(said(&one), "1 insight was written to the journal.");
        let late = DistillOut {
            reason: Some("the model does not answer".into()),
            ..done(DistillStatus::Unavailable)
        };
        assert_eq!(said(&late), "Nothing was written: The model does not answer.");
    }
}
