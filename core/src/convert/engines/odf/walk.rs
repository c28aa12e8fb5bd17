//! The blocks of a text or of a page of a presentation, in their order.

use roxmltree::Node;

use super::inline;
use super::styles::{Kind, Styles};
use crate::convert::engines::container::Container;
use crate::convert::engines::markup::{Cell, Inline, List, Markup};
use crate::convert::engines::{Rejected, xml};

/// No cell stands for more columns than this, and none but an empty one for many.
const MOST_REPEATED: usize = 100;

/// A walk under way.
pub(super) struct Walk<'a, 'bytes> {
    container: &'a mut Container<'bytes>,
    styles: &'a Styles,
    markup: &'a mut Markup,
    notes: Vec<(String, Inline)>,
}

impl<'a, 'bytes> Walk<'a, 'bytes> {
    pub(super) fn new(
        container: &'a mut Container<'bytes>,
        styles: &'a Styles,
        markup: &'a mut Markup,
    ) -> Self {
        Self { container, styles, markup, notes: Vec::new() }
    }

    /// Notes stand at the end.
    pub(super) fn finish(self) {
        for (label, inline) in &self.notes {
            self.markup.note(label, inline);
        }
    }

    /// All blocks below a node.
    pub(super) fn blocks(&mut self, node: Node<'_, '_>) -> Result<(), Rejected> {
        for child in xml::children(node) {
            match child.tag_name().name() {
                "h" => self.heading(child)?,
                "p" => self.paragraph(child)?,
                "list" => self.list(child, 0, "")?,
                "table" => self.table(child),
                "page" => self.page(child)?,
                "frame" | "custom-shape" => self.frame(child)?,
                "object" => self.object(child)?,
                // What a program makes out of the rest, or shows nobody.
                "tracked-changes" | "table-of-content" | "alphabetical-index"
                | "sequence-decls" | "notes" | "forms" | "image" => {}
                _ => self.blocks(child)?,
            }
        }
        Ok(())
    }

    fn heading(&mut self, node: Node<'_, '_>) -> Result<(), Rejected> {
        let level = xml::attribute(node, "outline-level").and_then(|level| level.parse().ok());
        let (inline, frames) = self.line(node, true);
        self.markup.heading(level.unwrap_or(1), &inline);
        frames.into_iter().try_for_each(|frame| self.frame(frame))
    }

    fn paragraph(&mut self, node: Node<'_, '_>) -> Result<(), Rejected> {
        let kind = self.styles.kind(xml::attribute(node, "style-name").unwrap_or_default());
        let (inline, frames) = self.line(node, kind == Kind::Title);
        match kind {
            Kind::Title => self.markup.heading(1, &inline),
            Kind::Code => code(node).lines().for_each(|line| self.markup.code(line)),
            Kind::Quote => self.markup.quote(&inline),
            Kind::Text => self.markup.paragraph(&inline),
        }
        frames.into_iter().try_for_each(|frame| self.frame(frame))
    }

    /// A paragraph's text; its notes are kept for later.
    fn line<'n, 'i>(&mut self, node: Node<'n, 'i>, plain: bool) -> (Inline, Vec<Node<'n, 'i>>) {
        let found = inline::read(node, self.styles, plain);
        for (label, body) in found.notes {
            let lines = body.descendants().filter(|node| xml::is(*node, "p"));
            let mut note = Inline::default();
            for line in lines {
                note.append(&inline::read(line, self.styles, false).inline);
                note.text(" ");
            }
            self.notes.push((label, note));
        }
        (found.inline, found.frames)
    }

    fn list(&mut self, node: Node<'_, '_>, depth: usize, outer: &str) -> Result<(), Rejected> {
        let style = xml::attribute(node, "style-name").unwrap_or(outer).to_owned();
        let mut number = 0;
        for item in xml::children(node) {
            let mut inline = Inline::default();
            number += 1;
            for child in xml::children(item) {
                if xml::is(child, "list") {
                    self.item(depth, &style, number, &mut inline);
                    self.list(child, depth + 1, &style)?;
                } else if matches!(child.tag_name().name(), "p" | "h") {
                    if !inline.is_empty() {
                        inline.line_break();
                    }
                    let is_heading = xml::is(child, "h");
                    if is_heading {
                        // A numbered heading is one, though it stands in a list.
                        self.heading(child)?;
                    } else {
                        inline.append(&self.line(child, false).0);
                    }
                }
            }
            self.item(depth, &style, number, &mut inline);
        }
        Ok(())
    }

