//! Changes of single keys that leave every other byte of the file alone.
//!
//! A change is planned as one splice of the header and then checked: the new header must read as
//! the old one with just that change, or the edit is refused.

use super::scalar::{Place, restyled, scalar};
use super::tree::{Kind, Map};
use super::write::line;
use super::{BYTE_ORDER_MARK, Fields, FrontmatterError, line_end, split, tree};
use saphyr_parser::ScalarStyle;
use std::ops::Range;

/// Changes single keys, top-level or one level deeper as `parent.key`.
///
/// `None` removes a key. A key that is not there is added at the end of the header or of its
/// parent; a text without frontmatter gets one. A value that is there already stays as written.
///
/// # Errors
///
/// A header that does not parse, and a change that would alter other keys, are refused; the caller
/// leaves the file as it is.
pub fn set_fields(
    text: &str,
    changes: &[(&str, Option<&str>)],
) -> Result<String, FrontmatterError> {
    let mut text = text.to_owned();
    for &(path, value) in changes {
        text = set_field(text, path, value)?;
    }
    Ok(text)
}

fn set_field(text: String, path: &str, value: Option<&str>) -> Result<String, FrontmatterError> {
    let divided = split(&text);
    if let Some(problem) = divided.problem {
        return Err(problem);
    }
    let Some(header) = divided.header else {
        return Ok(value.map(|value| with_header(&text, path, value)).unwrap_or(text));
    };
    let map = tree::read(header)?;
    let fields = Fields::from(map.clone());
    let unchanged = match value {
        Some(value) => fields.get_str(path) == Some(value),
        None => fields.get(path).is_none(),
    };
    if unchanged {
        return Ok(text);
    }
    let edit = Edit { header, end: line_end(&text) };
    let changed = edit.apply(&map, path, value).filter(|changed| {
        tree::read(changed).is_ok_and(|map| Fields::from(map) == fields.with(path, value))
    });
    let Some(changed) = changed else {
        return Err(FrontmatterError::Entangled {
            line: edit.line(&map, path),
            key: path.to_owned(),
        });
    };
    let start = divided.header_start;
    Ok([&text[..start], &changed, &text[start + header.len()..]].concat())
}

fn with_header(text: &str, path: &str, value: &str) -> String {
    let end = line_end(text);
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mark = &text[..text.len() - body.len()];
    let gap = if body.is_empty() || body.starts_with(['\r', '\n']) { "" } else { end };
    let lines = new_lines("", path, value, end);
    format!("{mark}---{end}{lines}---{end}{gap}{body}")
}

/// The lines of a path that is not there: one, or the parent and the key under it.
fn new_lines(indent: &str, path: &str, value: &str, end: &str) -> String {
    match path.split_once('.') {
        None => line(indent, path, value, end),
        Some((parent, key)) => {
            let child = line(&format!("{indent}  "), key, value, end);
            format!("{indent}{}:{end}{child}", scalar(parent, Place::Flow))
        }
    }
}

struct Edit<'a> {
    header: &'a str,
    end: &'static str,
}

