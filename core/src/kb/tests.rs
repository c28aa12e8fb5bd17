//! The knowledge base face over real files and a real database.

use std::fs;
use std::path::Path;

use coffer_domain::fact::Author;
use coffer_domain::kb::SourceMode;
use coffer_env::Home;
use coffer_env::clock::{Stamp, now};

use super::*;
use crate::error::Unfit;
use crate::index::Index;
use crate::models::Embedders;

mod folders;
mod hands;
mod questions;
mod races;
mod sources;
mod transfer;

const USER: &Author = &Author::USER;

struct Fixture {
    temp: tempfile::TempDir,
    kb: KnowledgeBases,
    name: KbName,
}

impl Fixture {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let kb = Self::open(temp.path());
        let name = KbName::parse("guide").unwrap();
        kb.create(&name, &BasePatch::default(), USER, now()).unwrap();
        Self { temp, kb, name }
    }

    fn open(path: &Path) -> KnowledgeBases {
        Self::open_with(path, Converters::new("none".into()))
    }

    fn open_with(path: &Path, converters: Converters) -> KnowledgeBases {
        let home = Home::at(path.join("home"));
        fs::create_dir_all(home.root()).unwrap();
        let index = Arc::new(Index::open(&home.database(), now()).unwrap());
        let settings = Settings::open(&home, || {});
        let knowledge = Knowledge::new(index, Embedders::off(), Arc::default());
        KnowledgeBases::new(home, Arc::new(knowledge), settings, converters, |_| {})
    }

    /// The program ends without a word, and starts again.
    fn restart(&mut self) {
        self.kb = Self::open(self.temp.path());
        self.kb.take_up().unwrap();
    }

    fn try_add(&self, filename: &str, text: &str, replace: bool) -> Result<Added> {
        let incoming = Incoming {
            filename: filename.to_owned(),
            bytes: text.as_bytes().to_vec(),
            source_path: None,
        };
        self.kb.add(&self.name, incoming, replace, USER, &Stamp::new())
    }

    fn add(&self, filename: &str, text: &str) -> Document {
        self.try_add(filename, text, false).unwrap().document
    }

    fn text(&self, id: &Id) -> String {
        self.kb.document(&self.name, id).unwrap().1
    }

    fn documents(&self) -> Vec<Document> {
        self.kb.documents(&self.name, None, (200, 0)).unwrap().documents
    }

    /// Names in a folder of the knowledge base, hidden ones too.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.dir().join(folder)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn dump(&self) -> Vec<String> {
        let at = self.kb.open(&self.name).unwrap().at;
        self.kb.knowledge().fresh(&at, crate::index::dump).unwrap()
    }

    /// Every document has its original and nothing else is there; the live index is the one that a
    /// rebuild from the files gives.
    fn assert_whole(&mut self) {
        let stem = |name: &String| name.split('.').next().unwrap().to_owned();
        let stems = |folder| self.names(folder).iter().map(stem).collect::<Vec<_>>();
        assert_eq!(stems("docs"), stems("raw"));
        assert_eq!(self.documents().len(), self.names("docs").len());
        let records = self.temp.path().join("home/run/intents/kb");
        assert_eq!(fs::read_dir(records).map_or(0, Iterator::count), 0);
        let live = self.dump();
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.temp.path().join(format!("home/coffer.db{end}")));
        }
        self.restart();
        assert_eq!(live, self.dump());
    }

    fn dir(&self) -> PathBuf {
        self.temp.path().join("home/knowledge/guide")
    }
}

