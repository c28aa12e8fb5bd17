//! The YAML header of a Markdown file: read it, change single keys of it, write a new one.
//!
//! A change touches only the lines of the changed keys; every other byte stays. Guards stand before
//! the parser (size, depth, what aliases unfold to), so that a hostile header costs milliseconds.
//! Deliberately absent: what the keys mean, reading and writing of files.

mod edit;
mod error;
mod fields;
mod scalar;
mod tree;
mod write;

pub use edit::set_fields;
pub use error::FrontmatterError;
pub use fields::{Fields, Value, parse};
pub use write::{Field, render, replace_body};

/// How far after the opening fence the closing one may be, in bytes.
pub const HEADER_LIMIT: usize = 64 * 1024;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text divided into header and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<'a> {
    /// The YAML between the fences; none when the text has no frontmatter.
    pub header: Option<&'a str>,
    /// Byte offset of the header in the text; without a header that of the body.
    pub header_start: usize,
    /// What follows the line of the closing fence; without a header the text but its byte order
    /// mark.
    pub body: &'a str,
    /// Byte offset of the body in the text.
    pub body_start: usize,
    /// Why a text that begins with a fence has no header.
    pub problem: Option<FrontmatterError>,
}

impl<'a> Split<'a> {
    /// The body as it is shown and hashed: without blank lines at its ends.
    pub fn body_text(&self) -> &'a str {
        body_text(self.body)
    }
}

/// A text without blank lines at its start and white space at its end; indentation stays.
pub fn body_text(body: &str) -> &str {
    let body = body.trim_end();
    let blank = body.len() - body.trim_start().len();
    let first_line = body[..blank].rfind('\n').map_or(0, |newline| newline + 1);
    &body[first_line..]
}

/// Divides a text into header and body; never fails.
///
/// There is a header only when line 1 is exactly `---` (a byte order mark and CRLF are fine) and a
/// line `---` or `...` follows within [`HEADER_LIMIT`] bytes. Whether it is YAML is not looked at.
pub fn split(text: &str) -> Split<'_> {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let headless = |problem| Split {
        header: None,
        header_start: start,
        body: &text[start..],
        body_start: start,
        problem,
    };
    let mut lines = text[start..].split_inclusive('\n');
    let Some(opening) = lines.next().filter(|line| bare(line) == "---") else {
        return headless(None);
    };
    let header_start = start + opening.len();
    let mut at = header_start;
    for line in lines {
        if at > header_start + HEADER_LIMIT {
            break;
        }
        if matches!(bare(line), "---" | "...") {
            let body_start = at + line.len();
            return Split {
                header: Some(&text[header_start..at]),
                header_start,
                body: &text[body_start..],
                body_start,
                problem: None,
            };
        }
        at += line.len();
    }
    headless(Some(FrontmatterError::Unclosed { limit: HEADER_LIMIT }))
}

/// A line without its line end.
fn bare(line: &str) -> &str {
    let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
    line.strip_suffix(end).unwrap_or(line)
}

/// The line end a text uses, judged by its first one.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_header_is() {
        let far = format!("---\n{}---\n", "#\n".repeat(HEADER_LIMIT));
        let cases: &[(&str, Option<&str>, &str, bool)] = &[
            ("", None, "", false),
            ("text\n---\na: 1\n---\n", None, "text\n---\na: 1\n---\n", false),
            ("---\na: 1\n---\nbody\n", Some("a: 1\n"), "body\n", false),
            ("---\na: 1\n...\nbody", Some("a: 1\n"), "body", false),
            ("---\na: 1\n---", Some("a: 1\n"), "", false),
            ("---\n---\n\nbody\n---\n", Some(""), "\nbody\n---\n", false),
            ("\u{feff}---\r\na: 1\r\n---\r\nb\r\n", Some("a: 1\r\n"), "b\r\n", false),
            ("\u{feff}text", None, "text", false),
            ("--- \na: 1\n---\n", None, "--- \na: 1\n---\n", false),
            (" ---\na: 1\n---\n", None, " ---\na: 1\n---\n", false),
            ("----\na: 1\n---\n", None, "----\na: 1\n---\n", false),
            ("---\n\nA rule first.\n", None, "---\n\nA rule first.\n", true),
            ("---", None, "---", true),
            (&far, None, &far, true),
        ];
        for &(text, header, body, problem) in cases {
            let split = split(text);
            assert_eq!(
                (split.header, split.body),
                (header, body),
                "{:?}",
                &text[..text.len().min(40)]
            );
            assert_eq!(split.problem.is_some(), problem);
            assert_eq!(&text[split.body_start..], body);
            assert_eq!(
                header,
                split.header.map(|header| &text[split.header_start..][..header.len()])
            );
        }
    }

    #[test]
    fn body_text_has_no_blank_ends() {
        let cases = [
            ("\n \n    code\n\ntext \n\n", "    code\n\ntext"),
            (" \n\r\n", ""),
            ("a", "a"),
            ("  a", "  a"),
        ];
        for (body, text) in cases {
            assert_eq!(body_text(body), text);
        }
    }
}
