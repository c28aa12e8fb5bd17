//! Grep over a store's files: what stands on disk is searched, not what the index keeps.

use std::time::Duration;

use coffer_domain::query;
use coffer_env::clock;

use super::search::Found;
use super::{Knowledge, Passage, StoreRef};
use crate::error::Result;
use crate::grep::{Grep, Line};
use crate::index::{by_newest, passages_of, texts};

/// After so long a grep stops with what it has.
const DEADLINE: Duration = Duration::from_secs(2);
/// So many lines of one file are looked at.
const LINES: usize = 50;

impl Knowledge {
    /// Passages with a matching line, of the newest documents first; at most `top`.
    pub(super) fn grep(&self, store: &StoreRef, question: &str, top: usize) -> Result<Found> {
        let grep = Grep::new(&query::grep_pattern(question))?;
        self.steadily(|| self.matching(store, &mut grep.clone(), top).map(Some))
    }

    fn matching(&self, store: &StoreRef, grep: &mut Grep, top: usize) -> Result<Found> {
        let paths = self.fresh(store, |db| by_newest(db, &store.scope))?;
        if paths.is_empty() {
            return Ok(Found::default());
        }
        let root = store.dir()?;
        let began = clock::instant();
        let mut passages = Vec::new();
        let mut cut_off = false;
        for path in paths {
            cut_off = began.elapsed() > DEADLINE;
            if passages.len() >= top || cut_off {
                break;
            }
            let Ok(Some(file)) = root.read_at(&path) else { continue };
            let lines = grep.lines(&file.bytes, LINES);
            if !lines.is_empty() {
                passages.extend(self.passages_with(store, &path, &lines)?);
            }
        }
        passages.truncate(top);
        Ok(Found { passages, cut_off, by_meaning: false })
    }

    /// The passages of a file that hold one of its matching lines; a match in the header counts
    /// for the first passage.
    fn passages_with(&self, store: &StoreRef, path: &str, lines: &[Line]) -> Result<Vec<Passage>> {
        self.read(|db| {
            let all = passages_of(db, &store.scope, path)?;
            let first = all.first().map(|row| row.chunk);
            let rows: Vec<_> = all
                .into_iter()
                .filter(|row| {
                    let (start, end) = row.place.lines;
                    let inside = |line: &Line| {
                        let below = line.number < u64::from(start) && first == Some(row.chunk);
                        below || (u64::from(start)..=u64::from(end)).contains(&line.number)
                    };
                    lines.iter().any(inside)
                })
                .collect();
            let chunks: Vec<i64> = rows.iter().map(|row| row.chunk).collect();
            let texts = texts(db, &chunks)?;
            Ok(rows.into_iter().zip(texts).map(|(row, text)| Passage::new(row, text)).collect())
        })
    }
}
