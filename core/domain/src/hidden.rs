//! Characters that a person cannot see but a program reads or a terminal obeys: controls,
//! zero-width, bidirectional marks, tags.
//!
//! They are the usual way to smuggle instructions into a text. Whatever comes from a store passes
//! through here before a person or an agent sees it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Writes each hidden character of `text` as `⟨U+200B⟩`; tabs and line ends, also `\r\n`, stay.
#[must_use]
pub fn expose(text: &str) -> Cow<'_, str> {
    replace(text, |hidden, into| {
        // Writing to a string cannot fail.
        let _ = write!(into, "⟨U+{:04X}⟩", u32::from(hidden));
    })
}

/// Leaves out each hidden character of `text`; what [`expose`] leaves as it is stays.
#[must_use]
pub fn strip(text: &str) -> Cow<'_, str> {
    replace(text, |_, _| {})
}

/// Hands each hidden character of `text` to `write`, together with what it may be written into.
#[must_use]
pub fn replace(text: &str, mut write: impl FnMut(char, &mut String)) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 32);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        if is_hidden(char) && !is_part(before, char, rest.peek().copied()) {
            write(char, &mut shown);
        } else {
            shown.push(char);
        }
        before = Some(char);
    }
    Cow::Owned(shown)
}

/// Whether a program reads a character that a person does not see.
#[must_use]
pub fn is_hidden(char: char) -> bool {
    matches!(char,
        '\0'..='\u{8}' | '\u{B}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{34F}'
        | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0E}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a hidden character belongs to something visible: the joiner inside of an emoji such as
/// 👩‍💻, and the first half of a Windows line end.
fn is_part(before: Option<char>, char: char, after: Option<char>) -> bool {
    match char {
        '\r' => after == Some('\n'),
        '\u{200D}' => before.is_some_and(is_emoji) && after.is_some_and(is_emoji),
        _ => false,
    }
}

fn is_emoji(char: char) -> bool {
    matches!(char, '\u{2600}'..='\u{27BF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown_by_their_code_points() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\u{200B}b", "a⟨U+200B⟩b"),
            ("\u{202E}gnp.exe", "⟨U+202E⟩gnp.exe"),
            ("x\u{E0041}", "x⟨U+E0041⟩"),
            ("soft\u{AD}hyphen", "soft⟨U+00AD⟩hyphen"),
            ("\u{FEFF}bom", "⟨U+FEFF⟩bom"),
            ("a\u{200D}b", "a⟨U+200D⟩b"),
            ("bell\u{7}", "bell⟨U+0007⟩"),
            ("\u{1b}[2J", "⟨U+001B⟩[2J"),
            ("\u{9b}2J", "⟨U+009B⟩2J"),
            ("a\rb", "a⟨U+000D⟩b"),
            ("a\r", "a⟨U+000D⟩"),
        ] {
            assert_eq!(expose(text), shown);
            let left: String =
                shown.split('⟨').map(|part| part.split_once('⟩').map_or(part, |it| it.1)).collect();
            assert_eq!(strip(text), left);
        }
    }

    #[test]
    fn visible_text_stays_as_it_is() {
        for text in ["tabs\tand\nlines\r\n", "部署手順 한국어 العربية", "👩‍💻 ❤️ 👨‍👩‍👧", "naïve — ok"]
        {
            assert_eq!(expose(text), text);
            assert_eq!(strip(text), text);
        }
    }
}
