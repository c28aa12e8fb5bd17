//! What a person does to the files of a knowledge base.

use super::*;
use crate::kb::originals::{Unpaired, hash_of};

impl Fixture {
    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.dir().join(from), self.dir().join(to)).unwrap();
    }
}

#[test]
fn documents_whose_names_begin_alike_keep_their_originals() {
    let at = Fixture::new();
    let (short, long) = (at.add("a.md", "One."), at.add("b.md", "Two."));
    for (document, name) in [(&short, "notes"), (&long, "notes.v2")] {
        at.rename(&format!("docs/{}.md", document.id), &format!("docs/{name}.md"));
        at.rename(&format!("raw/{}.md", document.id), &format!("raw/{name}.md"));
    }
    assert_eq!(at.kb.unpaired(&at.name).unwrap(), Unpaired::default());
    let find = |title: &str| at.documents().into_iter().find(|it| it.title == title).unwrap();
    at.kb.delete_document(&at.name, &find("a.md").id, USER, now()).unwrap();
    assert_eq!(
        (at.names("docs"), at.names("raw")),
        (vec!["notes.v2.md".into()], vec!["notes.v2.md".into()])
    );
    at.kb.reconvert(&at.name, &find("b.md").id, USER, now()).unwrap();
}

#[test]
fn an_original_that_a_person_took_away_is_missed_and_comes_back_with_its_file() {
    let mut at = Fixture::new();
    let path = at.temp.path().join("s/b.md");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "Two.").unwrap();
    let documents = [
        at.add("a.md", "One."),
        at.kb.add_path(&at.name, &path, false, USER, &Stamp::new()).unwrap().document,
    ];
    fs::write(at.dir().join("docs/by-hand.md"), "No original.").unwrap();
    for document in &documents {
        fs::remove_file(at.dir().join(format!("raw/{}.md", document.id))).unwrap();
    }
    fs::write(at.dir().join("raw/left.pdf"), "x").unwrap();
    let found = at.kb.unpaired(&at.name).unwrap();
    assert_eq!((found.originals, found.documents.len()), (vec!["left.pdf".to_owned()], 2));
    at.add("a.md", "One.");
    let folder =
        FolderIngest { base: at.name.clone(), path: path.parent().unwrap().into(), replace: false };
    assert_eq!(at.kb.ingest_folder(&folder, &|_, _| true).unwrap().unchanged, 1);
    fs::remove_file(at.dir().join("raw/left.pdf")).unwrap();
    assert_eq!(at.kb.unpaired(&at.name).unwrap(), Unpaired::default());
    fs::remove_file(at.dir().join("docs/by-hand.md")).unwrap();
    at.assert_whole();
}

#[test]
fn an_original_that_a_person_changed_is_no_longer_what_the_document_is_made_of() {
    let mut at = Fixture::new();
    let document = at.add("a.md", "One.");
    let raw = at.dir().join(format!("raw/{}.md", document.id));
    fs::write(&raw, "Other.").unwrap();
    let blocked = at.kb.reconvert(&at.name, &document.id, USER, now());
    assert!(matches!(blocked, Err(Error::ReconversionBlocked { .. })), "{blocked:?}");
    assert_eq!(at.text(&document.id), "One.");
    fs::write(&raw, "One.").unwrap();
    at.assert_whole();
}

#[test]
fn converting_again_changes_nothing_where_nothing_changes() {
    let at = Fixture::new();
    let document = at.add("a.md", "# One\n\nText.\n");
    let again = at.kb.reconvert(&at.name, &document.id, USER, now()).unwrap();
    assert_eq!((again, at.names("superseded")), (document.clone(), Vec::<String>::new()));
    let text = fs::read_to_string(&document.path).unwrap();
    fs::write(&document.path, text.replace("title: One", "title: Other")).unwrap();
    let again = at.kb.reconvert(&at.name, &document.id, USER, now()).unwrap();
    assert_eq!((again.title.as_str(), at.names("superseded").len()), ("One", 1));
}

#[test]
fn one_whose_folder_is_gone_can_be_deleted_and_a_renamed_one_is_another() {
    let at = Fixture::new();
    at.add("a.md", "One.");
    fs::rename(at.dir(), at.dir().with_file_name("manual")).unwrap();
    let names: Vec<String> = at.kb.names().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["manual"]);
    assert!(matches!(at.kb.base(&at.name), Err(Error::BaseNotFound(_))));
    at.kb.delete(&at.name, USER, now()).unwrap();
    let again = at.kb.delete(&at.name, USER, now());
    assert!(matches!(again, Err(Error::BaseNotFound(_))), "{again:?}");
    let left = at.kb.knowledge().read(|db| crate::index::resource_names(db, KIND)).unwrap();
    assert_eq!(left, [""; 0]);
    let manual = KbName::parse("manual").unwrap();
    assert_eq!(at.kb.documents(&manual, None, (9, 0)).unwrap().total, 1);
}

