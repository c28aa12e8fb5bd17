//! What happened: audit trail, MCP calls, counts by day. Never content.
//!
//! Recording never holds up a call: rows wait in a queue that one thread empties into the index in
//! batches. A crash loses the last moment of calls and counts; the audit trail goes with its write.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use coffer_domain::fact::Author;
use coffer_domain::time::Timestamp;
use coffer_env::clock;

use crate::error::{Error, Result};
use crate::index::{self, Failure, Index};

pub use crate::index::{AuditRow, HistoryFilter, InvocationRow, UsageKind, UsageRow};

/// So many rows may wait; when the index is that far behind, further ones are dropped.
const WAITING: usize = 4_096;
/// So many rows are written in one transaction.
const BATCH: usize = 256;
/// A row waits at most so long.
const PATIENCE: Duration = Duration::from_millis(200);
/// A reader waits at most so long for rows that wait.
const LONGEST_FLUSH: Duration = Duration::from_secs(2);
/// How often a reader tries to get into a full queue.
const PAUSE: Duration = Duration::from_millis(1);

/// One MCP call, as it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The tool.
    pub tool: String,
    /// The agent.
    pub agent: Option<String>,
    /// The MCP session.
    pub session: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// `ok` or an error code.
    pub outcome: String,
}

enum Entry {
    Call(InvocationRow),
    Use {
        day: String,
        agent: String,
        kind: UsageKind,
    },
    /// Answered once all before it is written.
    Flush(SyncSender<()>),
}

/// What happened, written and read.
#[derive(Clone)]
pub struct History(Arc<Inner>);

struct Inner {
    index: Arc<Index>,
    queue: Mutex<Option<SyncSender<Entry>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl History {
    /// The history in an index, with its writing thread.
    pub(crate) fn open(index: Arc<Index>) -> Self {
        let (queue, entries) = sync_channel(WAITING);
        let writer = Arc::clone(&index);
        let thread = std::thread::spawn(move || write_all(&writer, &entries));
        let (queue, thread) = (Mutex::new(Some(queue)), Mutex::new(Some(thread)));
        Self(Arc::new(Inner { index, queue, thread }))
    }

    /// Notes an MCP call; never waits.
    pub fn record_invocation(&self, call: Invocation) {
        let Invocation { tool, agent, session, started_at, duration, outcome } = call;
        let duration_us = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let row = InvocationRow { seq: 0, tool, agent, session, started_at, duration_us, outcome };
        self.0.note(Entry::Call(row));
    }

    /// Counts a recall, write or injection by an agent or `user`; never waits.
    pub fn record_use(&self, agent: &str, kind: UsageKind, now: Timestamp) {
        self.0.note(Entry::Use { day: now.day(), agent: agent.to_owned(), kind });
    }

    /// Writes down that the server has a new token.
    pub fn token_rotated(&self, now: Timestamp) {
        let row = AuditRow {
            seq: 0,
            at: now,
            event: "token_rotated".to_owned(),
            actor: Author::USER.name().to_owned(),
            store: None,
            ids: Vec::new(),
            counts: BTreeMap::new(),
        };
        if let Err(failure) = self.0.index.write(|tx| index::add_audit(tx, &row)) {
            tracing::warn!(?failure, "the audit trail misses a new token");
        }
    }

    /// Waits until everything noted before is in the index, at most two seconds: the rows are
    /// history, and a reader does not wait for a stuck index.
    pub fn flush(&self) {
        let until = clock::instant() + LONGEST_FLUSH;
        let left = || until.saturating_duration_since(clock::instant());
        let (done, written) = sync_channel(1);
        while !self.0.enqueue(Entry::Flush(done.clone())) {
            if left().is_zero() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        // Late or gone is the same to the reader.
        let _ = written.recv_timeout(left());
    }

    /// The audit trail, newest first.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn audit(&self, filter: &HistoryFilter) -> Result<Vec<AuditRow>> {
        self.0.index.read(|db| index::audit(db, filter)).map_err(Error::index)
    }

    /// MCP calls, newest first; the filter's event is the tool.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn invocations(&self, filter: &HistoryFilter) -> Result<Vec<InvocationRow>> {
        self.flush();
        self.0.index.read(|db| index::invocations(db, filter)).map_err(Error::index)
    }

    /// Counts by day and agent, newest day first.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn usage(&self) -> Result<Vec<UsageRow>> {
        self.flush();
        self.0.index.read(index::usage).map_err(Error::index)
    }
}

