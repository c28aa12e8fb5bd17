//! Knowledge bases in archives.

use coffer_domain::archive::Owner;
use coffer_domain::id::sha256;

use super::*;
use crate::archive::Packer;
use crate::archive::forge::{Kind, forge, listed};
use crate::knowledge::{Outcome, Outcomes};

impl Fixture {
    /// An archive of all knowledge bases, as an export writes it.
    fn packed(&self) -> PathBuf {
        let path = self.temp.path().join("all.tar.gz");
        let mut packer = Packer::new(fs::File::create(&path).unwrap());
        let (folders, skipped) = self.kb.travelling(&[]).unwrap();
        assert_eq!(skipped.count(), 0, "{skipped:?}");
        for (dir, (path, name)) in
            folders.iter().flat_map(|folder| folder.files.iter().map(|file| (&folder.dir, file)))
        {
            let (file, stat) = dir.open_at(path).unwrap().unwrap();
            packer.add_parts(name, file, stat.size, stat.mtime_ns).unwrap();
        }
        packer.finish("now".to_owned()).unwrap();
        path
    }

    fn unpacked(&self, path: &Path, dry_run: bool) -> Result<(u64, Outcomes)> {
        self.unpacked_until(path, dry_run, &|_, _| true)
    }

    fn unpacked_until(
        &self,
        path: &Path,
        dry_run: bool,
        progress: &dyn Fn(u64, u64) -> bool,
    ) -> Result<(u64, Outcomes)> {
        let (mut written, mut outcomes) = (0, Outcomes::default());
        let from = Unpacking { path, only: None, dry_run, now: now(), progress };
        self.kb.unpack(&from, (&mut written, &mut outcomes)).map(|()| (written, outcomes))
    }

    fn taken(&self, path: &Path) -> [u64; 4] {
        counts(&self.unpacked(path, false).unwrap().1)
    }

    /// Every file of the knowledge base.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let folders = ["docs", "raw", "superseded"];
        let all = folders.iter().flat_map(|folder| {
            self.names(folder).into_iter().map(move |name| format!("{folder}/{name}"))
        });
        all.chain(["kb.yaml".to_owned()])
            .filter_map(|path| Some((path.clone(), fs::read(self.dir().join(path)).ok()?)))
            .collect()
    }

    /// A home without a knowledge base.
    fn empty() -> Self {
        let at = Self::new();
        at.kb.delete(&at.name, USER, now()).unwrap();
        at
    }
}

/// Added, same, conflicting, left out.
fn counts(outcomes: &Outcomes) -> [u64; 4] {
    let Outcomes { added, same, conflicting, skipped, .. } = outcomes;
    [*added, *same, *conflicting, skipped.count()]
}

/// A knowledge base with settings, an edited document, one that is larger than other files may be, one by
/// hand, and what does not travel.
fn filled() -> Fixture {
    let at = Fixture::new();
    let patch = BasePatch { description: Some("how to".into()), ..sizes(128) };
    at.kb.change(&at.name, &patch, now()).unwrap();
    let first = at.add("a.md", "One.");
    at.kb.edit(&at.name, &first.id, ("Mine.", None), USER, now()).unwrap();
    let large = at.add("b/c.txt", "Two.");
    // As of a document with many pictures: little text, and an original of more than 16 MiB.
    let original = vec![b'x'; 17 << 20];
    fs::write(at.dir().join(format!("raw/{}.txt", large.id)), &original).unwrap();
    let text = fs::read_to_string(&large.path).unwrap();
    fs::write(&large.path, text.replace(&sha256("Two."), &sha256(&original))).unwrap();
    fs::write(at.dir().join("docs/by-hand.md"), "# By hand").unwrap();
    fs::write(at.dir().join("raw/.next-x-1.md"), "waits").unwrap();
    fs::write(at.dir().join("notes.txt"), "no file of a knowledge base").unwrap();
    at
}

fn sizes(tokens: u32) -> BasePatch {
    BasePatch { chunk_size: Some(tokens), ..BasePatch::default() }
}

#[test]
fn what_was_exported_comes_back_byte_for_byte_and_a_second_time_adds_nothing() {
    let from = filled();
    let archive = from.packed();
    let mut to = Fixture::empty();
    let (written, would) = to.unpacked(&archive, true).unwrap();
    assert_eq!((written, counts(&would), would.files.len()), (0, [7, 0, 0, 0], 7), "{would:?}");
    assert!(would.files.iter().all(|file| file.outcome == Outcome::Added
        && file.store == Owner::Base(to.name.clone())
        && file.from.ends_with(&file.path)));
    assert!(!to.dir().exists(), "a dry run does nothing");
    let (written, done) = to.unpacked(&archive, false).unwrap();
    assert_eq!((written, counts(&done)), (7, [7, 0, 0, 0]), "{done:?}");
    let mut travelled = from.files();
    travelled.retain(|path, _| !path.contains("/."));
    assert!(to.files() == travelled, "{:?}", to.files().keys());
    assert_eq!(to.kb.base(&to.name).unwrap().config.chunk_size, 128);
    assert_eq!(to.documents().len(), 3);
    assert_eq!(to.taken(&archive), [0, 7, 0, 0]);
    fs::remove_file(to.dir().join("docs/by-hand.md")).unwrap();
    to.assert_whole();
    assert_eq!(to.taken(&archive), [1, 6, 0, 0], "what was deleted comes back");
}

