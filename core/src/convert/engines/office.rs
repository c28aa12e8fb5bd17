//! Documents of Word, and what was written before 2007 by Word and PowerPoint.

use undoc::{Block, Document, Error, Paragraph, Table};

use super::markup::{Cell, Inline, List, Markup};
use super::{Draft, Rejected, container, html};

mod lines;

pub(super) const ENGINE: &str = "undoc 0.27.1";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    if bytes.starts_with(b"PK") {
        container::Container::open(bytes)?;
    }
    let document = undoc::parse_bytes(bytes).map_err(reason)?;
    let markdown = html::page(&markup(&document))?.markdown;
    Ok(Draft { markdown, title: document.metadata.title, engine: ENGINE })
}

fn reason(error: Error) -> Rejected {
    match error {
        Error::Encrypted => Rejected::Encrypted,
        error => Rejected::Malformed(error.to_string()),
    }
}

fn markup(document: &Document) -> String {
    let mut markup = Markup::default();
    for section in &document.sections {
        for block in &section.content {
            match block {
                Block::Paragraph(paragraph) => self::paragraph(&mut markup, paragraph),
                Block::Table(table) => self::table(&mut markup, table),
                Block::Note { label, content } => {
                    content.iter().for_each(|note| markup.note(label, &lines::inline(note)));
                }
                Block::PageBreak | Block::SectionBreak | Block::Image { .. } => {}
            }
        }
        for note in section.notes.iter().flatten() {
            markup.quote(&lines::inline(note));
        }
    }
    markup.finish()
}

fn paragraph(markup: &mut Markup, paragraph: &Paragraph) {
    let style = paragraph.style_name.as_deref().or(paragraph.style_id.as_deref());
    let style = lines::style(style.unwrap_or_default());
    let inline = lines::inline(paragraph);
    match (&paragraph.list_info, style) {
        (_, lines::Style::Code) => {
            lines::plain(paragraph).lines().for_each(|line| markup.code(line));
        }
        (Some(list), _) => {
            let kind = match list.list_type {
                undoc::ListType::Numbered => List::Numbers(list.number.unwrap_or(1)),
                _ => List::Bullets,
            };
            markup.item(list.level.into(), kind, &inline);
        }
        (None, lines::Style::Item(depth, list)) => markup.item(depth, list, &inline),
        (None, lines::Style::Title) => markup.heading(1, &inline),
        (None, lines::Style::Quote) => markup.quote(&inline),
        (None, lines::Style::Text) if paragraph.heading.is_heading() => {
            markup.heading(paragraph.heading.level().into(), &inline);
        }
        (None, lines::Style::Text) => markup.paragraph(&inline),
    }
}

fn table(markup: &mut Markup, table: &Table) {
    let rows: Vec<Vec<Cell>> =
        table.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect();
    markup.table(&rows);
}

fn cell(cell: &undoc::Cell) -> Cell {
    let mut inline = Inline::default();
    for paragraph in &cell.content {
        if !inline.is_empty() {
            inline.line_break();
        }
        inline.append(&lines::inline(paragraph));
    }
    // A table in a cell, its cells one after another.
    for table in &cell.nested_tables {
        inline.text(" ");
        inline.text(&table.plain_text());
    }
    let span = |span: u32| usize::try_from(span).unwrap_or(1).max(1);
    Cell { inline, columns: span(cell.col_span), rows: span(cell.row_span) }
}
