//! What bytes are, whatever a file's name says; the name only tells texts apart.

use super::{Format, languages};

/// So much of a file is looked at.
pub(super) const HEAD: usize = 4096;

/// What the first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A format that they name.
    Known(Format),
    /// A zip archive: an office document, a book, or really an archive.
    Zip,
    /// A compound file: an office document before 2007, or an encrypted one.
    Compound,
    /// Text, or so it seems.
    Text(Format),
    /// The name promises a format whose files begin in another way.
    Broken,
}

/// What a file is that has this name and begins so.
pub(super) fn kind(name: &str, head: &[u8]) -> Kind {
    let head = &head[..head.len().min(HEAD)];
    if let Some(kind) = by_magic(head) {
        return kind;
    }
    if promises_magic(name) && !looks_like_text(head) {
        return Kind::Broken;
    }
    Kind::Text(text_format(name, head))
}

fn by_magic(head: &[u8]) -> Option<Kind> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    // Readers of PDF accept some rubbish before it.
    let is_pdf = head[..head.len().min(1024)].windows(5).any(|window| window == b"%PDF-");
    match () {
        () if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") => Some(Kind::Zip),
        () if starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") => Some(Kind::Compound),
        () if starts(b"{\\rtf") => Some(Kind::Known(Format::Rtf)),
        () if is_pdf => Some(Kind::Known(Format::Pdf)),
        () => None,
    }
}

/// Endings of formats that are told by their first bytes.
fn promises_magic(name: &str) -> bool {
    let endings =
        ["pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "doc", "ppt", "xls", "rtf"];
    endings.contains(&languages::extension(name).as_str())
}

/// At least a line of text: what a wrong name may stand on.
fn looks_like_text(head: &[u8]) -> bool {
    head.len() >= 16 && !head.iter().any(|byte| matches!(byte, 0..=8 | 14..=31 | 127))
}

/// Names decide, but where they say "text" (or what the text is not), a page or a mail is told by how
/// it begins.
fn text_format(name: &str, head: &[u8]) -> Format {
    let named = Format::by_name(name);
    if !matches!(named, Format::Text | Format::Rtf) {
        return named;
    }
    let text = String::from_utf8_lossy(head);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let lower = start.get(..start.len().min(15)).unwrap_or(start).to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        Format::Html
    } else if is_mail(start) {
        Format::Mail
    } else {
        Format::Text
    }
}

/// Lines of a mail's head, one of them saying that it is one.
fn is_mail(start: &str) -> bool {
    let header = |line: &str| {
        let name = line.split(':').next().filter(|name| name.len() < line.len());
        line.starts_with([' ', '\t'])
            || name.is_some_and(|name| {
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            })
    };
    let mut lines = start.lines().take_while(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && start.to_ascii_lowercase().contains("\nmime-version:")
        && lines.take(5).all(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_wins_over_the_name() {
        for (name, head, wanted) in [
            ("a.txt", &b"%PDF-1.7\n"[..], Kind::Known(Format::Pdf)),
            ("a.pdf", b"junk\n%PDF-1.4", Kind::Known(Format::Pdf)),
            ("a.pdf", b"PK\x03\x04....", Kind::Zip),
            ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind::Compound),
            ("a.doc", b"{\\rtf1\\ansi", Kind::Known(Format::Rtf)),
            ("a.pdf", b"<!DOCTYPE HTML><title>Not found</title>", Kind::Text(Format::Html)),
            ("a.pdf", b"%PD", Kind::Broken),
            ("a.docx", b"", Kind::Broken),
            ("a.docx", b"only text in here, really", Kind::Text(Format::Text)),
            ("a", b"Received: x\nFrom: a@b\nMIME-Version: 1.0\n\nHi", Kind::Text(Format::Mail)),
            ("a.rs", b"<html> in a comment", Kind::Text(Format::Code)),
            ("a.md", b"<html>", Kind::Text(Format::Markdown)),
            ("a", b"\x7fELF\0", Kind::Text(Format::Text)),
        ] {
            assert_eq!(kind(name, head), wanted, "{name} {}", String::from_utf8_lossy(head));
        }
    }
}
