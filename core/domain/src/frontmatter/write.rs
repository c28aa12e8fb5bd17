//! Whole files: a new one from fields and body, or another body behind a header that is there.

use super::scalar::{Place, scalar};
use super::{bare, body_text, line_end, split};

/// A value of a new header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    /// A scalar; quoted when a YAML reader would take it for something else.
    Text(&'a str),
    /// One nested map of scalars; an empty one is left out.
    Map(&'a [(&'a str, &'a str)]),
}

/// The text of a new file: header, blank line, body, final newline.
///
/// The caller keeps the values short: a header beyond [`super::HEADER_LIMIT`] is not read back.
pub fn render(fields: &[(&str, Field<'_>)], body: &str) -> String {
    let mut text = String::from("---\n");
    for (key, field) in fields {
        match field {
            Field::Text(value) => text.push_str(&line("", key, value, "\n")),
            Field::Map([]) => {}
            Field::Map(children) => {
                text.extend([&scalar(key, Place::Flow), ":\n"]);
                text.extend(children.iter().map(|(key, value)| line("  ", key, value, "\n")));
            }
        }
    }
    text.push_str("---\n");
    let body = body_text(body);
    if !body.is_empty() {
        text.extend(["\n", body, "\n"]);
    }
    text
}

/// One `key: value` line.
pub(super) fn line(indent: &str, key: &str, value: &str, end: &str) -> String {
    format!("{indent}{}: {}{end}", scalar(key, Place::Flow), scalar(value, Place::Block))
}

/// Puts another body behind the header.
///
/// Header, byte order mark, the blank lines before the body, the kind of line end and whether
/// there is a final newline stay; a body that says the same changes nothing.
pub fn replace_body(text: &str, body: &str) -> String {
    let old = split(text);
    let unix = |body: &str| body.replace("\r\n", "\n");
    let (old_body, new_body) = (old.body_text(), unix(body_text(body)));
    if unix(old_body) == new_body {
        return text.to_owned();
    }
    let before = old.body.len() - old.body.trim_start().len();
    let lead = old.body[..before].rfind('\n').map_or(0, |newline| newline + 1);
    let tail = &old.body[old.body.trim_end().len().max(lead)..];
    let end = line_end(text);
    let mut replaced = text[..old.body_start + lead].to_owned();
    if old.header.is_some() && !replaced.ends_with('\n') {
        replaced.push_str(end);
    }
    if lead == 0 && (old.header.is_some() || opens_header(&new_body)) {
        replaced.push_str(end);
    }
    replaced.push_str(&new_body.replace('\n', end));
    replaced.push_str(if old_body.is_empty() { end } else { tail });
    replaced
}

/// Whether a body would be read as a header at the top of a file.
fn opens_header(body: &str) -> bool {
    body.split_inclusive('\n').next().is_some_and(|line| bare(line) == "---")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::{parse, set_fields};
    use proptest::prelude::*;

    #[test]
    fn a_new_file() {
        let fields = [
            ("kind", Field::Text("knowledge")),
            ("title", Field::Text("no")),
            ("metadata", Field::Map(&[("actor", "agent"), ("agent", "claude-code")])),
            ("empty", Field::Map(&[])),
            ("created_at", Field::Text("2026-06-09T10:11:12+00:00")),
        ];
        let text = render(&fields, "\n\nThe fact.\n\n");
        assert_eq!(
            text,
            "---\nkind: knowledge\ntitle: \"no\"\nmetadata:\n  actor: agent\n  agent: claude-code\n\
             created_at: 2026-06-09T10:11:12+00:00\n---\n\nThe fact.\n"
        );
        assert_eq!(render(&[], " "), "---\n---\n");
    }

    #[test]
    fn another_body() {
        let cases = [
            ("---\na: 1\n---\n\nold\n", "new", "---\na: 1\n---\n\nnew\n"),
            ("---\na: 1\n---\nold", "new\n", "---\na: 1\n---\n\nnew"),
            ("---\na: 1\n---", "new", "---\na: 1\n---\n\nnew\n"),
            ("---\na: 1\n---\n", "new", "---\na: 1\n---\n\nnew\n"),
            ("---\n a: [\n---\n\n\nold\n\n", "new", "---\n a: [\n---\n\n\nnew\n\n"),
            (
                "\u{feff}---\r\na: 1\r\n---\r\n\r\nold\r\n",
                "one\ntwo",
                "\u{feff}---\r\na: 1\r\n---\r\n\r\none\r\ntwo\r\n",
            ),
            ("\u{feff}old\r\nlines\r\n", "new\n\nlines\n", "\u{feff}new\r\n\r\nlines\r\n"),
            ("old\r\nmixed\n", "old\nmixed", "old\r\nmixed\n"),
            ("old\n", "one\r\ntwo\r\n", "one\ntwo\n"),
            ("old\n", "---\na: 1\n---\nx", "\n---\na: 1\n---\nx\n"),
            ("", "new", "new\n"),
            ("---\na: 1\n---\n\nold\n", "", "---\na: 1\n---\n\n\n"),
        ];
        for (text, body, expected) in cases {
            assert_eq!(replace_body(text, body), expected, "{text:?} with {body:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_rendered_is_read_back(
            title in any::<String>(), agent in any::<String>(),
            odd in "[-:#'\"\\[\\]{},&*!|>%@`0-9a-f. \n]{0,12}",
            key in "[a-z_]{1,9}", body in any::<String>(),
        ) {
            let child = [(key.as_str(), agent.as_str())];
            let fields = [
                ("title", Field::Text(&title)),
                ("odd", Field::Text(&odd)),
                ("metadata", Field::Map(&child)),
            ];
            let text = render(&fields, &body);
            let (fields, problem) = parse(&text);
            prop_assert_eq!(problem, None, "{}", text);
            prop_assert_eq!(fields.get_str("title"), Some(title.as_str()));
            prop_assert_eq!(fields.get_str("odd"), Some(odd.as_str()));
            prop_assert_eq!(fields.get_str(&format!("metadata.{key}")), Some(agent.as_str()));
            prop_assert_eq!(split(&text).body_text(), body_text(&body));
            let same = [("title", Some(title.as_str())), ("odd", Some(odd.as_str()))];
            prop_assert_eq!(set_fields(&text, &same).unwrap(), text);
        }

        #[test]
        fn any_body_is_kept(
            text in "(---\r?\na: 1\n---\r?\n?)?[a\r\n -]{0,20}", body in "[b\n -]{0,20}",
        ) {
            let replaced = replace_body(&text, &body);
            let unix = |text: &str| text.replace("\r\n", "\n");
            prop_assert_eq!(unix(split(&replaced).body_text()), unix(body_text(&body)));
            prop_assert_eq!(split(&replaced).header, split(&text).header);
            prop_assert_eq!(replace_body(&replaced, &body), replaced);
        }
    }
}
