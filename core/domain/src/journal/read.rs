//! Entries as they were written: title and words.

use super::begins_entry;
use super::join::entries;

/// An entry of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its title.
    pub title: String,
    /// What it says, without heading and provenance.
    pub body: String,
}

impl Entry {
    /// All that it says.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n{}", self.title, self.body)
    }
}

/// The entries of a day's text, in their order; what stands outside of entries is none.
#[must_use]
pub fn entries_of(text: &str) -> Vec<Entry> {
    entries(text)
        .filter(|entry| begins_entry(entry.lines().next().unwrap_or_default()))
        .map(read)
        .collect()
}

fn read(entry: &str) -> Entry {
    let (heading, rest) = entry.split_once('\n').unwrap_or((entry, ""));
    let title = heading.split_once(" · ").map_or("", |(_, title)| title);
    let rest = rest.trim_start();
    let is_provenance = rest.starts_with("<!--") && rest.contains("-->");
    let body = match rest.split_once("-->") {
        Some((_, body)) if is_provenance => body,
        _ => rest,
    };
    Entry { title: title.trim().to_owned(), body: body.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_without_their_provenance() {
        let text = "# Day\n\n## 2026-03-01T10:00:00Z · One\n<!-- agent: codex; upto: 3 -->\nShort.\n\nLong.\n\n\
                    ## 2026-03-01T11:00:00Z · Two\nNo origin <!-- but this -->.\n\n## Not one\nx\n";
        let entry = |title: &str, body: &str| Entry { title: title.into(), body: body.into() };
        assert_eq!(
            entries_of(text),
            [
                entry("One", "Short.\n\nLong."),
                entry("Two", "No origin <!-- but this -->.\n\n## Not one\nx"),
            ]
        );
        assert_eq!(entries_of("loose words"), []);
    }
}
