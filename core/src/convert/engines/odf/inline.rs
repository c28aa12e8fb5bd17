//! What stands in a paragraph.

use roxmltree::Node;

use super::styles::Styles;
use crate::convert::engines::markup::Inline;
use crate::convert::engines::xml;

/// A paragraph's text, and what was found in it that stands for itself.
pub(super) struct Found<'a, 'input> {
    pub(super) inline: Inline,
    /// Footnotes, by their labels.
    pub(super) notes: Vec<(String, Node<'a, 'input>)>,
    /// Frames: boxes of text, tables, charts.
    pub(super) frames: Vec<Node<'a, 'input>>,
}

/// Reads a paragraph; `plain` without marks.
pub(super) fn read<'a, 'input>(
    paragraph: Node<'a, 'input>,
    styles: &Styles,
    plain: bool,
) -> Found<'a, 'input> {
    let mut found = Found { inline: Inline::default(), notes: Vec::new(), frames: Vec::new() };
    let mut inline = Inline::default();
    walk(paragraph, styles, plain, &mut inline, &mut found);
    found.inline = inline;
    found
}

fn walk<'a, 'input>(
    node: Node<'a, 'input>,
    styles: &Styles,
    plain: bool,
    inline: &mut Inline,
    found: &mut Found<'a, 'input>,
) {
    for child in node.children() {
        if let Some(text) = child.text().filter(|_| child.is_text()) {
            inline.text(text);
            continue;
        }
        match child.tag_name().name() {
            "s" => inline.text(&" ".repeat(count(child))),
            "tab" => inline.text("\t"),
            "line-break" => inline.line_break(),
            "span" => span(child, styles, plain, inline, found),
            "a" => {
                let mut inner = Inline::default();
                walk(child, styles, plain, &mut inner, found);
                match xml::attribute(child, "href").filter(|href| !href.starts_with('#')) {
                    Some(href) => inline.link(href, &inner),
                    None => inline.append(&inner),
                }
            }
            "note" => note(child, inline, found),
            "frame" | "custom-shape" | "g" => found.frames.push(child),
            // Remarks of readers, marks of changes, numbers that a page makes.
            "annotation" | "annotation-end" | "change" | "change-start" | "change-end"
            | "page-number" | "soft-page-break" => {}
            _ => walk(child, styles, plain, inline, found),
        }
    }
}

fn span<'a, 'input>(
    node: Node<'a, 'input>,
    styles: &Styles,
    plain: bool,
    inline: &mut Inline,
    found: &mut Found<'a, 'input>,
) {
    let mut inner = Inline::default();
    walk(node, styles, plain, &mut inner, found);
    let name = xml::attribute(node, "style-name").unwrap_or_default();
    let (bold, italic) = if plain { (false, false) } else { styles.look(name) };
    for (is_so, tag) in [(italic, "em"), (bold, "strong")] {
        if is_so && !inner.is_empty() {
            let mut marked = Inline::default();
            marked.marked(tag, &inner);
            inner = marked;
        }
    }
    inline.append(&inner);
}

fn note<'a, 'input>(node: Node<'a, 'input>, inline: &mut Inline, found: &mut Found<'a, 'input>) {
    let label = xml::find(node, "note-citation").map(xml::text).unwrap_or_default();
    let Some(body) = xml::find(node, "note-body") else { return };
    inline.note(label.trim());
    found.notes.push((label.trim().to_owned(), body));
}

/// How many spaces an element stands for.
fn count(node: Node<'_, '_>) -> usize {
    let count = xml::attribute(node, "c").and_then(|count| count.parse().ok());
    count.unwrap_or(1).min(1_000)
}
