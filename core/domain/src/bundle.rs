//! What Coffer tells an agent when a session begins: the marks around it, by which a reader of the
//! agent's transcript knows that nobody typed it.

/// Stands before the text.
pub const OPEN: &str = "<coffer-context>";
/// Stands after the text.
pub const CLOSE: &str = "</coffer-context>";
