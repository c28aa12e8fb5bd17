//! What of an event the viewer needs: which views are old.
//!
//! The job that an event may carry is read where it is shown. Reading it here too would bring all
//! that jobs can give into the program a second time.

use serde::Deserialize;

/// An event, in short.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Told {
    #[serde(rename = "type")]
    pub(crate) kind: Kind,
    /// The store, or `knowledge_base:<name>`.
    #[serde(default)]
    pub(crate) store: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    StoreChanged,
    DocumentChanged,
    Job,
    SettingsChanged,
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::events::EventOut;
    use coffer_api::jobs::{JobKind, JobOut, JobState, ProgressOut};

    #[test]
    fn every_event_is_told() {
        let job = JobOut {
            id: "1".into(),
            kind: JobKind::Reindex,
            store: None,
            state: JobState::Queued,
            progress: ProgressOut { done: 0, total: None },
            result: None,
            error: None,
            created_at: String::new(),
            finished_at: None,
        };
        let store = || "global".to_owned();
        for (event, kind, of) in [
            (EventOut::StoreChanged { store: store() }, Kind::StoreChanged, Some(store())),
            (
                EventOut::DocumentChanged { store: store(), id: "1".into() },
                Kind::DocumentChanged,
                Some(store()),
            ),
            (EventOut::Job { job: Box::new(job) }, Kind::Job, None),
            (EventOut::SettingsChanged, Kind::SettingsChanged, None),
        ] {
            let json = serde_json::to_string(&event).unwrap();
            let told: Told = serde_json::from_str(&json).unwrap();
            assert_eq!(told, Told { kind, store: of }, "{json}");
        }
    }
}
