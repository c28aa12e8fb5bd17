//! What a store holds, in numbers.

use std::time::{Duration, Instant};

use coffer_domain::store::{Mode, StoreName};
use coffer_env::clock;

use super::retire::LOG;
use super::{Memory, locked};
use crate::error::Result;
use crate::index::{tally, vector_sets, waiting};
use crate::vault::{Dir, Walk, walk};

/// Counts of one store, from the index where it has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metrics {
    /// Facts and topic documents.
    pub facts: u64,
    /// Inbox items among them.
    pub inbox: u64,
    /// Days with a journal.
    pub journal_days: u64,
    /// Bullets in the rules lane.
    pub rules: u64,
    /// Passages in the index.
    pub chunks: u64,
    /// Bytes of its documents and of the files of the other lanes.
    pub disk_bytes: u64,
    /// Documents that wait for vectors.
    pub degraded: u64,
    /// Modes that the index can answer.
    pub indexed_modes: Vec<Mode>,
}

impl Memory {
    /// Counts of one store; a store that does not exist has none.
    ///
    /// # Errors
    ///
    /// Files or index that cannot be read.
    pub fn metrics(&self, store: &StoreName) -> Result<Metrics> {
        let at = self.store_ref(store);
        let has_vectors = self.knowledge().has_vectors();
        let mut metrics = self.knowledge().fresh(&at, |db| {
            let below = |folder| tally(db, &at.scope, folder);
            let all = below("")?;
            let mut modes = vec![Mode::Grep, Mode::Keyword];
            if has_vectors && vector_sets(db, &at.scope)?.iter().any(|set| set.complete) {
                modes.extend([Mode::Vector, Mode::Hybrid]);
            }
            Ok(Metrics {
                facts: below("knowledge/")?.documents,
                inbox: below("knowledge/inbox/")?.documents,
                journal_days: below("journal/")?.documents,
                rules: 0,
                chunks: all.chunks,
                degraded: if has_vectors { waiting(db, &at.scope)? } else { 0 },
                disk_bytes: all.bytes,
                indexed_modes: modes,
            })
        })?;
        let Some(dir) = at.found()? else { return Ok(metrics) };
        metrics.disk_bytes += bytes(&walk(&dir, &["rules", "handoff"], |_| true));
        metrics.disk_bytes += self.retired_bytes(store, &dir);
        for file in ["store.yaml", LOG, "knowledge/INDEX.md"] {
            metrics.disk_bytes += dir.stat_at(file).ok().flatten().map_or(0, |stat| stat.size);
        }
        metrics.rules = self.rules(store)?.iter().map(|file| bullets(&file.text)).sum();
        Ok(metrics)
    }

    /// Bytes of the versions before, which a long history has many of.
    fn retired_bytes(&self, store: &StoreName, dir: &Dir) -> u64 {
        let now = clock::instant();
        let known = locked(&self.0.retired).get(store).copied();
        if let Some(known) = known.filter(|known| known.is_good_enough(now)) {
            return known.bytes;
        }
        let found = walk(dir, &["superseded"], |_| true);
        let (bytes, many) = (bytes(&found), found.files.len());
        locked(&self.0.retired).insert(store.clone(), Retired { at: now, bytes, many });
        bytes
    }
}

/// What was measured of `superseded/`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retired {
    at: Instant,
    bytes: u64,
    many: usize,
}

impl Retired {
    /// Many files are measured once in ten seconds.
    fn is_good_enough(self, now: Instant) -> bool {
        self.many > 1_000 && now.duration_since(self.at) < Duration::from_secs(10)
    }
}

fn bytes(found: &Walk) -> u64 {
    found.files.iter().map(|file| file.stat.size).sum()
}

/// Bullets at the left margin: what a person counts as rules.
fn bullets(text: &str) -> u64 {
    let is_bullet = |line: &&str| ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
    text.lines().filter(is_bullet).count() as u64
}
