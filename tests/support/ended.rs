//! Sessions of agents that ended and wait to be distilled, which no client can ask for.

use coffer_env::Home;
use rusqlite::Connection;

/// The agent, its id of the session, and where that was; the first that ended first.
pub fn ended_sessions(home: &Home) -> Vec<(String, String, String)> {
    let db = Connection::open(home.database()).unwrap();
    let mut rows =
        db.prepare("SELECT agent, session_id, cwd FROM ended_sessions ORDER BY n").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}
