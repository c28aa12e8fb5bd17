//! Audit trail, MCP calls, counts by day. Never content.

use std::collections::BTreeMap;

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, params};

use super::{Failure, Index};

/// One change, for the trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Rises with time; 0 before it is written.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Such as `memory_added`.
    pub event: String,
    /// `user`, an agent's name, or `organizer`.
    pub actor: String,
    /// The store.
    pub store: Option<String>,
    /// What it was about.
    pub ids: Vec<String>,
    /// How many, by name.
    pub counts: BTreeMap<String, i64>,
}

/// One MCP call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvocationRow {
    /// Rises with time; 0 before it is written.
    pub seq: i64,
    /// The tool.
    pub tool: String,
    /// The agent.
    pub agent: Option<String>,
    /// The MCP session.
    pub session: Option<String>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, microseconds.
    pub duration_us: i64,
    /// `ok` or an error code.
    pub outcome: String,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageKind {
    /// A recall.
    Recall,
    /// A write.
    Write,
    /// Rules told at the start of a session.
    Injection,
}

/// Counts of one day and agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// The agent, or `user`.
    pub agent: String,
    /// Recalls, writes, injections.
    pub counts: [u64; 3],
}

/// Which part of a history.
#[derive(Debug, Clone, Default)]
pub struct HistoryFilter {
    /// At most so many.
    pub limit: u32,
    /// Only rows with a smaller `seq`.
    pub before: Option<i64>,
    /// Only this event.
    pub event: Option<String>,
    /// Only this store.
    pub store: Option<String>,
    /// Only this actor or agent.
    pub agent: Option<String>,
}

/// Writes a change into the trail.
pub(crate) fn add_audit(db: &Connection, row: &AuditRow) -> rusqlite::Result<()> {
    let ids = serde_json::to_string(&row.ids).unwrap_or_default();
    let counts = serde_json::to_string(&row.counts).unwrap_or_default();
    db.prepare_cached(
        "INSERT INTO audit_events (at, event, actor, store, ids, counts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![row.at.micros(), row.event, row.actor, row.store, ids, counts])?;
    Ok(())
}

/// Writes down what the person did; a trail that cannot be written keeps nobody from it.
pub(crate) fn tell(index: &Index, event: &str, ids: Vec<String>, now: Timestamp) {
    let row = AuditRow {
        seq: 0,
        at: now,
        event: event.to_owned(),
        actor: "user".to_owned(),
        store: None,
        ids,
        counts: BTreeMap::new(),
    };
    let write = || index.write(|tx| add_audit(tx, &row));
    let written = match write() {
        // A new database took the place of the lost one.
        Err(Failure::Replaced(_)) => write(),
        other => other,
    };
    if let Err(failure) = written {
        tracing::warn!(?failure, event, "the audit trail misses a row");
    }
}

/// The trail, newest first.
pub(crate) fn audit(db: &Connection, filter: &HistoryFilter) -> rusqlite::Result<Vec<AuditRow>> {
    db.prepare_cached(&audit_query(filter))?
        .query_map(
            params![before(filter), filter.event, filter.store, filter.agent, filter.limit],
            |row| {
                let ids: String = row.get(5)?;
                let counts: String = row.get(6)?;
                Ok(AuditRow {
                    seq: row.get(0)?,
                    at: Timestamp::from_micros(row.get(1)?),
                    event: row.get(2)?,
                    actor: row.get(3)?,
                    store: row.get(4)?,
                    ids: serde_json::from_str(&ids).unwrap_or_default(),
                    counts: serde_json::from_str(&counts).unwrap_or_default(),
                })
            },
        )?
        .collect()
}

fn audit_query(filter: &HistoryFilter) -> String {
    let chosen = chosen(filter, ["event", "store", "actor"]);
    format!(
        "SELECT seq, at, event, actor, store, ids, counts FROM audit_events
         WHERE seq < ?1{chosen}
         ORDER BY seq DESC LIMIT ?5"
    )
}

/// The conditions of the filters that are set, by the columns of event, store and agent, of which one
/// may be none: a condition for all cases would keep SQLite from reading an index.
fn chosen(filter: &HistoryFilter, columns: [&str; 3]) -> String {
    let values = [&filter.event, &filter.store, &filter.agent];
    let set = (2..).zip(columns).zip(values);
    let set = set.filter(|((_, column), value)| value.is_some() && !column.is_empty());
    set.map(|((number, column), _)| format!(" AND {column} = ?{number}")).collect()
}

fn before(filter: &HistoryFilter) -> i64 {
    filter.before.unwrap_or(i64::MAX)
}

/// So many MCP calls are kept; a busy machine makes as many in some months.
const INVOCATIONS_KEPT: i64 = 100_000;

/// Writes an MCP call down; the oldest makes room.
pub(crate) fn add_invocation(db: &Connection, row: &InvocationRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO mcp_invocations (tool, agent, session, started_at, duration_us, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        row.tool,
        row.agent,
        row.session,
        row.started_at.micros(),
        row.duration_us,
        row.outcome,
    ])?;
    db.prepare_cached("DELETE FROM mcp_invocations WHERE seq <= ?1")?
        .execute([db.last_insert_rowid() - INVOCATIONS_KEPT])?;
    Ok(())
}

