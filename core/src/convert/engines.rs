//! Which engine reads which format. Everything below runs in the child, on bytes in memory.

mod book;
mod compound;
mod container;
mod html;
mod json;
mod mail;
mod markup;
mod notebook;
mod odf;
mod office;
mod pdf;
mod rtf;
mod sheets;
mod slides;
mod table;
mod values;
mod xml;

use super::sniff::{self, Kind};
use super::{Converted, Format, Rejected, clean, text};

/// What an engine made of a file.
struct Draft {
    markdown: String,
    /// As the file itself names it.
    title: Option<String>,
    /// The engine, with its version.
    engine: &'static str,
}

/// The Markdown of a file with this name.
pub(super) fn convert(name: &str, bytes: Vec<u8>) -> Result<Converted, Rejected> {
    let format = format(name, &bytes)?;
    if format.passes_through() {
        return text::pass_through(name, format, &bytes);
    }
    let draft = draft(format, name, bytes)?;
    let markdown = clean::document(&draft.markdown);
    if clean::is_empty(&markdown) {
        return Err(Rejected::Empty);
    }
    let title = draft.title.map(|title| clean::line(&title)).filter(|title| !title.is_empty());
    Ok(Converted { markdown, title, format, engine: draft.engine.to_owned() })
}

fn format(name: &str, bytes: &[u8]) -> Result<Format, Rejected> {
    match sniff::kind(name, bytes) {
        Kind::Known(format) | Kind::Text(format) => Ok(format),
        Kind::Zip => container::format(bytes),
        Kind::Compound => compound::format(bytes),
        Kind::Broken if bytes.is_empty() => Err(Rejected::Empty),
        Kind::Broken => {
            Err(Rejected::Malformed("it does not begin as its name says that it does".to_owned()))
        }
    }
}

fn draft(format: Format, name: &str, bytes: Vec<u8>) -> Result<Draft, Rejected> {
    match format {
        Format::Markdown | Format::Text | Format::Code => {
            let converted = text::pass_through(name, format, &bytes)?;
            Ok(Draft { markdown: converted.markdown, title: None, engine: "pass-through" })
        }
        Format::Csv => values::convert(name, &bytes),
        Format::Json => json::convert(&bytes),
        Format::Notebook => notebook::convert(&bytes),
        Format::Html => html::convert(&bytes),
        Format::Pdf => pdf::convert(&bytes),
        Format::Docx | Format::Doc | Format::Ppt => office::convert(&bytes),
        Format::Pptx => slides::convert(&bytes),
        Format::Xlsx | Format::Xls | Format::Ods => sheets::convert(format, bytes),
        Format::Odt | Format::Odp => odf::convert(&bytes),
        Format::Rtf => rtf::convert(&bytes),
        Format::Epub => book::convert(&bytes),
        Format::Mail => mail::convert(&bytes),
        Format::Mbox => mail::convert_box(&bytes),
    }
}

#[cfg(test)]
mod tests {
    /// Engines name the versions that are compiled in.
    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        for engine in [
            super::html::ENGINE,
            super::mail::ENGINE,
            super::office::ENGINE,
            super::pdf::ENGINE,
            super::sheets::ENGINE,
            super::values::ENGINE,
        ] {
            let (name, version) = engine.split_once(' ').unwrap();
            let locked = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(lock.contains(&locked), "{engine}");
        }
    }
}
