//! What somebody else does between two steps of an operation.

use coffer_domain::kb::extension;

use super::*;
use crate::kb::intake::{Candidate, Fate, Fates};

/// A text of several passages, of any size.
fn long(word: &str) -> String {
    (0..60).map(|n| format!("## Part {n}\n\n{}\n\n", format!("{word} ").repeat(90))).collect()
}

impl Fixture {
    fn candidate(&self, opened: &Opened, filename: &str, text: &str) -> Candidate {
        let incoming = Incoming {
            filename: filename.to_owned(),
            bytes: text.as_bytes().to_vec(),
            source_path: None,
        };
        let standing = self.kb.standing_for(opened, &incoming, false).unwrap();
        Candidate::new(incoming, &standing, &Stamp::new().id)
    }

    /// Takes a file in; `meanwhile` happens once it was converted, before its document stands.
    fn take_in(&self, (filename, text): (&str, &str), meanwhile: impl Fn()) -> Result<Fates> {
        let opened = self.kb.open(&self.name).unwrap();
        let candidate = self.candidate(&opened, filename, text);
        let hook = || {
            meanwhile();
            false
        };
        self.kb.take_in((&self.name, &opened), &[candidate], &hook, (USER, now()))
    }

    fn patch(&self, patch: &BasePatch) {
        self.kb.change(&self.name, patch, now()).unwrap();
    }
}

fn sizes(tokens: u32) -> BasePatch {
    BasePatch { chunk_size: Some(tokens), ..BasePatch::default() }
}

#[test]
fn other_sizes_that_are_set_meanwhile_hold_for_what_comes() {
    let mut at = Fixture::new();
    at.add("before.md", &long("before"));
    let fates = at.take_in(("a.md", &long("a")), || at.patch(&sizes(64))).unwrap();
    assert!(matches!(fates[..], [Ok((Fate::New, _))]), "{fates:?}");
    at.assert_whole();
}

#[test]
fn other_sizes_that_are_set_during_a_comparison_hold_for_all() {
    let mut at = Fixture::new();
    for n in 0..3 {
        at.add(&format!("{n}.md"), &long("text"));
    }
    let stale = at.kb.open(&at.name).unwrap().at;
    at.patch(&sizes(64));
    at.kb.knowledge().reindex(&stale, &|_, _| true).unwrap();
    at.patch(&sizes(200));
    // Whoever began before works on.
    at.kb.knowledge().reindex(&stale, &|_, _| true).unwrap();
    at.assert_whole();
}

#[test]
fn a_base_that_goes_meanwhile_takes_its_documents_along() {
    let mut at = Fixture::new();
    let drop = || at.kb.delete(&at.name, USER, now()).unwrap();
    let make = || drop_result(at.kb.create(&at.name, &BasePatch::default(), USER, now()));
    let taken = at.take_in(("a.md", "A."), drop);
    assert!(matches!(taken, Err(Error::BaseNotFound(_))), "{taken:?}");
    assert!(!at.dir().exists());
    make();
    let again = || {
        at.kb.delete(&at.name, USER, now()).unwrap();
        drop_result(at.kb.create(&at.name, &BasePatch::default(), USER, now()));
    };
    let fates = at.take_in(("a.md", "A."), again).unwrap();
    assert!(matches!(fates[..], [Err(Error::Unavailable { .. })]), "{fates:?}");
    assert_eq!(at.documents(), []);
    at.assert_whole();
}

fn drop_result(made: Result<KnowledgeBase>) {
    made.unwrap();
}

#[test]
fn an_original_that_is_taken_away_meanwhile_leaves_no_document() {
    let mut at = Fixture::new();
    let raw = at.dir().join("raw");
    let away = || {
        for entry in fs::read_dir(&raw).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    };
    let fates = at.take_in(("a.md", "A."), away).unwrap();
    assert!(matches!(fates[..], [Err(Error::Unavailable { .. })]), "{fates:?}");
    at.add("a.md", "A.");
    at.assert_whole();
}

#[test]
fn of_two_who_take_the_same_file_in_one_makes_the_document() {
    let mut at = Fixture::new();
    let fates = at.take_in(("a.md", "A."), || drop(at.add("a.md", "A."))).unwrap();
    assert!(matches!(fates[..], [Ok((Fate::Unchanged, _))]), "{fates:?}");
    let other = || drop(at.try_add("b.md", "Other.", false).unwrap());
    let fates = at.take_in(("b.md", "B."), other).unwrap();
    assert!(matches!(fates[..], [Err(Error::IngestRejected { .. })]), "{fates:?}");
    at.assert_whole();
}

#[test]
fn a_document_that_is_deleted_while_its_next_version_is_converted_stays_whole() {
    let mut at = Fixture::new();
    let id = at.add("a.md", "One.").id;
    let delete = || at.kb.delete_document(&at.name, &id, USER, now()).unwrap();
    let fates = at.take_in(("a.md", "Two."), delete).unwrap();
    assert!(matches!(fates[..], [Ok((Fate::New, _))]), "{fates:?}");
    at.assert_whole();
}

#[test]
fn an_original_that_is_replaced_while_it_is_converted_again_keeps_its_new_text() {
    let mut at = Fixture::new();
    let document = at.add("a.md", "One.");
    let opened = at.kb.open(&at.name).unwrap();
    let original = at.kb.original(&at.name, &opened, &document.id).unwrap();
    let converted = at.kb.markdown_of(&original.filename, &original.path, &|| false).unwrap();
    at.try_add("a.md", "Two.", true).unwrap();
    let renewed =
        at.kb.renew((&at.name, &opened), &document.id, (&original, &converted), USER, now());
    assert!(matches!(renewed, Err(Error::VersionConflict { .. })), "{renewed:?}");
    assert_eq!(at.text(&document.id), "Two.");
    at.kb.edit(&at.name, &document.id, ("Mine.", None), USER, now()).unwrap();
    let renewed =
        at.kb.renew((&at.name, &opened), &document.id, (&original, &converted), USER, now());
    assert!(matches!(renewed, Err(Error::ReconversionBlocked { .. })), "{renewed:?}");
    at.assert_whole();
}

/// The second half is converted on another thread, when the first is done already.
#[test]
fn a_cancelled_intake_ends_at_once_whichever_file_is_under_way() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut at = Fixture::new();
    let script = at.temp.path().join("slow");
    fs::write(&script, "#!/bin/sh\nexec sleep 60\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    let kb = Fixture::open_with(at.temp.path(), Converters::new(script));
    let opened = kb.open(&at.name).unwrap();
    let files = [("a.md", "A."), ("b.pdf", "%PDF-1.4 x")];
    assert_eq!(extension(files[1].0), "pdf");
    let candidates = files.map(|(name, text)| at.candidate(&opened, name, text));
    let began = std::time::Instant::now();
    let cancelled = || began.elapsed().as_millis() > 100;
    let taken = kb.take_in((&at.name, &opened), &candidates, &cancelled, (USER, now()));
    assert!(matches!(taken, Err(Error::Cancelled)), "{taken:?}");
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    assert_eq!(at.names("raw"), [""; 0]);
    at.assert_whole();
}
