//! Tables of pages. One that only arranges the page is read as what stands in it.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::{Element, Node};

use super::tree;
use crate::convert::engines::table::markdown;

/// No cell spans more columns than this.
const MOST_SPAN: usize = 100;

#[expect(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "as handlers are")]
pub(super) fn table(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let rows = rows(element.node);
    let cells: Vec<Vec<Rc<Node>>> = rows.iter().map(cells).collect();
    let is_layout = tree::attribute(element.node, "role")
        .is_some_and(|role| role == "presentation")
        || cells.iter().all(|row| row.len() < 2)
        || cells.iter().flatten().any(holds_table);
    let content = if is_layout {
        let cells = cells.iter().flatten().map(|cell| handlers.walk_children(cell).content);
        cells.collect::<Vec<_>>().join("\n\n")
    } else {
        markdown(&filled(handlers, &cells))
    };
    let caption = caption(handlers, element.node);
    Some(format!("\n\n{caption}{content}\n\n").into())
}

fn caption(handlers: &dyn Handlers, table: &Rc<Node>) -> String {
    let children = table.children.borrow();
    let caption = children.iter().find(|child| tree::tag(child) == Some("caption"));
    let text = caption.map(|caption| handlers.walk_children(caption).content.trim().to_owned());
    text.filter(|text| !text.is_empty()).map(|text| text + "\n\n").unwrap_or_default()
}

/// The rows of a table, not those of tables inside of it.
fn rows(table: &Rc<Node>) -> Vec<Rc<Node>> {
    let mut found = Vec::new();
    for child in table.children.borrow().iter() {
        match tree::tag(child) {
            Some("tr") => found.push(Rc::clone(child)),
            Some("thead" | "tbody" | "tfoot") => found.extend(rows(child)),
            _ => {}
        }
    }
    found
}

fn cells(row: &Rc<Node>) -> Vec<Rc<Node>> {
    let is_cell = |node: &&Rc<Node>| matches!(tree::tag(node), Some("td" | "th"));
    row.children.borrow().iter().filter(is_cell).map(Rc::clone).collect()
}

fn holds_table(cell: &Rc<Node>) -> bool {
    tree::all(cell).iter().any(|node| tree::tag(node) == Some("table"))
}

/// The texts of the cells, each at its column: what spans several stands in the first.
fn filled(handlers: &dyn Handlers, rows: &[Vec<Rc<Node>>]) -> Vec<Vec<String>> {
    let mut filled = Vec::with_capacity(rows.len());
    // For each column, the rows that a cell above still covers.
    let mut covered: Vec<usize> = Vec::new();
    for row in rows {
        let mut texts = Vec::new();
        for cell in row {
            skip_covered(&mut covered, &mut texts);
            let (columns, rows) = (span(cell, "colspan"), span(cell, "rowspan"));
            texts.push(flat(&handlers.walk_children(cell).content));
            texts.resize(texts.len() + columns - 1, String::new());
            covered.resize(covered.len().max(texts.len()), 0);
            let from = texts.len() - columns;
            covered[from..texts.len()].fill(rows - 1);
        }
        skip_covered(&mut covered, &mut texts);
        // Columns that this row does not reach.
        for left in covered.iter_mut().skip(texts.len()) {
            *left = left.saturating_sub(1);
        }
        filled.push(texts);
    }
    filled
}

fn skip_covered(covered: &mut [usize], texts: &mut Vec<String>) {
    while let Some(left) = covered.get_mut(texts.len()).filter(|left| **left > 0) {
        *left -= 1;
        texts.push(String::new());
    }
}

fn span(cell: &Node, name: &str) -> usize {
    let span = tree::attribute(cell, name).and_then(|span| span.trim().parse().ok());
    span.unwrap_or(1).clamp(1, MOST_SPAN)
}

/// The blocks of a cell on one line.
fn flat(content: &str) -> String {
    let lines = content.lines().map(|line| line.trim().trim_end_matches('\\'));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
