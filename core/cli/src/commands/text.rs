//! Text given on the command line: words, or `-` for stdin.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Read as _};

use crate::failure::Failure;
use crate::render::Page;

/// The words joined by spaces; a single `-`, or nothing while stdin is no terminal, reads stdin.
pub(crate) fn given(words: &[String]) -> Result<String, Failure> {
    match words {
        [] if io::stdin().is_terminal() => Err(Failure::Usage {
            message: "no text was given".to_owned(),
            hint: Some("Type it, or pipe it in and write `-`.".to_owned()),
        }),
        [] => stdin(),
        [dash] if dash == "-" => stdin(),
        words => Ok(words.join(" ")),
    }
}

/// Says which secrets were taken out of a text, if any.
pub(crate) fn redacted(page: &mut Page, redacted: &BTreeMap<String, u64>) {
    for (kind, times) in redacted {
        page.line(format!("Taken out before it was written: {times} {kind}"));
    }
}

fn stdin() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(|error| Failure::usage(format!("stdin cannot be read: {error}")))?;
    Ok(text)
}
