//! What is written around a key and is no part of it, taken away: escapes of JSON, URLs, HTML and
//! Markdown, characters that nobody sees, colors of a terminal. A key reads the same in a program, in a
//! transcript that quotes the program, in a query string, and in what was copied from a page.
//!
//! Deliberately absent: other characters beyond ASCII. No key has one.

use coffer_domain::hidden::is_hidden;

use super::view::View;

/// The longest command to a terminal that is looked for, in bytes.
const COMMAND: usize = 512;

/// The text without escapes. Backslashes may be doubled any number of times, percent signs too, as
/// they are where one text quotes another.
pub(super) fn decode(source: &[u8]) -> View<'_> {
    let mut view = View::empty();
    let mut copied = 0;
    let mut at = next(source, 0);
    while at < source.len() {
        if let Some((stands_for, length)) = unit(&source[at..]) {
            view.copy(source, copied..at);
            if let Some(byte) = stands_for {
                view.decoded(byte, at..at + length);
            }
            copied = at + length;
            at = copied;
        } else {
            at += run(&source[at..], source[at]).max(1);
        }
        at = next(source, at);
    }
    if copied == 0 {
        return View::of(source);
    }
    view.copy(source, copied..source.len());
    view
}

/// Where the next byte is with which anything begins that is read differently.
fn next(source: &[u8], at: usize) -> usize {
    let found = source[at..].iter().position(|byte| BEGINS[usize::from(*byte)]);
    found.map_or(source.len(), |found| at + found)
}

/// The signs, and the first bytes of the characters that [`plain`] knows.
const BEGINS: [bool; 256] = {
    let mut table = [false; 256];
    let begins = b"\\%&\x1b\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf3";
    let mut at = 0;
    while at < begins.len() {
        table[begins[at] as usize] = true;
        at += 1;
    }
    table
};

/// What is read as one: the byte that it stands for, if any, and its length.
type Unit = (Option<u8>, usize);

fn unit(text: &[u8]) -> Option<Unit> {
    match text[0] {
        b'%' => percent(text).map(|(byte, length)| (Some(byte), length)),
        b'\\' => backslash(text),
        b'&' => entity(text),
        0x1b => Some((None, command(text))),
        _ => character(text),
    }
}

/// A character beyond ASCII.
fn character(text: &[u8]) -> Option<Unit> {
    let length = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let character = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((plain(character)?, length))
}

/// What a character is read as that has a like among ASCII's, or that nobody sees; `None` for others.
fn plain(character: char) -> Option<Option<u8>> {
    match character {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(Some(b' '))
        }
        '\u{2028}' | '\u{2029}' => Some(Some(b'\n')),
        // Letters, digits and signs as wide as Chinese ones.
        '\u{ff01}'..='\u{ff5e}' => Some(u8::try_from(u32::from(character) - 0xfee0).ok()),
        _ if !character.is_ascii() && is_hidden(character) => Some(None),
        _ => None,
    }
}

/// The length of what a terminal obeys and does not show: a color, a title, a link.
fn command(text: &[u8]) -> usize {
    let rest = &text[1..text.len().min(COMMAND)];
    let end = match rest.first() {
        Some(b'[') => {
            rest[1..].iter().position(|byte| (0x40..=0x7e).contains(byte)).map(|at| at + 1)
        }
        Some(b']') => rest.iter().position(|byte| matches!(byte, 0x07 | 0x1b)),
        Some(0x40..=0x5f) => Some(0),
        _ => None,
    };
    end.map_or(1, |end| end + 2)
}

