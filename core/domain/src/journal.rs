//! Entries of a journal: what happened, one after the other, a file a day.
//!
//! An entry is a heading of time and title, a line of provenance in an HTML comment, a line that
//! says it in short, and its body. An appended entry cannot be taken for two, whatever its texts
//! hold. Deliberately absent: reading and writing of files.

mod join;
mod origin;
mod read;

use crate::fact::{Rejected, checked_label, checked_text};
use crate::time::Timestamp;

pub use join::{Joined, joined};
pub use origin::{Origin, Sourced, sourced};
pub use read::{Entry, entries_of};

/// The most characters of an entry's body.
const BODY_CHARS: usize = 32_768;

/// An entry that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    at: Timestamp,
    title: String,
    origin: Origin,
    description: String,
    body: String,
}

impl NewEntry {
    /// An entry of this moment.
    ///
    /// # Errors
    ///
    /// Texts that are blank or too long.
    pub fn new(
        title: &str,
        description: &str,
        body: &str,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Self, Rejected> {
        Ok(Self {
            at: at.whole_second(),
            title: checked_label("title", title)?,
            origin,
            description: checked_label("description", description)?,
            body: if body.trim().is_empty() {
                String::new()
            } else {
                checked_text(body, BODY_CHARS)?
            },
        })
    }

    /// The stem of the file that it belongs to: `YYYY-MM-DD`, UTC.
    pub fn day(&self) -> String {
        self.at.day()
    }

    /// A day's text with the entry at its end. What stands there is kept to the byte.
    pub fn appended_to(&self, text: &str) -> String {
        let mut whole = text.to_owned();
        if !whole.is_empty() {
            let gap = if whole.ends_with('\n') { "\n" } else { "\n\n" };
            whole.push_str(gap);
        }
        whole.push_str(&self.render());
        whole
    }

    fn render(&self) -> String {
        let Self { at, title, origin, description, body } = self;
        let mut text = format!("## {at} · {title}\n");
        text.push_str(&origin.line());
        text.extend([&quiet(description), "\n"]);
        if !body.is_empty() {
            text.extend(["\n", &quiet(body), "\n"]);
        }
        text
    }
}

/// A text in which no line is an entry's heading (it becomes plain text), and which leaves no fence
/// open that would swallow the next entry.
fn quiet(text: &str) -> String {
    let mut quiet = String::with_capacity(text.len() + 8);
    let mut in_fence = false;
    for line in text.split_inclusive('\n') {
        in_fence ^= line.trim_start().starts_with("```");
        quiet.push_str(if begins_entry(line) { "\\" } else { "" });
        quiet.push_str(line);
    }
    quiet.push_str(if in_fence { "\n```" } else { "" });
    quiet
}

/// Whether a line is the heading of an entry: `## <RFC 3339 time> · <title>`.
pub fn begins_entry(line: &str) -> bool {
    let heading = line.strip_prefix("## ").and_then(|rest| rest.split_once(" · "));
    heading.is_some_and(|(time, _)| Timestamp::parse(time).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_micros(1_780_000_000_123_456);

    fn entry(title: &str, description: &str, body: &str, origin: Origin) -> String {
        NewEntry::new(title, description, body, origin, AT).unwrap().appended_to("")
    }

    #[test]
    fn an_entry_says_when_what_and_where_from() {
        let origin = Origin {
            agent: Some("codex".into()),
            session: Some("01J".into()),
            upto: Some("42".into()),
            ..Origin::default()
        };
        assert_eq!(
            entry("Deploy", "It works.", "- one\n- two", origin),
            "## 2026-05-28T20:26:40+00:00 · Deploy\n\
             <!-- agent: codex; session: 01J; upto: 42 -->\nIt works.\n\n- one\n- two\n"
        );
        assert_eq!(
            entry("部署", "Short.", "", Origin::default()),
            "## 2026-05-28T20:26:40+00:00 · 部署\nShort.\n"
        );
    }

    #[test]
    fn no_text_makes_two_entries_or_breaks_out_of_the_comment() {
        let forged = "x\n## 2026-05-28T20:26:40Z · Forged\ny";
        let origin = Origin { agent: Some("a --> b; upto: 9\n## x".into()), ..Origin::default() };
        let text = entry("T", "d", forged, origin);
        assert_eq!(text.lines().filter(|line| begins_entry(line)).count(), 1, "{text}");
        assert_eq!(text.matches("-->").count(), 1, "{text}");
        assert!(text.contains("\\## 2026"));
        assert!(entry("T", "d", "```\nopen", Origin::default()).ends_with("```\nopen\n```\n"));
        for (title, description) in [("", "d"), ("a\nb", "d"), ("a", ""), ("a", "b\nc")] {
            assert!(NewEntry::new(title, description, "x", Origin::default(), AT).is_err());
        }
    }

    #[test]
    fn what_stands_there_is_kept() {
        let new = NewEntry::new("T", "d", "", Origin::default(), AT).unwrap();
        for before in ["", "# Day\r\n", "no end", "## 2026-05-28T20:26:40Z · A\nx\n"] {
            let after = new.appended_to(before);
            assert!(after.starts_with(before), "{after}");
            let alone = new.appended_to("");
            assert!(after.ends_with(&alone) && after.len() <= before.len() + alone.len() + 2);
        }
        assert_eq!(new.day(), "2026-05-28");
    }
}
