//! Folders that are taken in.

use super::*;

impl Fixture {
    fn source(&self, file: &str, text: &str) -> PathBuf {
        let path = self.temp.path().join("source").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn ingest(&self, replace: bool) -> FolderReport {
        let path = self.temp.path().join("source");
        let request = FolderIngest { base: self.name.clone(), path, replace };
        self.kb.ingest_folder(&request, &|_, _| true).unwrap()
    }
}

fn outcomes(report: &FolderReport) -> Vec<(&str, FileOutcome)> {
    let mut files: Vec<_> =
        report.files.iter().map(|file| (file.path.as_str(), file.outcome)).collect();
    files.sort_by_key(|(path, _)| *path);
    files
}

#[test]
fn each_file_of_a_folder_is_reported_and_the_repeat_changes_nothing() {
    use FileOutcome::{Ingested, Skipped, Unchanged};
    let mut at = Fixture::new();
    at.source("a.md", "# A\n\nOne.");
    at.source("deep/b.rs", "fn main() {}\n");
    at.source("picture.png", "\u{7f}PNG\0\0");
    at.source("empty.txt", "");
    at.source("skip.log", "no");
    at.source(".gitignore", "*.log\n");
    let report = at.ingest(false);
    let wanted = [
        ("a.md", Ingested),
        ("deep/b.rs", Ingested),
        ("empty.txt", Skipped),
        ("picture.png", Skipped),
    ];
    assert_eq!(outcomes(&report), wanted);
    assert!(report.files.iter().all(|file| file.reason.is_some() == (file.outcome == Skipped)));
    let code = at.documents().into_iter().find(|document| document.title == "b.rs").unwrap();
    assert_eq!(code.metadata.original_filename.as_deref(), Some("deep/b.rs"));
    assert_eq!(at.text(&code.id), "```rust\nfn main() {}\n```");
    let again = at.ingest(true);
    assert_eq!((again.unchanged, again.ingested, again.skipped), (2, 0, 2));
    at.source("a.md", "# A\n\nTwo.");
    let changed = at.ingest(false);
    assert_eq!(outcomes(&changed)[0], ("a.md", Skipped));
    assert_eq!(outcomes(&at.ingest(true))[..2], [("a.md", Ingested), ("deep/b.rs", Unchanged)]);
    at.kb.edit(&at.name, &code.id, ("Mine.", None), USER, now()).unwrap();
    at.source("deep/b.rs", "fn other() {}\n");
    assert_eq!(outcomes(&at.ingest(true))[1], ("deep/b.rs", Skipped));
    assert_eq!(at.text(&code.id), "Mine.");
    at.assert_whole();
}

#[test]
fn a_folder_that_was_cut_off_goes_on() {
    let mut at = Fixture::new();
    for number in 0..200 {
        at.source(&format!("{number:03}.md"), &format!("# Page {number}\n\nText."));
    }
    let path = at.temp.path().join("source");
    let request = FolderIngest { base: at.name.clone(), path, replace: false };
    let cut_off = at.kb.ingest_folder(&request, &|done, _| done == 0);
    assert!(matches!(cut_off, Err(Error::Cancelled)), "{cut_off:?}");
    let taken = at.documents().len();
    assert!((1..200).contains(&taken), "{taken}");
    at.restart();
    let report = at.ingest(false);
    assert_eq!((report.unchanged, report.ingested), (taken as u64, 200 - taken as u64));
    assert_eq!(report.more_files(), 0);
    at.assert_whole();
}

#[test]
fn coffers_own_folder_is_not_taken_in() {
    let at = Fixture::new();
    for path in ["home", "home/knowledge/guide/docs", "", "none"] {
        let path = at.temp.path().join(path);
        let request = FolderIngest { base: at.name.clone(), path: path.clone(), replace: false };
        assert!(at.kb.ingest_folder(&request, &|_, _| true).is_err(), "{}", path.display());
        assert!(at.kb.is_folder(&at.name, &path).is_err());
    }
}
