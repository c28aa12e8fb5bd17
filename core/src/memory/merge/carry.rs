//! Carrying the files of one store into another one, each by the rules of its lane.
//!
//! A name that is free is kept. Where both stores have it: equal files are one; days of the journal
//! are joined; of two scenes of a branch the newer stays; logs follow each other; anything else
//! keeps both, the newcomer under a name that says where it is from.

use std::collections::HashSet;

use coffer_domain::handoff::Scene;
use coffer_domain::journal::{Joined, joined};
use coffer_domain::store::Lane;
use coffer_domain::time::Timestamp;
use coffer_env::StorePaths;

use super::trail::Trail;
use crate::error::{Error, Result};
use crate::memory::retire::LOG;
use crate::vault::{Dir, File, split, walk};

/// The source is looked through until it has nothing new, but not for ever.
const MOST_PASSES: usize = 5;
/// What file systems allow a name to be.
const NAME_BYTES: usize = 255;

/// Carries files, and counts them.
pub(super) struct Carrier<'a> {
    /// The id of the source's project, which marks names.
    mark: &'a str,
    now: Timestamp,
    /// Files of the source whose content the target has.
    settled: HashSet<String>,
    taken: u64,
}

impl<'a> Carrier<'a> {
    /// For the store of a project's id.
    pub(super) fn new(mark: &'a str, now: Timestamp) -> Self {
        Self { mark, now, settled: HashSet::new(), taken: 0 }
    }

    /// How many files came into the target, whole or as a part of one.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Carries everything. Programs that know no lock may write meanwhile, so that the source is
    /// looked through again.
    pub(super) fn carry_all(&mut self, trail: &mut Trail<'_>) -> Result<()> {
        for _ in 0..MOST_PASSES {
            let left = self.left(trail.source())?;
            if left.is_empty() {
                return Ok(());
            }
            left.iter().try_for_each(|path| self.carry(trail, path))?;
        }
        let reason = "it is written to all the time".to_owned();
        Err(Error::Unavailable { action: "merge", path: trail.source().path().to_owned(), reason })
    }

    /// What is still to be carried. What cannot be read cannot be carried either, and is not lost
    /// by looking away.
    fn left(&self, source: &Dir) -> Result<Vec<String>> {
        let found = walk(source, &[""], |path| !is_of_the_store(path));
        if let Some(skipped) = found.skipped.into_iter().next() {
            let path = StorePaths::at(source.path().to_owned()).resolve(&skipped.path);
            let path = path.unwrap_or_else(|| source.path().to_owned());
            return Err(Error::Unavailable { action: "merge", path, reason: skipped.reason });
        }
        let paths = found.files.into_iter().map(|file| file.path);
        Ok(paths.filter(|path| !self.settled.contains(path)).collect())
    }

    fn carry(&mut self, trail: &mut Trail<'_>, path: &str) -> Result<()> {
        if matches!(trail.target().stat_at(path), Ok(None)) {
            trail.take(path, path)?;
            self.taken += 1;
            return Ok(());
        }
        // What cannot be compared is kept beside, too.
        let read = |dir: &Dir| dir.read_at(path).ok().flatten();
        match (read(trail.source()), read(trail.target())) {
            (Some(theirs), Some(ours)) if theirs.bytes == ours.bytes => {
                self.settled.insert(path.to_owned());
                Ok(())
            }
            (Some(theirs), Some(ours)) => self.meet(trail, path, &theirs, ours),
            _ => self.keep_beside(trail, path),
        }
    }

