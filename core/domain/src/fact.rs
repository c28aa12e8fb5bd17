//! Facts: what a new one must be, how its file is written, how any file of a store is read.
//!
//! A file that a person wrote may lack any key; what is missing is derived here, and the file's
//! bytes are never changed for it.

use crate::frontmatter::{self, Field, FrontmatterError};
use crate::id::Id;
use crate::time::Timestamp;

/// How many characters a title keeps when it is taken from the text.
const TITLE_CHARS: usize = 80;
/// The most characters a given title or description may have.
const LABEL_CHARS: usize = 500;

/// Who stands in tables beside the named agents: the person, Coffer itself, agents without a name.
const OTHERS: [&str; 4] = ["user", "organizer", "agent", "unknown"];

/// Who wrote a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A coding agent.
    Agent,
    /// The person.
    User,
}

impl Actor {
    /// The word in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::User => "user",
        }
    }
}

/// Who wrote a text, set by the server and never by the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Agent or person.
    pub actor: Actor,
    /// Which agent, when known.
    pub agent: Option<String>,
}

impl Author {
    /// The person at the machine.
    pub const USER: Self = Self { actor: Actor::User, agent: None };

    /// An agent of this name.
    pub fn agent(name: impl Into<String>) -> Self {
        Self { actor: Actor::Agent, agent: Some(name.into()) }
    }

    /// A name that an agent may have: not empty, and none that Coffer writes for somebody else.
    pub fn named(name: &str) -> Option<&str> {
        let is_taken = OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other));
        (!name.is_empty() && !is_taken).then_some(name)
    }

    /// The name in audit rows: the agent's, else the actor's word.
    pub fn name(&self) -> &str {
        self.agent.as_deref().unwrap_or(self.actor.as_str())
    }
}

/// Why a fact is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// Nothing but white space.
    #[error("the text is empty")]
    Empty,
    /// Longer than the store takes.
    #[error("the text has {length} characters, the store takes {max}")]
    TooLong {
        /// Its length in characters.
        length: usize,
        /// The limit in characters.
        max: usize,
    },
    /// A title, description or session id that cannot be kept.
    #[error("`{field}` {reason}")]
    Field {
        /// Which one.
        field: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// A fact that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFact {
    /// A short title, one line.
    pub title: String,
    /// One line on what it says.
    pub description: Option<String>,
    /// The fact, Markdown, without surrounding blank lines.
    pub text: String,
    /// The session it comes from.
    pub origin_session_id: Option<String>,
}

impl NewFact {
    /// Checks what a caller wants to be remembered; `max_chars` is the store's limit.
    ///
    /// # Errors
    ///
    /// Empty or too long texts, and labels that are blank, too long or hold control characters.
    pub fn new(
        text: &str,
        title: Option<&str>,
        description: Option<&str>,
        origin_session_id: Option<&str>,
        max_chars: usize,
    ) -> Result<Self, Rejected> {
        let text = checked_text(text, max_chars)?;
        let title = match title {
            Some(title) => checked_label("title", title)?,
            None => title_of(&text).unwrap_or_else(|| "note".to_owned()),
        };
        let description = optional_label("description", description)?;
        let origin_session_id = optional_label("origin_session_id", origin_session_id)?;
        Ok(Self { title, description, text, origin_session_id })
    }

    /// The whole file of this fact.
    pub fn render(&self, id: &Id, author: &Author, now: Timestamp) -> String {
        let now = now.whole_second().to_string();
        let mut metadata = vec![("actor", author.actor.as_str())];
        metadata.extend(author.agent.as_deref().map(|agent| ("agent", agent)));
        let mut fields = vec![
            ("kind", Field::Text("knowledge")),
            ("id", Field::Text(id.as_str())),
            ("title", Field::Text(&self.title)),
        ];
        fields.extend(self.description.as_deref().map(|text| ("description", Field::Text(text))));
        fields.push(("metadata", Field::Map(&metadata)));
        fields.extend(
            self.origin_session_id.as_deref().map(|text| ("origin_session_id", Field::Text(text))),
        );
        fields.push(("created_at", Field::Text(&now)));
        fields.push(("updated_at", Field::Text(&now)));
        frontmatter::render(&fields, &self.text)
    }
}

