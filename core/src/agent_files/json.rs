//! JSON, strict and with comments: what a text says, and the same text with one value more or less.

use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;

use super::flaw::Flaw;
use super::layout::{Bracketed, Comments, Shape};
use super::node::{Node, Step};

/// Whether comments and trailing commas may stand in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// They may not: the agent would ignore the whole file.
    Strict,
    /// They may.
    WithComments,
}

/// What a text says; one without any value is an empty table.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Node, Flaw> {
    match parse(&readable(text), dialect)? {
        None => Ok(Node::empty()),
        Some(value @ Value::Object(_)) => node(&value),
        Some(_) => Err(Flaw("it holds something else than an object".to_owned())),
    }
}

/// The text with a value at the end of a way whose last step is a key that is missing.
pub(super) fn insert(
    text: &str,
    dialect: Dialect,
    way: &[Step],
    value: &Node,
) -> Result<String, Flaw> {
    let text = with_object(text);
    let masked = readable(&text);
    let root = root(&masked, dialect)?;
    let (mut place, mut depth) = (&root, 0);
    while let Some(below) = way.get(depth).and_then(|step| child(place, step)) {
        (place, depth) = (below, depth + 1);
    }
    let (Value::Object(_), Some((Step::Key(key), missing))) = (place, way[depth..].split_first())
    else {
        return Err(Flaw::form(&way[..depth], "is no object"));
    };
    let wrap = |value, step: &Step| match step {
        Step::Key(key) => Node::table([(key.as_str(), value)]),
        Step::Item(_) => Node::List(vec![value]),
    };
    let value = missing.iter().rev().fold(value.clone(), wrap);
    let written =
        |shape: &Shape| format!("{}{}{}", quoted(key), colon(shape), write(&value, shape));
    Ok(bracketed(&text, place).with_last(written))
}

/// The text with one more item in a list that is there.
pub(super) fn push(
    text: &str,
    dialect: Dialect,
    way: &[Step],
    value: &Node,
) -> Result<String, Flaw> {
    let masked = readable(text);
    let root = root(&masked, dialect)?;
    match find(&root, way) {
        Some(list @ Value::Array(_)) => {
            Ok(bracketed(text, list).with_last(|shape| write(value, shape)))
        }
        _ => Err(Flaw::form(way, "is no list")),
    }
}

/// Where the value at the end of a way is written.
pub(super) fn span(text: &str, dialect: Dialect, way: &[Step]) -> Result<Range<usize>, Flaw> {
    let masked = readable(text);
    let root = root(&masked, dialect)?;
    let value = find(&root, way).ok_or_else(|| Flaw::form(way, "is missing"))?;
    Ok(value.start()..value.end())
}

/// A value as it is written on the line of its key.
pub(super) fn inline(value: &Node) -> String {
    write(value, &Shape::Spaced)
}

/// The text without what is at the end of a way.
pub(super) fn remove(text: &str, dialect: Dialect, way: &[Step]) -> Result<String, Flaw> {
    let missing = || Flaw::form(way, "is missing");
    let masked = readable(text);
    let root = root(&masked, dialect)?;
    let (last, above) = way.split_last().ok_or_else(missing)?;
    let parent = find(&root, above).ok_or_else(missing)?;
    let index = match (parent, last) {
        (Value::Object(object), Step::Key(key)) => {
            object.properties.iter().position(|property| property.name.as_str() == key)
        }
        (Value::Array(array), Step::Item(index)) => {
            Some(*index).filter(|index| *index < array.elements.len())
        }
        _ => None,
    };
    Ok(bracketed(text, parent).without(index.ok_or_else(missing)?))
}

fn root<'a>(text: &'a str, dialect: Dialect) -> Result<Value<'a>, Flaw> {
    parse(text, dialect)?.ok_or_else(|| Flaw("it is empty".to_owned()))
}

fn parse(text: &str, dialect: Dialect) -> Result<Option<Value<'_>>, Flaw> {
    let is_blank = text.trim().is_empty();
    if dialect == Dialect::Strict && !is_blank {
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
            let said = error.to_string();
            let reason = said.split(" at line ").next().unwrap_or(&said).to_owned();
            Flaw(format!("line {} is no JSON: {reason}", error.line()))
        })?;
    }
    let may = dialect == Dialect::WithComments;
    let options = ParseOptions {
        allow_comments: may,
        allow_trailing_commas: may,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    let parsed = parsed.map_err(|error| {
        Flaw(format!("line {} is no JSON: {}", error.line_display(), error.kind()))
    })?;
    Ok(parsed.value)
}