#[test]
fn what_stands_stays_and_another_file_of_its_name_goes_beside_it_with_its_original() {
    let from = Fixture::new();
    let document = from.add("a.md", "One.");
    let archive = from.packed();
    let mut to = Fixture::empty();
    to.taken(&archive);
    to.try_add("a.md", "Other.", true).unwrap();
    to.kb.change(&to.name, &sizes(99), now()).unwrap();
    let before = to.files();
    // Its settings stay, its document and the original of that go beside the present ones.
    assert_eq!(to.taken(&archive), [1, 0, 1, 1]);
    let after = to.files();
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    let beside: Vec<&String> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(beside.iter().all(|path| path.contains(&format!("{}_imported-", document.id))));
    assert_eq!((to.documents().len(), to.taken(&archive)), (2, [0, 2, 0, 1]));
    to.assert_whole();
}

#[test]
fn an_import_that_was_cut_off_leaves_whole_documents_and_is_finished_by_another() {
    let from = Fixture::new();
    for n in 0..6 {
        from.add(&format!("{n}.md"), &format!("Text {n}."));
    }
    let archive = from.packed();
    for stop in 1..12 {
        let mut to = Fixture::empty();
        let cut = to.unpacked_until(&archive, false, &|done, _| done < stop);
        assert!(matches!(cut, Err(Error::Cancelled)), "{stop}: {cut:?}");
        to.assert_whole();
        let [added, same, conflicting, skipped] = to.taken(&archive);
        assert_eq!((added + same, conflicting, skipped), (13, 0, 0), "{stop}");
        assert!(to.files() == from.files(), "{stop}");
        to.assert_whole();
    }
}

#[test]
fn an_archive_is_trusted_in_nothing() {
    let good = "knowledge/guide/docs/a.md";
    let header =
        format!("---\nsource_mode: converted\nsource_sha256: {}\n---\n\nA.\n", sha256("orig"));
    let entries: [(&str, Kind, &[u8]); 9] = [
        (good, Kind::File, header.as_bytes()),
        ("knowledge/guide/raw/a.txt", Kind::File, b"another original"),
        ("knowledge/guide/raw/b.txt", Kind::File, b"of no document"),
        ("knowledge/guide/docs/link.md", Kind::Link, b""),
        ("knowledge/guide/docs/../../../x.md", Kind::File, b"out"),
        ("knowledge/../run/server.json", Kind::File, b"out"),
        ("knowledge/Bad Name/docs/x.md", Kind::File, b"no name"),
        ("knowledge/guide/docs/changed.md", Kind::File, b"changed"),
        ("knowledge/guide/docs/unlisted.md", Kind::File, b"unlisted"),
    ];
    let mut list: Vec<_> =
        entries[..8].iter().map(|(name, _, bytes)| listed(name, bytes, 5)).collect();
    list[7].sha256 = sha256("what it was");
    let to = Fixture::empty();
    let archive = to.temp.path().join("forged.tar.gz");
    fs::write(&archive, forge(&entries, Some(list.clone()))).unwrap();
    let (written, done) = to.unpacked(&archive, false).unwrap();
    assert_eq!((written, counts(&done)), (1, [1, 0, 0, 8]), "{done:?}");
    assert_eq!((to.names("docs"), to.names("raw")), (vec!["a.md".to_owned()], vec![]));
    assert!(!to.temp.path().join("home/run/server.json").exists());
    // One without its list is taken not at all, and one that stands in the place of a link neither.
    fs::write(&archive, forge(&entries, None)).unwrap();
    assert!(matches!(to.unpacked(&archive, false), Err(Error::BadSource { .. })));
    let outside = to.temp.path().join("outside");
    fs::create_dir(&outside).unwrap();
    to.kb.delete(&to.name, USER, now()).unwrap();
    std::os::unix::fs::symlink(&outside, to.dir()).unwrap();
    fs::write(&archive, forge(&entries, Some(list))).unwrap();
    let (written, done) = to.unpacked(&archive, false).unwrap();
    assert_eq!((written, done.added), (0, 0), "{done:?}");
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
}
