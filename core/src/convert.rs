//! Any file to Markdown: what a file is, what it gives, and why it gives nothing.
//!
//! Text is read in this process; everything else by a child of the same program that can neither
//! take much of the machine nor reach anything (`child`). Deliberately absent: where documents are
//! kept, and front matter; a caller adds both.

mod child;
mod clean;
mod confine;
mod engines;
mod format;
mod languages;
mod limits;
mod original;
mod program;
mod rejected;
mod sniff;
mod text;
mod turns;
mod wire;

use std::path::{Path, PathBuf};
use std::process::Stdio;

pub use child::enter_if_asked;
pub use confine::Confinement;
pub use format::Format;
pub use limits::Limits;
pub use rejected::Rejected;
use sniff::Kind;
use turns::Turns;

/// So many conversions run at once.
const AT_ONCE: usize = 2;

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
    limits: Limits,
    turns: Turns,
}

impl Converters {
    /// `program` is one that calls `enter_if_asked` before anything else.
    pub fn new(program: PathBuf) -> Self {
        Self::with_limits(program, Limits::default())
    }

    /// With other limits than usual.
    pub fn with_limits(program: PathBuf, limits: Limits) -> Self {
        Self { program, limits, turns: Turns::new(AT_ONCE) }
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
        let _turn = self.turns.take(cancelled)?;
        let file = original.open()?;
        if let Kind::Text(format) = original::kind(original.name, &file)?
            && format.passes_through()
        {
            return text::pass_through(original.name, format, &original::read(&file)?);
        }
        let ending = format!("--ending={}", languages::extension(original.name));
        let printed = self.ask(&[ending], program::input(file), cancelled)?;
        let answer = wire::read(&printed).and_then(|(answer, rest)| answer.outcome(rest));
        answer.unwrap_or_else(|| Err(Rejected::Crashed("it gave no answer".to_owned())))
    }

    /// Which bounds hold for conversions on this machine: a child tries them.
    ///
    /// # Errors
    ///
    /// No child can be started.
    pub fn confinement(&self) -> Result<Confinement, Rejected> {
        let printed = self.ask(&[child::CONFINEMENT.to_owned()], Stdio::null(), &|| false)?;
        let answer = wire::read(&printed).and_then(|(answer, _)| answer.confinement());
        answer.ok_or_else(|| Rejected::Crashed("it gave no answer".to_owned()))
    }

    fn ask(
        &self,
        options: &[String],
        input: Stdio,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, Rejected> {
        program::ask(&self.program, options, input, &self.limits, cancelled)
    }
}
