//! All sessions of an agent: what is known of those that did not change, and the others read now.

use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

use super::{Session, Sessions, Shelf, Unseen, row};
use crate::error::{Error, Result};
use crate::index::{self, Failure, TranscriptRow};
use crate::secrets::Custom;
use crate::transcripts::{Reading, Source, Survey, TranscriptReader};
use crate::vault::below;

/// So many sources are given to a thread at once.
const PORTION: usize = 16;
/// So many threads read at most.
const THREADS: usize = 4;
/// What was read is kept after so many sources: a list that was cut off is not begun again.
const BATCH: usize = 256;

/// What is known of an agent's sessions.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// Also those that lists do not show.
    pub sessions: Vec<Session>,
    /// What could not be looked at.
    pub unseen: Vec<Unseen>,
}

impl Sessions {
    /// Everything on a shelf. `progress` is told how many sources of how many have been read.
    pub(super) fn catalogue(
        &self,
        shelf: &Shelf,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Catalogue> {
        let _alone = self.0.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = self.reader(shelf);
        let mut catalogue = Catalogue::default();
        for root in &shelf.roots {
            match reader.survey(root) {
                Ok(survey) => {
                    self.add_root(shelf, (root, survey), &*reader, progress, &mut catalogue)?;
                }
                Err(error) => {
                    catalogue.unseen.push(Unseen { path: root.clone(), reason: error.to_string() });
                }
            }
        }
        Ok(catalogue)
    }

    fn add_root(
        &self,
        shelf: &Shelf,
        (root, mut survey): (&Path, Survey),
        reader: &dyn TranscriptReader,
        progress: &dyn Fn(usize, usize),
        catalogue: &mut Catalogue,
    ) -> Result<()> {
        let Some(name) = root.to_str() else {
            let reason = "its path is not UTF-8".to_owned();
            catalogue.unseen.push(Unseen { path: root.to_owned(), reason });
            return Ok(());
        };
        let sources = std::mem::take(&mut survey.sources);
        let Compared { known, changed, left } = compared(sources, self.rows(shelf, name)?);
        catalogue.sessions.extend(known);
        let is_gone = |row: &&TranscriptRow| survey.is_there && !survey.is_hidden(&row.path);
        self.forget(shelf, name, &left.iter().filter(is_gone).collect::<Vec<_>>());
        let changed: Vec<&Source> = changed.iter().collect();
        let read = self.read_all(shelf, name, reader, &changed, progress);
        catalogue.sessions.extend(read);
        let unseen = survey.skipped.into_iter();
        catalogue.unseen.extend(
            unseen
                .map(|skipped| Unseen { path: below(root, &skipped.path), reason: skipped.reason }),
        );
        Ok(())
    }

    /// What is known of a root. A database that was just replaced knows nothing.
    fn rows(&self, shelf: &Shelf, root: &str) -> Result<Vec<TranscriptRow>> {
        let ask = || self.0.index.read(|db| index::transcripts(db, shelf.format.name(), root));
        match ask() {
            Err(Failure::Replaced(_)) => ask().map_err(Error::index),
            other => other.map_err(Error::index),
        }
    }

    /// Reads sources in several threads, and keeps what they gave as they go.
    fn read_all(
        &self,
        shelf: &Shelf,
        root: &str,
        reader: &dyn TranscriptReader,
        sources: &[&Source],
        progress: &dyn Fn(usize, usize),
    ) -> Vec<Session> {
        let secrets = self.0.settings.secrets();
        let next = AtomicUsize::new(0);
        let (send, receive) = channel();
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get().min(THREADS));
        let read = std::thread::scope(|scope| {
            for _ in 0..threads.min(sources.len()) {
                let (send, next, secrets) = (send.clone(), &next, &*secrets);
                scope.spawn(move || {
                    read_portions(reader, sources, secrets, next, &mut |number, reading| {
                        // Whoever asked is there until the last has answered.
                        let _ = send.send((number, reading));
                    });
                });
            }
            drop(send);
            self.keep_all(shelf, root, sources, &receive, progress)
        });
        if read.len() > BATCH {
            coffer_env::memory::give_back();
        }
        read
    }

    fn keep_all(
        &self,
        shelf: &Shelf,
        root: &str,
        sources: &[&Source],
        readings: &Receiver<(usize, Reading)>,
        progress: &dyn Fn(usize, usize),
    ) -> Vec<Session> {
        let (mut read, mut kept) = (Vec::with_capacity(sources.len()), 0);
        for (number, reading) in readings {
            read.push(row::fresh(sources[number], reading));
            if read.len() - kept >= BATCH {
                self.keep(shelf, root, &read[kept..]);
                kept = read.len();
            }
            progress(read.len(), sources.len());
        }
        self.keep(shelf, root, &read[kept..]);
        read
    }

