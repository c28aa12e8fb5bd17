//! How a string is written in YAML so that every reader, of YAML 1.1 or 1.2, reads that string.
//!
//! Plain where that is safe, quoted where a reader would see a number, a boolean, a date, a comment
//! or syntax. A full RFC 3339 timestamp stays plain: that is how the files have them.

use saphyr_parser::ScalarStyle;
use std::fmt::Write as _;

/// Where a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a line of its own.
    Block,
    /// Between brackets or braces.
    Flow,
}

/// The scalar, quoted when needed.
pub(super) fn scalar(text: &str, place: Place) -> String {
    if is_plain(text, place) { text.to_owned() } else { double_quoted(text) }
}

/// The scalar in the style the value before it had.
pub(super) fn restyled(text: &str, style: ScalarStyle, place: Place) -> String {
    match style {
        ScalarStyle::DoubleQuoted => double_quoted(text),
        ScalarStyle::SingleQuoted if !text.contains(is_escaped) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => scalar(text, place),
    }
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if is_escaped(c) => drop(write!(quoted, "\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// What no reader takes as it is, or what some take for a line end.
fn is_escaped(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn is_plain(text: &str, place: Place) -> bool {
    let indicator = |c: char| "-?:,[]{}#&*!|>'\"%@`=<".contains(c);
    is_timestamp(text)
        || !(text.is_empty()
            || text.trim() != text
            || text.starts_with(indicator)
            || text.ends_with(':')
            || text.contains(": ")
            || text.contains(" #")
            || text.contains(is_escaped)
            || (place == Place::Flow && text.contains([',', '[', ']', '{', '}', ':', '"']))
            || is_word(text)
            || is_numeric(text))
}

/// Words that mean null or a boolean to some reader.
fn is_word(text: &str) -> bool {
    const WORDS: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a reader could see a number, a date or a time; errs on the side of quoting.
fn is_numeric(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '.']);
    let special = ["inf", "nan"].iter().any(|word| digits.eq_ignore_ascii_case(word));
    let part = |c: char| c.is_ascii_hexdigit() || "xXoO_.,:+-TtZz ".contains(c);
    text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && (special || text.chars().all(part))
}

/// `2026-06-09T10:11:12`, perhaps with a fraction, and `Z` or an offset.
fn is_timestamp(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let Some(rest) = shape.strip_prefix("0000-00-00T00:00:00") else {
        return false;
    };
    let zone = rest.strip_prefix('.').map_or(rest, |rest| rest.trim_start_matches('0'));
    matches!(zone, "Z" | "+00:00" | "-00:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted() {
        let plain = [
            "deploy-via-make-release",
            "This repo deploys via `make release`, never git push --tags directly.",
            "01J5E8ZK3Q4R5S6T7V8W9XYZAB",
            "2026-06-09T10:11:12+00:00",
            "2026-06-09T10:11:12.123Z",
            "C:\\a",
            "a#b",
            "http://example.org/x",
            "部署流程：先测试",
            "it's",
            "3 servers",
            "1.2.3-rc1",
        ];
        for text in plain {
            assert_eq!(scalar(text, Place::Block), text);
        }
        let quoted = [
            "",
            " a",
            "a ",
            "no",
            "No",
            "ON",
            "y",
            "~",
            "null",
            "TRUE",
            "12:30",
            "2026-01-02",
            "007",
            "1.10",
            "1e3",
            "0x1F",
            "0o17",
            "1_000",
            ".5",
            "-1",
            "+.inf",
            ".NaN",
            "...",
            "---",
            "- a",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "*a",
            "&a",
            "!a",
            "|",
            ">",
            "'a'",
            "\"a\"",
            "%a",
            "@a",
            "`a`",
            "[a]",
            "{a}",
            "? a",
            ": a",
            ", a",
            "=",
            "<<",
            "a\nb",
            "a\tb",
            "a\u{7}",
            "\u{feff}a",
            "a\u{85}b",
            "a\u{2028}b",
            "\u{a0}a",
            "9999999999999999999999999",
        ];
        for text in quoted {
            assert!(scalar(text, Place::Block).starts_with('"'), "{text:?} is written plain");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(scalar("a\"\\\n\t\0\u{85}", Place::Block), r#""a\"\\\n\t\u0000\u0085""#);
        assert_eq!(scalar("a, b", Place::Flow), "\"a, b\"");
        assert_eq!(restyled("it's", ScalarStyle::SingleQuoted, Place::Block), "'it''s'");
        assert_eq!(restyled("a\nb", ScalarStyle::SingleQuoted, Place::Block), "\"a\\nb\"");
        assert_eq!(restyled("a", ScalarStyle::DoubleQuoted, Place::Block), "\"a\"");
    }
}