impl Inner {
    fn note(&self, entry: Entry) {
        if !self.enqueue(entry) {
            tracing::warn!("the history misses a row: the index is too far behind");
        }
    }

    /// Whether there was room.
    fn enqueue(&self, entry: Entry) -> bool {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.as_ref().is_some_and(|queue| queue.try_send(entry).is_ok())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without a sender the thread writes what is left and ends.
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

fn write_all(index: &Index, entries: &Receiver<Entry>) {
    while let Ok(first) = entries.recv() {
        let mut batch = vec![first];
        let until = clock::instant() + PATIENCE;
        while batch.len() < BATCH && !matches!(batch.last(), Some(Entry::Flush(_))) {
            let left = until.saturating_duration_since(clock::instant());
            match entries.recv_timeout(left) {
                Ok(entry) => batch.push(entry),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        write(index, &batch);
    }
}

fn write(index: &Index, batch: &[Entry]) {
    let write = || {
        index.write(|tx| {
            batch.iter().try_for_each(|entry| match entry {
                Entry::Call(row) => index::add_invocation(tx, row),
                Entry::Use { day, agent, kind } => index::add_usage(tx, day, agent, *kind),
                Entry::Flush(_) => Ok(()),
            })
        })
    };
    let written = match write() {
        // A new database took the place of the lost one.
        Err(Failure::Replaced(_)) => write(),
        other => other,
    };
    if let Err(failure) = written {
        tracing::warn!(?failure, rows = batch.len(), "the history misses rows");
    }
    for entry in batch {
        if let Entry::Flush(done) = entry {
            // Whoever asked may have gone.
            let _ = done.try_send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_and_survives_a_restart() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("coffer.db");
        let now = Timestamp::from_micros(1_780_000_000_000_000);
        let open = || History::open(Arc::new(Index::open(&path, now).unwrap()));
        let history = open();
        for number in 0..600 {
            history.record_invocation(Invocation {
                tool: "coffer__recall".into(),
                agent: Some(if number % 2 == 0 { "codex" } else { "cursor" }.into()),
                session: None,
                started_at: now,
                duration: Duration::from_micros(number),
                outcome: "ok".into(),
            });
            history.record_use("codex", UsageKind::Recall, now);
        }
        history.record_use("user", UsageKind::Write, now);
        let all = HistoryFilter { limit: 1000, ..HistoryFilter::default() };
        let calls = history.invocations(&all).unwrap();
        assert_eq!((calls.len(), calls[0].duration_us), (600, 599));
        let page =
            HistoryFilter { limit: 2, before: Some(calls[10].seq), ..HistoryFilter::default() };
        assert_eq!(history.invocations(&page).unwrap(), calls[11..13]);
        drop(history);
        let history = open();
        let by_agent = HistoryFilter { agent: Some("cursor".into()), ..all };
        assert_eq!(history.invocations(&by_agent).unwrap().len(), 300);
        let counts: Vec<_> =
            history.usage().unwrap().into_iter().map(|row| (row.agent, row.counts)).collect();
        assert_eq!(counts, [("codex".into(), [600, 0, 0]), ("user".into(), [0, 1, 0])]);
    }

    /// Recording must not hold up a call, whatever the index does.
    #[test]
    fn a_stuck_index_delays_nobody_and_a_lost_one_loses_nothing_that_waits() {
        let temp = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_780_000_000_000_000);
        let index = Arc::new(Index::open(&temp.path().join("coffer.db"), now).unwrap());
        let history = History::open(Arc::clone(&index));
        let (sender, held) = sync_channel(0);
        let (go, gate) = sync_channel::<()>(0);
        let holder = Arc::clone(&index);
        let holding = std::thread::spawn(move || {
            holder.write(|_| {
                sender.send(()).unwrap();
                gate.recv().unwrap();
                Ok(())
            })
        });
        held.recv().unwrap();
        let started = clock::instant();
        for _ in 0..2 * WAITING {
            history.record_use("codex", UsageKind::Recall, now);
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        go.send(()).unwrap();
        holding.join().unwrap().unwrap();
        let counts =
            || -> Vec<_> { history.usage().unwrap().into_iter().map(|row| row.counts).collect() };
        let recalls = counts()[0][0];
        assert!((WAITING as u64..2 * WAITING as u64).contains(&recalls), "{recalls}");

        index.empty(index::Harm::File);
        history.record_use("codex", UsageKind::Write, now);
        assert_eq!(counts(), [[0, 1, 0]]);
    }
}
