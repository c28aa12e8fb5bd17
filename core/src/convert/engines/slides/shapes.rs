//! The shapes of a slide, in the order in which they lie.

use roxmltree::{Document, Node};

use super::chart;
use super::relations::{NAMESPACE, Relations};
use crate::convert::engines::container::Container;
use crate::convert::engines::markup::{Cell, Inline, List, Markup};
use crate::convert::engines::{Rejected, xml};

/// What a slide shows.
pub(super) struct Shapes {
    pub(super) title: Option<Inline>,
    /// Whether it is the opening one of the presentation, or of a part of it.
    pub(super) opens: bool,
    pub(super) all: Vec<Shape>,
}

/// What a shape shows.
pub(super) enum Shape {
    Lines(Vec<Line>),
    Table(Vec<Vec<Cell>>),
    /// The part of a chart.
    Chart(String),
}

/// A line of text, with its depth when it is an item.
pub(super) struct Line {
    item: Option<(usize, List)>,
    inline: Inline,
}

impl Shape {
    pub(super) fn write(
        &self,
        container: &mut Container<'_>,
        markup: &mut Markup,
    ) -> Result<(), Rejected> {
        match self {
            Self::Lines(lines) => lines.iter().for_each(|line| line.write(markup)),
            Self::Table(rows) => markup.table(rows),
            Self::Chart(part) => chart::write(container, markup, part)?,
        }
        Ok(())
    }
}

impl Line {
    fn write(&self, markup: &mut Markup) {
        match self.item {
            Some((depth, list)) => markup.item(depth, list, &self.inline),
            None => markup.paragraph(&self.inline),
        }
    }
}

/// The shapes of a slide.
pub(super) fn of(document: &Document<'_>, relations: &Relations) -> Shapes {
    let mut shapes = Shapes { title: None, opens: false, all: Vec::new() };
    if let Some(tree) = xml::find(document.root(), "spTree") {
        collect(tree, relations, &mut shapes);
    }
    shapes
}

fn collect(tree: Node<'_, '_>, relations: &Relations, shapes: &mut Shapes) {
    for node in xml::children(tree) {
        match node.tag_name().name() {
            "sp" => text_shape(node, relations, shapes),
            "graphicFrame" => shapes.all.extend(frame(node, relations)),
            "grpSp" | "AlternateContent" | "Choice" => collect(node, relations, shapes),
            _ => {}
        }
    }
}

fn text_shape(node: Node<'_, '_>, relations: &Relations, shapes: &mut Shapes) {
    let Some(body) = xml::children(node).find(|child| xml::is(*child, "txBody")) else { return };
    let place = xml::find(node, "ph");
    let kind = place.map(|place| place.attribute("type").unwrap_or("body"));
    match kind {
        Some("title" | "ctrTitle") if shapes.title.is_none() => {
            let lines = lines(body, relations, false);
            let mut title = Inline::default();
            for line in lines.iter().filter(|line| !line.inline.is_empty()) {
                if !title.is_empty() {
                    title.text(" ");
                }
                title.append(&line.inline);
            }
            shapes.title = (!title.is_empty()).then_some(title);
        }
        Some("sldNum" | "dt" | "ftr" | "hdr") => {}
        Some("subTitle") => {
            shapes.opens = true;
            shapes.all.push(Shape::Lines(lines(body, relations, false)));
        }
        // What stands in the body of a layout is a list, unless it says otherwise.
        Some(_) => shapes.all.push(Shape::Lines(lines(body, relations, true))),
        None => shapes.all.push(Shape::Lines(lines(body, relations, false))),
    }
}

/// The lines of a notes page.
pub(super) fn notes(document: &Document<'_>, relations: &Relations) -> Vec<Inline> {
    let shapes = document.descendants().filter(|node| xml::is(*node, "sp"));
    let is_body = |node: &Node<'_, '_>| {
        xml::find(*node, "ph").is_some_and(|place| place.attribute("type") == Some("body"))
    };
    let bodies = shapes.filter(is_body).filter_map(|node| xml::find(node, "txBody"));
    let lines = bodies.flat_map(|body| lines(body, relations, false));
    lines.map(|line| line.inline).filter(|line| !line.is_empty()).collect()
}

fn lines(body: Node<'_, '_>, relations: &Relations, is_list: bool) -> Vec<Line> {
    let paragraphs = xml::children(body).filter(|node| xml::is(*node, "p"));
    let mut number = 0;
    let line = |paragraph: Node<'_, '_>| {
        let properties = xml::children(paragraph).find(|node| xml::is(*node, "pPr"));
        let has = |name: &str| properties.and_then(|node| xml::find(node, name)).is_some();
        let depth = properties.and_then(|node| node.attribute("lvl")?.parse().ok()).unwrap_or(0);
        number = if has("buAutoNum") { number + 1 } else { 0 };
        let item = match () {
            () if has("buNone") => None,
            () if has("buAutoNum") => Some((depth, List::Numbers(number))),
            () if has("buChar") || has("buBlip") || is_list => Some((depth, List::Bullets)),
            () => None,
        };
        Line { item, inline: inline(paragraph, relations) }
    };
    paragraphs.map(line).collect()
}

fn inline(paragraph: Node<'_, '_>, relations: &Relations) -> Inline {
    let mut inline = Inline::default();
    for run in xml::children(paragraph) {
        match run.tag_name().name() {
            "r" => {
                let text = xml::find(run, "t").map(xml::text).unwrap_or_default();
                let link = xml::find(run, "hlinkClick");
                let link = link.and_then(|link| link.attribute((NAMESPACE, "id")));
                match link.and_then(|id| relations.address(id)) {
                    Some(address) => inline.link(address, &Inline::of(&text)),
                    None => inline.text(&text),
                }
            }
            "br" => inline.line_break(),
            "fld" if run.attribute("type") != Some("slidenum") => {
                inline.text(&xml::find(run, "t").map(xml::text).unwrap_or_default());
            }
            _ => {}
        }
    }
    inline
}

/// A table, or a chart.
fn frame(node: Node<'_, '_>, relations: &Relations) -> Option<Shape> {
    if let Some(table) = xml::find(node, "tbl") {
        return Some(Shape::Table(rows(table, relations)));
    }
    let chart = xml::find(node, "chart")?.attribute((NAMESPACE, "id"))?;
    relations.part(chart).map(Shape::Chart)
}

fn rows(table: Node<'_, '_>, relations: &Relations) -> Vec<Vec<Cell>> {
    let rows = xml::children(table).filter(|node| xml::is(*node, "tr"));
    rows.map(|row| {
        let cells = xml::children(row).filter(|node| xml::is(*node, "tc"));
        let is_covered = |node: &Node<'_, '_>| {
            let is_set = |name| matches!(node.attribute(name), Some("1" | "true"));
            is_set("hMerge") || is_set("vMerge")
        };
        cells.filter(|node| !is_covered(node)).map(|node| cell(node, relations)).collect()
    })
    .collect()
}

fn cell(node: Node<'_, '_>, relations: &Relations) -> Cell {
    let span = |name| node.attribute(name).and_then(|span| span.parse().ok()).unwrap_or(1);
    let mut inline = Inline::default();
    if let Some(body) = xml::find(node, "txBody") {
        for line in lines(body, relations, false) {
            if !inline.is_empty() {
                inline.line_break();
            }
            inline.append(&line.inline);
        }
    }
    Cell { inline, columns: span("gridSpan"), rows: span("rowSpan") }
}