    fn item(&mut self, depth: usize, style: &str, number: u32, inline: &mut Inline) {
        let inline = std::mem::take(inline);
        let is_numbered = self.styles.numbers(style, depth);
        let list = if is_numbered { List::Numbers(number) } else { List::Bullets };
        self.markup.item(depth, list, &inline);
    }

    fn table(&mut self, node: Node<'_, '_>) {
        let rows = node.descendants().filter(|row| {
            // Rows of tables in a cell belong to those.
            xml::is(*row, "table-row") && nearest(*row, "table") == Some(node)
        });
        let rows: Vec<_> = rows.map(|row| self.row(row)).collect();
        self.markup.table(&rows);
    }

    fn row(&mut self, row: Node<'_, '_>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for node in xml::children(row).filter(|node| xml::is(*node, "table-cell")) {
            let number = |name, most: usize| {
                let value = xml::attribute(node, name).and_then(|value| value.parse().ok());
                value.unwrap_or(1).clamp(1, most)
            };
            let mut inline = Inline::default();
            for line in
                node.descendants().filter(|line| matches!(line.tag_name().name(), "p" | "h"))
            {
                if !inline.is_empty() {
                    inline.line_break();
                }
                inline.append(&self.line(line, false).0);
            }
            let columns = number("number-columns-spanned", MOST_REPEATED);
            let rows = number("number-rows-spanned", usize::MAX);
            for _ in 0..number("number-columns-repeated", MOST_REPEATED) {
                cells.push(Cell { inline: inline.clone(), columns, rows });
            }
        }
        cells
    }

    /// A slide: its title first, then what lies on it, then its notes.
    fn page(&mut self, page: Node<'_, '_>) -> Result<(), Rejected> {
        let class =
            |node: &Node<'_, '_>| xml::attribute(*node, "class").unwrap_or_default().to_owned();
        let frames: Vec<_> = xml::children(page).filter(|node| !xml::is(*node, "notes")).collect();
        let title =
            frames.iter().find(|frame| class(frame) == "title" && !text(**frame).is_empty());
        let opens = frames.iter().any(|frame| class(frame) == "subtitle");
        let name = title.map(|title| text(*title));
        let name = name.or_else(|| xml::attribute(page, "name").map(str::to_owned));
        self.markup.heading(if opens { 1 } else { 2 }, &Inline::of(&name.unwrap_or_default()));
        for frame in frames.iter().filter(|frame| Some(*frame) != title) {
            if !matches!(class(frame).as_str(), "page-number" | "date-time" | "header" | "footer") {
                self.frame(*frame)?;
            }
        }
        let notes = xml::children(page).filter(|node| xml::is(*node, "notes"));
        let notes = notes.flat_map(xml::children).filter(|frame| class(frame) == "notes");
        for line in notes.flat_map(|frame| frame.descendants()).filter(|node| xml::is(*node, "p")) {
            let (inline, _) = self.line(line, false);
            if !inline.is_empty() {
                self.markup.quote(&inline);
            }
        }
        Ok(())
    }

    /// A box of text, a table, a chart; its picture is of no use beside them.
    fn frame(&mut self, frame: Node<'_, '_>) -> Result<(), Rejected> {
        self.blocks(frame)
    }

    /// A chart's data, which stands in a part of its own.
    fn object(&mut self, node: Node<'_, '_>) -> Result<(), Rejected> {
        let Some(href) = xml::attribute(node, "href") else { return Ok(()) };
        let part = format!("{}/content.xml", href.trim_start_matches("./"));
        let Some(text) = self.container.text(&part)? else { return Ok(()) };
        let document = xml::parse(&part, &text)?;
        let table = xml::find(document.root(), "chart").and_then(|chart| xml::find(chart, "table"));
        table.into_iter().for_each(|table| self.table(table));
        Ok(())
    }
}

/// The nearest element of this name above a node.
fn nearest<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.ancestors().skip(1).find(|above| xml::is(*above, name))
}

fn text(node: Node<'_, '_>) -> String {
    xml::text(node).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A paragraph of code: its spaces and line breaks are elements.
fn code(node: Node<'_, '_>) -> String {
    let mut code = String::new();
    for node in node.descendants() {
        match node.tag_name().name() {
            "s" => {
                let count = xml::attribute(node, "c").and_then(|count| count.parse().ok());
                code.push_str(&" ".repeat(count.unwrap_or(1).min(1_000)));
            }
            "tab" => code.push('\t'),
            "line-break" => code.push('\n'),
            _ => code.push_str(node.text().filter(|_| node.is_text()).unwrap_or_default()),
        }
    }
    code
}
