//! The file of a document: where its text comes from, in the header, and the text.
//!
//! `converted_sha256` is the hash of the text as it was converted: a text of another hash was edited,
//! in whatever program.

use super::SourceMode;
use crate::fact::{heading, plain_line, stem};
use crate::frontmatter::{self, Field, FrontmatterError};
use crate::id::{Id, sha256};
use crate::time::Timestamp;

/// How many characters a title keeps.
const TITLE_CHARS: usize = 200;

/// What a document's file says, with everything derived that it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentText {
    /// The id: the file's stem, if it is a ULID.
    pub id: Option<Id>,
    /// `title`, the first heading, or the file's stem.
    pub title: String,
    /// `description`.
    pub description: Option<String>,
    /// `source_filename`: the original's name, or its path in the folder that was taken in.
    pub filename: Option<String>,
    /// `source_format`.
    pub format: Option<String>,
    /// `source_sha256`: the hash of the original.
    pub source_sha256: Option<String>,
    /// `source_path`: where the original stands, when it was named by its path.
    pub source_path: Option<String>,
    /// `converter`.
    pub converter: Option<String>,
    /// `converted_at`.
    pub converted_at: Option<Timestamp>,
    /// Whether the text is still as it was converted.
    pub mode: SourceMode,
    /// `created_at`, else the file's own time.
    pub created_at: Timestamp,
    /// The later of `updated_at` and the file's own time.
    pub updated_at: Timestamp,
    /// The text without the header.
    pub body: String,
    /// Why the header could not be read; the text counts all the same.
    pub problem: Option<FrontmatterError>,
}

impl DocumentText {
    /// Reads a file's text; `path` is relative to the knowledge base, `modified` the file's own time.
    pub fn read(text: &str, path: &str, modified: Timestamp) -> Self {
        let (fields, problem) = frontmatter::parse(text);
        let body = frontmatter::split(text).body_text().to_owned();
        let line = |key: &str| {
            fields.get_str(key).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        // White space at its ends is part of a file's name.
        let name = |key: &str| {
            fields.get_str(key).filter(|value| !value.trim().is_empty()).map(str::to_owned)
        };
        let time = |key: &str| fields.get_str(key).and_then(Timestamp::parse);
        let is_converted = fields.get_str("source_mode") == Some(SourceMode::Converted.as_str())
            && fields.get_str("converted_sha256") == Some(&text_hash(&body));
        Self {
            id: Id::parse(stem(path)),
            title: line("title")
                .or_else(|| heading(&body, path))
                .unwrap_or_else(|| stem(path).to_owned()),
            description: line("description"),
            filename: name("source_filename"),
            format: line("source_format"),
            source_sha256: line("source_sha256"),
            source_path: name("source_path"),
            converter: line("converter"),
            converted_at: time("converted_at"),
            mode: if is_converted { SourceMode::Converted } else { SourceMode::Edited },
            created_at: time("created_at").unwrap_or(modified),
            updated_at: time("updated_at").map_or(modified, |time| time.max(modified)),
            body,
            problem,
        }
    }
}

/// An original that was made into Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion<'a> {
    /// The title that the original says of itself.
    pub title: Option<&'a str>,
    /// Its name, or its path in the folder that is taken in.
    pub filename: &'a str,
    /// Its format.
    pub format: &'a str,
    /// Its hash.
    pub sha256: &'a str,
    /// Where it stands, when it was named by its path.
    pub path: Option<&'a str>,
    /// What made it into Markdown.
    pub converter: &'a str,
    /// The Markdown.
    pub markdown: &'a str,
}

