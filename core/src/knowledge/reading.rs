//! What a face reads out of a file for the index.

use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;

/// A file as the index keeps it; what the file leaves out is derived by the face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The id that the file claims, if it does.
    pub id: Option<Id>,
    /// Its title.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The text without its header.
    pub body: String,
    /// Why the header could not be read; the text counts all the same.
    pub problem: Option<String>,
    /// Where the text comes from, in a word of the face.
    pub source_mode: &'static str,
    /// JSON of what the face keeps with it.
    pub metadata: String,
}
