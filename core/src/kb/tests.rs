//! The knowledge base face over real files and a real database.

use std::fs;
use std::path::{Path, PathBuf};

use coffer_domain::fact::Author;
use coffer_env::Home;
use coffer_env::clock::now;

use super::*;
use crate::index::Index;
use crate::models::Embedders;

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
        let home = Home::at(path.join("home"));
        fs::create_dir_all(home.root()).unwrap();
        let index = Arc::new(Index::open(&home.database(), now()).unwrap());
        let settings = Settings::open(&home, || {});
        let knowledge = Knowledge::new(index, Embedders::off(), Arc::default());
        KnowledgeBases::new(home, Arc::new(knowledge), settings, |_| {})
    }

    /// The program ends without a word, and starts again.
    fn restart(&mut self) {
        self.kb = Self::open(self.temp.path());
        self.kb.take_up().unwrap();
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
    let left = |folder: &str| fs::read_dir(at.temp.path().join("home").join(folder)).unwrap().count();
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

/// Cut off after the record, after the folder left its place, and while its files go.
#[test]
fn a_deletion_that_was_cut_off_is_finished_and_no_other_folder_goes() {
    for stage in 0..3 {
        let mut at = Fixture::new();
        let home = at.temp.path().join("home");
        let identity = crate::vault::identity(&at.dir()).unwrap();
        let record = serde_json::json!({"name": "guide", "folder": identity, "trashed": "t"});
        fs::create_dir_all(home.join("run/intents/kb")).unwrap();
        fs::create_dir_all(home.join("trash")).unwrap();
        fs::write(home.join("run/intents/kb/r.json"), record.to_string()).unwrap();
        if stage > 0 {
            fs::rename(at.dir(), home.join("trash/t")).unwrap();
        }
        if stage > 1 {
            fs::remove_file(home.join("trash/t/kb.yaml")).unwrap();
        }
        at.restart();
        assert_eq!(at.kb.all().unwrap(), [], "{stage}");
        assert!(!home.join("trash/t").exists() && !home.join("run/intents/kb/r.json").exists());
    }
    let mut at = Fixture::new();
    let record = serde_json::json!({"name": "guide", "folder": [1, 1], "trashed": "t"});
    let records = at.temp.path().join("home/run/intents/kb");
    fs::create_dir_all(&records).unwrap();
    fs::write(records.join("r.json"), record.to_string()).unwrap();
    at.restart();
    assert_eq!(at.kb.all().unwrap().len(), 1);
}
