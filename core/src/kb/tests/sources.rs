//! Documents and where they come from.

use super::*;

impl Fixture {
    fn add_path(&self, file: &str, text: &str) -> (PathBuf, Document) {
        let path = self.temp.path().join(file);
        fs::write(&path, text).unwrap();
        let added = self.kb.add_path(&self.name, &path, false, USER, &Stamp::new()).unwrap();
        (path, added.document)
    }

    fn states(&self) -> Vec<SourceStatus> {
        let states = self.kb.check_sources(&self.name, USER).unwrap();
        states.into_iter().map(|state| state.status).collect()
    }
}

#[test]
fn a_source_is_looked_at_and_taken_in_again_but_never_over_an_edit() {
    use SourceStatus::{Changed, Edited, Missing, Unchanged, Updated};
    let mut at = Fixture::new();
    at.add("upload.md", "no source");
    let (path, document) = at.add_path("a.md", "One.");
    assert_eq!(document.metadata.source_path.as_deref(), path.to_str());
    assert_eq!(at.states(), [Unchanged]);
    fs::write(&path, "Two.").unwrap();
    assert_eq!(at.states(), [Changed]);
    let update = || at.kb.update_source(&at.name, &document.id, USER, &Stamp::new());
    assert_eq!(update().unwrap().id, document.id);
    assert_eq!((at.text(&document.id).as_str(), at.states()), ("Two.", vec![Unchanged]));
    fs::write(&path, "Three.").unwrap();
    let patch = BasePatch { auto_update_sources: Some(true), ..BasePatch::default() };
    at.kb.change(&at.name, &patch, now()).unwrap();
    assert_eq!((at.states(), at.text(&document.id).as_str()), (vec![Updated], "Three."));
    let text = fs::read_to_string(&document.path).unwrap();
    fs::write(&document.path, text.replace("Three.", "Mine.")).unwrap();
    fs::write(&path, "Four.").unwrap();
    assert_eq!(at.states(), [Edited]);
    assert!(matches!(update(), Err(Error::ReconversionBlocked { .. })));
    assert_eq!(at.text(&document.id), "Mine.");
    fs::remove_file(&path).unwrap();
    assert_eq!(at.states(), [Missing]);
    at.assert_whole();
}

#[test]
fn a_document_is_converted_again_unless_it_was_edited() {
    let mut at = Fixture::new();
    let document = at.add("a.md", "One.");
    let again = at.kb.reconvert(&at.name, &document.id, USER, now()).unwrap();
    assert_eq!((again.id.clone(), at.text(&again.id).as_str()), (document.id.clone(), "One."));
    at.kb.edit(&at.name, &document.id, ("Two.", None), USER, now()).unwrap();
    let blocked = at.kb.reconvert(&at.name, &document.id, USER, now());
    assert!(matches!(blocked, Err(Error::ReconversionBlocked { .. })), "{blocked:?}");
    assert_eq!(at.text(&document.id), "Two.");
    let no_source = at.add("b.md", "Three.");
    let blocked = at.kb.update_source(&at.name, &no_source.id, USER, &Stamp::new());
    assert!(matches!(blocked, Err(Error::ReconversionBlocked { .. })), "{blocked:?}");
    fs::remove_file(at.dir().join(format!("raw/{}.md", no_source.id))).unwrap();
    let blocked = at.kb.reconvert(&at.name, &no_source.id, USER, now());
    assert!(matches!(blocked, Err(Error::ReconversionBlocked { .. })), "{blocked:?}");
    fs::write(at.dir().join(format!("raw/{}.md", no_source.id)), "Three.").unwrap();
    at.assert_whole();
}
