//! A text in one of the formats, and verified edits of it: each is parsed again and must say what it
//! said before but for the one value. An edit that does not is an error, never a text.

use super::flaw::Flaw;
use super::json::{self, Dialect};
use super::node::{Node, Step};
use super::toml;

const BOM: char = '\u{feff}';

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON without comments.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML.
    Toml,
}

impl Format {
    const fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Json => Some(Dialect::Strict),
            Self::Jsonc => Some(Dialect::WithComments),
            Self::Toml => None,
        }
    }

    fn read(self, text: &str) -> Result<Node, Flaw> {
        match self.dialect() {
            Some(dialect) => json::read(text, dialect),
            None => toml::read(text),
        }
    }

    /// A value as it is written on the line of its key.
    pub(super) fn inline(self, value: &Node) -> String {
        match self.dialect() {
            Some(_) => json::inline(value),
            None => toml::inline(value),
        }
    }
}

/// A text that was understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    format: Format,
    has_bom: bool,
    body: String,
    node: Node,
}

impl Text {
    /// Reads a file's text.
    pub(crate) fn read(format: Format, text: &str) -> Result<Self, Flaw> {
        let body = text.strip_prefix(BOM).unwrap_or(text);
        let node = format.read(body)?;
        Ok(Self { format, has_bom: body.len() < text.len(), body: body.to_owned(), node })
    }

    /// The file's text.
    pub(crate) fn text(&self) -> String {
        if self.has_bom { format!("{BOM}{}", self.body) } else { self.body.clone() }
    }

    /// What it says.
    pub(crate) const fn node(&self) -> &Node {
        &self.node
    }

    /// The value at the end of a way, as it is written.
    pub(super) fn written(&self, way: &[Step]) -> Option<String> {
        let span = match self.format.dialect() {
            Some(dialect) => json::span(&self.body, dialect, way),
            None => toml::span(&self.body, way),
        };
        span.ok().map(|span| self.body[span].to_owned())
    }

    /// With a value at the end of a way; one that is there makes room.
    pub(super) fn set(&self, way: &[Step], value: &Node) -> Result<Self, Flaw> {
        if self.node.at(way).is_some() {
            return self.set_written(way, &self.format.inline(value));
        }
        let body = match self.format.dialect() {
            Some(dialect) => json::insert(&self.body, dialect, way, value)?,
            None => toml::insert(&self.body, way, value)?,
        };
        self.proven(body, |node| node.with(way, value.clone()))
    }

    /// With what is written at the end of a way in place of the value that is there.
    pub(super) fn set_written(&self, way: &[Step], written: &str) -> Result<Self, Flaw> {
        let span = match self.format.dialect() {
            Some(dialect) => json::span(&self.body, dialect, way)?,
            None => toml::span(&self.body, way)?,
        };
        let mut body = self.body.clone();
        body.replace_range(span, written);
        let value = self.format.read(&body)?.at(way).cloned();
        let value = value.ok_or_else(|| Flaw::form(way, "cannot be replaced"))?;
        self.proven(body, |node| node.with(way, value))
    }

    /// With one more item at the end of a list, which is made where it is missing.
    pub(super) fn push(&self, way: &[Step], value: &Node) -> Result<Self, Flaw> {
        let Some(present) = self.node.at(way) else {
            return self.set(way, &Node::List(vec![value.clone()]));
        };
        let body = match (self.format.dialect(), present) {
            (Some(dialect), Node::List(_)) => json::push(&self.body, dialect, way, value)?,
            _ => return Err(Flaw::form(way, "is no list that can be added to")),
        };
        self.proven(body, |node| node.with_item(way, value.clone()))
    }

    /// Without what is at the end of a way, and without what held nothing else, as far as it is
    /// deeper than `kept` steps.
    pub(super) fn remove(&self, way: &[Step], kept: usize) -> Result<Self, Flaw> {
        let mut way = way;
        while way.len() > kept + 1 && self.is_alone(way) {
            way = &way[..way.len() - 1];
        }
        let body = match self.format.dialect() {
            Some(dialect) => json::remove(&self.body, dialect, way)?,
            None => toml::remove(&self.body, way)?,
        };
        self.proven(body, |node| node.without(way))
    }

    fn is_alone(&self, way: &[Step]) -> bool {
        match self.node.at(&way[..way.len() - 1]) {
            Some(Node::Table(keys)) => keys.len() == 1,
            Some(Node::List(items)) => items.len() == 1,
            _ => false,
        }
    }

    /// A changed body, which must say what is expected.
    pub(super) fn proven(
        &self,
        body: String,
        expected: impl FnOnce(Node) -> Node,
    ) -> Result<Self, Flaw> {
        let unproven = || Flaw("the change cannot be made without touching more".to_owned());
        let node = self.format.read(&body).map_err(|_| unproven())?;
        let expected = expected(self.node.clone());
        let is_same = match self.format {
            Format::Json | Format::Jsonc => node == expected,
            Format::Toml => node.clone().dense() == expected.dense(),
        };
        if !is_same {
            return Err(unproven());
        }
        Ok(Self { body, node, ..*self })
    }

    /// Another body in the same file.
    pub(super) fn with_body(&self, body: &str) -> Result<Self, Flaw> {
        let node = self.format.read(body)?;
        Ok(Self { body: body.to_owned(), node, ..*self })
    }

    /// Its text without the byte order mark.
    pub(super) fn body(&self) -> &str {
        &self.body
    }
}
