//! What a store holds, in numbers.

use coffer_domain::store::{Mode, StoreName};

use super::Memory;
use super::retire::LOG;
use crate::error::Result;
use crate::index::{tally, vector_sets, waiting};
use crate::knowledge::bytes;
use crate::vault::walk;

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
        metrics.disk_bytes += self.knowledge().bytes_in(&at, &dir, &["superseded"]);
        for file in ["store.yaml", LOG, "knowledge/INDEX.md"] {
            metrics.disk_bytes += dir.stat_at(file).ok().flatten().map_or(0, |stat| stat.size);
        }
        metrics.rules = self.rules(store)?.iter().map(|file| bullets(&file.text)).sum();
        Ok(metrics)
    }
}

/// Bullets at the left margin: what a person counts as rules.
fn bullets(text: &str) -> u64 {
    let is_bullet = |line: &&str| ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
    text.lines().filter(is_bullet).count() as u64
}
