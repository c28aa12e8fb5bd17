//! Memories of other programs as facts of ours: what each format means.
//!
//! A fact's id is made of its format, its place in the source and its text, so that a second
//! import knows what the first one brought, whatever became of it here. Texts stay as they are;
//! links between notes stay words. Deliberately absent: finding and reading files.

mod claude;
mod codex;
mod graph;
mod notes;
mod sections;

use crate::fact::{Actor, Author};
use crate::frontmatter::{self, Field};
use crate::id::Id;
use crate::time::Timestamp;

/// The most characters of a title.
const TITLE: usize = 200;
/// The most characters of a description and of each other label.
const LABEL: usize = 500;

/// A program, or a way of keeping memories that several share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Claude Code's memory folder: `MEMORY.md` and topic files.
    ClaudeCode,
    /// The folder `memories` of Codex.
    Codex,
    /// `memory.jsonl` of the reference MCP memory server.
    McpMemory,
    /// A folder of Markdown notes, as basic-memory and Obsidian keep them.
    Markdown,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::McpMemory, Self::Markdown];

    /// Its word, in files and everywhere else.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::McpMemory => "mcp-memory",
            Self::Markdown => "markdown",
        }
    }

    /// Who wrote what the format holds.
    pub fn author(self) -> Author {
        match self {
            Self::ClaudeCode | Self::Codex => Author::agent(self.as_str()),
            Self::McpMemory => Author { actor: Actor::Agent, agent: None },
            Self::Markdown => Author::USER,
        }
    }

    /// Whether a file of a folder may hold memories in this format.
    pub fn covers(self, path: &str) -> bool {
        let ends = |end: &str| path.to_ascii_lowercase().ends_with(end);
        match self {
            Self::ClaudeCode | Self::Codex | Self::Markdown => ends(".md") || ends(".markdown"),
            Self::McpMemory => ends(".jsonl") || ends(".json"),
        }
    }

    /// What a folder or a single file is, judged by the names of its files; `None`: unknown.
    pub fn guess(paths: &[&str]) -> Option<Self> {
        let any = |test: fn(&str) -> bool| paths.iter().any(|path| test(path));
        if any(codex::is_mark) {
            Some(Self::Codex)
        } else if any(|path| name(path) == claude::INDEX) {
            Some(Self::ClaudeCode)
        } else if any(|path| Self::Markdown.covers(path)) {
            Some(Self::Markdown)
        } else {
            any(|path| Self::McpMemory.covers(path)).then_some(Self::McpMemory)
        }
    }
}

/// A file of a source.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// Its path relative to the source, `/` between parts.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// SHA-256 of its bytes.
    pub sha256: &'a str,
    /// When it last changed.
    pub modified: Timestamp,
}

/// A memory that a source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where: the file's path, and `#` with a heading or name when the file holds several.
    pub place: String,
    /// A short title, one line.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// The text, Markdown; never empty.
    pub text: String,
    /// What the source says besides, as in `type` and `tags`.
    pub labels: Vec<(&'static str, String)>,
    /// When it was made, as far as the source tells.
    pub created_at: Timestamp,
    /// When it last changed, as far as the source tells.
    pub updated_at: Timestamp,
}

/// What a file of a source gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Its memories, in their order.
    pub found: Vec<Found>,
    /// What is no memory or cannot be read: the place and why.
    pub skipped: Vec<(String, String)>,
}

/// Reads a file of a source; never fails.
pub fn read(format: Format, file: SourceFile<'_>) -> Reading {
    let mut reading = Reading::default();
    match format {
        Format::ClaudeCode => claude::read(file, &mut reading),
        Format::Codex => codex::read(file, &mut reading),
        Format::McpMemory => graph::read(file, &mut reading),
        Format::Markdown => notes::read(file, &mut reading),
    }
    reading
}

impl Found {
    /// Its id: the same for the same text at the same place.
    pub fn id(&self, format: Format) -> Id {
        Id::of_import(format.as_str(), &self.place, &self.text)
    }

    /// Changes every text of it, as to take out what must not be kept.
    ///
    /// # Errors
    ///
    /// The first of `change`.
    pub fn try_map<E>(self, change: &mut dyn FnMut(&str) -> Result<String, E>) -> Result<Self, E> {
        let Self { place, title, description, text, mut labels, created_at, updated_at } = self;
        for (_, value) in &mut labels {
            *value = change(value)?;
        }
        Ok(Self {
            place: change(&place)?,
            title: change(&title)?,
            description: description.map(|text| change(&text)).transpose()?,
            text: change(&text)?,
            labels,
            created_at,
            updated_at,
        })
    }

