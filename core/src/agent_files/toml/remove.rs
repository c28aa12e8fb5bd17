//! A key leaves with its line, a table with its header and lines; comments between others stay.

use std::ops::Range;

use toml_edit::{InlineTable, Item, Table, TableLike, Value};

use super::{bracketed, has_header, is_dotted, keys, leaves, line_start, next_line, parse};
use crate::agent_files::flaw::Flaw;
use crate::agent_files::node::Step;

/// The text without what is at the end of a way.
pub(in crate::agent_files) fn remove(text: &str, way: &[Step]) -> Result<String, Flaw> {
    let missing = || Flaw::form(way, "is missing");
    let document = parse(text)?;
    let keys = keys(way)?;
    let mut here: &dyn TableLike = document.as_table();
    let mut braces: Option<&InlineTable> = None;
    let (last, above) = keys.split_last().ok_or_else(missing)?;
    for key in above {
        let item = here.get(key).ok_or_else(missing)?;
        if let Item::Value(Value::InlineTable(table)) = item
            && !table.is_dotted()
        {
            braces = Some(table);
        }
        here = item.as_table_like().ok_or_else(missing)?;
    }
    let item = here.get(last).ok_or_else(missing)?;
    if let Some(table) = braces {
        return from_braces(text, table, item).ok_or_else(missing);
    }
    let key = here.get_key_value(last).and_then(|(key, _)| key.span()).ok_or_else(missing)?;
    let mut cuts = Vec::new();
    lines(text, key.start, item, &mut cuts);
    cuts.sort_by_key(|cut| cut.start);
    Ok(cut(text, &cuts))
}

fn from_braces(text: &str, table: &InlineTable, item: &Item) -> Option<String> {
    let list = bracketed(text, table.span()?, table);
    let ends: Vec<usize> = match item {
        Item::Value(value) if !is_dotted(value) => vec![value.span()?.end],
        _ => leaves(item.as_table_like()?).iter().map(|leaf| leaf.end).collect(),
    };
    let index = list.items.iter().position(|range| ends.contains(&range.end))?;
    // One of several dotted keys; the others go when the rest is looked at again.
    (ends.len() == 1).then(|| list.without(index))
}

/// The lines of an item, from its key or header to its last value.
fn lines(text: &str, key: usize, item: &Item, cuts: &mut Vec<Range<usize>>) {
    match item {
        Item::None => {}
        Item::Value(value) => {
            let end = value.span().map_or(key, |span| span.end);
            cuts.push(line_start(text, key)..next_line(text, end));
        }
        Item::Table(table) => of_table(text, table, cuts),
        Item::ArrayOfTables(tables) => tables.iter().for_each(|it| of_table(text, it, cuts)),
    }
}

fn of_table(text: &str, table: &Table, cuts: &mut Vec<Range<usize>>) {
    let body = leaves(table);
    if has_header(table)
        && let Some(header) = table.span()
    {
        let end = body.last().map_or(header.end, |leaf| leaf.end);
        cuts.push(line_start(text, header.start)..next_line(text, end));
    } else {
        let line = |leaf: &super::Leaf| line_start(text, leaf.key)..next_line(text, leaf.end);
        cuts.extend(body.iter().map(line));
    }
    for (_, below) in table {
        match below {
            Item::Table(below) if !below.is_dotted() => of_table(text, below, cuts),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|it| of_table(text, it, cuts)),
            Item::None | Item::Value(_) | Item::Table(_) => {}
        }
    }
}

fn cut(text: &str, cuts: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for cut in cuts {
        left.push_str(&text[at..cut.start.max(at)]);
        at = cut.end.max(at);
    }
    // The blank line that stood before a table goes with it.
    let blank = ["\r\n\r\n", "\n\n"].into_iter().find(|blank| left.ends_with(blank));
    let rest = &text[at..];
    if let Some(blank) = blank.filter(|_| rest.is_empty() || rest.starts_with(['\n', '\r'])) {
        left.truncate(left.len() - blank.len() / 2);
    }
    left + rest
}
