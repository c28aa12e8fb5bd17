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

/// A text that nobody should see: as given, or the one line of stdin, which a terminal does not show.
pub(crate) fn hidden(given: Option<String>) -> Result<String, Failure> {
    match given {
        Some(text) if text != "-" => Ok(text),
        None if io::stdin().is_terminal() => {
            let screen = console::Term::stderr();
            let read = screen.write_str("The text: ").and_then(|()| screen.read_secure_line());
            read.map_err(|error| Failure::usage(format!("the text cannot be read: {error}")))
        }
        _ => Ok(stdin()?.trim_end_matches(['\r', '\n']).to_owned()),
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