    /// The whole file of the fact, with where it came from; `sha256` is that of the source's file.
    pub fn render(&self, id: &Id, format: Format, sha256: &str) -> String {
        let author = format.author();
        let from = label(&format!("{}/{}", format.as_str(), self.place), LABEL);
        let mut metadata = vec![("actor", author.actor.as_str())];
        metadata.extend(author.agent.as_deref().map(|agent| ("agent", agent)));
        metadata.extend([("imported_from", from.as_str()), ("imported_sha256", sha256)]);
        metadata.extend(self.labels.iter().map(|(key, value)| (*key, value.as_str())));
        let times = [self.created_at, self.updated_at].map(|time| time.whole_second().to_string());
        let mut fields = vec![
            ("kind", Field::Text("knowledge")),
            ("id", Field::Text(id.as_str())),
            ("title", Field::Text(&self.title)),
        ];
        fields.extend(self.description.as_deref().map(|text| ("description", Field::Text(text))));
        fields.push(("metadata", Field::Map(&metadata)));
        fields.push(("created_at", Field::Text(&times[0])));
        fields.push(("updated_at", Field::Text(&times[1])));
        frontmatter::render(&fields, &self.text)
    }
}

impl Reading {
    /// Takes a memory in, or says that it is empty.
    fn take(&mut self, found: Found) {
        let text = frontmatter::body_text(&found.text).replace('\0', "\u{fffd}");
        if text.is_empty() {
            return self.skip(found.place, "it holds no text");
        }
        let description = found.description.map(|text| label(&text, LABEL));
        self.found.push(Found {
            title: Some(label(&found.title, TITLE))
                .filter(|title| !title.is_empty())
                .unwrap_or_else(|| "note".to_owned()),
            description: description.filter(|text| !text.is_empty()),
            text,
            ..found
        });
    }

    fn skip(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push((place.into(), reason.into()));
    }
}

/// One line of at most so many characters, without control characters.
fn label(text: &str, max: usize) -> String {
    let words = text.split(|char: char| char.is_whitespace() || char.is_control());
    let line: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let line = line.join(" ");
    if line.chars().count() <= max {
        return line;
    }
    let cut: String = line.chars().take(max - 1).collect();
    format!("{}…", cut.trim_end())
}

/// The last part of a path.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::FileText;
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

    pub(super) fn reading(format: Format, path: &str, text: &str) -> Reading {
        read(format, SourceFile { path, text, sha256: "ab", modified: NOW })
    }

    #[test]
    fn formats_are_known_by_their_files() {
        let guess = Format::guess;
        assert_eq!(guess(&["MEMORY.md", "build.md"]), Some(Format::ClaudeCode));
        assert_eq!(guess(&["MEMORY.md", "raw_memories.md"]), Some(Format::Codex));
        assert_eq!(guess(&["memories/rollout_summaries/a.md"]), Some(Format::Codex));
        assert_eq!(guess(&["a/b.md", "x.json"]), Some(Format::Markdown));
        assert_eq!(guess(&["memory.jsonl"]), Some(Format::McpMemory));
        assert_eq!(guess(&["a.png"]), None);
    }

    #[test]
    fn a_fact_tells_where_it_came_from_and_reads_back() {
        let text = "---\ntitle: \"a: b\"\ntags: [x, 'y z']\n---\nBody [[Other]].\n";
        let reading = reading(Format::Markdown, "sub/Note.md", text);
        let found = &reading.found[0];
        let file = found.render(&found.id(Format::Markdown), Format::Markdown, "ab");
        let read = FileText::read(&file, "knowledge/inbox/a.md", NOW);
        assert_eq!(read.problem, None, "{file}");
        assert_eq!((read.title.as_str(), read.body.as_str()), ("a: b", "Body [[Other]]."));
        assert_eq!((read.id, read.actor), (Some(found.id(Format::Markdown)), Actor::User));
        let fields = frontmatter::parse(&file).0;
        assert_eq!(fields.get_str("metadata.imported_from"), Some("markdown/sub/Note.md"));
        assert_eq!(fields.get_str("metadata.imported_sha256"), Some("ab"));
        assert_eq!(fields.get_str("metadata.tags"), Some("x, y z"));
    }

    #[test]
    fn ids_tell_places_and_texts_apart() {
        let id = |path: &str, text: &str| {
            reading(Format::Markdown, path, text).found[0].id(Format::Markdown)
        };
        assert_eq!(id("a.md", "one"), id("a.md", "one\n"));
        assert_ne!(id("a.md", "one"), id("b.md", "one"));
        assert_ne!(id("a.md", "one"), id("a.md", "two"));
    }

    proptest! {
        #[test]
        fn whatever_a_file_holds_is_read_back(text in "(---\n)?[a-z#\\-\\[\\]{}\":,\n \0]{0,80}", at in 0_usize..4) {
            let format = Format::ALL[at];
            for path in ["MEMORY.md", "a.md", "rollout_summaries/a.md", "memory.jsonl"] {
                for found in reading(format, path, &text).found {
                    let file = found.render(&found.id(format), format, "ab");
                    let read = FileText::read(&file, "knowledge/inbox/a.md", NOW);
                    prop_assert_eq!(&read.problem, &None);
                    prop_assert_eq!(&read.body, &found.text);
                    prop_assert_eq!(&read.title, &found.title);
                }
            }
        }
    }
}