    /// Two different files of one name.
    fn meet(&mut self, trail: &mut Trail<'_>, path: &str, theirs: &File, ours: File) -> Result<()> {
        let (Ok(their_text), Ok(our_text)) =
            (std::str::from_utf8(&theirs.bytes), std::str::from_utf8(&ours.bytes))
        else {
            return self.keep_beside(trail, path);
        };
        let joint = match Lane::of_path(path) {
            Some(Lane::Journal) => joined(our_text, their_text),
            None if path == LOG => followed(our_text, their_text),
            Some(Lane::Handoff) => return self.keep_newer(trail, path, (theirs, &ours)),
            _ => Joined::Apart,
        };
        match joint {
            Joined::Apart => return self.keep_beside(trail, path),
            Joined::Same => {}
            Joined::Longer(text) => {
                trail.write(path, Some(ours), text.as_bytes())?;
                self.taken += 1;
            }
        }
        self.settled.insert(path.to_owned());
        Ok(())
    }

    /// Of two scenes of one branch the older retires. Scenes of two branches are no collision.
    fn keep_newer(
        &mut self,
        trail: &mut Trail<'_>,
        path: &str,
        (theirs, ours): (&File, &File),
    ) -> Result<()> {
        let scene = |file: &File| {
            let stem = split(path).1.trim_end_matches(".md");
            Scene::read(&String::from_utf8_lossy(&file.bytes), stem, file.stat.modified())
        };
        let (theirs, ours) = (scene(theirs), scene(ours));
        if theirs.branch != ours.branch {
            return self.keep_beside(trail, path);
        }
        let retired = free_retired(trail.target(), path, self.now)?;
        if theirs.updated_at > ours.updated_at {
            trail.move_within(path, &retired)?;
            trail.take(path, path)?;
        } else {
            trail.take(path, &retired)?;
        }
        self.taken += 1;
        Ok(())
    }

    fn keep_beside(&mut self, trail: &mut Trail<'_>, path: &str) -> Result<()> {
        let origin = path.strip_prefix("superseded/").and_then(StorePaths::origin);
        let free = match origin {
            Some((origin, at)) => free_retired(trail.target(), &origin, at)?,
            None => self.free(trail.target(), path)?,
        };
        trail.take(path, &free)?;
        self.taken += 1;
        Ok(())
    }

    /// A path like this one that says where the file is from.
    fn free(&self, target: &Dir, path: &str) -> Result<String> {
        let (folder, name) = split(path);
        let (stem, end) = name.rfind('.').map_or((name, ""), |dot| name.split_at(dot));
        let numbers = (2..100).map(|number| format!("-{number}"));
        let marks = std::iter::once(String::new()).chain(numbers);
        let like = marks.map(|n| named(folder, stem, &format!("--from-{}{n}", self.mark), end));
        first_free(target, path, like)
    }
}

/// A path for a retired version, whose name has to tell where it stood, and when until.
fn free_retired(target: &Dir, origin: &str, at: Timestamp) -> Result<String> {
    let moments = (0..100).map(|micros| Timestamp::from_micros(at.micros() + micros));
    first_free(target, origin, moments.map(|at| StorePaths::retired(origin, at)))
}

fn first_free(target: &Dir, name: &str, mut like: impl Iterator<Item = String>) -> Result<String> {
    let free = like.find(|path| matches!(target.stat_at(path), Ok(None)));
    let reason = || format!("no name like `{name}` is free in it");
    free.ok_or_else(|| Error::NotEditable { path: target.path().to_owned(), reason: reason() })
}

/// What says what a store is, or is made from the rest: it stays behind.
fn is_of_the_store(path: &str) -> bool {
    matches!(path, "store.yaml" | "knowledge/INDEX.md")
}

/// A log with another one after it.
fn followed(log: &str, other: &str) -> Joined {
    let other = other.trim_end();
    if log.contains(other) {
        return Joined::Same;
    }
    let gap = if log.is_empty() || log.ends_with('\n') { "" } else { "\n" };
    Joined::Longer(format!("{log}{gap}{other}\n"))
}

/// A path below a folder, its stem cut so that the whole name is allowed.
fn named(folder: &str, stem: &str, mark: &str, end: &str) -> String {
    let room = NAME_BYTES.saturating_sub(mark.len() + end.len());
    let stem = &stem[..stem.floor_char_boundary(room)];
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{stem}{mark}{end}")
}
