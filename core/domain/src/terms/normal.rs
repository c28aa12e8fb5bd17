//! One form for what looks or means the same, before a text is cut.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The text in NFKC, without marks that have no composed form and without invisible characters.
///
/// The tokenizer takes such marks (vowel signs of Thai or Devanagari, Hebrew points) for the end
/// of a word; without them the word stays one.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.is_ascii() {
            normal.push_str(line);
        } else {
            // What a dropped mark kept apart composes now, as it would without it.
            normal.extend(line.nfkc().filter(|&c| !is_dropped(c)).nfc());
        }
    }
    Cow::Owned(normal)
}

fn is_dropped(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c)
            || matches!(c,
                '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{feff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form() {
        let cases = [
            ("plain", "plain"),
            ("Ｒｕｓｔ　ﾊﾝｶｸ", "Rust ハンカク"),
            ("ﬁle", "file"),
            ("e\u{301}", "é"),
            ("ที่นี่", "ทน"),
            ("हिन्दी", "हनद"),
            ("co\u{ad}op\u{200b}", "coop"),
            ("❤\u{fe0f}", "❤"),
        ];
        for (text, expected) in cases {
            assert_eq!(normal(text), expected);
        }
    }
}
