//! PDF: pages as headings, paragraphs, lists and tables, as far as where their text stands tells.

mod headings;

use unpdf::{Block, Document, Error, ParseOptions, RenderOptions};

use super::{Draft, Rejected, clean};

pub(super) const ENGINE: &str = "unpdf 0.52.1";

pub(super) fn convert(bytes: &[u8]) -> Result<Draft, Rejected> {
    let options = ParseOptions::new().lenient().sequential().with_resources(false);
    let mut document = unpdf::parse_bytes_with_options(bytes, options).map_err(reason)?;
    let is_image_only = is_image_only(&document);
    for page in &mut document.pages {
        page.elements.retain(|block| !matches!(block, Block::Image { .. }));
    }
    headings::raise(&mut document);
    let markdown = unpdf::render::to_markdown(&document, &RenderOptions::default());
    let markdown = markdown.map_err(reason)?;
    if is_image_only && clean::is_empty(&markdown) {
        return Err(Rejected::NeedsOcr);
    }
    Ok(Draft { markdown, title: document.metadata.title, engine: ENGINE })
}

/// Pages with pictures, and hardly any text on them.
fn is_image_only(document: &Document) -> bool {
    document.pages.iter().any(|page| page.image_op_count > 0 || page.form_op_count > 0)
}

fn reason(error: Error) -> Rejected {
    match error {
        Error::Encrypted | Error::InvalidPassword => Rejected::Encrypted,
        error => Rejected::Malformed(error.to_string()),
    }
}
