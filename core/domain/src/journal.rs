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

/// A text in which no line is an entry's heading (it becomes plain text), and which leaves nothing open
/// that would swallow the next entry: a fence, or HTML that goes on until its own end.
fn quiet(text: &str) -> String {
    // A carriage return alone ends a line, too, for whoever shows Markdown.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut quiet = String::with_capacity(text.len() + 8);
    let mut fence = None;
    for line in text.split_inclusive('\n') {
        let is_html = fence.is_none() && begins_html(line);
        fence = fence_behind(line, fence);
        quiet.push_str(if begins_entry(line) || is_html { "\\" } else { "" });
        quiet.push_str(if is_html { line.trim_start() } else { line });
    }
    if let Some(open) = fence {
        quiet.extend(["\n", open]);
    }
    quiet
}

/// The signs of the fence that is open behind a line; `open` is the one before it.
fn fence_behind<'t>(line: &'t str, open: Option<&'t str>) -> Option<&'t str> {
    let text = unindented(line);
    let Some(sign) = text.chars().next().filter(|sign| matches!(sign, '`' | '~')) else {
        return open;
    };
    let rest = text.trim_start_matches(sign);
    let (signs, is_long) = (&text[..text.len() - rest.len()], text.len() - rest.len() >= 3);
    match open {
        Some(open) if signs.starts_with(open) && rest.trim().is_empty() => None,
        Some(open) => Some(open),
        None => Some(signs).filter(|_| is_long && !(sign == '`' && rest.contains('`'))),
    }
}

/// Whether HTML begins with a line that no blank line ends.
fn begins_html(line: &str) -> bool {
    const NAMES: [&str; 4] = ["script", "pre", "style", "textarea"];
    unindented(line).strip_prefix('<').is_some_and(|tag| {
        let is_name =
            |name: &&str| tag.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        tag.starts_with(['!', '?']) || NAMES.iter().any(is_name)
    })
}

/// A line without the three blanks that mean nothing; what has more is code, or nothing.
fn unindented(line: &str) -> &str {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 { "" } else { text }
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
        assert!(
            entry("T", "d", "x\r## 2026-05-28T20:26:40Z · Forged", Origin::default())
                .contains("\n\\## ")
        );
        for (title, description) in [("", "d"), ("a\nb", "d"), ("a", ""), ("a", "b\nc")] {
            assert!(NewEntry::new(title, description, "x", Origin::default(), AT).is_err());
        }
    }

    #[test]
    fn nothing_is_left_open_that_would_swallow_the_next_entry() {
        for (body, written) in [
            ("```\nopen", "```\nopen\n```"),
            ("```rust\nx\n```", "```rust\nx\n```"),
            ("````\n```\nopen", "````\n```\nopen\n````"),
            ("```\n```python\nopen", "```\n```python\nopen\n```"),
            ("~~~\n```\nopen", "~~~\n```\nopen\n~~~"),
            ("``` a`b\nno fence", "``` a`b\nno fence"),
            ("    ```\nno fence", "    ```\nno fence"),
            ("a <!-- b", "a <!-- b"),
            ("<!-- open", "\\<!-- open"),
            ("  <Script>\n<?php\n<![CDATA[", "\\<Script>\n\\<?php\n\\<![CDATA["),
            ("```\n<!-- code\n```", "```\n<!-- code\n```"),
            ("<b>bold</b>\r\nx", "<b>bold</b>\nx"),
        ] {
            let text = entry("T", "d", &format!("say\n{body}"), Origin::default());
            assert!(text.ends_with(&format!("say\n{written}\n")), "{body}: {text}");
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
