//! Purging: taking a text out of everything that Coffer keeps.

use crate::{reply, request};

request! {
    /// What to purge: exactly one of `match`, `regex` and `secrets`. Over the socket, or with the
    /// server's own token.
    pub struct PurgeIn {
        /// A text of at least four characters, letter by letter.
        #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
        pub text: Option<String>,
        /// A regular expression that matches nothing shorter than four characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub regex: Option<String>,
        /// All keys, tokens and passwords that are found.
        #[serde(default)]
        pub secrets: bool,
        /// Whether nothing is changed.
        #[serde(default)]
        pub dry_run: bool,
    }
}

reply! {
    /// How often a text was in a place.
    pub struct PurgedPlaceOut {
        /// The place, in plain words.
        pub place: String,
        /// Files that held it.
        pub files: u64,
        /// How often they did.
        pub occurrences: u64,
        /// Its files are deleted, all of them: their bytes do not show whether they hold it.
        #[serde(default)]
        pub deleted: bool,
    }

    /// Where a text is still or may be.
    pub struct UnreachableOut {
        /// The file or folder, relative to Coffer's folder, or what else holds it.
        pub path: String,
        /// Why.
        pub reason: String,
    }

    /// What a purge did, or would do.
    pub struct PurgeOut {
        /// Whether nothing was changed.
        pub dry_run: bool,
        /// Where the text was.
        pub places: Vec<PurgedPlaceOut>,
        /// How often it is still there, by a second look at files and at rows of the database; of a
        /// dry run, how often it is there. What the look cannot prove is in `unreachable`.
        pub remaining: u64,
        /// Where it is still or may be, and why.
        pub unreachable: Vec<UnreachableOut>,
    }
}
