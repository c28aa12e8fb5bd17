//! Counts of a knowledge base, and comparing its files with the index.

use coffer_domain::fact::Author;
use coffer_domain::kb::KbName;
use coffer_domain::store::Mode;
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;

use super::bases::LANE;
use super::{KnowledgeBases, Opened, audit_row};
use crate::error::Result;
use crate::index::{Tally, tally, vector_sets, waiting};
use crate::knowledge::ReindexReport;

/// Counts of one knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KbMetrics {
    /// Documents.
    pub documents: u64,
    /// Passages in the index.
    pub chunks: u64,
    /// Modes that the index can answer.
    pub indexed_modes: Vec<Mode>,
    /// Bytes of its documents, originals and retired versions.
    pub disk_bytes: u64,
    /// Documents that wait for vectors.
    pub degraded: u64,
}

impl KnowledgeBases {
    /// Counts a knowledge base.
    ///
    /// # Errors
    ///
    /// No such knowledge base; files or an index that cannot be read.
    pub fn metrics(&self, name: &KbName) -> Result<KbMetrics> {
        let Opened { at, .. } = self.open(name)?;
        let (Tally { documents, chunks, bytes }, sets, waits) =
            self.knowledge().fresh(&at, |db| {
                let all = tally(db, &at.scope, LANE)?;
                Ok((all, vector_sets(db, &at.scope)?, waiting(db, &at.scope)?))
            })?;
        let has_vectors = self.knowledge().model(&at).is_some();
        let mut indexed_modes = vec![Mode::Grep, Mode::Keyword];
        if has_vectors && sets.iter().any(|set| set.complete) {
            indexed_modes.extend([Mode::Vector, Mode::Hybrid]);
        }
        let dir = at.dir()?;
        let others = self.knowledge().bytes_in(&at, &dir, &[KbPaths::RAW, KbPaths::SUPERSEDED]);
        let file = dir.stat(KbPaths::FILE).ok().flatten().map_or(0, |stat| stat.size);
        Ok(KbMetrics {
            documents,
            chunks,
            indexed_modes,
            disk_bytes: bytes + others + file,
            degraded: if has_vectors { waits } else { 0 },
        })
    }

    /// Compares every document with the index. What is gone counts as deleted, however much it is.
    /// `progress` is told done and total, and ends the work by `false`.
    ///
    /// # Errors
    ///
    /// No such knowledge base; files or an index that cannot be read; `Cancelled`.
    pub fn reindex(
        &self,
        name: &KbName,
        progress: &dyn Fn(u64, u64) -> bool,
        now: Timestamp,
    ) -> Result<ReindexReport> {
        let Opened { at, .. } = self.open(name)?;
        let report = self.knowledge().reindex(&at, progress)?;
        let mut audit = audit_row("kb_reindexed", &Author::USER, name, &[], now);
        let ReindexReport { scanned, reindexed, skipped, removed, degraded } = report;
        let counts = [
            ("scanned", scanned),
            ("reindexed", reindexed),
            ("skipped", skipped),
            ("removed", removed),
            ("degraded", degraded),
        ];
        audit.counts =
            counts.into_iter().map(|(key, count)| (key.to_owned(), count.cast_signed())).collect();
        self.audit(&audit);
        self.changed(name);
        Ok(report)
    }

    /// Compares every knowledge base with the index once.
    pub(crate) fn warm_up(&self) -> Result<()> {
        self.opened()?.iter().try_for_each(|opened| self.knowledge().reconcile(&opened.at))
    }
}
