//! All sessions of an agent: what is known of those that did not change, and the others read now.

use std::collections::HashMap;
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
        (root, survey): (&Path, Survey),
        reader: &dyn TranscriptReader,
        progress: &dyn Fn(usize, usize),
        catalogue: &mut Catalogue,
    ) -> Result<()> {
        let Some(name) = root.to_str() else {
            let reason = "its path is not UTF-8".to_owned();
            catalogue.unseen.push(Unseen { path: root.to_owned(), reason });
            return Ok(());
        };
        let rows = self.rows(shelf, name)?;
        let mut left: HashMap<(&str, &str), &TranscriptRow> =
            rows.iter().map(|row| ((&*row.path, &*row.part), row)).collect();
        let mut changed = Vec::new();
        for source in &survey.sources {
            let part = source.part.as_deref().unwrap_or_default();
            let row = left.remove(&(&*source.path, part));
            match row.and_then(|row| row::known(source, row)) {
                Some(session) => catalogue.sessions.push(session),
                None => changed.push(source),
            }
        }
        let is_gone = |path: &str| survey.is_there && !survey.is_hidden(path);
        let gone = left.keys().filter(|(path, _)| is_gone(path)).copied();
        self.forget(shelf, name, &gone.collect::<Vec<_>>());
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

    fn forget(&self, shelf: &Shelf, root: &str, gone: &[(&str, &str)]) {
        if gone.is_empty() {
            return;
        }
        let format = shelf.format.name();
        let forgotten = self.0.index.write(|tx| {
            gone.iter().try_for_each(|key| index::forget_transcript(tx, format, root, *key))
        });
        if let Err(failure) = forgotten {
            tracing::warn!(?failure, "transcripts that are gone could not be forgotten");
        }
    }
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