    /// Notes what was found out. What cannot be noted is found out again by the next list.
    fn keep(&self, shelf: &Shelf, root: &str, sessions: &[Session]) {
        if sessions.is_empty() {
            return;
        }
        let rows = sessions.iter().filter_map(|session| row::row(shelf.format, root, session));
        let rows: Vec<TranscriptRow> = rows.collect();
        let kept =
            self.0.index.write(|tx| rows.iter().try_for_each(|row| index::put_transcript(tx, row)));
        if let Err(failure) = kept {
            tracing::warn!(?failure, "what was read of transcripts could not be kept");
        }
    }

    fn forget(&self, shelf: &Shelf, root: &str, gone: &[&TranscriptRow]) {
        if gone.is_empty() {
            return;
        }
        let format = shelf.format.name();
        let forgotten = self.0.index.write(|tx| {
            gone.iter().try_for_each(|row| index::forget_transcript(tx, format, root, row.key()))
        });
        if let Err(failure) = forgotten {
            tracing::warn!(?failure, "transcripts that are gone could not be forgotten");
        }
    }
}

/// Sources beside what is known of them.
#[derive(Default)]
struct Compared {
    /// As they were when they were read.
    known: Vec<Session>,
    /// New ones, and those that are others now.
    changed: Vec<Source>,
    /// What is known of sources that were not found.
    left: Vec<TranscriptRow>,
}

/// Goes along both in one order, since there may be many of each.
fn compared(mut sources: Vec<Source>, rows: Vec<TranscriptRow>) -> Compared {
    sources.sort_by(|a, b| a.key().cmp(&b.key()));
    let (mut compared, mut rows) = (Compared::default(), rows.into_iter().peekable());
    for source in sources {
        while let Some(row) = rows.next_if(|row| row.key() < source.key()) {
            compared.left.push(row);
        }
        let row = rows.next_if(|row| row.key() == source.key());
        match row::known(source, row) {
            Ok(session) => compared.known.push(session),
            Err(source) => compared.changed.push(source),
        }
    }
    compared.left.extend(rows);
    compared
}

/// Takes portions until none is left.
fn read_portions(
    reader: &dyn TranscriptReader,
    sources: &[&Source],
    secrets: &Custom,
    next: &AtomicUsize,
    each: &mut dyn FnMut(usize, Reading),
) {
    loop {
        let from = next.fetch_add(PORTION, Ordering::Relaxed);
        let Some(rest) = sources.get(from..).filter(|rest| !rest.is_empty()) else { return };
        let portion = &rest[..rest.len().min(PORTION)];
        reader.summarize(portion, secrets, &mut |number, reading| each(from + number, reading));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::transcripts::{Format, Stamp, State, Summary};

    /// A source as a word of three parts: its path, its part, and what shows that it changed.
    fn source(word: &str) -> Source {
        let mut parts = word.split(' ');
        let mut next = || parts.next().unwrap().to_owned();
        let (path, part, size) = (next(), next(), next().parse().unwrap());
        let part = Some(part).filter(|part| part != "-");
        let stamp = Stamp { size, mtime_ns: 0, inode: 0 };
        Source { root: "/r".into(), path, part, stamp }
    }

    fn word(source: &Source) -> String {
        let part = source.part.as_deref().unwrap_or("-");
        format!("{} {part} {}", source.path, source.stamp.size)
    }

    fn row(word: &str) -> TranscriptRow {
        let (state, summary) = (State::Read, Summary::default());
        let reading = Reading { state, summary, passed_over: BTreeMap::new(), unknown: 0 };
        row::row(Format::OpenCode, "/r", &row::fresh(&source(word), reading)).unwrap()
    }

    #[track_caller]
    fn check(sources: &[&str], rows: &[&str], [known, changed, left]: [&[&str]; 3]) {
        let sources = sources.iter().map(|word| source(word)).collect();
        let compared = compared(sources, rows.iter().map(|word| row(word)).collect());
        let found: Vec<_> = compared.known.iter().map(|known| word(&known.source)).collect();
        assert_eq!(found, known);
        assert_eq!(compared.changed.iter().map(word).collect::<Vec<_>>(), changed);
        let paths: Vec<_> = compared.left.iter().map(|row| &*row.path).collect();
        assert_eq!(paths, left);
    }

    #[test]
    fn sources_are_told_from_those_that_changed_came_or_went() {
        check(&[], &[], [&[], &[], &[]]);
        check(&["a - 1"], &[], [&[], &["a - 1"], &[]]);
        check(&[], &["a - 1", "b - 1"], [&[], &[], &["a", "b"]]);
        check(&["b - 1"], &["a - 1", "b - 1", "c - 1"], [&["b - 1"], &[], &["a", "c"]]);
        // In no order, one of them another one now, and a new one among them.
        check(
            &["d - 1", "c - 2", "b y 1", "b x 1", "bb - 1"],
            &["a - 1", "b x 1", "b z 1", "c - 1", "d - 1"],
            [&["b x 1", "d - 1"], &["b y 1", "bb - 1", "c - 2"], &["a", "b"]],
        );
    }
}
