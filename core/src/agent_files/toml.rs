//! TOML: what a text says, and the same text with one value more or less. Every form that a table
//! can have (header, dotted keys, inline) takes a new key in its own form.

mod insert;
mod remove;

use std::ops::Range;

use toml_edit::{Array, Document, InlineTable, Item, Key, Table, TableLike, Value};

use super::flaw::Flaw;
use super::layout::{Bracketed, Comments};
use super::node::{Node, Step};

pub(super) use insert::insert;
pub(super) use remove::remove;

/// What a text says.
pub(super) fn read(text: &str) -> Result<Node, Flaw> {
    Ok(table(parse(text)?.as_table()))
}

/// Where the value at the end of a way is written; a table with a header is written in no one place.
pub(super) fn span(text: &str, way: &[Step]) -> Result<Range<usize>, Flaw> {
    let document = parse(text)?;
    let mut item = document.as_item();
    for (depth, step) in way.iter().enumerate() {
        let Step::Key(key) = step else { return Err(Flaw::form(&way[..depth], "is a list")) };
        let below = item.as_table_like().and_then(|table| table.get(key));
        item = below.ok_or_else(|| Flaw::form(way, "is missing"))?;
    }
    let span = item.as_value().filter(|value| !is_dotted(value)).and_then(Value::span);
    span.ok_or_else(|| Flaw::form(way, "is a table"))
}

/// A value as it is written on the line of its key.
pub(super) fn inline(value: &Node) -> String {
    value_of(value).to_string()
}

fn parse(text: &str) -> Result<Document<&str>, Flaw> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        Flaw(format!("line {line} is no TOML: {}", error.message().replace('\n', ", ")))
    })
}

fn table(table: &dyn TableLike) -> Node {
    Node::Table(table.iter().map(|(key, below)| (key.to_owned(), node(below))).collect())
}

fn node(item: &Item) -> Node {
    match item {
        Item::None => Node::Other(String::new()),
        Item::Value(value) => of_value(value),
        Item::Table(below) => table(below),
        Item::ArrayOfTables(tables) => Node::List(tables.iter().map(|it| table(it)).collect()),
    }
}

fn of_value(value: &Value) -> Node {
    match value {
        Value::String(text) => Node::Text(text.value().clone()),
        Value::Boolean(flag) => Node::Flag(*flag.value()),
        Value::Integer(number) => Node::Other(number.value().to_string()),
        Value::Float(number) => Node::Other(format!("{:?}", number.value())),
        Value::Datetime(time) => Node::Other(time.value().to_string()),
        Value::Array(items) => Node::List(items.iter().map(of_value).collect()),
        Value::InlineTable(below) => table(below),
    }
}

fn value_of(node: &Node) -> Value {
    match node {
        Node::Text(text) => text.into(),
        Node::Flag(flag) => (*flag).into(),
        Node::Other(text) => text.parse().unwrap_or_else(|_| text.into()),
        Node::List(items) => items.iter().map(value_of).collect::<Array>().into(),
        Node::Table(keys) => {
            keys.iter().map(|(key, value)| (key, value_of(value))).collect::<InlineTable>().into()
        }
    }
}

fn is_dotted(value: &Value) -> bool {
    value.as_inline_table().is_some_and(InlineTable::is_dotted)
}

/// Keys joined by dots, quoted where they must be.
fn dotted(keys: &[&str]) -> String {
    let keys = keys.iter().map(|key| Key::new(*key).to_string());
    keys.collect::<Vec<_>>().join(".")
}

fn keys<'w>(way: &'w [Step]) -> Result<Vec<&'w str>, Flaw> {
    let key = |step: &'w Step| match step {
        Step::Key(key) => Ok(key.as_str()),
        Step::Item(_) => Err(Flaw::form(way, "is in a list, which is left alone in TOML")),
    };
    way.iter().map(key).collect()
}

/// The values in the body of a table that stand below one header: those of its dotted keys too.
fn leaves(table: &dyn TableLike) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(table, &mut found);
    found.sort_by_key(|leaf| leaf.end);
    found
}

/// A value and the key right before it.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    key: usize,
    end: usize,
}

fn collect(table: &dyn TableLike, found: &mut Vec<Leaf>) {
    for (name, item) in table.iter() {
        match item {
            Item::Table(below) if below.is_dotted() => collect(below, found),
            Item::Value(Value::InlineTable(below)) if below.is_dotted() => collect(below, found),
            Item::Value(value) => {
                let key = table.get_key_value(name).and_then(|(key, _)| key.span());
                if let (Some(key), Some(value)) = (key, value.span()) {
                    found.push(Leaf { key: key.start, end: value.end });
                }
            }
            Item::None | Item::Table(_) | Item::ArrayOfTables(_) => {}
        }
    }
}

/// An inline table, and where its keys and values are.
fn bracketed<'t>(text: &'t str, span: Range<usize>, table: &InlineTable) -> Bracketed<'t> {
    let mut found = Bracketed { text, span, items: Vec::new(), comments: Comments::Hash };
    let mut start = found.span.start + 1;
    for leaf in leaves(table) {
        start = found.skip(start, false);
        found.items.push(start..leaf.end);
        start = found.skip(leaf.end, false) + 1;
    }
    found
}

/// The place after the end of the line that a place is on.
fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The beginning of the line that a place is on.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Whether a table has a header of its own.
fn has_header(table: &Table) -> bool {
    !table.is_implicit() && !table.is_dotted()
}
