//! A Markdown note with an optional header, as Obsidian and basic-memory keep it.

use super::{Found, LABEL, Reading, SourceFile, label};
use crate::fact::stem;
use crate::frontmatter::{self, Fields, Value};
use crate::time::Timestamp;

/// Keys that other programs give the time of making and of the last change.
const CREATED: [&str; 4] = ["created_at", "created", "date", "date_created"];
const UPDATED: [&str; 4] = ["updated_at", "updated", "modified", "date_modified"];
/// Keys that are kept beside the text.
const KEPT: [&str; 4] = ["type", "tags", "aliases", "permalink"];

/// Reads a note. The file's name is its title when the header names none, since that is what links
/// of other notes call it.
pub(super) fn read(file: SourceFile<'_>, reading: &mut Reading) {
    reading.take(note(file));
}

/// The note of a file.
pub(super) fn note(file: SourceFile<'_>) -> Found {
    let (fields, problem) = frontmatter::parse(file.text);
    // A header that cannot be read may be text of the person's.
    let body = match problem {
        Some(_) => file.text,
        None => frontmatter::split(file.text).body_text(),
    };
    let line = |key: &str| fields.get_str(key).map(str::to_owned);
    let time = |keys: &[&str]| keys.iter().find_map(|key| moment(fields.get_str(key)?));
    let updated_at = time(&UPDATED).unwrap_or(file.modified);
    Found {
        place: file.path.to_owned(),
        title: line("title").or_else(|| line("name")).unwrap_or_else(|| stem(file.path).to_owned()),
        description: line("description").or_else(|| line("summary")),
        text: body.to_owned(),
        labels: labels(&fields),
        created_at: time(&CREATED).unwrap_or(updated_at),
        updated_at,
    }
}

fn labels(fields: &Fields) -> Vec<(&'static str, String)> {
    let value = |key: &str| fields.get(key).or_else(|| fields.get(&format!("metadata.{key}")));
    let kept = KEPT.iter().filter_map(|key| Some((*key, label(&words(value(key)?), LABEL))));
    kept.filter(|(_, text)| !text.is_empty()).collect()
}

/// The scalars of a value, in a line.
fn words(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::List(items) => {
            let texts: Vec<String> = items.iter().map(words).collect();
            texts.join(", ")
        }
        Value::Null | Value::Map(_) => String::new(),
    }
}

/// A time as notes write it: RFC 3339, or anything that begins with a date.
fn moment(text: &str) -> Option<Timestamp> {
    Timestamp::parse(text).or_else(|| Timestamp::parse(text.trim().get(..10)?))
}

#[cfg(test)]
mod tests {
    use crate::import::Format;
    use crate::import::tests::reading;

    #[test]
    fn notes_of_obsidian_and_basic_memory() {
        let text = "---\ntitle: Search design\ntype: note\npermalink: design/search\ntags:\n- fts\n\
            - rank\ncreated: 2024-05-06 07:08\nmodified: 2024-06-07T08:09:10Z\n---\n\n# Search\n\n\
            ## Observations\n- [decision] Use FTS5 #sqlite\n\n## Relations\n- part_of [[Engine]]\n";
        let found = reading(Format::Markdown, "design/Search.md", text).found.remove(0);
        assert_eq!(found.title, "Search design");
        assert!(found.text.starts_with("# Search\n") && found.text.ends_with("[[Engine]]"));
        assert_eq!(found.created_at.to_string(), "2024-05-06T00:00:00+00:00");
        assert_eq!(found.updated_at.to_string(), "2024-06-07T08:09:10+00:00");
        let labels = [("type", "note"), ("tags", "fts, rank"), ("permalink", "design/search")];
        assert_eq!(found.labels, labels.map(|(key, value)| (key, value.to_owned())));
    }

    #[test]
    fn a_note_may_lack_everything_but_text() {
        let found =
            reading(Format::Markdown, "Daily/2024-05-06.md", "## Done\n\nx").found.remove(0);
        assert_eq!((found.title.as_str(), found.text.as_str()), ("2024-05-06", "## Done\n\nx"));
        let broken = "---\ntitle: [a\n---\ntext";
        assert_eq!(reading(Format::Markdown, "b.md", broken).found[0].text, broken);
        for empty in ["", "\n \n", "---\ntitle: x\n---\n"] {
            let reading = reading(Format::Markdown, "e.md", empty);
            assert_eq!(reading.found, []);
            assert_eq!(reading.skipped, [("e.md".to_owned(), "it holds no text".to_owned())]);
        }
    }
}
