//! Headings that the reader of pages leaves as paragraphs: short lines that are bold all through.

use unpdf::{Block, Document, InlineContent, Paragraph, TextRun};

/// A longer line is no heading.
const MOST_CHARS: usize = 100;
/// What ends a sentence, or leads to what follows.
const ENDS: [char; 9] = ['.', ',', ':', ';', '?', '!', '。', ',', ':'];

/// Makes headings of such lines, one deeper than the one before that was told by its size.
pub(super) fn raise(document: &mut Document) {
    let mut around = 0;
    for block in document.pages.iter_mut().flat_map(|page| &mut page.elements) {
        let Block::Paragraph(paragraph) = block else { continue };
        if let Some(level) = paragraph.style.heading_level {
            around = level;
        } else if is_heading(paragraph) {
            paragraph.style.heading_level = Some((around + 1).min(6));
            runs(paragraph).for_each(plain);
        }
    }
}

fn is_heading(paragraph: &mut Paragraph) -> bool {
    let text = paragraph.plain_text();
    let text = text.trim();
    let is_line = (2..=MOST_CHARS).contains(&text.chars().count())
        && text.chars().any(char::is_alphabetic)
        && !text.ends_with(ENDS);
    let is_item = paragraph.style.list_info.is_some();
    is_line && !is_item && runs(paragraph).all(|run| run.style.bold || run.text.trim().is_empty())
}

fn runs(paragraph: &mut Paragraph) -> impl Iterator<Item = &mut TextRun> {
    paragraph.content.iter_mut().filter_map(|content| match content {
        InlineContent::Text(run) => Some(run),
        _ => None,
    })
}

/// A heading is one without marks.
fn plain(run: &mut TextRun) {
    (run.style.bold, run.style.italic) = (false, false);
}