impl Edit<'_> {
    /// The header after the change; none when it cannot be done.
    fn apply(&self, root: &Map, path: &str, value: Option<&str>) -> Option<String> {
        let nested = path.split_once('.').filter(|_| root.find(path).is_none());
        let (range, with) = match nested {
            None => self.change(root, path, value, self.header.len())?,
            Some((parent, key)) => match root.find(parent) {
                None => self.add(root, path, value?, self.header.len()),
                Some(place) => self.change_child(root, place, key, value)?,
            },
        };
        let (before, after) = (&self.header[..range.start], &self.header[range.end..]);
        Some([before, &with, after].concat())
    }

    fn change_child(
        &self,
        root: &Map,
        place: usize,
        key: &str,
        value: Option<&str>,
    ) -> Option<(Range<usize>, String)> {
        let parent = &root.entries[place];
        match &parent.node.kind {
            Kind::Map(map) if value.is_none() && map.entries.len() == 1 => {
                Some((self.removal(root, place), String::new()))
            }
            Kind::Map(map) => self.change(map, key, value, self.next_line(parent.node.range.end)),
            Kind::Null if root.brace.is_none() => {
                let indent = format!("{}  ", self.indent(parent.key_range.start));
                let at = self.next_line(parent.node.range.end);
                Some((at..at, line(&indent, key, value?, self.end)))
            }
            Kind::Null | Kind::Text(..) | Kind::List(_) => None,
        }
    }

    /// Sets, removes or adds a key of one map; new lines go to `end_of_map`.
    fn change(
        &self,
        map: &Map,
        key: &str,
        value: Option<&str>,
        end_of_map: usize,
    ) -> Option<(Range<usize>, String)> {
        match (map.find(key), value) {
            (Some(place), Some(value)) => Some(self.replacement(map, place, value)),
            (Some(place), None) => Some((self.removal(map, place), String::new())),
            (None, Some(value)) => Some(self.add(map, key, value, end_of_map)),
            (None, None) => None,
        }
    }

    fn replacement(&self, map: &Map, place: usize, value: &str) -> (Range<usize>, String) {
        let entry = &map.entries[place];
        let written = if map.brace.is_some() { Place::Flow } else { Place::Block };
        let range = entry.node.range.clone();
        match &entry.node.kind {
            Kind::Text(_, style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)) => {
                // The parser counts what follows on the line to the value, comments too.
                let end = range.start + quoted_length(&self.header[range.clone()]);
                (range.start..end, restyled(value, *style, written))
            }
            Kind::Text(_, ScalarStyle::Plain) | Kind::Null if !range.is_empty() => {
                (range, scalar(value, written))
            }
            _ => {
                let start = self.after_colon(entry.key_range.end);
                let end = start.max(self.content_end(range.end));
                (start..end, format!(" {}", scalar(value, written)))
            }
        }
    }

    fn removal(&self, map: &Map, place: usize) -> Range<usize> {
        let entry = &map.entries[place];
        let end = entry.node.range.end.max(self.after_colon(entry.key_range.end));
        if map.brace.is_none() {
            return self.line_start(entry.key_range.start)..self.next_line(end);
        }
        match (map.entries.get(place + 1), place.checked_sub(1)) {
            (Some(next), _) => entry.key_range.start..next.key_range.start,
            (None, Some(previous)) => map.entries[previous].node.range.end..end,
            (None, None) => entry.key_range.start..end,
        }
    }

    fn add(&self, map: &Map, path: &str, value: &str, end: usize) -> (Range<usize>, String) {
        if let Some(brace) = map.brace {
            return add_to_flow(map, brace, path, value);
        }
        let indent = map.entries.first().map_or("", |first| self.indent(first.key_range.start));
        (end..end, new_lines(indent, path, value, self.end))
    }

    fn line(&self, root: &Map, path: &str) -> u32 {
        let key = path.split('.').next().unwrap_or(path);
        let at = root.find(key).map_or(0, |place| root.entries[place].key_range.start);
        let above = self.header[..at].matches('\n').count();
        u32::try_from(above + 2).unwrap_or(u32::MAX)
    }

    fn after_colon(&self, key_end: usize) -> usize {
        self.header[key_end..].find(':').map_or(key_end, |colon| key_end + colon + 1)
    }

    /// The end without the blank lines that the parser counts to a block scalar.
    fn content_end(&self, end: usize) -> usize {
        self.header[..end].trim_end().len()
    }

    fn line_start(&self, at: usize) -> usize {
        self.header[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn indent(&self, at: usize) -> &str {
        let line = &self.header[self.line_start(at)..at];
        &line[..line.len() - line.trim_start_matches(' ').len()]
    }

    fn next_line(&self, end: usize) -> usize {
        let end = self.content_end(end);
        self.header[end..].find('\n').map_or(self.header.len(), |newline| end + newline + 1)
    }
}

/// How far a quoted value reaches that a text begins with, its quotes included.
fn quoted_length(text: &str) -> usize {
    let quote = text.chars().next().unwrap_or('"');
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => drop(chars.next()),
            '\'' if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
            }
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A pair behind the last one, or behind the opening brace.
fn add_to_flow(map: &Map, brace: usize, path: &str, value: &str) -> (Range<usize>, String) {
    let pair = |key, value: &str| format!("{}: {value}", scalar(key, Place::Flow));
    let value = scalar(value, Place::Flow);
    let pair = match path.split_once('.') {
        None => pair(path, &value),
        Some((parent, key)) => pair(parent, &format!("{{{}}}", pair(key, &value))),
    };
    match map.entries.last() {
        Some(last) => (last.node.range.end..last.node.range.end, format!(", {pair}")),
        None => (brace + 1..brace + 1, pair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::parse;
    use proptest::prelude::*;

    #[track_caller]
    fn check(header: &str, path: &str, value: Option<&str>, expected: &str) {
        let text = format!("---\n{header}---\n\nbody\n");
        let expected = format!("---\n{expected}---\n\nbody\n");
        assert_eq!(set_fields(&text, &[(path, value)]), Ok(expected.clone()));
        assert_eq!(set_fields(&expected, &[(path, value)]), Ok(expected), "a second time");
    }

    #[test]
    fn set() {
        check("a: 1\nb: 2\n", "a", Some("x"), "a: x\nb: 2\n");
        check(
            "# c\n\na:   1   # why\nb: 2\n",
            "a",
            Some("no"),
            "# c\n\na:   \"no\"   # why\nb: 2\n",
        );
        check("a: 'x'\n", "a", Some("it's"), "a: 'it''s'\n");
        check("a: \"x\"\n", "a", Some("y"), "a: \"y\"\n");
        check("a:\nb: 2\n", "a", Some("x"), "a: x\nb: 2\n");
        check("a: # why\nb: 2\n", "a", Some("x"), "a: x # why\nb: 2\n");
        check("a:  'one''s'   # why\nb: 2\n", "a", Some("x"), "a:  'x'   # why\nb: 2\n");
        check("a: \"one\\\"\"   # \"why\"\nb: 2\n", "a", Some("x"), "a: \"x\"   # \"why\"\nb: 2\n");
        check("a: ~\n", "a", Some("x"), "a: x\n");
        check("a: x\n", "a", Some(""), "a: \"\"\n");
        check("a: |\n  one\n  two\n\nb: 2\n", "a", Some("x"), "a: x\n\nb: 2\n");
        check("a: one\n  two\nb: 2\n", "a", Some("x"), "a: x\nb: 2\n");
        check("a:\n- one\n- two\n# c\nb: 2\n", "a", Some("x"), "a: x\n# c\nb: 2\n");
        check("a: [one, two]\nb: 2\n", "a", Some("x"), "a: x\nb: 2\n");
        check("a: 1\n\"b\": 2\n", "b", Some("x\ny"), "a: 1\n\"b\": \"x\\ny\"\n");
        check("标题: 部署 # 注\n", "标题", Some("检索"), "标题: 检索 # 注\n");
        check("a: 1\r\nb: 2\r\n", "a", Some("x"), "a: x\r\nb: 2\r\n");
        check("a: &r 1\nb: 2\n", "a", Some("x"), "a: x\nb: 2\n");
        check("{a: 1, b: 2}\n", "a", Some("x, y"), "{a: \"x, y\", b: 2}\n");
    }

    #[test]
    fn add() {
        check("a: 1\n", "b", Some("x"), "a: 1\nb: x\n");
        check("", "b", Some("x"), "b: x\n");
        check("# c\n", "b", Some("x"), "# c\nb: x\n");
        check("a: |\n  one\n", "b", Some("x"), "a: |\n  one\nb: x\n");
        check("  a: 1\n", "b", Some("x"), "  a: 1\n  b: x\n");
        check("{a: 1}\n", "b", Some("x"), "{a: 1, b: x}\n");
        check("{}\n", "m.b", Some("x"), "{m: {b: x}}\n");
        check("a: 1\n", "m.b", Some("x"), "a: 1\nm:\n  b: x\n");
        check("m:\nz: 1\n", "m.b", Some("x"), "m:\n  b: x\nz: 1\n");
        check(
            "m:\n    a: 1 # c\n\nz: 1\n",
            "m.b",
            Some("x"),
            "m:\n    a: 1 # c\n    b: x\n\nz: 1\n",
        );
        check("m: {a: 1}\nz: 1\n", "m.b", Some("x"), "m: {a: 1, b: x}\nz: 1\n");
        check("z: {a: 1}\nm: {}\n", "m.b", Some("x"), "z: {a: 1}\nm: {b: x}\n");
        check("m:\n  a:\n    d: 1\nz: 1\n", "m.b", Some("x"), "m:\n  a:\n    d: 1\n  b: x\nz: 1\n");
    }

    #[test]
    fn remove() {
        check("a: 1\nb: 2\n", "a", None, "b: 2\n");
        check("a: 1\n", "a", None, "");
        check("a:\n- x\n\n- y\n# c\nb: 2\n", "a", None, "# c\nb: 2\n");
        check("a: |\n  x\nb: 2\n", "a", None, "b: 2\n");
        check("m:\n  a: 1\n  b: 2\n", "m.a", None, "m:\n  b: 2\n");
        check("m:\n  a: 1\nb: 2\n", "m.a", None, "b: 2\n");
        check("m: {a: 1, b: 2}\n", "m.a", None, "m: {b: 2}\n");
        check("m: {a: 1, b: 2}\n", "m.b", None, "m: {a: 1}\n");
        check("? a\n: 1\nb: 2\n", "a", None, "b: 2\n");
        check("a: 1\n", "b", None, "a: 1\n");
        check("a: 1\n", "m.b", None, "a: 1\n");
    }

    #[test]
    fn many_things_survive_a_change() {
        let text = "\u{feff}---\r\n# head\r\nunknown: {x: [1, 'two']}\r\ntitle:   old   # keep\r\n\r\n\
                    zeta: \"q\"\r\nbase: &b no\r\ncopy: *b\r\nmetadata:\r\n    agent: codex\r\n...\r\nbody\r\n---\r\nx";
        let changed =
            set_fields(text, &[("title", Some("new")), ("metadata.agent", Some("pi"))]).unwrap();
        assert_eq!(changed, text.replace("old", "new").replace("codex", "pi"));
    }

    #[test]
    fn a_text_without_header_gets_one() {
        let cases = [
            ("text\n", "---\nid: x\n---\n\ntext\n"),
            ("\ntext\n", "---\nid: x\n---\n\ntext\n"),
            ("", "---\nid: x\n---\n"),
            ("\u{feff}a\r\nb", "\u{feff}---\r\nid: x\r\n---\r\n\r\na\r\nb"),
        ];
        for (text, expected) in cases {
            assert_eq!(set_fields(text, &[("id", Some("x"))]).unwrap(), expected);
            assert_eq!(set_fields(text, &[("id", None)]).unwrap(), text);
        }
    }

    #[test]
    fn refused() {
        let broken = [
            "---\nunclosed: 1\n",
            "---\na: 1\n\tb: 2\n---\n",
            "---\ntitle: *x*\n---\n",
            "---\na: 1\na: 2\n---\n",
            "---\nwords\n---\n",
            "---\nl:\n- [[link]]x\n---\n",
        ];
        for text in broken {
            assert!(set_fields(text, &[("title", Some("x"))]).is_err(), "{text:?}");
        }
        let entangled = [
            ("a: &r 1\nb: *r\n", "a", Some("x"), 2),
            ("z: 1\nm: text\n", "m.a", Some("x"), 3),
            ("z: 1\nm: [1]\n", "m.a", Some("x"), 3),
            ("n: &n\n  a: 1\nm: *n\n", "m.a", Some("x"), 4),
        ];
        for (header, path, value, line) in entangled {
            let error = set_fields(&format!("---\n{header}---\n"), &[(path, value)]);
            let key = path.to_owned();
            assert_eq!(error, Err(FrontmatterError::Entangled { line, key }), "{header:?}");
        }
    }

    /// A line of a header, from harmless to odd.
    fn header_line() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-d]: [a-z0-9 ]{0,6}",
            "[a-d]: '[a-z ]{0,4}'",
            "[a-d]: \"[a-z ]{0,4}\" # c",
            "# [a-z]{0,4}",
            "",
            "[a-d]:",
            "  [a-d]: [a-z]{1,3}",
            "- [a-z]{1,3}",
            "[a-d]: \\|",
            "  [a-z]{1,4}",
            "[a-d]: \\[x, y\\]",
            "[a-d]: \\{a: 1\\}",
            "[a-d]: &x 1",
            "[a-d]: \\*x",
            "[-a-d:#\"'{}\\[\\] ]{0,8}",
        ]
    }

    proptest! {
        #[test]
        fn a_change_is_that_change_or_refused(
            lines in prop::collection::vec(header_line(), 0..8), path in "([a-d]|[a-d]\\.[a-d])",
            value in prop::option::of("[a-z:# \n]{0,6}"), crlf in any::<bool>(),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let header: String = lines.iter().map(|line| format!("{line}{end}")).collect();
            let text = format!("---{end}{header}---{end}{end}body");
            let before = parse(&text);
            match set_fields(&text, &[(&path, value.as_deref())]) {
                Ok(changed) => {
                    let (fields, problem) = parse(&changed);
                    prop_assert_eq!(problem, None);
                    match &value {
                        Some(value) => prop_assert_eq!(fields.get_str(&path), Some(value.as_str())),
                        None => prop_assert_eq!(fields.get(&path), None),
                    }
                    prop_assert_eq!(split(&changed).body, split(&text).body);
                }
                Err(FrontmatterError::Entangled { .. }) => prop_assert_eq!(before.1, None),
                Err(problem) => prop_assert_eq!(before.1, Some(problem)),
            }
        }

        #[test]
        fn nothing_panics(
            text in "(---\n)?[-a-c:#\"'{}\\[\\]&*|>?!%@`, \t\r\n\u{e9}\u{1f600}\0]{0,60}(\n---\n)?.{0,5}",
        ) {
            let (_, problem) = parse(&text);
            let changed = set_fields(&text, &[("a", Some("x")), ("b.c", Some("y")), ("c", None)]);
            prop_assert!(problem.is_none() || changed.is_err());
        }
    }
}
