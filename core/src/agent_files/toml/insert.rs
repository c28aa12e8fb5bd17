//! A key goes where its table's form wants it; a table of its own goes to the end of the text.

use toml_edit::{InlineTable, Item, Table, TableLike, Value};

use super::{bracketed, dotted, has_header, inline, keys, leaves, line_start, next_line, parse};
use crate::agent_files::flaw::Flaw;
use crate::agent_files::layout::{indent, newline};
use crate::agent_files::node::{Node, Step};

/// The deepest table on a way that is there.
enum Place<'d> {
    /// One with a header, of dotted keys, or the whole text.
    Body(&'d Table),
    /// One between braces, and how deep it is.
    Braces(&'d InlineTable, usize),
}

/// The text with a value at the end of a way whose last key is missing.
pub(in crate::agent_files) fn insert(
    text: &str,
    way: &[Step],
    value: &Node,
) -> Result<String, Flaw> {
    let document = parse(text)?;
    let keys = keys(way)?;
    let (place, depth) = deepest(document.as_table(), &keys)
        .map_err(|depth| Flaw::form(&way[..depth], "is no table"))?;
    match (place, value) {
        (Place::Braces(table, above), _) => {
            let span = table.span().ok_or_else(|| Flaw::form(way, "is nowhere"))?;
            let item = format!("{} = {}", dotted(&keys[above..]), inline(value));
            Ok(bracketed(text, span, table).with_last(|_| item))
        }
        (Place::Body(_), Node::Table(values)) => {
            let lines = values.iter().map(|(key, value)| line(&[key], value));
            Ok(with_section(text, &keys, &lines.collect::<Vec<_>>()))
        }
        (Place::Body(table), _) => {
            Ok(with_key(text, (document.as_table(), table), &keys, depth, value))
        }
    }
}

fn deepest<'d>(root: &'d Table, keys: &[&str]) -> Result<(Place<'d>, usize), usize> {
    let mut here: &dyn TableLike = root;
    let mut place = Place::Body(root);
    for (depth, key) in keys.iter().enumerate() {
        match here.get(key) {
            None => return Ok((place, depth)),
            Some(Item::Table(table)) => {
                here = table;
                place = Place::Body(table);
            }
            Some(Item::Value(Value::InlineTable(table))) => {
                here = table;
                if !table.is_dotted() {
                    place = Place::Braces(table, depth + 1);
                }
            }
            Some(_) => return Err(depth + 1),
        }
    }
    Err(keys.len())
}

fn line(keys: &[&str], value: &Node) -> String {
    format!("{} = {}", dotted(keys), inline(value))
}

fn with_key(
    text: &str,
    (root, table): (&Table, &Table),
    keys: &[&str],
    depth: usize,
    value: &Node,
) -> String {
    let (last, above) = keys.split_last().map_or((&"", &keys[..0]), |(last, above)| (last, above));
    let is_body = table.is_dotted() || has_header(table) || depth == 0;
    if depth < above.len() || !is_body {
        return with_section(text, above, &[line(&[last], value)]);
    }
    // A dotted key is written as far as the header above it does not say.
    let header = (0..=depth).rev().find(|at| !is_dotted_at(root, &keys[..*at])).unwrap_or(0);
    let line = line(&keys[header..], value);
    match leaves(table).last() {
        Some(leaf) => with_line(text, leaf.end, indent(text, leaf.key), &line),
        None => match table.span().filter(|_| depth > 0) {
            Some(span) => with_line(text, span.end, indent(text, span.start), &line),
            None => format!("{line}{}{text}", newline(text)),
        },
    }
}

fn is_dotted_at(root: &Table, keys: &[&str]) -> bool {
    let at = keys.iter().try_fold(root, |table, key| table.get(key)?.as_table());
    at.is_some_and(Table::is_dotted)
}

/// The text with a line below the one of a place.
fn with_line(text: &str, at: usize, indent: &str, line: &str) -> String {
    let (end, newline) = (next_line(text, at), newline(text));
    let (before, after) = text.split_at(end);
    match before.ends_with('\n') {
        true => format!("{before}{indent}{line}{newline}{after}"),
        false => format!("{before}{newline}{indent}{line}"),
    }
}

/// The text with a table at its end, which ends as the text did.
fn with_section(text: &str, keys: &[&str], lines: &[String]) -> String {
    let newline = newline(text);
    let section = format!("[{}]{newline}{}", dotted(keys), lines.join(newline));
    let last = text[line_start(text, text.len().saturating_sub(newline.len()))..].trim();
    match text.ends_with('\n') {
        _ if text.trim().is_empty() => format!("{text}{section}{newline}"),
        true if last.is_empty() => format!("{text}{section}{newline}"),
        true => format!("{text}{newline}{section}{newline}"),
        false => format!("{text}{newline}{newline}{section}"),
    }
}
