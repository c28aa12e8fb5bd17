//! The keys and values of a header, scalars as they were written.
//!
//! Nothing is resolved to numbers, booleans or dates: `no`, `007` and `2026-01-01` stay what a
//! person typed, and so does a number of 40 digits.

use super::{FrontmatterError, split, tree};

/// The keys and values of a header, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields {
    entries: Vec<(String, Value)>,
}

/// One value of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// A scalar as it was written, but for its quotes.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A map, in the order of the file.
    Map(Vec<(String, Self)>),
}

/// Reads the header of a text.
///
/// Without a header, or with one that is refused, there are no fields; in the second case the
/// caller treats the whole text as body, for nothing of it was understood.
pub fn parse(text: &str) -> (Fields, Option<FrontmatterError>) {
    let split = split(text);
    let Some(header) = split.header else {
        return (Fields::default(), split.problem);
    };
    match tree::read(header) {
        Ok(map) => (Fields::from(map), None),
        Err(problem) => (Fields::default(), Some(problem)),
    }
}

impl Fields {
    /// The scalar at a key, or one level deeper at `parent.key`; none for null, lists and maps.
    pub fn get_str(&self, path: &str) -> Option<&str> {
        match self.get(path)? {
            Value::Text(text) => Some(text),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The value at a key, or one level deeper at `parent.key`.
    pub fn get(&self, path: &str) -> Option<&Value> {
        if let Some(value) = find(&self.entries, path) {
            return Some(value);
        }
        let (parent, key) = path.split_once('.')?;
        match find(&self.entries, parent)? {
            Value::Map(entries) => find(entries, key),
            Value::Null | Value::Text(_) | Value::List(_) => None,
        }
    }

    /// The top-level keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }

    /// The fields a change of one path leads to: what an edit is checked against.
    pub(super) fn with(mut self, path: &str, value: Option<&str>) -> Self {
        match path.split_once('.').filter(|_| find(&self.entries, path).is_none()) {
            None => put(&mut self.entries, path, value.map(|text| Value::Text(text.to_owned()))),
            Some((parent, key)) => {
                let mut children = match find(&self.entries, parent) {
                    Some(Value::Map(children)) => children.clone(),
                    _ => Vec::new(),
                };
                put(&mut children, key, value.map(|text| Value::Text(text.to_owned())));
                let map = (!children.is_empty()).then_some(Value::Map(children));
                put(&mut self.entries, parent, map);
            }
        }
        self
    }
}

impl From<tree::Map> for Fields {
    fn from(map: tree::Map) -> Self {
        Self { entries: map.into_values() }
    }
}

fn find<'v>(entries: &'v [(String, Value)], key: &str) -> Option<&'v Value> {
    entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn put(entries: &mut Vec<(String, Value)>, key: &str, value: Option<Value>) {
    let place = entries.iter().position(|(name, _)| name == key);
    match (place, value) {
        (Some(place), Some(value)) => entries[place].1 = value,
        (Some(place), None) => drop(entries.remove(place)),
        (None, Some(value)) => entries.push((key.to_owned(), value)),
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn header(yaml: &str) -> (Fields, Option<FrontmatterError>) {
        parse(&format!("---\n{yaml}\n---\nbody\n"))
    }

    #[test]
    fn scalars_stay_as_written() {
        let values = [
            "no",
            "1e3",
            "2026-13-45",
            "0x10",
            "2026-01-01",
            "007",
            "1.10",
            "12:30",
            "C:\\a",
            "on",
            "1234567890123456789012345678901234567890",
            "99999999999999999999999",
            "部署",
        ];
        for value in values {
            let (fields, problem) = header(&format!("key: {value}"));
            assert_eq!((fields.get_str("key"), problem), (Some(value), None));
        }
    }

    #[test]
    fn shapes() {
        let yaml = "# note\ntitle: 'it''s'  # why\nlong: >\n  one\n  two\nmetadata:\n  agent: codex\n  \
                    actor:\nlist:\n- a\n- [b, {c: d}]\nnothing: ~\nflow: {x: 1}\nref: &r v\nsame: *r\n\
                    str: !!str ~\n\"a.b\": dotted";
        let (fields, problem) = header(yaml);
        assert_eq!(problem, None);
        let scalars = [
            ("title", Some("it's")),
            ("long", Some("one two\n")),
            ("metadata.agent", Some("codex")),
            ("metadata.actor", None),
            ("metadata", None),
            ("list", None),
            ("nothing", None),
            ("flow.x", Some("1")),
            ("same", Some("v")),
            ("str", Some("~")),
            ("a.b", Some("dotted")),
            ("title.x", None),
            ("absent", None),
            ("absent.x", None),
        ];
        for (path, value) in scalars {
            assert_eq!(fields.get_str(path), value, "{path}");
        }
        assert_eq!(fields.keys().take(3).collect::<Vec<_>>(), ["title", "long", "metadata"]);
        let text = |text: &str| Value::Text(text.to_owned());
        let inner = Value::List(vec![text("b"), Value::Map(vec![("c".to_owned(), text("d"))])]);
        assert_eq!(fields.get("list"), Some(&Value::List(vec![text("a"), inner])));
    }

    #[test]
    fn empty_headers_are_fine() {
        for text in ["", "no header", "---\n---\n", "---\n# note\n\n---\n", "---\n~\n---\n"] {
            assert_eq!(parse(text), (Fields::default(), None));
        }
        let (fields, problem) = parse("\u{feff}---\r\ntitle: a\r\n---\r\n");
        assert_eq!((fields.get_str("title"), problem), (Some("a"), None));
    }

    #[test]
    fn refused_with_the_line() {
        let cases = [
            ("a: 1\n\ttab: 2", 2),
            ("a: 1\ntitle: *x*", 3),
            ("list:\n- [[link]]x", 3),
            ("a: 1\nb: 2\na: 3", 4),
            ("m:\n  x: 1\n  x: 2", 4),
            ("just words", 2),
            ("- a\n- b", 2),
            ("title: deploy: now", 2),
            ("a: `x`", 2),
            ("a: 'open", 2),
            ("[a]: 1", 2),
            ("a: &x [*x]", 2),
        ];
        for (yaml, line) in cases {
            let (fields, problem) = header(yaml);
            let problem = problem.unwrap_or_else(|| panic!("{yaml:?} is read"));
            assert_eq!((problem.line(), fields), (line, Fields::default()), "{yaml:?}: {problem}");
            assert!(problem.to_string().starts_with(&format!("line {line}: ")), "{problem}");
        }
    }

    #[test]
    fn bombs_are_refused_at_once() {
        let aliases: String = (1..10)
            .map(|level| {
                format!("a{level}: &a{level} [{}]\n", format!("*a{},", level - 1).repeat(9))
            })
            .collect();
        let deep: String = (0..300).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
        let cases = [
            format!("a0: &a0 [lol]\n{aliases}"),
            format!("a0: &a0 {}\nb: [{}]", "x".repeat(20_000), "*a0,".repeat(10_000)),
            format!("a: {}", "[".repeat(50_000)),
            format!("a: {}", "{".repeat(50_000)),
            "- ".repeat(30_000),
            deep,
            (0..1_000_000).map(|key| format!("k{key}: v\n")).collect(),
            "x".repeat(5_000_000),
        ];
        for yaml in cases {
            let start = Instant::now();
            let (_, problem) = header(&yaml);
            assert!(problem.is_some(), "{:?} is read", &yaml[..20]);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        }
    }

    #[test]
    fn many_keys_are_read_in_linear_time() {
        let yaml: String = (0..7_000).map(|key| format!("k{key}: v\n")).collect();
        let start = Instant::now();
        assert_eq!(header(&yaml).0.keys().count(), 7_000);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn tags_mean_nothing() {
        let (fields, problem) = header("a: !!python/object:os.system x");
        assert_eq!((fields.get_str("a"), problem), (Some("x"), None));
    }
}
