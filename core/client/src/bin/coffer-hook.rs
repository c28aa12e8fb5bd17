//! `coffer-hook --agent NAME`: tells an agent Coffer's rules when a session begins, and Coffer that one
//! ended. Whatever happens, it exits with 0 and prints nothing but the answer.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

use std::io::Write as _;

use coffer_client::hook;
use coffer_env::Home;

const HELP: &str = "\
Tells a coding agent Coffer's rules when a session begins, and Coffer that one ended.

Usage: coffer-hook --agent NAME [--home FOLDER]

Agents start it, and tell it by standard input what happened. It prints the answer in the
agent's own shape, or nothing, and never fails.
";

/// What the words after the program's name ask for.
enum Asked {
    Answer { agent: String, home: Option<String> },
    Help,
    Version,
}

fn main() {
    // An agent shows what a hook writes to its errors.
    std::panic::set_hook(Box::new(|_| {}));
    let words = match asked(std::env::args().skip(1)) {
        Some(Asked::Answer { agent, home }) => answer(agent, home),
        Some(Asked::Version) => {
            Some(concat!("coffer-hook ", env!("CARGO_PKG_VERSION"), "\n").into())
        }
        Some(Asked::Help) | None => Some(HELP.to_owned()),
    };
    if let Some(words) = words {
        let mut out = std::io::stdout();
        // Nobody is there to be told.
        let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
    }
    // Threads that hang go with the process.
    std::process::exit(0);
}

fn answer(agent: String, home: Option<String>) -> Option<String> {
    let home = home.map_or_else(|| Home::discover().ok(), |home| Some(Home::at(home)))?;
    hook::answer(home, agent, std::io::stdin())
}

/// `None` for what is not understood.
fn asked(mut words: impl Iterator<Item = String>) -> Option<Asked> {
    let (mut agent, mut home) = (None, None);
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word, None),
        };
        match name.as_str() {
            "--agent" => agent = Some(value.or_else(|| words.next())?),
            "--home" => home = Some(value.or_else(|| words.next())?),
            "--version" | "-V" => return Some(Asked::Version),
            "--help" | "-h" => return Some(Asked::Help),
            // A newer version's entry that this program knows nothing of.
            _ => {}
        }
    }
    Some(Asked::Answer { agent: agent?, home })
}
