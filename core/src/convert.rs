//! Any file to Markdown: what a file is, what it gives, and why it gives nothing.
//!
//! Text is read in this process; everything else by a child of the same program that can neither
//! take much of the machine nor reach anything (`child`). Deliberately absent: where documents are
//! kept, and front matter; a caller adds both.

mod clean;
mod format;
mod languages;
mod original;
mod rejected;
mod sniff;
mod text;

use std::path::{Path, PathBuf};

pub use format::Format;
pub use rejected::Rejected;
use sniff::Kind;

/// A file to convert.
#[derive(Debug, Clone, Copy)]
pub struct Original<'a> {
    /// Its name, or its path inside of a folder; what it ends in tells formats apart.
    pub name: &'a str,
    /// Where its bytes stand.
    pub path: &'a Path,
}

/// What a file gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// Its Markdown: never empty, lines end in LF.
    pub markdown: String,
    /// Its title, when the file itself names one besides its text.
    pub title: Option<String>,
    /// What the file is, whatever its name says.
    pub format: Format,
    /// What converted it, with its version, such as `pass-through`.
    pub engine: String,
}

/// Converts files, two at a time.
#[derive(Debug)]
pub struct Converters {
    program: PathBuf,
}

impl Converters {
    /// `program` is one that calls `enter_if_asked` before anything else.
    pub fn new(program: PathBuf) -> Self {
        Self { program }
    }

    /// The Markdown of a file. Blocks: 90 seconds at most, and as long as two others are converted.
    ///
    /// # Errors
    ///
    /// Why the file gave nothing. Nothing of it stays anywhere.
    pub fn convert(
        &self,
        original: &Original<'_>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Converted, Rejected> {
        if cancelled() {
            return Err(Rejected::Cancelled);
        }
        let name = original.name;
        let file = original.open()?;
        match original::kind(name, &file)? {
            Kind::Text(format) if format.passes_through() => {
                text::pass_through(name, format, &original::read(&file)?)
            }
            _ => Err(Rejected::Unsupported(format!("`{}`", self.program.display()))),
        }
    }
}