#[test]
fn a_link_is_no_knowledge_base() {
    let at = Fixture::new();
    let outside = at.temp.path().join("outside");
    fs::create_dir_all(outside.join("docs")).unwrap();
    fs::write(outside.join("docs/secret.md"), "secret").unwrap();
    std::os::unix::fs::symlink(&outside, at.dir().with_file_name("link")).unwrap();
    let name = KbName::parse("link").unwrap();
    assert!(at.kb.base(&name).is_err() && at.kb.documents(&name, None, (9, 0)).is_err());
    assert!(at.kb.create(&name, &BasePatch::default(), USER, now()).is_err());
    assert!(at.kb.delete(&name, USER, now()).is_err());
    assert!(outside.join("docs/secret.md").exists() && at.kb.all().unwrap().len() == 1);
}

/// A name may have white space at its ends, composed or decomposed letters, and be a reserved one.
#[test]
fn files_of_strange_names_are_known_again() {
    let mut at = Fixture::new();
    let folder = at.temp.path().join("s");
    fs::create_dir(&folder).unwrap();
    let long = "x".repeat(250);
    let names = [
        " a.md",
        "a.md",
        "a.md ",
        "a.md\u{3000}",
        "A.md",
        "Re\u{301}.md",
        "R\u{e9}.md",
        "CON.md",
        "nul",
        "#a.md",
        "-a",
        "'.md",
        "\"a\"",
        "a:b",
        "%41.md",
        "~",
        "null",
        &long,
    ];
    for name in names {
        fs::write(folder.join(name), format!("Text of {name}.")).unwrap();
    }
    let request = FolderIngest { base: at.name.clone(), path: folder, replace: true };
    let took = |at: &Fixture| at.kb.ingest_folder(&request, &|_, _| true).unwrap();
    let first = took(&at);
    assert_eq!(
        (first.ingested, first.failed, first.skipped),
        (names.len() as u64, 0, 0),
        "{first:?}"
    );
    let again = took(&at);
    assert_eq!((again.unchanged, again.ingested), (names.len() as u64, 0), "{again:?}");
    let states = at.kb.check_sources(&at.name, USER).unwrap();
    assert!(states.iter().all(|state| state.status == SourceStatus::Unchanged), "{states:?}");
    at.assert_whole();
    for name in names {
        at.kb
            .add(
                &at.name,
                Incoming {
                    filename: name.to_owned(),
                    bytes: b"upload".to_vec(),
                    source_path: None,
                },
                true,
                USER,
                &Stamp::new(),
            )
            .unwrap();
    }
    assert_eq!(at.documents().len(), names.len());
    at.assert_whole();
}

#[test]
fn an_endless_source_is_read_no_further_than_what_is_taken_in() {
    let read = std::cell::Cell::new(0_usize);
    let endless = Endless(&read);
    hash_of(endless).unwrap();
    assert_eq!(read.get() as u64, config::DOCUMENT_BYTES.end() + 1);
}

struct Endless<'a>(&'a std::cell::Cell<usize>);

impl std::io::Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.set(self.0.get() + buffer.len());
        Ok(buffer.len())
    }
}

/// What cannot be removed is removed by the next operation, without a restart.
#[test]
fn what_could_not_be_settled_is_settled_with_the_next_operation() {
    let mut at = Fixture::new();
    let document = at.add("a.md", "One.");
    // A folder in the place of an original cannot be removed.
    let obstacle = at.dir().join(format!("raw/{}.x", document.id));
    fs::create_dir(&obstacle).unwrap();
    let failed = at.kb.delete_document(&at.name, &document.id, USER, now());
    assert!(matches!(failed, Err(Error::Unavailable { .. })), "{failed:?}");
    assert_eq!(at.documents(), []);
    at.add("b.md", "Two.");
    assert!(at.temp.path().join("home/run/intents/kb").read_dir().unwrap().count() == 1);
    fs::remove_dir(&obstacle).unwrap();
    at.add("c.md", "Three.");
    at.assert_whole();
}