#[test]
fn a_base_is_made_changed_turned_off_and_deleted() {
    let at = Fixture::new();
    let again = at.kb.create(&at.name, &BasePatch::default(), USER, now());
    assert!(matches!(again, Err(Error::BaseExists(_))));
    let patch = BasePatch {
        description: Some("how to".into()),
        chunk_size: Some(100),
        ..BasePatch::default()
    };
    let (changed, is_cut_again) = at.kb.change(&at.name, &patch, now()).unwrap();
    assert!(is_cut_again);
    assert_eq!((changed.description.as_deref(), changed.config.chunk_size), (Some("how to"), 100));
    let bad = BasePatch { chunk_size: Some(1), description: Some("x".into()), ..patch };
    assert!(at.kb.change(&at.name, &bad, now()).is_err());
    assert_eq!(at.kb.all().unwrap(), [changed]);
    assert!(!at.kb.set_enabled(&at.name, false, USER, now()).unwrap().enabled);
    assert!(at.kb.set_enabled(&at.name, true, USER, now()).unwrap().enabled);
    at.kb.delete(&at.name, USER, now()).unwrap();
    assert_eq!(at.kb.all().unwrap(), []);
    assert!(matches!(at.kb.base(&at.name), Err(Error::BaseNotFound(_))));
    let left =
        |folder: &str| fs::read_dir(at.temp.path().join("home").join(folder)).unwrap().count();
    assert_eq!((left("knowledge"), left("trash"), left("run/intents/kb")), (0, 0, 0));
    at.kb.create(&at.name, &BasePatch::default(), USER, now()).unwrap();
}

#[test]
fn a_persons_hand_in_the_file_counts_and_is_kept() {
    let at = Fixture::new();
    let file = at.dir().join("kb.yaml");
    fs::write(&file, "# mine\ndescription: 'By hand' # so\nlater: 1\n").unwrap();
    assert_eq!(at.kb.base(&at.name).unwrap().description.as_deref(), Some("By hand"));
    at.kb.set_enabled(&at.name, false, USER, now()).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\ndescription: 'By hand' # so\nlater: 1\n"), "{text}");
    assert!(text.contains("enabled: false"));
    fs::write(&file, "description: [").unwrap();
    assert!(matches!(
        at.kb.set_enabled(&at.name, true, USER, now()),
        Err(Error::NotEditable { .. })
    ));
    assert_eq!(fs::read_to_string(&file).unwrap(), "description: [");
    assert_eq!(at.kb.all().unwrap().len(), 1);
}

/// Cut off after the record, after the folder left its place, and while its files go; a record may stay
/// even when all is done.
#[test]
fn a_deletion_that_was_cut_off_is_finished_or_taken_back_and_no_other_folder_goes() {
    for stage in 0..4 {
        let mut at = Fixture::new();
        at.add("a.md", "One.");
        let home = at.temp.path().join("home");
        let record = serde_json::json!({"Base": {"name": "guide", "trashed": "t"}});
        fs::create_dir_all(home.join("run/intents/kb")).unwrap();
        fs::create_dir_all(home.join("trash")).unwrap();
        fs::write(home.join("run/intents/kb/r.json"), record.to_string()).unwrap();
        if stage > 0 {
            fs::rename(at.dir(), home.join("trash/t")).unwrap();
        }
        if stage > 1 {
            fs::remove_file(home.join("trash/t/kb.yaml")).unwrap();
        }
        if stage > 2 {
            fs::remove_dir_all(home.join("trash/t")).unwrap();
            at.kb.create(&at.name, &BasePatch::default(), USER, now()).unwrap();
        }
        at.restart();
        let documents = at.kb.documents(&at.name, None, (9, 0)).ok().map(|page| page.total);
        assert_eq!(documents, [Some(1), None, None, Some(0)][stage], "{stage}");
        assert!(!home.join("trash/t").exists() && !home.join("run/intents/kb/r.json").exists());
    }
}

/// Cut off after the record, after its document went, and after its original went, too.
#[test]
fn a_document_s_deletion_that_was_cut_off_is_finished_or_taken_back() {
    for stage in 0..3 {
        let mut at = Fixture::new();
        let document = at.add("a.md", "One.");
        at.kb.edit(&at.name, &document.id, ("Two.", None), USER, now()).unwrap();
        let record =
            serde_json::json!({"Removal": {"base": "guide", "stem": document.id.as_str()}});
        let records = at.temp.path().join("home/run/intents/kb");
        fs::create_dir_all(&records).unwrap();
        fs::write(records.join("r.json"), record.to_string()).unwrap();
        let parts = [format!("docs/{}.md", document.id), format!("raw/{}.md", document.id)];
        for part in &parts[..stage] {
            fs::remove_file(at.dir().join(part)).unwrap();
        }
        at.restart();
        let kept = usize::from(stage == 0);
        assert_eq!(at.names("superseded").len(), kept, "{stage}");
        assert_eq!(at.documents().len(), kept, "{stage}");
        at.assert_whole();
    }
}

