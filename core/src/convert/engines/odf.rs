//! Texts and presentations of OpenDocument, such as LibreOffice writes.

mod inline;
mod styles;
mod walk;

use super::container::Container;
use super::markup::Markup;
use super::{Draft, Rejected, html, xml};
use styles::Styles;
use walk::Walk;

const CONTENT: &str = "content.xml";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let mut container = Container::open(bytes)?;
    refuse_encrypted(&mut container)?;
    let content = container.needed(CONTENT)?;
    let content = xml::parse(CONTENT, &content)?;
    let styles = container.text("styles.xml")?.unwrap_or_else(|| "<none/>".to_owned());
    let styles = xml::parse("styles.xml", &styles)?;
    let styles = Styles::of(&[styles.root(), content.root()]);
    let mut markup = Markup::default();
    let mut walk = Walk::new(&mut container, &styles, &mut markup);
    if let Some(body) = xml::find(content.root(), "body") {
        walk.blocks(body)?;
    }
    walk.finish();
    let title = title(&mut container)?;
    Ok(Draft { markdown: html::page(&markup.finish())?.markdown, title, engine: "odf" })
}

fn refuse_encrypted(container: &mut Container<'_>) -> Result<(), Rejected> {
    const MANIFEST: &str = "META-INF/manifest.xml";
    let manifest = container.text(MANIFEST)?.unwrap_or_default();
    if manifest.contains("encryption-data") { Err(Rejected::Encrypted) } else { Ok(()) }
}

fn title(container: &mut Container<'_>) -> Result<Option<String>, Rejected> {
    let Some(text) = container.text("meta.xml")? else { return Ok(None) };
    let document = xml::parse("meta.xml", &text)?;
    Ok(xml::find(document.root(), "title").map(xml::text))
}
