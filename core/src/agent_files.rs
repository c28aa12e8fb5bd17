//! Edits of other tools' files, JSON, JSONC and TOML: only Coffer's own entry comes, changes or goes,
//! and every other byte stays.
//!
//! Texts are edited by pure functions, each edit is parsed again and compared; `disk` brings the
//! result to the file. Deliberately absent: which agents there are, and what Coffer wants of them.

mod change;
mod disk;
mod entry;
#[cfg(test)]
mod fixtures;
mod flaw;
mod json;
mod layout;
mod node;
mod record;
mod splice;
#[cfg(test)]
mod tests;
mod text;
mod toml;

pub(crate) use change::Change;
pub(crate) use disk::{Untouched, Written, change, present, trial};
pub(crate) use entry::{Entry, Standing};
pub(crate) use flaw::Flaw;
pub(crate) use node::{Node, Step};
pub use record::Part;
pub(crate) use record::{Content, FileRecord, Outcome, Target};
pub(crate) use splice::Splice;
pub(crate) use text::Format;
