//! The folder `memories` of Codex: a handbook, summaries of sessions, and what was made of them.

use super::{Found, Reading, SourceFile, label, name, notes, sections};

/// The handbook, one section a task.
const HANDBOOK: &str = "MEMORY.md";
/// Files that are made of the others, or that the others are made of.
const DERIVED: [&str; 2] = ["memory_summary.md", "raw_memories.md"];
/// Folders whose files are memories each: summaries of sessions, and notes on request.
const FOLDERS: [&str; 2] = ["rollout_summaries", "ad_hoc"];

/// Whether a file shows that a folder is Codex's.
pub(super) fn is_mark(path: &str) -> bool {
    DERIVED.contains(&name(path)) || path.split('/').any(|part| part == FOLDERS[0])
}

/// Reads a file: the handbook gives a fact a section, a summary is one.
pub(super) fn read(file: SourceFile<'_>, reading: &mut Reading) {
    let mut folders = file.path.split('/').rev().skip(1);
    if folders.any(|part| FOLDERS.contains(&part)) {
        return notes::read(file, reading);
    }
    match name(file.path) {
        HANDBOOK => handbook(file, reading),
        known if DERIVED.contains(&known) => {
            reading.skip(file.path, "it repeats what the other files say");
        }
        _ => reading.skip(file.path, "it is none of the files that hold Codex's memories"),
    }
}

fn handbook(file: SourceFile<'_>, reading: &mut Reading) {
    let whole = notes::note(file);
    for (title, text) in sections::sections(&whole.text) {
        let Some(title) = title else {
            reading.take(Found { text: text.to_owned(), ..whole.clone() });
            continue;
        };
        let place = format!("{}#{}", file.path, label(&title, 80));
        reading.take(Found { place, title, text: text.to_owned(), ..whole.clone() });
    }
}

#[cfg(test)]
mod tests {
    use crate::import::Format;
    use crate::import::tests::reading;

    #[test]
    fn the_handbook_gives_a_fact_a_section() {
        let text = "# Task Group: build\n\nscope: the repo\n\n## Task 1\n- use make\n\n\
            # Task Group: release\n\n## Task 1\n- tag first\n";
        let reading = reading(Format::Codex, "memories/MEMORY.md", text);
        let titles: Vec<&str> = reading.found.iter().map(|found| found.title.as_str()).collect();
        assert_eq!(titles, ["Task Group: build", "Task Group: release"]);
        assert_eq!(reading.found[1].text, "## Task 1\n- tag first");
        assert_eq!(reading.found[1].place, "memories/MEMORY.md#Task Group: release");
    }

    #[test]
    fn summaries_are_facts_and_what_repeats_them_is_left_out() {
        for (path, facts) in [
            ("rollout_summaries/2026-06-01-fix.md", 1),
            ("extensions/ad_hoc/note.md", 1),
            ("raw_memories.md", 0),
            ("memory_summary.md", 0),
            ("skills/build/SKILL.md", 0),
        ] {
            let reading = reading(Format::Codex, path, "thread_id: 1\n\nFixed the build.");
            assert_eq!((reading.found.len(), reading.skipped.len()), (facts, 1 - facts), "{path}");
        }
    }
}