/// MCP calls, newest first; the filter's event is the tool, and its store is none of theirs.
pub(crate) fn invocations(
    db: &Connection,
    filter: &HistoryFilter,
) -> rusqlite::Result<Vec<InvocationRow>> {
    db.prepare_cached(&invocations_query(filter))?
        .query_map(
            params![before(filter), filter.event, filter.store, filter.agent, filter.limit],
            |row| {
                Ok(InvocationRow {
                    seq: row.get(0)?,
                    tool: row.get(1)?,
                    agent: row.get(2)?,
                    session: row.get(3)?,
                    started_at: Timestamp::from_micros(row.get(4)?),
                    duration_us: row.get(5)?,
                    outcome: row.get(6)?,
                })
            },
        )?
        .collect()
}

fn invocations_query(filter: &HistoryFilter) -> String {
    let chosen = chosen(filter, ["tool", "", "agent"]);
    format!(
        "SELECT seq, tool, agent, session, started_at, duration_us, outcome FROM mcp_invocations
         WHERE seq < ?1{chosen}
         ORDER BY seq DESC LIMIT ?5"
    )
}

/// Counts one use.
pub(crate) fn add_usage(
    db: &Connection,
    day: &str,
    agent: &str,
    kind: UsageKind,
) -> rusqlite::Result<()> {
    let (recalls, writes, injections) = match kind {
        UsageKind::Recall => (1, 0, 0),
        UsageKind::Write => (0, 1, 0),
        UsageKind::Injection => (0, 0, 1),
    };
    db.prepare_cached(
        "INSERT INTO usage (day, agent, recalls, writes, injections) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET recalls = recalls + excluded.recalls,
             writes = writes + excluded.writes, injections = injections + excluded.injections",
    )?
    .execute(params![day, agent, recalls, writes, injections])?;
    Ok(())
}

