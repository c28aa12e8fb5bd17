//! Where an entry came from: written into a comment below its heading, and read from there again.

use super::begins_entry;
use crate::time::Timestamp;

/// Where an entry came from; what is absent is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The agent.
    pub agent: Option<String>,
    /// The agent's session.
    pub session: Option<String>,
    /// SHA-256 of the transcript that was read.
    pub sha256: Option<String>,
    /// How far the transcript was read.
    pub upto: Option<String>,
}

/// An entry that says where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced {
    /// The moment in its heading.
    pub at: Timestamp,
    /// What it says.
    pub origin: Origin,
}

impl Origin {
    /// Whether it is of a session. Entries hold its id without what would break their comment.
    pub fn is_of(&self, agent: &str, session: &str) -> bool {
        let is = |own: &Option<String>, other: &str| own.as_deref() == Some(&*tame(other));
        is(&self.agent, agent) && is(&self.session, session)
    }

    /// The line below an entry's heading; nothing where nothing is known.
    pub(super) fn line(&self) -> String {
        let Self { agent, session, sha256, upto } = self;
        let named = [("agent", agent), ("session", session), ("sha256", sha256), ("upto", upto)];
        let known: Vec<String> = named
            .iter()
            .filter_map(|(name, value)| Some(format!("{name}: {}", tame(value.as_deref()?))))
            .collect();
        if known.is_empty() { String::new() } else { format!("<!-- {} -->\n", known.join("; ")) }
    }

    fn read(line: &str) -> Option<Self> {
        let inside = line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        let mut origin = Self::default();
        for (name, value) in inside.split("; ").filter_map(|part| part.split_once(": ")) {
            let slot = match name {
                "agent" => &mut origin.agent,
                "session" => &mut origin.session,
                "sha256" => &mut origin.sha256,
                "upto" => &mut origin.upto,
                _ => continue,
            };
            *slot = Some(value.to_owned());
        }
        Some(origin)
    }
}

/// The entries of a day that say where they came from, in their order.
pub fn sourced(text: &str) -> Vec<Sourced> {
    let mut lines = text.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let head = line.strip_prefix("## ").filter(|_| begins_entry(line));
        let at = head.and_then(|head| Timestamp::parse(head.split_once(" · ")?.0));
        let origin = lines.peek().and_then(|next| Origin::read(next));
        if let (Some(at), Some(origin)) = (at, origin) {
            found.push(Sourced { at, origin });
        }
    }
    found
}

/// A value that cannot end the comment it stands in, nor begin another value.
fn tame(value: &str) -> String {
    value
        .chars()
        .filter(|c| !c.is_control() && !matches!(c, '<' | '>' | ';'))
        .collect::<String>()
        .replace("--", "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::NewEntry;

    const AT: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

    fn entry(origin: Origin, description: &str) -> NewEntry {
        NewEntry::new("T", description, "", origin, AT).unwrap()
    }

    #[test]
    fn what_was_written_is_read_again() {
        let origin = Origin {
            agent: Some("codex".into()),
            session: Some("/a--b;c.jsonl".into()),
            sha256: Some("00ff".into()),
            upto: Some("12:00000000000000aa".into()),
        };
        let text = entry(origin, "one").appended_to("# Day\n\nby hand\n");
        let text = entry(Origin::default(), "<b>two</b>").appended_to(&text);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let found = sourced(&text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].at, AT);
            let origin = &found[0].origin;
            assert_eq!(origin.upto.as_deref(), Some("12:00000000000000aa"));
            assert!(origin.is_of("codex", "/a--b;c.jsonl") && !origin.is_of("codex", "/a"));
            assert!(!origin.is_of("claude-code", "/a--b;c.jsonl"));
        }
    }

    #[test]
    fn only_the_line_below_a_heading_counts() {
        let comment = "<!-- agent: a; session: s; upto: 1:1 -->";
        for text in [
            comment.to_owned(),
            format!("## 2026-06-09T10:11:12Z · T\nx\n{comment}\n"),
            format!("## T\n{comment}\n"),
        ] {
            assert_eq!(sourced(&text), [], "{text}");
        }
        assert_eq!(sourced(&format!("## 2026-06-09T10:11:12Z · T\n{comment}\n")).len(), 1);
    }
}
