//! The lanes beside knowledge: rules, journal, handoff, and the consolidation log.

use crate::{reply, request};

request! {
    /// A rule to add.
    pub struct RuleIn {
        /// What to do or not to do; a bullet of Markdown without its mark.
        pub text: String,
        /// The file below `rules/`, such as `style`; absent: `rules`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub file: Option<String>,
    }

    /// A rule to take out of a file.
    pub struct RuleDeleteIn {
        /// The file below `rules/`, such as `style`.
        pub file: String,
        /// The rule, word for word: the bullet with its mark, further lines, and where it comes from.
        pub rule: String,
    }

    /// Which page of a list of retired versions.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct SupersededQuery {
        /// 1 to 200, default 50.
        #[cfg_attr(feature = "schema", param(minimum = 1, maximum = 200))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// How many to skip.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub offset: Option<u32>,
    }

    /// A retired version to put back.
    pub struct RestoreIn {
        /// Its name in `superseded/`.
        pub file: String,
        /// Only say what would change.
        #[serde(default)]
        pub dry_run: bool,
    }
}

reply! {
    /// A retired version.
    pub struct SupersededFileOut {
        /// Its name in `superseded/`.
        pub file: String,
        /// Where it stood, relative to the store.
        pub origin: String,
        /// Its title.
        pub title: String,
        /// RFC 3339.
        pub retired_at: String,
        /// Its text, as it stood.
        pub text: String,
        /// The file, absolute.
        pub path: String,
        /// The file's folder, absolute.
        pub folder_path: String,
    }

    /// Retired versions, the latest first.
    pub struct SupersededOut {
        /// The page.
        pub files: Vec<SupersededFileOut>,
        /// How many there are in all.
        pub total: u64,
    }

    /// A version that was put back, or would be.
    pub struct RestoredOut {
        /// The file, absolute.
        pub path: String,
        /// The name in `superseded/` of the version that stood there; null when none did.
        pub archived: Option<String>,
        /// What changed in the file, or would change, as a unified diff.
        pub diff: String,
    }

    /// One file of the rules lane.
    pub struct RulesFileOut {
        /// Path below `rules/`.
        pub name: String,
        /// Its text.
        pub text: String,
        /// The file, absolute.
        pub path: String,
        /// The file's folder, absolute.
        pub folder_path: String,
    }

    /// The rules lane.
    pub struct RulesOut {
        /// All files joined in name order; null when there is none.
        pub text: Option<String>,
        /// The files in name order.
        pub files: Vec<RulesFileOut>,
    }

    /// One day of the journal.
    pub struct JournalFileOut {
        /// `YYYY-MM-DD`.
        pub period: String,
        /// Its text.
        pub text: String,
        /// The file, absolute.
        pub path: String,
        /// The file's folder, absolute.
        pub folder_path: String,
    }

    /// The journal, newest day first.
    pub struct JournalOut {
        /// The days.
        pub files: Vec<JournalFileOut>,
    }

    /// The working state of one branch.
    pub struct HandoffSceneOut {
        /// The branch's exact name.
        pub branch: String,
        /// The text.
        pub text: String,
        /// RFC 3339.
        pub updated_at: String,
        /// The file, absolute.
        pub path: String,
        /// The file's folder, absolute.
        pub folder_path: String,
    }

    /// The handoff lane, newest first.
    pub struct HandoffLaneOut {
        /// One scene a branch.
        pub scenes: Vec<HandoffSceneOut>,
    }

    /// The log of what was retired and organized.
    pub struct ConsolidationLogOut {
        /// Its text; null when there is none.
        pub text: Option<String>,
        /// The file, absolute.
        pub path: String,
        /// The store's folder, absolute.
        pub folder_path: String,
    }
}
