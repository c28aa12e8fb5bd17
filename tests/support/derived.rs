//! The derived index, read from its database: two indexes of the same files give the same lines.

use std::path::Path;

use coffer_env::Home;
use rusqlite::{Connection, OpenFlags};

use super::TestServer;
use super::tree;

/// Every derived row without what only the moment of indexing decides (row numbers, inodes, times
/// of change and of looking), in canonical order.
const TABLES: &[&str] = &[
    "SELECT 'document', json_array(id, kind, resource_name, project_id, path, title, description,
         content_sha256, claimed_id, embed_pending, source_mode, metadata, created_at, updated_at,
         file_sha256, size, mtime_ns, stale)
     FROM documents ORDER BY kind, resource_name, path",
    "SELECT 'chunk', json_array(c.id, d.id, c.document_id, c.kind, c.resource_name, c.position,
         c.heading_path, c.line_start, c.line_end, f.text, f.chunk_id, f.resource_name)
     FROM chunks c LEFT JOIN documents_fts f ON f.rowid = c.n
         LEFT JOIN documents d ON d.n = c.document_n ORDER BY c.id",
    "SELECT 'text without a chunk', json_array(f.chunk_id) FROM documents_fts f
     WHERE f.rowid NOT IN (SELECT n FROM chunks) ORDER BY 2",
    "SELECT 'term', json_array(v.term, v.col, v.offset, c.id) FROM temp.term_rows v
     LEFT JOIN chunks c ON c.n = v.doc ORDER BY 2",
    "SELECT 'signature', json_array(s.band, d.id) FROM signatures s
     LEFT JOIN documents d ON d.n = s.document_n ORDER BY 2",
    "SELECT 'problem', json_array(kind, resource_name, path, reason) FROM problems ORDER BY 2",
    "SELECT 'folder', json_array(kind, resource_name, path, documents, chunks, bytes) FROM folders
     ORDER BY 2",
    "SELECT 'resource', json_array(kind, name, description, config, enabled, created_at, updated_at)
     FROM resources ORDER BY 2",
    "SELECT 'root', json_array(store_name, project_root) FROM memory_store_project_roots ORDER BY 2",
    "SELECT 'label', json_array(store_name, label) FROM memory_store_labels ORDER BY 2",
];

/// The lines of the index of a running server, after each store was compared once by a read.
pub fn live(server: &TestServer) -> Vec<String> {
    read_all(server);
    dump(&server.home())
}

/// The lines of an index that another server makes of a copy of the same files alone.
pub fn rebuilt(server: &TestServer) -> Vec<String> {
    let folders = [server.home().memory(), server.home().knowledge()];
    let other = TestServer::start_with(|home| {
        std::fs::create_dir_all(home.root()).unwrap();
        for folder in folders.iter().filter(|folder| folder.exists()) {
            tree::copy(folder, home.root());
        }
    });
    let reply = other.trigger("/api/v1/reindex?wait=120");
    assert_eq!(reply.status, 200, "{}", reply.text());
    live(&other)
}

/// Holds that the live index is what the files alone give.
#[track_caller]
pub fn assert_rebuildable(server: &TestServer, when: &str) {
    let (live, rebuilt) = (live(server), rebuilt(server));
    if live == rebuilt {
        return;
    }
    let more = difference(&live, &rebuilt);
    let less = difference(&rebuilt, &live);
    panic!("{when}: only in the live index: {more:#?}\nonly in the rebuilt one: {less:#?}");
}

/// Asks for the facts of every store, and the documents of every knowledge base, which compares its files with the index.
pub fn read_all(server: &TestServer) {
    let stores = server.get("/api/v1/memory_stores");
    assert_eq!(stores.status, 200, "{}", stores.text());
    for store in stores.json()["memory_stores"].as_array().unwrap() {
        let name = store["name"].as_str().unwrap();
        let facts = server.get(&format!("/api/v1/memory_stores/{name}/facts?limit=1"));
        assert_eq!(facts.status, 200, "{name}: {}", facts.text());
    }
    let bases = server.get("/api/v1/knowledge_bases").json();
    for base in bases["knowledge_bases"].as_array().unwrap() {
        let name = base["name"].as_str().unwrap();
        let documents = server.get(&format!("/api/v1/knowledge_bases/{name}/documents?limit=1"));
        assert_eq!(documents.status, 200, "{name}: {}", documents.text());
    }
}

/// How many rows a table has.
pub fn rows(home: &Home, table: &str) -> u64 {
    let db = open(&home.database());
    db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
        .unwrap()
        .cast_unsigned()
}

fn dump(home: &Home) -> Vec<String> {
    let db = open(&home.database());
    db.execute_batch(
        "CREATE VIRTUAL TABLE temp.term_rows USING fts5vocab('main', 'terms_fts', 'instance')",
    )
    .unwrap();
    // Reasons name files by their whole path.
    let root = home.root().display().to_string();
    let mut lines = Vec::new();
    for query in TABLES {
        let mut rows = db.prepare(query).unwrap();
        let read = rows.query_map([], |row| {
            Ok(format!("{} {}", row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        });
        lines.extend(read.unwrap().map(|line| line.unwrap().replace(&root, "<home>")));
    }
    lines
}

/// A reading connection, as another program would have one.
fn open(path: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    db
}

fn difference<'a>(some: &'a [String], others: &[String]) -> Vec<&'a String> {
    let others: std::collections::HashSet<&String> = others.iter().collect();
    some.iter().filter(|line| !others.contains(line)).take(5).collect()
}
