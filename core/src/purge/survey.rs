//! Looking at every file below Coffer's folder: how often something is in which place, before a purge
//! and as the proof after it.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::ops::Range;

use super::finder::Finder;
use super::places::{PLACES, Way, place_of, split_store};
use super::{Emptied, Unreachable};
use crate::error::{Error, Result};
use crate::vault::{Dir, Walk, split, walk_everything};

/// A file is looked at in parts of so many bytes.
const PART: usize = 32 << 20;
/// So many different names are kept.
const MOST_NAMES: usize = 10_000;
/// What reports call the names of files.
const NAMES: &str = "file names";

/// The place of models, and their folder.
const MODELS: &str = "models";
/// The place of originals that are not looked into, and what is said of them.
const PACKED: &str = "other originals";
const UNPACKED: &str = "originals such as PDF are not looked into; delete the documents whose originals \
    may hold it";
/// Why the database's bytes prove nothing.
const UNTOLD: &str = "its tables were looked at row by row; for a pattern, for secrets and for a \
    text of less than eight bytes nobody can look at its bytes, which a purge writes anew";

/// What was found.
#[derive(Default)]
pub(super) struct Survey {
    /// By the number of the place: files, occurrences.
    counts: Vec<[u64; 2]>,
    /// Names of files and folders that hold it.
    names: u64,
    /// What could not be looked into.
    pub unreachable: Unreachable,
    /// What names are made of what was found.
    pub parts: BTreeSet<String>,
}

impl Survey {
    /// Counts occurrences in a file of a place.
    pub(super) fn add(&mut self, place: usize, occurrences: u64) {
        self.counts.resize(PLACES.len(), [0; 2]);
        if occurrences > 0 || PLACES[place].way == Way::Delete {
            self.counts[place][0] += 1;
            self.counts[place][1] += occurrences;
        }
    }

    /// Counts what rows and bytes of the database hold: the bytes hold more copies than rows, and what
    /// no row holds any more must not be there, either.
    pub(super) fn add_database(&mut self, (rows, raw): (u64, u64), finder: &Finder) {
        let database = PLACES.iter().position(|place| place.way == Way::Database).unwrap_or(0);
        self.add(database, if rows > 0 { rows } else { raw });
        if !finder.is_told_raw() {
            self.unreachable.add("coffer.db", UNTOLD);
        }
    }

    /// How often it is there in all.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().map(|[_, occurrences]| occurrences).sum::<u64>() + self.names
    }

    /// A row for each place where it is, or whose files go whatever they hold.
    pub(super) fn rows(&self) -> Vec<Emptied> {
        let row = |place: &str, files, occurrences, is_deleted| Emptied {
            place: place.to_owned(),
            files,
            occurrences,
            is_deleted,
        };
        let counts = PLACES.iter().zip(&self.counts);
        let rows = counts.map(|(place, [files, occurrences])| {
            row(place.name, *files, *occurrences, place.way == Way::Delete)
        });
        rows.chain([row(NAMES, self.names, self.names, false)])
            .filter(|row| row.files > 0)
            .collect()
    }

    /// Looks at one file.
    pub(super) fn look_at(&mut self, root: &Dir, path: &str, finder: &Finder) {
        if has_name(path, finder) {
            self.names += 1;
        }
        let place = place_of(path);
        let is_read = match PLACES[place].way {
            Way::Rewrite(_) | Way::Mask | Way::Delete => true,
            Way::Key => !finder.is_of_secrets(),
            Way::Database | Way::Leave | Way::Foreign(_) => false,
        };
        if !is_read {
            return;
        }
        let mut occurrences = 0;
        let mut parts = BTreeSet::new();
        let looked = parts_of(root, path, finder, |bytes, spans| {
            occurrences += spans.len() as u64;
            parts.extend(finder.names_of(bytes));
        });
        self.add(place, occurrences);
        if self.parts.len() < MOST_NAMES {
            self.parts.extend(parts);
        }
        if let Err(error) = looked {
            self.unreachable.add(path, error.to_string());
        } else if occurrences > 0 && PLACES[place].way == Way::Key {
            self.unreachable.add(path, "it is a key that Coffer needs; make a new one");
        }
    }

    /// Folders whose names hold it, and what a walk could not enter.
    pub(super) fn look_around(&mut self, found: &Walk, finder: &Finder) {
        self.names += found.folders.iter().filter(|path| has_name(path, finder)).count() as u64;
        let of_stores = |path: &&str| {
            ["memory", "knowledge", "trash"].iter().any(|folder| path.starts_with(folder))
        };
        for skipped in found.skipped.iter().filter(|skipped| of_stores(&skipped.path.as_str())) {
            self.unreachable.add(&skipped.path, skipped.reason.clone());
        }
        if found.files.iter().any(|file| PLACES[place_of(&file.path)].name == MODELS) {
            self.unreachable.add(MODELS, "weights of models are not looked into");
        }
        let packed = |path: &str| PLACES[place_of(path)].name == PACKED;
        if found.files.iter().any(|file| packed(&file.path)) {
            self.unreachable.add("knowledge", UNPACKED);
        }
        let git = found.folders.iter().filter(|path| path.ends_with(".git"));
        for path in git {
            if let Way::Foreign(reason) = PLACES[place_of(path)].way {
                self.unreachable.add(path, reason);
            }
        }
    }
}

/// Whether the last part of a path below a store, or in the trash, is to be called otherwise.
pub(super) fn has_name(path: &str, finder: &Finder) -> bool {
    let is_free = split_store(path).is_some_and(|(_, below)| !below.starts_with("journal"))
        || path.starts_with("trash/");
    let is_foreign = matches!(PLACES[place_of(path)].way, Way::Foreign(_));
    is_free && !is_foreign && !finder.in_name(split(path).1).is_empty()
}

/// All that lies below Coffer's folder.
pub(super) fn everything(root: &Dir) -> Walk {
    walk_everything(root)
}

/// Reads a file of any size part by part, with what is in each; places count from the file's begin
/// in `parts_at`.
pub(super) fn parts_of(
    root: &Dir,
    path: &str,
    finder: &Finder,
    mut each: impl FnMut(&[u8], &[Range<u64>]),
) -> Result<()> {
    let (folder, name) = split(path);
    let Some(dir) = root.find_at(folder)? else { return Ok(()) };
    let Some((mut file, _)) = dir.open_file(name)? else { return Ok(()) };
    let failed = |error: std::io::Error| Error::file("read", dir.path(), &error);
    let overlap = finder.reach();
    let (mut at, mut kept) = (0, Vec::new());
    loop {
        let mut part = std::mem::take(&mut kept);
        let wanted = (PART + overlap - part.len()) as u64;
        let read = (&mut file).take(wanted).read_to_end(&mut part).map_err(failed)?;
        let is_last = (read as u64) < wanted;
        let own = if is_last { part.len() } else { part.len() - overlap };
        let spans = finder.spans(&part).into_iter().map(|span| span.range);
        let spans: Vec<Range<u64>> = spans
            .filter(|range| range.start < own)
            .map(|range| at + range.start as u64..at + range.end as u64)
            .collect();
        each(&part, &spans);
        if is_last {
            return Ok(());
        }
        at += own as u64;
        kept = part.split_off(own);
    }
}
