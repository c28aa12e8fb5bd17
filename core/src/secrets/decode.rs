//! Escapes of JSON and of URLs, taken away: a key reads the same in a program, in a transcript that
//! quotes the program, and in a query string.
//!
//! Deliberately absent: characters beyond ASCII. No key has one, so their escapes may stay.

use std::ops::Range;

use super::view::View;

/// The text without escapes. Backslashes may be doubled any number of times, percent signs too, as
/// they are where one text quotes another.
pub(super) fn decode(source: &[u8]) -> View<'_> {
    let mut view = View::empty();
    let mut copied = 0;
    let mut at = memchr::memchr2(b'\\', b'%', source).unwrap_or(source.len());
    while at < source.len() {
        if let Some((byte, length)) = escape(&source[at..]) {
            view.copy(source, copied..at);
            view.decoded(byte, at..at + length);
            copied = at + length;
            at = copied;
        } else {
            at += run(&source[at..], source[at]).max(1);
        }
        at += memchr::memchr2(b'\\', b'%', &source[at..]).unwrap_or(source.len() - at);
    }
    if copied == 0 {
        return View::of(source);
    }
    view.copy(source, copied..source.len());
    view
}

/// The byte that an escape stands for, and the length of the escape.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    if text[0] == b'%' { percent(text) } else { backslash(text) }
}

fn backslash(text: &[u8]) -> Option<(u8, usize)> {
    let many = run(text, b'\\');
    let byte = match text.get(many)? {
        b'n' | b'r' => b'\n',
        b't' => b'\t',
        byte @ (b'"' | b'\'' | b'/' | b'`') => *byte,
        b'u' => return Some((ascii(hex(text, many + 1..many + 5)?)?, many + 5)),
        b'x' => return Some((ascii(hex(text, many + 1..many + 3)?)?, many + 3)),
        _ => return None,
    };
    Some((byte, many + 1))
}

fn percent(text: &[u8]) -> Option<(u8, usize)> {
    let mut digits = 1;
    while text[digits..].starts_with(b"25") {
        digits += 2;
    }
    let byte = hex(text, digits..digits + 2).and_then(ascii);
    // `%25` that nothing follows is a percent sign.
    byte.map(|byte| (byte, digits + 2)).or((digits > 1).then_some((b'%', digits)))
}

fn run(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|other| **other == byte).count()
}

fn hex(text: &[u8], range: Range<usize>) -> Option<u32> {
    let digits = text.get(range)?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

/// What may be part of a key, or stand beside one.
fn ascii(code: u32) -> Option<u8> {
    let byte = u8::try_from(code).ok()?;
    (byte.is_ascii_graphic() || byte == b' ' || byte.is_ascii_whitespace()).then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, decoded: &str) {
        assert_eq!(String::from_utf8_lossy(&decode(source.as_bytes()).bytes), decoded);
    }

    #[test]
    fn escapes_go() {
        check("plain", "plain");
        check(r#"{\"a\":\"b\/c\"}"#, r#"{"a":"b/c"}"#);
        check(r#"\\\"a\\nb\n"#, "\"a\nb\n");
        check(r"a\u002fb\x2Fc", "a/b/c");
        check("a%2Fb%252fc%3A", "a/b/c:");
    }

    #[test]
    fn what_is_no_escape_stays() {
        check("100% of %zz \\q \\", "100% of %zz \\q \\");
        check("%25", "%");
        check("\\u00e9 %C3%A9 %", "\\u00e9 %C3%A9 %");
    }
}