/// The text of a fact as it is kept: NUL, which no tool downstream bears, becomes U+FFFD.
///
/// # Errors
///
/// Empty and too long texts.
pub fn checked_text(text: &str, max_chars: usize) -> Result<String, Rejected> {
    let text = text.trim_matches(['\r', '\n']).trim_end().replace('\0', "\u{fffd}");
    if text.trim().is_empty() {
        return Err(Rejected::Empty);
    }
    let length = text.chars().count();
    if length > max_chars {
        return Err(Rejected::TooLong { length, max: max_chars });
    }
    Ok(text)
}

/// A title or the like: one line, not blank, no control characters, at most 500 characters.
///
/// # Errors
///
/// Says which field, and why.
pub fn checked_label(field: &'static str, value: &str) -> Result<String, Rejected> {
    let value = value.trim();
    let reason = if value.is_empty() {
        "is blank"
    } else if value.chars().any(char::is_control) {
        "holds a line break or control character"
    } else if value.chars().count() > LABEL_CHARS {
        "is longer than 500 characters"
    } else {
        return Ok(value.to_owned());
    };
    Err(Rejected::Field { field, reason })
}

fn optional_label(field: &'static str, value: Option<&str>) -> Result<Option<String>, Rejected> {
    value.map(|value| checked_label(field, value)).transpose()
}

/// A title out of a text: its first line that says something, without Markdown's marks, cut at a
/// word near 80 characters.
pub(crate) fn title_of(text: &str) -> Option<String> {
    let line = text.lines().map(plain_line).find(|line| !line.is_empty())?;
    if line.chars().count() <= TITLE_CHARS {
        return Some(line);
    }
    let cut: String = line.chars().take(TITLE_CHARS).collect();
    let at = cut.rfind(' ').filter(|at| *at > TITLE_CHARS / 2).unwrap_or(cut.len());
    Some(format!("{}…", cut[..at].trim_end()))
}

pub(crate) fn plain_line(line: &str) -> String {
    let line = line.trim().trim_start_matches(['#', '>', '*', '-', '+', ' ']);
    line.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}

/// What a file of a store says, with everything derived that it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    /// The id that the file carries, if it is a ULID.
    pub id: Option<Id>,
    /// `title`, legacy `name`, the first heading, or the file's stem.
    pub title: String,
    /// `description`.
    pub description: Option<String>,
    /// `metadata.actor`; a file that does not say was written by the person.
    pub actor: Actor,
    /// `metadata.agent`.
    pub agent: Option<String>,
    /// `origin_session_id`.
    pub origin_session_id: Option<String>,
    /// `created_at`, else the file's own time.
    pub created_at: Timestamp,
    /// The later of `updated_at` and the file's own time.
    pub updated_at: Timestamp,
    /// The text without frontmatter.
    pub body: String,
    /// Why the frontmatter could not be read; the text counts all the same.
    pub problem: Option<FrontmatterError>,
}

impl FileText {
    /// Reads a file's text; `path` is relative to the store, `modified` the file's own time.
    pub fn read(text: &str, path: &str, modified: Timestamp) -> Self {
        let (fields, problem) = frontmatter::parse(text);
        let body = frontmatter::split(text).body_text().to_owned();
        let line = |key: &str| {
            fields.get_str(key).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let time = |key: &str| fields.get_str(key).and_then(Timestamp::parse);
        Self {
            id: fields.get_str("id").and_then(Id::parse),
            title: line("title")
                .or_else(|| line("name"))
                .or_else(|| heading(&body, path))
                .unwrap_or_else(|| stem(path).to_owned()),
            description: line("description"),
            actor: match fields.get_str("metadata.actor") {
                Some("agent") => Actor::Agent,
                _ => Actor::User,
            },
            agent: line("metadata.agent"),
            origin_session_id: line("origin_session_id"),
            created_at: time("created_at").unwrap_or(modified),
            updated_at: time("updated_at").map_or(modified, |time| time.max(modified)),
            body,
            problem,
        }
    }
}

/// The first heading; a journal's headings are its entries, so its day stays its title.
pub(crate) fn heading(body: &str, path: &str) -> Option<String> {
    if path.starts_with("journal/") {
        return None;
    }
    let mut fenced = false;
    for line in body.lines() {
        let line = line.trim_start();
        fenced ^= line.starts_with("```") || line.starts_with("~~~");
        let marks = line.len() - line.trim_start_matches('#').len();
        let spaced = line[marks..].starts_with([' ', '\t']);
        if !fenced && spaced && (1..=6).contains(&marks) {
            let title = plain_line(line.trim_end_matches('#'));
            return (!title.is_empty()).then_some(title);
        }
    }
    None
}

/// A path's last part without `.md`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".md").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_123_456);

