//! Health: what was checked, how it stands, what fixes it.

use crate::{reply, request, words};

words! {
    /// How a check stands.
    pub enum CheckState {
        /// As it should be.
        Ok,
        /// Works, but a person should know.
        Warning,
        /// Does not work.
        Error,
    }
}

reply! {
    /// One check.
    pub struct CheckOut {
        /// What was looked at.
        pub check: String,
        /// How it stands.
        pub state: CheckState,
        /// The file or folder concerned.
        pub path: Option<String>,
        /// What was found, in plain words.
        pub reason: String,
        /// The one action that mends it.
        pub fix: Option<String>,
        /// Whether `doctor --fix` does that by itself.
        pub fixable: bool,
    }

    /// All checks.
    pub struct DoctorOut {
        /// The checks.
        pub rows: Vec<CheckOut>,
    }

    /// What a fix did.
    pub struct DoctorFixOut {
        /// What was mended, a sentence each.
        pub fixed: Vec<String>,
        /// The checks after it.
        pub rows: Vec<CheckOut>,
    }
}

request! {
    /// How thoroughly to look.
    #[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
    pub struct DoctorQuery {
        /// Whether the index is also proven against the files; takes seconds.
        #[serde(default)]
        pub deep: bool,
    }
}
