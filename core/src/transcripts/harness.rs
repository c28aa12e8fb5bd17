//! What programs put among a person's words: marked stretches, and whole texts that begin like none of
//! a person's.

use std::borrow::Cow;

use coffer_domain::bundle;

/// The words without all stretches between these marks, and without Coffer's own; the ends trimmed.
/// A mark that is never closed is the person's.
pub(super) fn without<'t>(text: &'t str, marks: &[(&str, &str)]) -> Cow<'t, str> {
    let own = [(bundle::OPEN, bundle::CLOSE)];
    let mut text = Cow::Borrowed(text.trim());
    for (open, close) in marks.iter().chain(&own) {
        while let Some((start, end)) = stretch(&text, open, close) {
            let kept = format!("{}{}", &text[..start], &text[end..]);
            text = Cow::Owned(kept.trim().to_owned());
        }
    }
    text
}

fn stretch(text: &str, open: &str, close: &str) -> Option<(usize, usize)> {
    let start = text.find(open)?;
    let inner = start + open.len();
    let end = text[inner..].find(close)? + inner + close.len();
    Some((start, end))
}

/// Whether a text begins with one of these.
pub(super) fn begins(text: &str, with: &[&str]) -> bool {
    let text = text.trim_start();
    with.iter().any(|begin| text.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_between_marks_are_taken_out() {
        let marks = [("<a>", "</a>"), ("<b>", "</b>")];
        for (text, left) in [
            (" plain \n", "plain"),
            ("<a>x</a>\nfix it", "fix it"),
            ("<b>x</b> one <a>y</a><a>z</a> two", "one  two"),
            ("see <a> here", "see <a> here"),
            ("</a> <a>x", "</a> <a>x"),
            ("<a></a>", ""),
            ("<coffer-context>facts</coffer-context>\n\ngo on", "go on"),
        ] {
            assert_eq!(without(text, &marks), left, "{text}");
        }
    }

    #[test]
    fn a_text_begins_after_its_blanks() {
        assert!(begins("\n <x> y", &["<z>", "<x>"]));
        assert!(!begins("y <x>", &["<x>"]) && !begins("", &["<x>"]));
    }
}