fn node(value: &Value<'_>) -> Result<Node, Flaw> {
    Ok(match value {
        Value::StringLit(text) => Node::Text(text.value.clone().into_owned()),
        Value::NumberLit(number) => Node::Other(number.value.to_owned()),
        Value::BooleanLit(flag) => Node::Flag(flag.value),
        Value::NullKeyword(_) => Node::Other("null".to_owned()),
        Value::Array(array) => {
            Node::List(array.elements.iter().map(node).collect::<Result<_, _>>()?)
        }
        Value::Object(object) => {
            let mut keys = IndexMap::with_capacity(object.properties.len());
            for property in &object.properties {
                let key = property.name.as_str().to_owned();
                if keys.contains_key(&key) {
                    return Err(Flaw(format!("the key `{key}` is in it twice")));
                }
                keys.insert(key, node(&property.value)?);
            }
            Node::Table(keys)
        }
    })
}

fn child<'v, 'a>(value: &'v Value<'a>, step: &Step) -> Option<&'v Value<'a>> {
    match (value, step) {
        (Value::Object(object), Step::Key(key)) => {
            let mut properties = object.properties.iter();
            properties.find(|property| property.name.as_str() == key).map(|it| &it.value)
        }
        (Value::Array(array), Step::Item(index)) => array.elements.get(*index),
        _ => None,
    }
}

fn find<'v, 'a>(root: &'v Value<'a>, way: &[Step]) -> Option<&'v Value<'a>> {
    way.iter().try_fold(root, child)
}

fn bracketed<'t>(text: &'t str, value: &Value<'_>) -> Bracketed<'t> {
    let range = |range: jsonc_parser::common::Range| range.start..range.end;
    let items = match value {
        Value::Object(object) => object.properties.iter().map(|it| range(it.range)).collect(),
        Value::Array(array) => array.elements.iter().map(|it| range(it.range())).collect(),
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => Vec::new(),
    };
    Bracketed { text, span: range(value.range()), items, comments: Comments::Slashes }
}

/// A text without a value gets an empty object, behind the comments that it may have.
fn with_object(text: &str) -> Cow<'_, str> {
    let mut lines = text.lines().map(str::trim_start);
    let is_blank = lines.all(|line| line.is_empty() || line.starts_with("//"));
    match text.trim().is_empty() {
        true => Cow::Borrowed("{}\n"),
        false if is_blank => Cow::Owned(format!("{}\n{{}}\n", text.trim_end())),
        false => Cow::Borrowed(text),
    }
}

/// The text as the parser takes it: half a character by its escape, which programs write that cut
/// texts, is taken for the mark of a lost one, of the same length.
fn readable(text: &str) -> Cow<'_, str> {
    const LOST: &str = "\\uFFFD";
    let mut masked: Option<String> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\').map(|found| at + found) {
        let half = |at: usize, first: &[u8]| {
            let escape = text.as_bytes().get(at..at + 6)?;
            let is_half = escape.starts_with(b"\\u")
                && matches!(escape[2], b'd' | b'D')
                && first.contains(&escape[3].to_ascii_lowercase());
            is_half.then_some(())
        };
        let (high, low) = (b"89ab", b"cdef");
        at = match (half(found, high), half(found, low), half(found + 6, low)) {
            (Some(()), _, Some(())) => found + 12,
            (Some(()), _, None) | (None, Some(()), _) => {
                masked.get_or_insert_with(|| text.to_owned()).replace_range(found..found + 6, LOST);
                found + 6
            }
            (None, None, _) => {
                found + 1 + text[found + 1..].chars().next().map_or(0, char::len_utf8)
            }
        };
    }
    masked.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn colon(shape: &Shape) -> &'static str {
    match shape {
        Shape::Tight => ":",
        Shape::Lines { .. } | Shape::Spaced => ": ",
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn write(value: &Node, shape: &Shape) -> String {
    match value {
        Node::Text(text) => quoted(text),
        Node::Flag(flag) => flag.to_string(),
        Node::Other(text) => text.clone(),
        Node::List(items) => {
            let items: Vec<String> = items.iter().map(|it| write(it, &deeper(shape))).collect();
            between('[', ']', &items, shape)
        }
        Node::Table(keys) => {
            let inner = deeper(shape);
            let written = |(key, value): (&String, &Node)| {
                format!("{}{}{}", quoted(key), colon(shape), write(value, &inner))
            };
            let items: Vec<String> = keys.iter().map(written).collect();
            between('{', '}', &items, shape)
        }
    }
}

fn deeper(shape: &Shape) -> Shape {
    match shape {
        Shape::Lines { indent, unit, newline } => {
            Shape::Lines { indent: format!("{indent}{unit}"), unit: unit.clone(), newline }
        }
        Shape::Spaced => Shape::Spaced,
        Shape::Tight => Shape::Tight,
    }
}

fn between(open: char, close: char, items: &[String], shape: &Shape) -> String {
    match shape {
        _ if items.is_empty() => format!("{open}{close}"),
        Shape::Lines { indent, unit, newline } => {
            let inner = format!("{newline}{indent}{unit}");
            let items = items.join(&format!(",{inner}"));
            format!("{open}{inner}{items}{newline}{indent}{close}")
        }
        Shape::Spaced => format!("{open}{}{close}", items.join(", ")),
        Shape::Tight => format!("{open}{}{close}", items.join(",")),
    }
}