/// A character as HTML writes it.
fn entity(text: &[u8]) -> Option<Unit> {
    const NAMES: [(&[u8], u8); 6] = [
        (b"quot", b'"'),
        (b"apos", b'\''),
        (b"amp", b'&'),
        (b"lt", b'<'),
        (b"gt", b'>'),
        (b"nbsp", b' '),
    ];
    let length = text.iter().take(10).position(|byte| *byte == b';')?;
    let name = &text[1..length];
    let byte = match name {
        [b'#', b'x' | b'X', digits @ ..] => return coded(number(digits, 16)?, length + 1),
        [b'#', digits @ ..] => return coded(number(digits, 10)?, length + 1),
        _ => NAMES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((Some(byte), length + 1))
}

/// A character by its number.
fn coded(code: u32, length: usize) -> Option<Unit> {
    let byte = match ascii(code) {
        Some(byte) => Some(byte),
        None => plain(char::from_u32(code)?)?,
    };
    Some((byte, length))
}

fn backslash(text: &[u8]) -> Option<Unit> {
    let many = run(text, b'\\');
    let byte = match text.get(many)? {
        b'n' | b'r' => b'\n',
        b't' => b'\t',
        // As strings, and as Markdown, have them.
        byte @ (b'"' | b'\'' | b'/' | b'`' | b'_' | b'*' | b'-' | b'~') => *byte,
        b'u' => return coded(number(text.get(many + 1..many + 5)?, 16)?, many + 5),
        b'x' => return coded(number(text.get(many + 1..many + 3)?, 16)?, many + 3),
        _ => return None,
    };
    Some((Some(byte), many + 1))
}

fn percent(text: &[u8]) -> Option<(u8, usize)> {
    let mut digits = 1;
    while text[digits..].starts_with(b"25") {
        digits += 2;
    }
    let byte = text.get(digits..digits + 2).and_then(|it| number(it, 16)).and_then(ascii);
    // `%25` that nothing follows is a percent sign.
    byte.map(|byte| (byte, digits + 2)).or((digits > 1).then_some((b'%', digits)))
}

fn run(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|other| **other == byte).count()
}

/// The number of a few digits.
fn number(digits: &[u8], base: u32) -> Option<u32> {
    let add = |sum: u32, digit: &u8| {
        sum.checked_mul(base)?.checked_add(char::from(*digit).to_digit(base)?)
    };
    digits.iter().try_fold(0, add).filter(|_| !digits.is_empty())
}

/// What may be part of a key, or stand beside one; and what begins a command to a terminal.
fn ascii(code: u32) -> Option<u8> {
    let byte = u8::try_from(code).ok()?;
    let is_plain = byte.is_ascii_graphic() || byte == b' ' || byte.is_ascii_whitespace();
    (is_plain || byte == 0x1b).then_some(byte)
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
        check(r"ghp\_a\-b", "ghp_a-b");
        check("&quot;a&#47;b&#x2F;c&amp;d&nbsp;e&apos;", "\"a/b/c&d e'");
    }

    #[test]
    fn what_nobody_sees_goes() {
        check(
            "a\u{200b}b\u{ad}c\u{feff}d\u{2060}e\u{202e}f\u{e0020}g\u{180e}h\u{34f}i",
            "abcdefghi",
        );
        check(r"a\u200bb\u00adc&#8203;d&#xFEFF;e", "abcde");
        check("a\u{a0}b\u{3000}c\u{2009}d\u{2028}e", "a b c d\ne");
        check("ｐａｓｓ：Ａ１！", "pass:A1!");
        check("\u{1b}[1;31ma\u{1b}[0mb\u{1b}]8;;https://x\u{7}c\u{1b}cd\u{1b}", "abccd");
        // A quoted command is read in the next pass.
        check(r"a\u001b[1mb", "a\u{1b}[1mb");
    }

    #[test]
    fn what_is_no_escape_stays() {
        check("100% of %zz \\q \\", "100% of %zz \\q \\");
        check("%25", "%");
        check("\\u00e9 %C3%A9 %", "\\u00e9 %C3%A9 %");
        check(
            "a && b; &c; &#; &#x; &#99999999; &eacute;",
            "a && b; &c; &#; &#x; &#99999999; &eacute;",
        );
        check("Grüße, 世界 — “ja”…\u{d8}", "Grüße, 世界 — “ja”…\u{d8}");
    }
}
