//! What a person keeps to themself: everything between `<private>` and `</private>`.
//!
//! Where something is not closed, more is kept back rather than less: what a person begins goes on in
//! their next words, through whatever is answered meanwhile. An agent that names the mark hides only
//! the rest of its own words.

use std::borrow::Cow;

use coffer_domain::hidden::is_hidden;

use super::message::Role;

const NAME: &str = "private";

/// Held over the words of a conversation, from its first.
#[derive(Debug, Default)]
pub(super) struct Veil {
    /// How many marks of the person are open.
    depth: usize,
    /// Whether anything was kept back so far.
    pub has_hidden: bool,
}

impl Veil {
    /// What of some words may be told.
    pub(super) fn over<'t>(&mut self, role: Role, text: &'t str) -> Cow<'t, str> {
        let told = match role {
            Role::Human => lifted(text, &mut self.depth),
            Role::Assistant if self.depth > 0 => Cow::Owned(String::new()),
            Role::Assistant => lifted(text, &mut 0),
        };
        self.has_hidden |= matches!(told, Cow::Owned(_));
        told
    }
}

/// The words outside of all marks.
fn lifted<'t>(text: &'t str, depth: &mut usize) -> Cow<'t, str> {
    let mut marks = marks(text).peekable();
    if *depth == 0 && marks.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut at) = (String::new(), 0);
    for (start, end, mark) in marks {
        if *depth == 0 {
            kept.push_str(&text[at..start]);
        }
        match mark {
            Mark::Open => *depth += 1,
            Mark::Close => *depth = depth.saturating_sub(1),
        }
        at = end;
    }
    if *depth == 0 {
        kept.push_str(&text[at..]);
    }
    Cow::Owned(kept)
}

enum Mark {
    Open,
    Close,
}

/// Where the marks are. One that its text does not end is one all the same.
fn marks(text: &str) -> impl Iterator<Item = (usize, usize, Mark)> {
    memchr::memchr_iter(b'<', text.as_bytes()).filter_map(|start| {
        let rest = after_blanks(&text[start + 1..]);
        let (mark, rest) = match rest.strip_prefix('/') {
            Some(rest) => (Mark::Close, after_blanks(rest)),
            None => (Mark::Open, rest),
        };
        let after = after_name(rest)?;
        let is_whole = after.starts_with(['>', '/']) || after.starts_with(char::is_whitespace);
        let end = after.find('>').map_or(text.len(), |at| text.len() - after.len() + at + 1);
        (is_whole || after.is_empty()).then_some((start, end, mark))
    })
}

/// What nobody sees does not make it another mark.
fn after_blanks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c == ' ' || is_hidden(c))
}

fn after_name(text: &str) -> Option<&str> {
    NAME.chars()
        .try_fold(text, |rest, letter| {
            let mut letters = rest.trim_start_matches(is_hidden).chars();
            let is_same = letters.next()?.eq_ignore_ascii_case(&letter);
            is_same.then_some(letters.as_str())
        })
        .map(|rest| rest.trim_start_matches(is_hidden_within))
}

/// Line ends and tabs are blanks, and end the name.
fn is_hidden_within(c: char) -> bool {
    is_hidden(c) && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: Role = Role::Human;
    const A: Role = Role::Assistant;

    #[test]
    fn what_is_private_is_not_told() {
        for (said, told) in [
            (&[(H, "plain <b>words</b>")][..], &["plain <b>words</b>"][..]),
            (&[(H, "a <private>x</private> b")], &["a  b"]),
            (&[(H, "a <PRIVATE reason=\"x\">x</Private > b")], &["a  b"]),
            (&[(H, "<private>a<private>b</private>c</private>d")], &["d"]),
            (&[(H, "a</private>b")], &["ab"]),
            (&[(H, "<privateer> <private-key>")], &["<privateer> <private-key>"]),
            (&[(H, "a<private>x"), (A, "x </private> x"), (H, "x</private>b")], &["a", "", "b"]),
            (&[(H, "a<private>x"), (A, "x"), (H, "x")], &["a", "", ""]),
            (
                &[(H, "a<private>x<private>x</private>x"), (H, "x</private>b"), (A, "c")],
                &["a", "b", "c"],
            ),
            (&[(A, "use `<private>` for x"), (H, "b")], &["use `", "b"]),
            (&[(H, "a <private"), (H, "x> x</private>")], &["a ", ""]),
            (&[(H, "ä<private>ü</private>ö")], &["äö"]),
            (&[(H, "a< private >x</ Private>b < / private>c")], &["ab c"]),
            (&[(H, "a<pri\u{200b}vate\u{feff}>x<\u{ad}/private>b")], &["ab"]),
            (&[(H, "a<private\r\nwhy>x</private>b <priv ate> <")], &["ab <priv ate> <"]),
        ] {
            let mut veil = Veil::default();
            let shown: Vec<_> = said.iter().map(|(role, text)| veil.over(*role, text)).collect();
            assert_eq!(shown, told, "{said:?}");
        }
    }
}
