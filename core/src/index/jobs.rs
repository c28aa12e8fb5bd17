//! Background work as the tables keep it.

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JobRow {
    /// ULID.
    pub id: String,
    /// Its kind's word.
    pub kind: String,
    /// The store it is about.
    pub store: Option<String>,
    /// JSON of what it is asked to do, where kind and store do not say all.
    pub request: Option<String>,
    /// Its state's word.
    pub state: String,
    /// Items done.
    pub done: u64,
    /// Items in all.
    pub total: Option<u64>,
    /// JSON of what it gave.
    pub result: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// Writes a job down, new or changed.
pub(crate) fn put_job(db: &Connection, job: &JobRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO jobs (id, kind, store, state, done, total, result, error, created_at, finished_at,
             request)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT DO UPDATE SET state = excluded.state, done = excluded.done,
             total = excluded.total, result = excluded.result, error = excluded.error,
             finished_at = excluded.finished_at",
    )?
    .execute(params![
        job.id,
        job.kind,
        job.store,
        job.state,
        job.done.cast_signed(),
        job.total.map(u64::cast_signed),
        job.result,
        job.error,
        job.created_at.micros(),
        job.finished_at.map(Timestamp::micros),
        job.request,
    ])?;
    Ok(())
}

/// Drops jobs that have ended, but the newest 200.
pub(crate) fn prune_jobs(db: &Connection) -> rusqlite::Result<()> {
    db.prepare_cached(
        "DELETE FROM jobs WHERE finished_at IS NOT NULL AND id NOT IN
             (SELECT id FROM jobs ORDER BY created_at DESC, id DESC LIMIT 200)",
    )?
    .execute([])?;
    Ok(())
}

const COLUMNS: &str =
    "id, kind, store, state, done, total, result, error, created_at, finished_at, request";

fn row(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    Ok(JobRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        store: row.get(2)?,
        state: row.get(3)?,
        done: row.get::<_, i64>(4)?.cast_unsigned(),
        total: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
        result: row.get(6)?,
        error: row.get(7)?,
        created_at: Timestamp::from_micros(row.get(8)?),
        finished_at: row.get::<_, Option<i64>>(9)?.map(Timestamp::from_micros),
        request: row.get(10)?,
    })
}

/// The job of an id.
pub(crate) fn job(db: &Connection, id: &str) -> rusqlite::Result<Option<JobRow>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM jobs WHERE id = ?1"))?
        .query_row([id], row)
        .optional()
}

/// The newest 200 jobs.
pub(crate) fn jobs(db: &Connection) -> rusqlite::Result<Vec<JobRow>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM jobs ORDER BY created_at DESC, id DESC LIMIT 200"
    ))?
    .query_map([], row)?
    .collect()
}
