//! Compound files: which of the office programs wrote one, by the names of its streams.

use super::{Format, Rejected};

/// What a compound file is.
pub(super) fn format(bytes: &[u8]) -> Result<Format, Rejected> {
    let holds = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &name).is_some()
    };
    if holds("EncryptedPackage") {
        return Err(Rejected::Encrypted);
    }
    // Mails hold the names of what is attached, so that they are looked for first.
    if holds("__substg1.0_") {
        let what = "it is a mail of Outlook; save it as `.eml`";
        return Err(Rejected::Unsupported(what.to_owned()));
    }
    let formats = [
        ("WordDocument", Format::Doc),
        ("PowerPoint Document", Format::Ppt),
        ("Workbook", Format::Xls),
        ("Book", Format::Xls),
    ];
    let found = formats.into_iter().find(|(name, _)| holds(name));
    found.map(|(_, format)| format).ok_or_else(|| {
        let what = "it is a compound file of no known office program";
        Rejected::Unsupported(what.to_owned())
    })
}