impl Conversion<'_> {
    /// The file of a new document.
    pub fn render(&self, now: Timestamp) -> String {
        let (now, title, hash) = (now.whole_second().to_string(), self.title(), self.hash());
        let fields = self.fields(&title, &hash, &now);
        let mut fields: Vec<(&str, Field<'_>)> = fields
            .iter()
            .filter_map(|(key, value)| Some((*key, Field::Text(value.as_deref()?))))
            .collect();
        fields.insert(fields.len() - 1, ("created_at", Field::Text(&now)));
        frontmatter::render(&fields, self.markdown)
    }

    /// The file of a document whose original is another one by now: what else its header says stays.
    ///
    /// # Errors
    ///
    /// A header that does not parse.
    pub fn renew(&self, text: &str, now: Timestamp) -> Result<String, FrontmatterError> {
        let (now, title, hash) = (now.whole_second().to_string(), self.title(), self.hash());
        let fields = self.fields(&title, &hash, &now);
        let fields: Vec<(&str, Option<&str>)> =
            fields.iter().map(|(key, value)| (*key, value.as_deref())).collect();
        frontmatter::set_fields(&frontmatter::replace_body(text, self.markdown), &fields)
    }

    /// Whether a document's file says all of it already.
    pub fn is_of(&self, read: &DocumentText) -> bool {
        let body = frontmatter::body_text(self.markdown);
        let Self { title: _, filename, format, sha256, path, converter, markdown: _ } = self;
        read.mode == SourceMode::Converted
            && read.title == self.title()
            && text_hash(&read.body) == text_hash(body)
            && read.filename.as_deref() == Some(filename)
            && read.format.as_deref() == Some(format)
            && read.source_sha256.as_deref() == Some(sha256)
            && read.source_path.as_deref() == *path
            && read.converter.as_deref() == Some(converter)
    }

    fn fields<'a>(
        &'a self,
        title: &'a str,
        hash: &'a str,
        now: &'a str,
    ) -> [(&'static str, Option<std::borrow::Cow<'a, str>>); 10] {
        let some = |text: &'a str| Some(text.into());
        [
            ("title", some(title)),
            ("source_filename", some(self.filename)),
            ("source_format", some(self.format)),
            ("source_sha256", some(self.sha256)),
            ("source_path", self.path.map(Into::into)),
            ("converter", some(self.converter)),
            ("converted_at", some(now)),
            ("converted_sha256", some(hash)),
            ("source_mode", some(SourceMode::Converted.as_str())),
            ("updated_at", some(now)),
        ]
    }

    fn hash(&self) -> String {
        text_hash(frontmatter::body_text(self.markdown))
    }

    /// What the original says, else its first heading, else its name.
    fn title(&self) -> String {
        let name = self.filename.rsplit(['/', '\\']).next().unwrap_or(self.filename);
        let said = self.title.map(plain_line).filter(|title| !title.is_empty());
        let title = said.or_else(|| heading(self.markdown, "")).unwrap_or_else(|| name.to_owned());
        title.chars().take(TITLE_CHARS).collect::<String>().trim().to_owned()
    }
}

/// The hash of a text, whatever its line ends: an editor may write others.
fn text_hash(text: &str) -> String {
    if text.contains("\r\n") { sha256(text.replace("\r\n", "\n")) } else { sha256(text) }
}

