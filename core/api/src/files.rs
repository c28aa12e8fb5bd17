//! Open a file in the editor, show it in the file manager.

use crate::request;

request! {
    /// A file or folder of Coffer.
    pub struct PathIn {
        /// Absolute.
        pub path: String,
    }
}
