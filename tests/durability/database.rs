//! Harm to the database, while the server runs and while it does not: the files are the truth, so
//! nothing is lost, no search ever gives a clean empty answer, and what was there is moved aside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coffer_env::Home;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{FACTS, remember};
use crate::support::chance::{Chance, count};
use crate::support::tree::{self, eventually};
use crate::support::{TestServer, derived};

const RECALL: &str = "/api/v1/memory_stores/global/recall";
/// How many facts there are.
const MANY: usize = 60;

/// What happens to the database; the second path is a folder beside the home.
struct Harm {
    name: &'static str,
    does: fn(&Path, &Path),
    /// Whether a server that runs can notice.
    running: bool,
    /// Whether something is left to be moved aside.
    leaves: bool,
}

const HARMS: &[Harm] = &[
    harm("removed", |db, _| ["", "-wal", "-shm"].iter().for_each(|end| remove(db, end))).gone(),
    harm("removed alone", |db, _| remove(db, "")).gone(),
    harm("without its log", |db, _| remove(db, "-wal")).in_use(),
    harm("without its shared memory", |db, _| remove(db, "-shm")).in_use(),
    harm("truncated to nothing", |db, _| resize(db, |_| 0)).gone(),
    harm("truncated to a page", |db, _| resize(db, |_| 4096)),
    harm("truncated to a half", |db, _| resize(db, |size| size / 2)),
    harm("overwritten", |db, _| overwrite(db, |_| true)),
    harm("with every third page overwritten", |db, _| overwrite(db, |page| page % 3 == 2)),
    harm("a folder", |db, _| {
        remove(db, "");
        fs::create_dir(db).unwrap();
        fs::write(db.join("x"), "x").unwrap();
    }),
    harm("a link to elsewhere", |db, beside| {
        let elsewhere = beside.join("elsewhere.db");
        fs::rename(db, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, db).unwrap();
    }),
    harm("of a newer program", |db, _| sql(db, "PRAGMA user_version = 9999")).at_start(),
    harm("somebody else's", |db, beside| {
        foreign(db, beside, "CREATE TABLE cookies (a); INSERT INTO cookies VALUES ('x')");
    }),
    harm("somebody else's, of this version", |db, beside| {
        let version = pragma(db, "user_version");
        let text = format!("CREATE TABLE documents (a); PRAGMA user_version = {version}");
        foreign(db, beside, &text);
    }),
    harm("without its documents", |db, _| sql(db, "DROP TABLE documents")),
    harm("without its terms", |db, _| sql(db, "DELETE FROM terms_fts_docsize")).at_start(),
    harm("with counts of documents that it lacks", |db, _| {
        sql(db, "UPDATE folders SET documents = documents + 1");
    })
    .at_start(),
    harm("with other texts than it indexed", |db, _| {
        sql(db, "UPDATE documents_fts_content SET c0 = 'something else'");
    })
    .at_start(),
];

const fn harm(name: &'static str, does: fn(&Path, &Path)) -> Harm {
    Harm { name, does, running: true, leaves: true }
}

impl Harm {
    /// Nothing is left of it.
    const fn gone(self) -> Self {
        Self { leaves: false, ..self }
    }

    /// What is left may well be used.
    const fn in_use(self) -> Self {
        Self { leaves: false, ..self }
    }

    /// Only a start can notice, and fills what is derived again in its place.
    const fn at_start(self) -> Self {
        Self { running: false, leaves: false, ..self }
    }
}

fn remove(db: &Path, end: &str) {
    _ = fs::remove_file(format!("{}{end}", db.display()));
}

fn resize(db: &Path, size: impl Fn(u64) -> u64) {
    let file = fs::File::options().write(true).open(db).unwrap();
    file.set_len(size(file.metadata().unwrap().len())).unwrap();
}

fn overwrite(db: &Path, which: impl Fn(usize) -> bool) {
    use std::os::unix::fs::FileExt as _;
    let file = fs::File::options().write(true).open(db).unwrap();
    let pages = usize::try_from(file.metadata().unwrap().len() / 4096).unwrap();
    for page in (0..pages).filter(|page| which(*page)) {
        file.write_all_at(&[0x5a; 4096], page as u64 * 4096).unwrap();
    }
}

fn sql(db: &Path, text: &str) {
    Connection::open(db).unwrap().execute_batch(text).unwrap();
}

/// Puts another database in the place of ours. It is whole when it comes there: a server that runs
/// makes a new one of its own as soon as it misses a file.
fn foreign(db: &Path, beside: &Path, text: &str) {
    let other = beside.join("foreign.db");
    sql(&other, text);
    ["-wal", "-shm"].iter().for_each(|end| remove(db, end));
    fs::rename(&other, db).unwrap();
}

fn pragma(db: &Path, name: &str) -> i64 {
    let query = format!("PRAGMA {name}");
    Connection::open(db).unwrap().query_row(&query, [], |row| row.get(0)).unwrap()
}

