//! Imports that are killed: at each moment there are whole files only, old or new ones, and the
//! import that is begun again finishes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use coffer_api::transfer::ImportOut;
use coffer_env::Home;
use serde_json::{Value, json};

use super::operations::state;
use crate::support::attempt::Way;
use crate::support::chance::{Chance, is_long};
use crate::support::trace::{Point, Strace, WRITING, is_dead};
use crate::support::tree::{self, Files};
use crate::support::{TestServer, derived, project};

const IMPORT: &str = "/api/v1/import?wait=60";
const BASES: &str = "/api/v1/knowledge_bases";
const EXPORT: &str = "/api/v1/export?wait=60";
/// So many calls are met in the quick set.
const QUICK: usize = 5;

/// A source, a home that has some of it already, and what an undisturbed import makes of it.
struct Ground {
    folder: tempfile::TempDir,
    body: Value,
    before: Files,
    after: Files,
}

impl Ground {
    /// An archive of two stores and a knowledge base; the home has other versions of some files.
    fn of_an_archive() -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-import").tempdir().unwrap();
        let server = TestServer::start();
        let app = project::repository(folder.path(), "app");
        let scope = server.get(&format!("/api/v1/scope?cwd={}", app.display())).json();
        for store in ["global", scope["store_name"].as_str().unwrap()] {
            for number in 0..4 {
                let path = format!("/api/v1/memory_stores/{store}/facts");
                let text = format!("fact {number} of {store}: {}", "walnut 部署 ".repeat(40));
                assert_eq!(server.post(&path, &json!({"text": text})).status, 201);
            }
        }
        assert_eq!(server.post(BASES, &json!({"name": "guide"})).status, 201);
        for number in 0..3 {
            let path = folder.path().join(format!("{number}.md"));
            std::fs::write(&path, format!("# Document {number}\n\nwalnut")).unwrap();
            let added = server.post(&format!("{BASES}/guide/documents"), &json!({"path": path}));
            assert_eq!(added.status, 201, "{}", added.text());
        }
        let body = json!({"path": folder.path().join("all.tar.gz")});
        assert_eq!(server.post(EXPORT, &body).status, 200);
        Self::made(folder, body, |memory| {
            let other = memory.join("global/knowledge/inbox");
            std::fs::create_dir_all(&other).unwrap();
            let names = std::fs::read_dir(server.home().memory().join("global/knowledge/inbox"));
            let mut names: Vec<_> = names.unwrap().map(|it| it.unwrap().file_name()).collect();
            names.sort();
            std::fs::write(other.join(&names[0]), "another version").unwrap();
        })
    }

    /// Notes of another program.
    fn of_notes() -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-import").tempdir().unwrap();
        for number in 0..6 {
            let path = folder.path().join(format!("notes/{number}/note {number}.md"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("# Note {number}\n\n{}", "walnut ".repeat(50))).unwrap();
        }
        let body = json!({"path": folder.path().join("notes"), "format": "markdown"});
        Self::made(folder, body, |_| {})
    }

    fn made(folder: tempfile::TempDir, body: Value, prepare: impl FnOnce(&PathBuf)) -> Self {
        let home = folder.path().join("home");
        std::fs::create_dir_all(home.join("memory")).unwrap();
        prepare(&home.join("memory"));
        let before = state(&Home::at(home));
        let mut ground = Self { folder, body, before, after: Files::new() };
        let server = ground.server();
        server.post(IMPORT, &ground.body).read_as::<ImportOut>();
        ground.after = known(&state(&server.home()));
        assert!(ground.after.len() > ground.before.len() + 5, "{:?}", ground.after.keys());
        ground
    }

    fn server(&self) -> TestServer {
        let server = TestServer::start_single(|home| {
            tree::copy(&self.folder.path().join("home"), home.root());
        });
        derived::read_all(&server);
        server
    }

    /// Whole files only: those that were there as they were, and others as the import writes them.
    #[track_caller]
    fn assert_whole(&self, now: &Files, when: &str) {
        for (path, bytes) in known(now) {
            let wanted = self.before.get(&path).or_else(|| self.after.get(&path));
            assert_eq!(wanted, Some(&bytes), "{when}: `{path}`");
        }
        for path in self.before.keys() {
            assert!(now.contains_key(path), "{when}: `{path}` is gone");
        }
    }
}

/// Files but for `store.yaml`, which names the moment when a store was made, and what is being
/// written.
fn known(files: &Files) -> Files {
    let is_known = |(path, _): &(&String, &Vec<u8>)| {
        !path.ends_with("store.yaml") && !path.contains("/.coffer-tmp-") && !is_waiting(path)
    };
    let known: BTreeMap<_, _> =
        files.iter().filter(is_known).map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    known
}

