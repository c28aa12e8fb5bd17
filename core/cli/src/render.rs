//! The only way to stdout: pages of text for people, the API's JSON for programs.
//!
//! What comes from a store is made harmless here, at the one place where text becomes output: a
//! note cannot move the cursor, recolor the screen or reverse the line.

mod json;
mod page;

use std::io::{self, BufRead as _, IsTerminal as _, Write};

use coffer_env::vars;
use serde::Serialize;

use crate::failure::Failure;
pub(crate) use coffer_api::hidden::expose as neutral;
pub(crate) use page::{Page, moment};

/// Where output goes and in which form.
pub(crate) struct Screen {
    to: Box<dyn Write>,
    look: Look,
    json: bool,
}

/// What the output's reader can show.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Look {
    /// Whether styles may be used.
    pub(crate) color: bool,
    /// Columns of the terminal; `None` for a file or pipe.
    pub(crate) width: Option<u16>,
}

impl Screen {
    /// This process's stdout. Colors need a terminal, and that nobody said no.
    pub(crate) fn of_process(json: bool) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let color = terminal && vars::get(vars::NO_COLOR).is_none();
        let width = if terminal { page::terminal_width() } else { None };
        // Not locked: `coffer mcp` writes to stdout from many threads.
        Self { to: Box::new(stdout), look: Look { color, width }, json }
    }

    /// Shows an answer: as JSON, or as `page` lays it out.
    pub(crate) fn show<T: Serialize + ?Sized>(
        &mut self,
        answer: &T,
        page: impl FnOnce(&mut Page),
    ) -> Result<(), Failure> {
        let text = if self.json {
            json::escape(&serde_json::to_string_pretty(answer).map_err(io::Error::from)?) + "\n"
        } else {
            let mut laid_out = Page::new(self.look);
            page(&mut laid_out);
            laid_out.into_text()
        };
        self.write(text.as_bytes())
    }

    /// Writes bytes as they are, for output that is no answer of the server.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.to.write_all(bytes)?;
        Ok(self.to.flush()?)
    }
}

/// Makes sure that something may be destroyed: `yes` was typed already, or is answered now.
pub(crate) fn confirm(question: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(Failure::Usage {
            message: format!("nobody can be asked: {}", neutral(question)),
            hint: Some("Add `--yes` if you mean it.".to_owned()),
        });
    }
    write!(io::stderr(), "{} [y/N] ", neutral(question))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
        Ok(())
    } else {
        Err(Failure::Failed("nothing was changed".to_owned()))
    }
}