/// The file of a document with another text.
///
/// # Errors
///
/// A header that does not parse.
pub fn edited(text: &str, markdown: &str, now: Timestamp) -> Result<String, FrontmatterError> {
    let changed = frontmatter::replace_body(text, markdown);
    if changed == text {
        return Ok(changed);
    }
    let now = now.whole_second().to_string();
    let mode = SourceMode::Edited.as_str();
    frontmatter::set_fields(&changed, &[("source_mode", Some(mode)), ("updated_at", Some(&now))])
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_123_456);
    const PATH: &str = "docs/01JXYZ01JXYZ01JXYZ01JXYZ01.md";

    fn conversion(markdown: &'static str) -> Conversion<'static> {
        Conversion {
            title: None,
            filename: "guide/how to.md",
            format: "markdown",
            sha256: "ab12",
            path: None,
            converter: "none",
            markdown,
        }
    }

    #[test]
    fn a_document_reads_back_as_it_was_written() {
        let text = conversion("# How *to*\r\n\r\nDo it.\r\n").render(NOW);
        let read = DocumentText::read(&text, PATH, NOW);
        assert_eq!(read.id.unwrap().as_str(), "01JXYZ01JXYZ01JXYZ01JXYZ01");
        assert_eq!((read.title.as_str(), read.mode), ("How *to*", SourceMode::Converted), "{text}");
        assert_eq!(read.filename.as_deref(), Some("guide/how to.md"));
        assert_eq!(read.source_sha256.as_deref(), Some("ab12"));
        assert_eq!(read.created_at, NOW.whole_second());
        assert!(read.source_path.is_none() && read.problem.is_none());
        assert!(text.ends_with("Do it.\n"), "{text}");
    }

    #[test]
    fn titles_come_from_the_original_then_its_heading_then_its_name() {
        let title = |said, markdown| Conversion { title: said, ..conversion(markdown) }.title();
        assert_eq!(title(Some(" The Book\n"), "# Other"), "The Book");
        assert_eq!(title(Some(" \u{7} "), "text\n## Second #"), "Second");
        assert_eq!(title(None, "text"), "how to.md");
    }

    #[test]
    fn names_of_files_read_back_byte_for_byte() {
        for name in [
            " a.md",
            "a.md ",
            "a.md\u{3000}",
            "\u{a0}a",
            "Re\u{301}sume\u{301}.md",
            "Résumé.md",
            "- a",
            "#x",
            "a: b.md",
            "'\"`.md",
            "\\a\\b",
            "null",
            "1e3",
            "{a}.md",
            "*x",
            "a #b.md",
            "\u{1f600}",
            "\u{feff}a",
            "a\u{200b}",
            "a\u{85}b",
            "a\u{2028}b",
            "~",
            "true",
            "0x10",
            "2026-01-01",
            "%a",
            "@a",
            "|",
            ">",
            "---",
        ] {
            let path = format!("/docs/{name}");
            let text =
                Conversion { filename: name, path: Some(&path), ..conversion("x") }.render(NOW);
            for text in [&text, &conversion("y").renew(&text, NOW).unwrap()] {
                let read = DocumentText::read(text, PATH, NOW);
                let is_first = text.contains("\nx");
                let (filename, path) =
                    if is_first { (name, Some(&path)) } else { ("guide/how to.md", None) };
                assert_eq!(read.filename.as_deref(), Some(filename), "{text}");
                assert_eq!(read.source_path.as_ref(), path, "{text}");
                assert!(read.problem.is_none(), "{text}");
            }
        }
    }

    #[test]
    fn any_other_text_counts_as_edited() {
        let text = conversion("One.").render(NOW);
        for (other, mode) in [
            (text.replace("One.", "Two."), SourceMode::Edited),
            (text.replace("source_mode: converted", "source_mode: edited"), SourceMode::Edited),
            (text.replace("how to", "what"), SourceMode::Converted),
            (format!("{text}\n\n"), SourceMode::Converted),
            ("# By hand\n".to_owned(), SourceMode::Edited),
        ] {
            assert_eq!(DocumentText::read(&other, PATH, NOW).mode, mode, "{other}");
        }
        let changed = edited(&text, "Three.", NOW).unwrap();
        let read = DocumentText::read(&changed, PATH, NOW);
        assert_eq!((read.body.as_str(), read.mode), ("Three.", SourceMode::Edited));
        assert_eq!(edited(&text, "One.\n", NOW).unwrap(), text);
    }

    #[test]
    fn a_renewed_document_keeps_what_a_person_added() {
        let text = conversion("One.").render(NOW).replace("---\n\n", "mine: 1 # why\n---\n\n");
        let later = Timestamp::from_micros(NOW.micros() + 9_000_000);
        let renewed = conversion("# Two\n\nText.").renew(&text, later).unwrap();
        assert!(renewed.contains("mine: 1 # why"), "{renewed}");
        let read = DocumentText::read(&renewed, PATH, NOW);
        assert_eq!((read.title.as_str(), read.mode), ("Two", SourceMode::Converted));
        assert_eq!(read.created_at, NOW.whole_second());
        assert_eq!(read.updated_at, later.whole_second());
        assert!(conversion("x").renew("---\na: [\n---\n", NOW).is_err());
    }
}
