//! Characters that act on a terminal or hide from the eye: controls, bidirectional marks,
//! zero-width and tag characters. Shown by their code points.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Writes each hidden character of `text` as `⟨U+200B⟩`; line ends and tabs stay.
pub(crate) fn neutral(text: &str) -> Cow<'_, str> {
    replace(text, |hidden, into| {
        let _ = write!(into, "⟨U+{:04X}⟩", u32::from(hidden));
    })
}

/// Writes each hidden character of a JSON text as `\u200b`: the same JSON, harmless on a terminal.
pub(crate) fn escape(json: &str) -> String {
    let escaped = replace(json, |hidden, into| {
        for unit in hidden.encode_utf16(&mut [0; 2]) {
            let _ = write!(into, "\\u{unit:04x}");
        }
    });
    escaped.into_owned()
}

fn replace(text: &str, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 32);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        if is_hidden(char) && !joins_emoji(before, char, rest.peek().copied()) {
            write(char, &mut shown);
        } else {
            shown.push(char);
        }
        before = Some(char);
    }
    Cow::Owned(shown)
}

fn is_hidden(char: char) -> bool {
    matches!(char,
        '\0'..='\u{8}' | '\u{B}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{34F}'
        | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0E}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// The joiner inside of an emoji such as 👩‍💻 is part of a visible sign.
fn joins_emoji(before: Option<char>, char: char, after: Option<char>) -> bool {
    char == '\u{200D}' && before.is_some_and(is_emoji) && after.is_some_and(is_emoji)
}

fn is_emoji(char: char) -> bool {
    matches!(char, '\u{2600}'..='\u{27BF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_terminal() {
        for (text, shown) in [
            ("plain\n\ttext é 漢字", "plain\n\ttext é 漢字"),
            ("\u{1b}[2J", "⟨U+001B⟩[2J"),
            ("\u{9b}2J", "⟨U+009B⟩2J"),
            ("a\rb", "a⟨U+000D⟩b"),
            ("\u{202E}gnp.exe", "⟨U+202E⟩gnp.exe"),
            ("x\u{E0041}", "x⟨U+E0041⟩"),
            ("👩\u{200D}💻", "👩\u{200D}💻"),
            ("a\u{200D}b", "a⟨U+200D⟩b"),
        ] {
            assert_eq!(neutral(text), shown);
        }
    }

    #[test]
    fn escaped_json_means_the_same() {
        let value = "a\u{9b}b\u{202E}c\u{E0041}\u{7f}";
        let json = escape(&serde_json::to_string(value).unwrap());
        assert!(json.is_ascii(), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), value);
    }
}