/// A home whose database was written back wholly, to be copied for each harm.
struct Ground {
    folder: TempDir,
    facts: Vec<Value>,
}

impl Ground {
    fn new() -> Self {
        let mut server = TestServer::start();
        let fact = |number| format!("the service {number} listens on {}", 4000 + number);
        let facts = (0..MANY).map(|number| remember(&server, &fact(number))).collect();
        let label = json!({"label": "walnut"});
        assert_eq!(server.patch("/api/v1/memory_stores/global/label", &label).status, 200);
        server.signal("TERM");
        server.ended();
        let folder = tempfile::Builder::new().prefix("coffer-ground").tempdir().unwrap();
        tree::copy(server.home().root(), &folder.path().join("home"));
        Self { folder, facts }
    }

    /// A server on a copy, to which something is done before it starts.
    fn server(&self, prepare: impl FnOnce(&Home)) -> TestServer {
        TestServer::start_with(|home| {
            tree::copy(&self.folder.path().join("home"), home.root());
            prepare(home);
        })
    }
}

/// Asks until the answer is right. Meanwhile an answer may be an error, but never a success without
/// a hit.
fn found(server: &TestServer, when: &str) {
    let until = Instant::now() + Duration::from_secs(15);
    loop {
        let asked = json!({"query": "which service listens on 4037"});
        let reply = server.post(RECALL, &asked);
        let hits = reply.json()["hits"].as_array().cloned().unwrap_or_default();
        if hits.iter().any(|hit| hit["text"].as_str().unwrap().contains("4037")) {
            return;
        }
        assert!(reply.status >= 500, "{when}: a clean answer without the fact: {}", reply.text());
        assert!(!reply.text().contains("SQL") && !reply.text().contains("locked"), "{when}");
        assert!(Instant::now() < until, "{when}: {}", reply.text());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Databases that were moved aside.
fn moved_aside(server: &TestServer) -> Vec<PathBuf> {
    let entries = fs::read_dir(server.home().root()).unwrap().flatten();
    let is_bad = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("coffer.db.bad-") && !name.ends_with("-wal") && !name.ends_with("-shm")
    };
    entries.map(|entry| entry.path()).filter(is_bad).collect()
}

/// What the server says does not work fully.
fn degraded(server: &TestServer) -> Value {
    server.get("/api/v1/status").json()["degraded"].clone()
}

fn assert_nothing_is_lost(server: &TestServer, facts: &[Value], harm: &Harm, when: &str) {
    if !harm.running {
        // Opening does not show it; the check of the start does.
        eventually(when, || degraded(server) != json!([]));
    }
    found(server, when);
    for (at, fact) in facts.iter().enumerate().step_by(7) {
        let read = server.get(&format!("{FACTS}/{}", fact["id"].as_str().unwrap())).json();
        assert_eq!(read["text"], fact["text"], "{when}: fact {at}");
    }
    let added = remember(server, &format!("a fact after it was {}", harm.name));
    assert_eq!(server.get(FACTS).json()["total"], MANY + 1, "{when}");
    let store = server.get("/api/v1/memory_stores/global").json();
    assert_eq!((&store["label"], &store["fact_count"]), (&json!("walnut"), &json!(MANY + 1)));
    if harm.leaves {
        assert!(!moved_aside(server).is_empty(), "{when}: nothing was moved aside");
        assert_ne!(degraded(server), json!([]), "{when}: nobody is told");
    }
    derived::assert_rebuildable(server, when);
    let path = format!("{FACTS}/{}", added["id"].as_str().unwrap());
    assert_eq!(server.delete(&path).status, 204, "{when}");
    found(server, when);
}

/// What happened to the database of a server is made good.
fn assert_made_good(mut server: TestServer, ground: &Ground, harm: &Harm) {
    let outside = server.folder().join("elsewhere.db");
    let before = fs::read(&outside).ok();
    let when = format!("the database is {}", harm.name);
    assert_nothing_is_lost(&server, &ground.facts, harm, &when);
    assert!(fs::read(&outside).ok() == before, "{when}: something was written through it");
    // What was found bad once is not met again.
    let bad = moved_aside(&server);
    server.kill();
    server.start_again();
    found(&server, &when);
    assert_eq!(moved_aside(&server), bad, "{when}, started again");
}

#[test]
fn harm_to_a_database_at_rest_loses_nothing() {
    let ground = Ground::new();
    for harm in HARMS {
        let server = ground.server(|home| {
            (harm.does)(&home.database(), home.root().parent().unwrap());
        });
        assert_made_good(server, &ground, harm);
    }
}

#[test]
fn harm_to_a_database_in_use_loses_nothing() {
    let ground = Ground::new();
    for harm in HARMS.iter().filter(|harm| harm.running) {
        let server = ground.server(|_| {});
        found(&server, harm.name);
        (harm.does)(&server.home().database(), server.folder());
        assert_made_good(server, &ground, harm);
    }
}

#[test]
fn a_lock_of_another_program_holds_up_no_write_and_no_read() {
    let server = Ground::new().server(|_| {});
    found(&server, "before the lock");
    let other = Connection::open(server.home().database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let written = server.post(FACTS, &json!({"text": "written beside a lock: almond"}));
    assert_eq!(
        (written.status, &written.json()["indexed"]),
        (201, &json!(false)),
        "{}",
        written.text()
    );
    found(&server, "beside the lock");
    let listed = server.get(FACTS);
    assert!(!listed.text().contains("locked"), "{}", listed.text());
    assert_ne!(server.get("/api/v1/status").json()["degraded"], json!([]));
    other.execute_batch("COMMIT").unwrap();
    let recalled = server.post(RECALL, &json!({"query": "almond"})).json();
    assert_eq!(recalled["hits"][0]["id"], written.json()["id"], "{recalled}");
    derived::assert_rebuildable(&server, "after the lock");
}

#[test]
fn a_lock_that_keeps_the_database_shut_holds_up_no_start() {
    let ground = Ground::new();
    let mut other = None;
    let server = ground.server(|home| {
        let db = Connection::open(home.database()).unwrap();
        db.execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
             CREATE TABLE held (a); INSERT INTO held VALUES (1)",
        )
        .unwrap();
        other = Some(db);
    });
    let harm = harm("locked by another program", |_, _| {});
    assert_nothing_is_lost(&server, &ground.facts, &harm, "locked by another program");
    drop(other);
}

#[test]
fn the_doctor_sees_and_mends_a_text_that_drifted() {
    let server = Ground::new().server(|_| {});
    found(&server, "before");
    sql(
        &server.home().database(),
        "UPDATE documents_fts_content SET c0 = 'something else' WHERE c0 LIKE '%4037%'",
    );
    let rows = server.get("/api/v1/doctor").json();
    let is_unsound = |row: &Value| row["check"] == "database" && row["state"] == "error";
    assert!(rows["rows"].as_array().unwrap().iter().any(is_unsound), "{rows}");
    let fixed = server.trigger("/api/v1/doctor/fix").json();
    assert!(!fixed["rows"].as_array().unwrap().iter().any(is_unsound), "{fixed}");
    found(&server, "after the fix");
    derived::assert_rebuildable(&server, "after the fix");
}

#[test]
fn an_index_that_is_filled_again_may_be_killed_on_the_way() {
    let rounds = count(10, 50);
    let mut chance = Chance::told("fill again");
    let ground = Ground::new();
    let mut server = ground.server(|home| {
        for number in 0..300 {
            let file = home.memory().join(format!("global/knowledge/more-{number}.md"));
            fs::write(file, format!("number {number} {}\n", "walnut ".repeat(100))).unwrap();
        }
    });
    for round in 0..rounds {
        server.kill();
        ["", "-wal", "-shm"].iter().for_each(|end| remove(&server.home().database(), end));
        server.start_again();
        std::thread::sleep(Duration::from_millis(chance.below(150) as u64));
        server.kill();
        server.start_again();
        found(&server, &format!("round {round}"));
    }
    assert_eq!(server.get(FACTS).json()["total"], MANY + 300);
    let fact = &ground.facts[0];
    let read = server.get(&format!("{FACTS}/{}", fact["id"].as_str().unwrap()));
    assert_eq!(read.json()["text"], fact["text"]);
    derived::assert_rebuildable(&server, "after all rounds");
}

#[test]
fn an_index_that_is_filled_again_beside_writes_has_them_all() {
    let server = Ground::new().server(|_| {});
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let server = &server;
            scope.spawn(move || {
                (0..25)
                    .for_each(|number| drop(remember(server, &format!("{writer} says {number}"))));
            });
        }
        for _ in 0..5 {
            assert_eq!(server.trigger("/api/v1/reindex").status, 200);
            ["", "-wal", "-shm"].iter().for_each(|end| remove(&server.home().database(), end));
            found(&server, "beside writes");
        }
    });
    assert_eq!(server.get(FACTS).json()["total"], MANY + 75);
    derived::assert_rebuildable(&server, "after the writes");
}

#[test]
fn the_database_does_not_grow_with_edits() {
    let ground = Ground::new();
    let mut server = ground.server(|_| {});
    let fact = format!("{FACTS}/{}", ground.facts[0]["id"].as_str().unwrap());
    let size = |server: &TestServer| fs::metadata(server.home().database()).unwrap().len();
    for number in 0..count(100, 1000) {
        let text = format!("edit {number}: {}", "walnut almond ".repeat(100 + number % 10));
        assert_eq!(server.patch(&fact, &json!({"text": text})).status, 200);
    }
    server.signal("TERM");
    server.ended();
    let grown = size(&server);
    ["", "-wal", "-shm"].iter().for_each(|end| remove(&server.home().database(), end));
    server.start_again();
    found(&server, "filled again");
    server.signal("TERM");
    server.ended();
    let fresh = size(&server);
    println!("{grown} bytes after edits, {fresh} when filled again");
    assert!(grown <= 2 * fresh + (1 << 20), "{grown} bytes, {fresh} when filled again");
}
