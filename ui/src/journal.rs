//! A day's journal, cut into its entries.
//!
//! An entry begins with `## <RFC 3339 time> · <title>`, then a comment on where it comes from. What
//! a person writes otherwise stays as it is.

/// One entry, or the text before the first one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    /// RFC 3339, as written.
    pub(crate) time: Option<String>,
    pub(crate) title: String,
    /// What the comment says: agent, session.
    pub(crate) origin: Option<String>,
    /// Markdown.
    pub(crate) text: String,
}

/// The entries of a file, in its order.
pub(crate) fn entries(markdown: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut in_fence = false;
    for line in markdown.lines() {
        in_fence ^= line.trim_start().starts_with("```");
        if let (false, Some(entry)) = (in_fence, begin(line)) {
            entries.push(entry);
            continue;
        }
        if entries.is_empty() {
            entries.push(Entry::default());
        }
        if let Some(entry) = entries.last_mut() {
            add(entry, line);
        }
    }
    entries.retain(|entry| entry.time.is_some() || !entry.text.trim().is_empty());
    entries
}

fn begin(line: &str) -> Option<Entry> {
    let (time, title) = line.strip_prefix("## ")?.split_once(" · ")?;
    let is_time = time.len() >= 16 && time.as_bytes()[4] == b'-' && time.contains('T');
    is_time.then(|| Entry {
        time: Some(time.trim().to_owned()),
        title: title.trim().to_owned(),
        ..Entry::default()
    })
}

fn add(entry: &mut Entry, line: &str) {
    let comment = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    if let (Some(comment), true, true) =
        (comment, entry.time.is_some(), entry.text.trim().is_empty())
    {
        entry.origin = Some(comment.trim().to_owned());
        return;
    }
    entry.text.push_str(line);
    entry.text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_time_title_origin_and_text() {
        let day = "# Day\n\n## 2026-06-09T10:11:12+00:00 · Fixed the build\n<!-- agent: a -->\n\nIt was red.\n\
            \n## Not an entry\n\n```\n## 2026-06-09T10:11:12Z · in a fence\n```\n\
            ## 2026-06-09T12:00:00Z · Second\nText\n<!-- stays -->\n";
        let entries = entries(day);
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[0].time, None);
        assert_eq!(entries[0].text, "# Day\n\n");
        assert_eq!(entries[1].time.as_deref(), Some("2026-06-09T10:11:12+00:00"));
        assert_eq!(entries[1].title, "Fixed the build");
        assert_eq!(entries[1].origin.as_deref(), Some("agent: a"));
        assert!(
            entries[1].text.contains("## Not an entry") && entries[1].text.contains("in a fence")
        );
        assert_eq!(entries[2].text, "Text\n<!-- stays -->\n");
    }

    #[test]
    fn a_day_without_entries_is_one_text() {
        assert_eq!(entries("just words\n")[0].text, "just words\n");
        assert!(entries("\n\n").is_empty());
    }
}
