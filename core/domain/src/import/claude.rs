//! Claude Code's memory folder: topic files, and an index that mostly lists them.

use super::{Found, Reading, SourceFile, name, notes};
use crate::fact::plain_line;

/// The file that every session begins with.
pub(super) const INDEX: &str = "MEMORY.md";

/// Reads a topic file as it is. Of the index only what it says itself is a memory: lines that link
/// to topic files are left out.
pub(super) fn read(file: SourceFile<'_>, reading: &mut Reading) {
    let found = notes::note(file);
    if name(file.path) != INDEX {
        return reading.take(found);
    }
    let own: Vec<&str> = found.text.lines().filter(|line| !is_link(line)).collect();
    let says_something = |line: &&str| !line.starts_with('#') && !plain_line(line).is_empty();
    if own.iter().any(says_something) {
        let title = "What Claude Code keeps in mind".to_owned();
        reading.take(Found { title, text: own.join("\n"), ..found });
    } else {
        reading.skip(file.path, "it only lists the other files");
    }
}

/// Whether a line of the index is an entry: a bullet that begins with a link to a Markdown file.
fn is_link(line: &str) -> bool {
    let line = line.trim_start();
    let Some(entry) = line.strip_prefix(['-', '*', '+']) else { return false };
    let entry = entry.trim_start().trim_start_matches(['*', '`']);
    let target = entry
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("))
        .map_or(entry.split([' ', '`', ':']).next(), |(_, rest)| rest.split(')').next());
    target.is_some_and(|target| target.ends_with(".md"))
}

#[cfg(test)]
mod tests {
    use crate::import::Format;
    use crate::import::tests::reading;

    #[test]
    fn topic_files_are_facts() {
        let text = "---\nname: testing\ndescription: how tests run\nmetadata:\n  type: feedback\n---\n\n\
            Run `just test`.\n\n**Why:** CI does.\n";
        let found = reading(Format::ClaudeCode, "feedback_testing.md", text).found.remove(0);
        assert_eq!(
            (found.title.as_str(), found.description.as_deref()),
            ("testing", Some("how tests run"))
        );
        assert_eq!(found.labels, [("type", "feedback".to_owned())]);
        assert_eq!(found.text, "Run `just test`.\n\n**Why:** CI does.");
    }

    #[test]
    fn the_index_counts_for_what_it_says_itself() {
        let list = "# Memory index\n\n- [Testing](feedback_testing.md) — how tests run\n* `build.md`: builds\n";
        let only_lists = reading(Format::ClaudeCode, "MEMORY.md", list);
        assert_eq!((only_lists.found.len(), only_lists.skipped.len()), (0, 1));
        let mixed =
            format!("{list}\nThe owner prefers short replies.\n- see [the site](https://x/y)\n");
        let found = reading(Format::ClaudeCode, "memory/MEMORY.md", &mixed).found.remove(0);
        assert!(found.text.contains("short replies") && found.text.contains("the site"));
        assert!(!found.text.contains("feedback_testing"), "{}", found.text);
    }
}