fn reason(added: Result<Added>) -> Unfit {
    match added {
        Err(Error::IngestRejected { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_taken_in_once_and_replaced_only_when_asked() {
    let mut at = Fixture::new();
    let first = at.add("guide/setup.md", "# Set up\n\nRun `make`.\n");
    assert_eq!((first.title.as_str(), first.mode), ("Set up", SourceMode::Converted));
    assert_eq!(first.metadata.original_filename.as_deref(), Some("guide/setup.md"));
    assert_eq!(first.metadata.conversion_engine.as_deref(), Some("pass-through"));
    assert_eq!(at.text(&first.id), "# Set up\n\nRun `make`.");
    let again = at.try_add("guide/setup.md", "# Set up\n\nRun `make`.\n", true).unwrap();
    assert_eq!((again.outcome, &again.document), (AddedAs::Nothing, &first));
    let other = "# Set up\n\nRun `just`.";
    assert_eq!(reason(at.try_add("guide/setup.md", other, false)), Unfit::Duplicate);
    let replaced = at.try_add("guide/setup.md", other, true).unwrap();
    assert_eq!((replaced.outcome, &replaced.document.id), (AddedAs::Replacement, &first.id));
    assert_eq!(at.text(&first.id), other);
    assert_eq!(at.names("raw"), [format!("{}.md", first.id)]);
    let raw = fs::read_to_string(at.dir().join(format!("raw/{}.md", first.id))).unwrap();
    assert_eq!((raw.as_str(), at.names("superseded").len()), (other, 1));
    let elsewhere = at.add("setup.md", other);
    assert_ne!(elsewhere.id, first.id);
    at.assert_whole();
}

#[test]
fn what_gives_no_document_leaves_nothing() {
    let mut at = Fixture::new();
    for (name, text, wanted) in [
        ("a.md", "", Unfit::Empty),
        ("a.md", " \n\n", Unfit::Empty),
        ("a.bin", "\u{7f}ELF\0\0\0", Unfit::UnsupportedType),
    ] {
        assert_eq!(reason(at.try_add(name, text, false)), wanted, "{text:?}");
    }
    let patch = BasePatch { max_document_bytes: Some(1024), ..BasePatch::default() };
    at.kb.change(&at.name, &patch, now()).unwrap();
    assert_eq!(reason(at.try_add("a.md", &"x".repeat(1025), false)), Unfit::TooLarge);
    for name in ["", " ", "a\nb", &"a".repeat(1025)] {
        let refused = at.try_add(name, "x", false);
        assert!(matches!(refused, Err(Error::Invalid { field: "filename", .. })), "{name:?}");
    }
    assert_eq!((at.documents(), at.names("raw"), at.names("docs")), (vec![], vec![], vec![]));
    at.assert_whole();
}

#[test]
fn a_document_is_edited_here_or_in_an_editor_and_then_kept() {
    let mut at = Fixture::new();
    let document = at.add("a.md", "One.");
    let id = &document.id;
    let edit = |text: &str, sha: &str| at.kb.edit(&at.name, id, (text, Some(sha)), USER, now());
    let stale = edit("Two.", "00");
    assert!(matches!(stale, Err(Error::VersionConflict { .. })), "{stale:?}");
    let edited = edit("Two.", &document.file_sha256).unwrap();
    assert_eq!((edited.mode, at.text(id).as_str()), (SourceMode::Edited, "Two."));
    assert_eq!(at.names("superseded").len(), 1);
    assert!(matches!(edit(" ", &edited.file_sha256), Err(Error::IngestRejected { .. })));
    assert_eq!(edit("Two.\n", &edited.file_sha256).unwrap(), edited);
    let other = at.add("b.md", "Bee.");
    let text = fs::read_to_string(&other.path).unwrap();
    fs::write(&other.path, text.replace("Bee.", "Wasp.")).unwrap();
    let (by_hand, text) = at.kb.document(&at.name, &other.id).unwrap();
    assert_eq!((by_hand.mode, text.as_str()), (SourceMode::Edited, "Wasp."));
    let replaced = at.try_add("b.md", "Fly.", true).unwrap().document;
    assert_eq!((replaced.mode, replaced.id), (SourceMode::Converted, other.id));
    let kept = fs::read_dir(at.dir().join("superseded")).unwrap();
    let kept: Vec<String> =
        kept.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    assert!(kept.iter().any(|text| text.contains("Wasp.")), "{kept:?}");
    at.assert_whole();
}

#[test]
fn a_deleted_document_is_gone_with_all_its_files() {
    let mut at = Fixture::new();
    let (gone, stays) = (at.add("a.md", "One."), at.add("b.md", "Two."));
    for document in [&gone, &stays] {
        at.kb.edit(&at.name, &document.id, ("More.", None), USER, now()).unwrap();
    }
    at.kb.delete_document(&at.name, &gone.id, USER, now()).unwrap();
    assert!(matches!(at.kb.document(&at.name, &gone.id), Err(Error::DocumentNotFound { .. })));
    for folder in ["docs", "raw", "superseded"] {
        let names = at.names(folder);
        assert!(names.len() == 1 && names[0].starts_with(stays.id.as_str()), "{names:?}");
    }
    at.assert_whole();
}

/// What a killed program leaves: before the document, after it, and with a document half gone.
#[test]
fn an_intake_that_was_cut_off_is_finished_or_taken_back() {
    for stands in [false, true] {
        let mut at = Fixture::new();
        let old = at.add("a.md", "Old.");
        let staged = format!(".next-{}-7.md", old.id);
        fs::write(at.dir().join("raw").join(&staged), "New.").unwrap();
        let sha256 = coffer_domain::id::sha256("New.");
        if stands {
            let text = fs::read_to_string(&old.path).unwrap();
            let before = old.metadata.source_sha256.clone().unwrap();
            fs::write(&old.path, text.replace(&before, &sha256)).unwrap();
        }
        let documents = serde_json::json!([
            {"stem": old.id.as_str(), "token": "7", "extension": "md", "sha256": sha256},
            {"stem": "01JXYZ01JXYZ01JXYZ01JXYZ01", "token": "8", "extension": "md", "sha256": "0"},
        ]);
        let record = serde_json::json!({"Intake": {"base": "guide", "documents": documents}});
        fs::write(at.temp.path().join("home/run/intents/kb/r.json"), record.to_string()).unwrap();
        let orphan = at.dir().join("raw/.next-01JXYZ01JXYZ01JXYZ01JXYZ01-8.md");
        fs::write(orphan, "Orphan.").unwrap();
        at.restart();
        let raw = fs::read_to_string(at.dir().join(format!("raw/{}.md", old.id))).unwrap();
        assert_eq!(raw, if stands { "New." } else { "Old." });
        at.assert_whole();
    }
    let mut at = Fixture::new();
    let gone = at.add("a.md", "Old.");
    fs::remove_file(&gone.path).unwrap();
    let removal = serde_json::json!({"Removal": {"base": "guide", "stem": gone.id.as_str()}});
    fs::write(at.temp.path().join("home/run/intents/kb/r.json"), removal.to_string()).unwrap();
    at.restart();
    at.assert_whole();
    assert_eq!(at.documents(), []);
}

#[test]
fn a_base_whose_folder_is_gone_keeps_its_rows_and_is_told() {
    let at = Fixture::new();
    at.add("a.md", "walnut");
    let away = at.temp.path().join("away");
    fs::rename(at.dir(), &away).unwrap();
    assert_eq!(at.kb.all().unwrap(), []);
    let told = |at: &Fixture| at.kb.knowledge().read(crate::index::problems).unwrap();
    assert!(told(&at)[0].reason.contains("put it back"), "{:?}", told(&at));
    fs::rename(&away, at.dir()).unwrap();
    assert_eq!(at.documents().len(), 1);
    assert_eq!(told(&at), []);
}