    fn id() -> Id {
        Id::new(1_780_000_000_123, 7)
    }

    #[test]
    fn a_fact_reads_back_as_it_was_written() {
        let new = NewFact::new(
            "This repo deploys via `make release`, never git push --tags directly.\n\nMore: why.",
            Some("deploy: via make release"),
            Some("# not a comment"),
            Some("01J"),
            8192,
        )
        .unwrap();
        let text = new.render(&id(), &Author::agent("claude-code"), NOW);
        let read = FileText::read(&text, "knowledge/inbox/a.md", NOW);
        assert_eq!(read.problem, None, "{text}");
        assert_eq!(read.id, Some(id()));
        assert_eq!(read.title, "deploy: via make release");
        assert_eq!(read.description.as_deref(), Some("# not a comment"));
        assert_eq!((read.actor, read.agent.as_deref()), (Actor::Agent, Some("claude-code")));
        assert_eq!(read.origin_session_id.as_deref(), Some("01J"));
        assert_eq!(read.created_at, NOW.whole_second());
        assert_eq!(read.updated_at, NOW);
        assert_eq!(read.body, new.text);
    }

    #[test]
    fn no_agent_has_the_name_of_somebody_else() {
        for actor in [Actor::User, Actor::Agent] {
            assert_eq!(Author::named(actor.as_str()), None);
        }
        for (name, is_free) in
            [("", false), ("Organizer", false), ("UNKNOWN", false), ("user-agent", true)]
        {
            assert_eq!(Author::named(name).is_some(), is_free, "{name}");
        }
    }

    #[test]
    fn bad_facts_are_refused() {
        let check = |text: &str, title: Option<&str>| {
            NewFact::new(text, title, None, None, 64).map(|fact| fact.title)
        };
        assert_eq!(check(" \n\t", None), Err(Rejected::Empty));
        assert_eq!(check(&"字".repeat(65), None), Err(Rejected::TooLong { length: 65, max: 64 }));
        assert_eq!(check(&"字".repeat(64), None).unwrap().chars().count(), 64);
        for title in ["", "  ", "a\nb", "a\0", &"x".repeat(501)] {
            assert!(matches!(check("x", Some(title)), Err(Rejected::Field { .. })), "{title:?}");
        }
    }

    #[test]
    fn titles_come_from_the_text() {
        for (text, title) in [
            ("# Deploy\n\nbody", "Deploy"),
            ("- a point\n- another", "a point"),
            ("\n\nplain words", "plain words"),
            ("***", "note"),
            ("> 引用", "引用"),
        ] {
            assert_eq!(NewFact::new(text, None, None, None, 99).unwrap().title, title, "{text}");
        }
        let long = NewFact::new(&"word ".repeat(40), None, None, None, 999).unwrap().title;
        assert!(long.ends_with("word…") && long.chars().count() <= 81, "{long}");
    }

    #[test]
    fn a_file_may_lack_everything() {
        for (text, path, title) in [
            ("just text", "knowledge/inbox/my note.md", "my note"),
            ("```\n# no\n```\n## Yes ##\n", "knowledge/a.md", "Yes"),
            ("---\nname: legacy\n---\nx", "knowledge/a.md", "legacy"),
            ("---\ntitle: [broken\n---\n# H\n", "knowledge/a.md", "H"),
            ("## 2026 · entry\n", "journal/2026-06-09.md", "2026-06-09"),
            ("", "knowledge/empty.md", "empty"),
        ] {
            let read = FileText::read(text, path, NOW);
            assert_eq!(read.title, title, "{text:?}");
            assert_eq!((read.created_at, read.updated_at, read.id), (NOW, NOW, None));
            assert_eq!(read.actor, Actor::User);
        }
    }
}