/// An original whose document does not stand yet.
fn is_waiting(path: &str) -> bool {
    path.contains("/raw/.next-")
}

fn sweep(name: &str, ground: &Ground) {
    let mut chance = Chance::told(name);
    let points = points(ground);
    let all = points.len();
    assert!(all >= 20, "{name}: {points:?}");
    let chosen = if is_long() { points } else { chance.sample(points, QUICK) };
    let killed = chosen.iter().filter(|point| meet(name, ground, point)).count();
    println!("{name}: {} of {all} calls met, {killed} kills", chosen.len());
    assert!(killed * 2 > chosen.len(), "most kills missed their call: {killed}");
}

/// The calls of an undisturbed import.
fn points(ground: &Ground) -> Vec<Point> {
    let server = ground.server();
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    let reply = Way::port(&server).rest("POST", IMPORT, Some(&ground.body)).unwrap();
    let trace = strace.detach();
    assert_eq!(reply.status, 200, "{}", reply.text());
    trace.points(server.folder())
}

/// Kills the server at a call of an import; whether it was met.
fn meet(name: &str, ground: &Ground, point: &Point) -> bool {
    let when = format!("{name}, killed at {} {}", point.nth, point.call.text());
    let mut server = ground.server();
    let trace = format!("trace={WRITING}");
    let inject = format!("inject={}:signal=KILL:when={}", point.name, point.nth);
    let strace = Strace::attach(&server, &["-e", &trace, "-e", &inject]);
    let reply = Way::port(&server).rest("POST", IMPORT, Some(&ground.body));
    strace.detach();
    let is_dead = is_dead(server.info.pid);
    server.kill();
    ground.assert_whole(&state(&server.home()), &when);

    // A job that was queued goes on by itself; what is asked again finishes it in any case.
    server.start_again();
    ground.assert_whole(&state(&server.home()), &when);
    let done: ImportOut = server.post(IMPORT, &ground.body).read_as();
    assert_eq!(done.skipped.len(), 0, "{when}: {done:?}");
    let now = state(&server.home());
    assert_eq!(known(&now), ground.after, "{when}");
    assert!(!now.keys().any(|path| is_waiting(path)), "{when}: {:?}", now.keys());
    if reply.is_some_and(|reply| reply.status == 200) {
        assert_eq!(done.added + done.conflicting, 0, "{when}: acknowledged and lost: {done:?}");
    }
    let again: ImportOut = server.post(IMPORT, &ground.body).read_as();
    assert_eq!((again.added, again.conflicting), (0, 0), "{when}: {again:?}");
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
    derived::assert_rebuildable(&server, &when);
    is_dead
}

#[test]
fn an_archive_is_taken_in_whole_file_by_whole_file() {
    sweep("import of an archive", &Ground::of_an_archive());
}

#[test]
fn notes_are_taken_in_whole_file_by_whole_file() {
    sweep("import of notes", &Ground::of_notes());
}

/// A killed export leaves the archive of before, or a whole one.
#[test]
fn an_export_is_there_whole_or_not_at_all() {
    let mut chance = Chance::told("export");
    let ground = Ground::of_an_archive();
    let archive = |server: &TestServer| server.folder().join("out.tar.gz");
    let body = |server: &TestServer| json!({"path": archive(server), "replace": true});
    let server = ground.server();
    let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}")]);
    assert_eq!(server.post(EXPORT, &body(&server)).status, 200);
    let points = strace.detach().points(server.folder());
    let chosen = if is_long() { points } else { chance.sample(points, QUICK) };
    for point in &chosen {
        let when = format!("export, killed at {} {}", point.nth, point.call.text());
        let mut server = ground.server();
        std::fs::write(archive(&server), "the one before").unwrap();
        let inject = format!("inject={}:signal=KILL:when={}", point.name, point.nth);
        let strace = Strace::attach(&server, &["-e", &format!("trace={WRITING}"), "-e", &inject]);
        _ = Way::port(&server).rest("POST", EXPORT, Some(&body(&server)));
        strace.detach();
        server.kill();
        let is_whole = |server: &TestServer| {
            let dry = json!({"path": archive(server), "dry_run": true});
            server.post(IMPORT, &dry).status == 200
        };
        let before = std::fs::read(archive(&server)).unwrap() == b"the one before";
        server.start_again();
        assert!(before || is_whole(&server), "{when}: neither the one before nor a whole one");
        assert_eq!(server.post(EXPORT, &body(&server)).status, 200, "{when}");
        assert!(is_whole(&server), "{when}");
        let left: Vec<_> = std::fs::read_dir(server.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with(".coffer-tmp-"))
            .collect();
        assert_eq!(left, [""; 0], "{when}");
    }
}