/// Counts by day and agent, newest day first; a year of them.
pub(crate) fn usage(db: &Connection) -> rusqlite::Result<Vec<UsageRow>> {
    db.prepare_cached(
        "SELECT day, agent, recalls, writes, injections FROM usage
         ORDER BY day DESC, agent LIMIT 3660",
    )?
    .query_map([], |row| {
        let count = |at: usize| row.get::<_, i64>(at).map(i64::cast_unsigned);
        Ok(UsageRow {
            day: row.get(0)?,
            agent: row.get(1)?,
            counts: [count(2)?, count(3)?, count(4)?],
        })
    })?
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::schema::migrate;

    /// How SQLite carries out a query, a step each.
    fn plan(db: &Connection, query: &str) -> Vec<String> {
        let mut steps = db.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
        // A plan depends on no value.
        let mut rows = steps.raw_query();
        let mut plan = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            plan.push(row.get(3).unwrap());
        }
        plan
    }

    /// The queries that are run read an index each, from its newest row, and sort nothing.
    #[test]
    fn every_filter_reads_an_index() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let some = |is_set| (is_set == 1).then(|| "x".to_owned());
        let [all, event, store, agent, both] =
            [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1)].map(|(event, store, agent)| {
                HistoryFilter {
                    event: some(event),
                    store: some(store),
                    agent: some(agent),
                    ..HistoryFilter::default()
                }
            });
        for (query, indexes) in [
            (audit_query(&all), ["PRIMARY KEY"; 2]),
            (audit_query(&event), ["audit_by_event"; 2]),
            (audit_query(&store), ["audit_by_store"; 2]),
            (audit_query(&agent), ["audit_by_actor"; 2]),
            (audit_query(&both), ["audit_by_event", "audit_by_actor"]),
            (invocations_query(&all), ["PRIMARY KEY"; 2]),
            (invocations_query(&event), ["invocations_by_tool"; 2]),
            (invocations_query(&store), ["PRIMARY KEY"; 2]),
            (invocations_query(&agent), ["invocations_by_agent"; 2]),
            (invocations_query(&both), ["invocations_by_tool", "invocations_by_agent"]),
        ] {
            let plan = plan(&db, &query);
            let is_read = plan.len() == 1
                && plan[0].starts_with("SEARCH")
                && indexes.iter().any(|index| plan[0].contains(index));
            assert!(is_read, "{query}: {plan:?}");
        }
    }

    #[test]
    fn a_filter_gives_its_rows_the_newest_first() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        db.execute_batch(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
             INSERT INTO audit_events (at, event, actor, store) SELECT i, 'e' || (i % 10), 'a' || (i % 10), 's' || (i % 10) FROM n;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
             INSERT INTO mcp_invocations (tool, agent, started_at, duration_us, outcome) SELECT 't' || (i % 10), 'a' || (i % 10), i, 1, 'ok' FROM n;",
        )
        .unwrap();
        let one = |word: &str| Some(format!("{word}7"));
        let all = HistoryFilter { limit: 3, before: Some(90), ..HistoryFilter::default() };
        let agent = HistoryFilter { agent: one("a"), ..all.clone() };
        let event = HistoryFilter { event: one("e"), store: one("s"), ..agent.clone() };
        let tool = HistoryFilter { event: one("t"), ..all.clone() };
        let seqs = |filter| audit(&db, filter).unwrap().iter().map(|row| row.seq).collect();
        let of_calls =
            |filter| invocations(&db, filter).unwrap().iter().map(|row| row.seq).collect();
        let found: [Vec<i64>; 6] = [
            seqs(&all),
            seqs(&agent),
            seqs(&event),
            of_calls(&all),
            of_calls(&agent),
            of_calls(&tool),
        ];
        let (newest, sevens) = ([89, 88, 87], [87, 77, 67]);
        assert_eq!(found, [newest, sevens, sevens, newest, sevens, sevens]);
    }

    #[test]
    fn the_oldest_calls_make_room() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        let row = |tool: &str| InvocationRow {
            seq: 0,
            tool: tool.to_owned(),
            agent: None,
            session: None,
            started_at: Timestamp::from_micros(0),
            duration_us: 1,
            outcome: "ok".to_owned(),
        };
        add_invocation(&db, &row("first")).unwrap();
        add_invocation(&db, &row("second")).unwrap();
        db.execute("UPDATE sqlite_sequence SET seq = ?1", [INVOCATIONS_KEPT]).unwrap();
        add_invocation(&db, &row("last")).unwrap();
        let all = HistoryFilter { limit: 10, ..HistoryFilter::default() };
        let kept = invocations(&db, &all).unwrap();
        assert_eq!(
            kept.iter().map(|row| row.tool.as_str()).collect::<Vec<_>>(),
            ["last", "second"]
        );
    }
}
