//! Distilling: what a session of an agent taught.

use crate::{reply, request, words};

words! {
    /// How far distilling goes.
    pub enum DistillMode {
        /// The model is asked, and the journal written.
        Run,
        /// The model is asked, and nothing is written.
        Preview,
        /// No model is asked: what would be sent is shown.
        DryRun,
    }

    /// What came of it.
    pub enum DistillStatus {
        /// It was read, and what it taught is in the journal; that may be nothing.
        Distilled,
        /// What it taught is shown, and written nowhere.
        Preview,
        /// What would be sent is shown; nothing was.
        DryRun,
        /// Nothing was said since it was read last, or the same was read of another session.
        AlreadyDistilled,
        /// Nothing was said in it at all.
        Empty,
        /// No engine is configured.
        NoModel,
        /// It was in no git project, and nobody asked for it by name.
        NotAProject,
        /// `distill.on_session_end` was switched off.
        Off,
        /// The day's tokens are used up.
        Budget,
        /// The model cannot be reached just now.
        Unavailable,
        /// The model refuses what it was asked.
        Refused,
        /// The model answered something else than it was asked for.
        Malformed,
    }
}

request! {
    /// Which session is distilled: exactly one of `session_id` and `project_path`.
    pub struct DistillIn {
        /// The agent's id of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub session_id: Option<String>,
        /// Its project's folder, absolute: the session that was active there, or below, last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub project_path: Option<String>,
        /// Default `run`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mode: Option<DistillMode>,
    }
}

reply! {
    /// Something that a session taught.
    pub struct InsightOut {
        /// A short title.
        pub name: String,
        /// One line that says it in short.
        pub description: String,
        /// Markdown; may be empty.
        pub body: String,
    }

    /// What distilling a session gave.
    pub struct DistillOut {
        /// What came of it.
        pub status: DistillStatus,
        /// The session's id.
        pub session_id: String,
        /// What it taught.
        pub insights: Vec<InsightOut>,
        /// The journal's file that they are in, or would be.
        pub journal_path: Option<String>,
        /// How many were written.
        pub written: u64,
        /// How many more the model named that are no insights: too many, too long, or blank.
        pub left_out: u64,
        /// Turns of the session's beginning that the model was not given.
        pub omitted_turns: u64,
        /// Turns that could not be searched for secrets, and that nobody was given.
        pub withheld_turns: u64,
        /// The model.
        pub model: Option<String>,
        /// All that would be sent; only of a dry run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub would_send: Option<String>,
        /// About how many tokens that has, or what was sent had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tokens: Option<u64>,
        /// Why it came to nothing, where the status does not say all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub reason: Option<String>,
    }
}
