//! Presentations of PowerPoint, since 2007: titles as headings, bullets by their depth, tables, the data of
//! charts, notes.

mod chart;
mod relations;
mod shapes;

use super::container::Container;
use super::markup::{Inline, Markup};
use super::{Draft, Rejected, html, xml};
use relations::Relations;

const PRESENTATION: &str = "ppt/presentation.xml";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let mut container = Container::open(bytes)?;
    let mut markup = Markup::default();
    for (number, part) in slides(&mut container)?.iter().enumerate() {
        slide(&mut container, &mut markup, number + 1, part)?;
    }
    let title = title(&mut container)?;
    Ok(Draft { markdown: html::page(&markup.finish())?.markdown, title, engine: "pptx" })
}

/// The parts of the slides, as they are shown.
fn slides(container: &mut Container<'_>) -> Result<Vec<String>, Rejected> {
    let text = container.needed(PRESENTATION)?;
    let document = xml::parse(PRESENTATION, &text)?;
    let relations = Relations::of(container, PRESENTATION)?;
    let ids = document.descendants().filter(|node| xml::is(*node, "sldId"));
    // Of its two ids, the one that is a relation.
    let ids = ids.filter_map(|node| node.attribute((relations::NAMESPACE, "id")));
    Ok(ids.filter_map(|id| relations.part(id)).collect())
}

fn slide(
    container: &mut Container<'_>,
    markup: &mut Markup,
    number: usize,
    part: &str,
) -> Result<(), Rejected> {
    let Some(text) = container.text(part)? else { return Ok(()) };
    let document = xml::parse(part, &text)?;
    if document.root_element().attribute("show") == Some("0") {
        return Ok(());
    }
    let relations = Relations::of(container, part)?;
    let shapes = shapes::of(&document, &relations);
    match &shapes.title {
        Some(title) => markup.heading(if shapes.opens { 1 } else { 2 }, title),
        None => markup.heading(2, &Inline::of(&format!("Slide {number}"))),
    }
    for shape in &shapes.all {
        shape.write(container, markup)?;
    }
    if let Some(notes) = relations.of_kind("notesSlide") {
        self::notes(container, markup, &notes)?;
    }
    Ok(())
}

fn notes(container: &mut Container<'_>, markup: &mut Markup, part: &str) -> Result<(), Rejected> {
    let Some(text) = container.text(part)? else { return Ok(()) };
    let document = xml::parse(part, &text)?;
    let relations = Relations::of(container, part)?;
    for line in shapes::notes(&document, &relations) {
        markup.quote(&line);
    }
    Ok(())
}

fn title(container: &mut Container<'_>) -> Result<Option<String>, Rejected> {
    let Some(text) = container.text("docProps/core.xml")? else { return Ok(None) };
    let document = xml::parse("docProps/core.xml", &text)?;
    Ok(xml::find(document.root(), "title").map(xml::text))
}
