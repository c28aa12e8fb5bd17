//! Zip archives: what they say that they hold is judged before anything is unpacked, and what is unpacked is
//! bounded whatever they say.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::{Format, Rejected, text};

/// All parts together, unpacked.
const MOST_BYTES: u64 = 512 << 20;
/// One part that is read here.
const MOST_PART: u64 = 128 << 20;
/// A larger archive may not shrink its parts more than this.
const MOST_RATIO: u64 = 200;
/// Below this, a ratio says nothing.
const SMALL: u64 = 10 << 20;
const MOST_ENTRIES: usize = 10_000;

/// An archive of acceptable size.
pub(super) struct Container<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Container<'a> {
    /// Refuses damaged, encrypted and excessive archives.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Rejected> {
        let archive = ZipArchive::new(Cursor::new(bytes));
        let mut container = Self(archive.map_err(|error| damaged(&error.to_string()))?);
        container.judge()?;
        Ok(container)
    }

    fn judge(&mut self) -> Result<(), Rejected> {
        let entries = self.0.len();
        if entries > MOST_ENTRIES {
            let what =
                format!("an archive of {entries} files, of which {MOST_ENTRIES} are allowed");
            return Err(Rejected::TooLarge(what));
        }
        let (mut packed, mut unpacked) = (0_u64, 0_u64);
        for at in 0..entries {
            let entry = self.0.by_index_raw(at).map_err(|error| damaged(&error.to_string()))?;
            if entry.encrypted() {
                return Err(Rejected::Encrypted);
            }
            packed = packed.saturating_add(entry.compressed_size());
            unpacked = unpacked.saturating_add(entry.size());
        }
        let is_bomb = unpacked > SMALL && unpacked / packed.max(1) > MOST_RATIO;
        if unpacked > MOST_BYTES || is_bomb {
            let what = format!("it unpacks from {} to {} MiB", packed >> 20, unpacked >> 20);
            return Err(Rejected::TooLarge(what));
        }
        Ok(())
    }

    pub(super) fn holds(&self, part: &str) -> bool {
        self.0.index_for_name(part).is_some()
    }

    /// A part's bytes; nothing when there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Rejected> {
        let Some(at) = self.0.index_for_name(name) else { return Ok(None) };
        let entry = self.0.by_index(at).map_err(|error| damaged(&error.to_string()))?;
        let mut bytes = Vec::new();
        let read = entry.take(MOST_PART + 1).read_to_end(&mut bytes);
        read.map_err(|error| damaged(&format!("`{name}`: {error}")))?;
        if bytes.len() as u64 > MOST_PART {
            let what = format!("`{name}` unpacks to more than {} MiB", MOST_PART >> 20);
            return Err(Rejected::TooLarge(what));
        }
        Ok(Some(bytes))
    }

    /// A part's text; nothing when there is no such part.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Rejected> {
        self.part(name)?.map(|bytes| text::decode(&bytes)).transpose()
    }

    /// A part that has to be there.
    pub(super) fn needed(&mut self, name: &str) -> Result<String, Rejected> {
        self.text(name)?.ok_or_else(|| damaged(&format!("`{name}` is missing")))
    }
}

fn damaged(what: &str) -> Rejected {
    Rejected::Malformed(what.to_owned())
}

/// What kind of document an archive is, by what it holds.
pub(super) fn format(bytes: &[u8]) -> Result<Format, Rejected> {
    let mut container = Container::open(bytes)?;
    let kind = container.text("mimetype")?.unwrap_or_default();
    let kind = kind.trim();
    let by_kind = [
        ("application/vnd.oasis.opendocument.text", Format::Odt),
        ("application/vnd.oasis.opendocument.spreadsheet", Format::Ods),
        ("application/vnd.oasis.opendocument.presentation", Format::Odp),
        ("application/epub+zip", Format::Epub),
    ];
    // Templates are named after what they are for.
    let found = by_kind.iter().find(|(start, _)| kind.starts_with(start));
    let by_part = [
        ("word/document.xml", Format::Docx),
        ("ppt/presentation.xml", Format::Pptx),
        ("xl/workbook.xml", Format::Xlsx),
        ("xl/workbook.bin", Format::Xlsx),
        ("META-INF/container.xml", Format::Epub),
    ];
    let found = found.or_else(|| by_part.iter().find(|(part, _)| container.holds(part)));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let what = "it is an archive; unpack it and add what it holds";
        Rejected::Unsupported(what.to_owned())
    })
}
