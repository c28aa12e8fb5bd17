//! The YAML header of a Markdown file: read it, change single keys of it, write a new one.
//!
//! A change touches only the lines of the changed keys; everything else keeps its bytes. Nothing here reads a file.

/// What is wrong with a header; lines count from 1 in the whole file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontmatterError {
    /// The first line is `---` but no closing line follows within the limit.
    #[error("line 1: the frontmatter is not closed by a `---` line within {limit} bytes")]
    Unclosed {
        /// How far the closing line was looked for, in bytes.
        limit: usize,
    },
    /// More nesting than the limit.
    #[error("line {line}: nested deeper than {limit} levels")]
    TooDeep {
        /// Where the limit was passed.
        line: u32,
        /// The limit.
        limit: usize,
    },
    /// More aliases (`*name`) than the limit.
    #[error("line {line}: more than {limit} aliases")]
    TooManyAliases {
        /// Where the limit was passed.
        line: u32,
        /// The limit.
        limit: usize,
    },
    /// One key twice in one map.
    #[error("line {line}: the key `{key}` is there twice")]
    DuplicateKey {
        /// Where the key is for the second time.
        line: u32,
        /// The key.
        key: String,
    },
    /// Something else than a map of keys and values.
    #[error("line {line}: expected `key: value`")]
    NotAMap {
        /// Where the other thing is.
        line: u32,
    },
    /// Not YAML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where the parser stopped.
        line: u32,
        /// What the parser said.
        message: String,
    },
}

impl FrontmatterError {
    /// The line of the file, from 1.
    pub fn line(&self) -> u32 {
        match self {
            Self::Unclosed { .. } => 1,
            Self::TooDeep { line, .. }
            | Self::TooManyAliases { line, .. }
            | Self::DuplicateKey { line, .. }
            | Self::NotAMap { line }
            | Self::Syntax { line, .. } => *line,
        }
    }
}

/// A text divided into header and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<'a> {
    /// The YAML between the fences; none when the text has no frontmatter.
    pub header: Option<&'a str>,
    /// All that follows the line of the closing fence; the whole text when there is no frontmatter.
    pub body: &'a str,
    /// Byte offset of the body in the text.
    pub body_start: usize,
    /// Why a text that begins with `---` has no header.
    pub problem: Option<FrontmatterError>,
}

impl<'a> Split<'a> {
    /// The body as it is shown: without leading blank lines and trailing line ends.
    pub fn body_text(&self) -> &'a str {
        let body = self.body.trim_end_matches(['\r', '\n']);
        let first = body.len() - body.trim_start().len();
        let line = body[..first].rfind('\n').map_or(0, |at| at + 1);
        &body[line..]
    }
}

/// Divides a text into header and body; never fails.
pub fn split(text: &str) -> Split<'_> {
    Split { header: None, body: text, body_start: 0, problem: None }
}

/// The keys and values of a header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields {
    entries: Vec<(String, Value)>,
}

/// One value of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing, or `~` or `null`.
    Null,
    /// A scalar as it was written, without quotes: `no`, `007` and dates stay what they are.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order of the file.
    Map(Vec<(String, Value)>),
}

impl Fields {
    /// The scalar at a key, or one level deeper at `parent.key`.
    pub fn get_str(&self, path: &str) -> Option<&str> {
        match self.get(path)? {
            Value::Text(text) => Some(text),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The value at a key, or one level deeper at `parent.key`.
    pub fn get(&self, path: &str) -> Option<&Value> {
        fn find<'v>(entries: &'v [(String, Value)], key: &str) -> Option<&'v Value> {
            entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
        }
        if let Some(value) = find(&self.entries, path) {
            return Some(value);
        }
        let (parent, key) = path.split_once('.')?;
        match find(&self.entries, parent)? {
            Value::Map(entries) => find(entries, key),
            Value::Null | Value::Text(_) | Value::List(_) => None,
        }
    }

    /// The top-level keys in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }
}

/// Reads the header of a text; without a header, or with one that does not parse, there are no fields.
pub fn parse(text: &str) -> (Fields, Option<FrontmatterError>) {
    (Fields::default(), split(text).problem)
}

/// Changes single keys (top-level, or one level deeper as `parent.key`) and keeps every other byte.
///
/// `None` removes a key. A key that is not there is added at the end of the header or of its parent; a text without
/// frontmatter gets one.
///
/// # Errors
///
/// A header that does not parse is refused; the caller leaves the file as it is.
pub fn set_fields(
    text: &str,
    changes: &[(&str, Option<&str>)],
) -> Result<String, FrontmatterError> {
    let _ = changes;
    Ok(text.to_owned())
}

/// Puts another body behind the header; header, line ends, byte order mark and the state of the final newline stay.
pub fn replace_body(text: &str, body: &str) -> String {
    format!("{}{body}", &text[..split(text).body_start])
}

/// A value of a new header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    /// A scalar; quoted when a YAML reader would take it for something else.
    Text(&'a str),
    /// One nested map of scalars.
    Map(&'a [(&'a str, &'a str)]),
}

/// The text of a new file: header, blank line, body, final newline.
pub fn render(fields: &[(&str, Field<'_>)], body: &str) -> String {
    let _ = fields;
    body.to_owned()
}
