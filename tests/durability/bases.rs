//! Knowledge bases under whoever works on them at once, under kills, and on a full disk: each document
//! stands with its original, none that was acknowledged is lost, and nothing else stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::attempt::Way;
use crate::support::chance::{Chance, count};
use crate::support::mount::SmallDisk;
use crate::support::{Reply, TestServer, derived, tree};

const BASES: &str = "/api/v1/knowledge_bases";
const GUIDE: &str = "/api/v1/knowledge_bases/guide";
const DOCUMENTS: &str = "/api/v1/knowledge_bases/guide/documents";

fn make_base(server: &TestServer, name: &str) {
    let made = server.post(BASES, &json!({"name": name}));
    assert_eq!(made.status, 201, "{}", made.text());
}

/// A file of this machine; longer than one passage.
fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, format!("# {name}\n\n{text}\n\n{}", "walnut 部署 ".repeat(150))).unwrap();
    path
}

/// Every document has its original and every original its document, nothing is torn, and nothing waits.
#[track_caller]
fn assert_paired(server: &TestServer, when: &str) {
    let files = tree::files(&server.home().knowledge());
    let stems = |folder: &str| -> BTreeSet<String> {
        let below = files.keys().filter(|path| path.contains(folder));
        below.map(|path| path.replace(folder, "/").rsplit_once('.').unwrap().0.to_owned()).collect()
    };
    assert_eq!(stems("/docs/"), stems("/raw/"), "{when}");
    for (path, bytes) in
        files.iter().filter(|(path, _)| path.ends_with(".md") && path.contains("/docs/"))
    {
        assert!(tree::body(bytes).is_some(), "{when}: `{path}` is torn");
    }
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
}

/// One who works on documents of their own.
struct Writer {
    number: usize,
    chance: Chance,
    folder: PathBuf,
    /// What each own file's document says, by its filename; `None`: it was deleted.
    known: BTreeMap<String, Option<String>>,
    /// What an unanswered request may have made of one.
    doubt: Option<(String, Option<String>)>,
    acknowledged: usize,
}

impl Writer {
    fn new(number: usize, chance: Chance, server: &TestServer) -> Self {
        let folder = server.folder().join(format!("files{number}"));
        let (known, doubt) = (BTreeMap::new(), None);
        Self { number, chance, folder, known, doubt, acknowledged: 0 }
    }

    /// Works until told to stop, or until a request is not answered.
    fn work(&mut self, way: &Way, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let name = format!("w{}-{}.md", self.number, self.chance.below(4));
            let done = match self.chance.below(10) {
                0..=4 => self.add(way, &name),
                5..=6 => self.edit(way, &name),
                7 => self.delete(way, &name),
                8 => self.ask(way),
                _ => self.settle_sizes(way),
            };
            if done.is_none() {
                return;
            }
            self.doubt = None;
            self.acknowledged += 1;
        }
    }

    fn text(&mut self) -> String {
        format!("writer {} says {:x}", self.number, self.chance.next())
    }

    fn add(&mut self, way: &Way, name: &str) -> Option<()> {
        let text = self.text();
        let path = write(&self.folder, name, &text);
        self.doubt = Some((name.to_owned(), Some(text.clone())));
        let reply = way.rest("POST", DOCUMENTS, Some(&json!({"path": path, "replace": true})))?;
        assert!(matches!(reply.status, 200 | 201), "{}", reply.text());
        self.known.insert(name.to_owned(), Some(text));
        Some(())
    }

    fn id(&self, way: &Way, name: &str) -> Option<Option<String>> {
        if !matches!(self.known.get(name), Some(Some(_))) {
            return Some(None);
        }
        let listed = way.rest("GET", &format!("{DOCUMENTS}?limit=200"), None)?;
        let id = id_of(&listed.json(), name);
        Some(Some(id.unwrap_or_else(|| panic!("`{name}` is lost: {}", listed.text()))))
    }

    fn edit(&mut self, way: &Way, name: &str) -> Option<()> {
        let Some(id) = self.id(way, name)? else { return self.add(way, name) };
        let text = self.text();
        self.doubt = Some((name.to_owned(), Some(text.clone())));
        let reply =
            way.rest("PUT", &format!("{DOCUMENTS}/{id}"), Some(&json!({"markdown": text})))?;
        assert_eq!(reply.status, 200, "{}", reply.text());
        self.known.insert(name.to_owned(), Some(text));
        Some(())
    }

    fn delete(&mut self, way: &Way, name: &str) -> Option<()> {
        let Some(id) = self.id(way, name)? else { return self.add(way, name) };
        self.doubt = Some((name.to_owned(), None));
        let reply = way.rest("DELETE", &format!("{DOCUMENTS}/{id}"), None)?;
        assert_eq!(reply.status, 204, "{}", reply.text());
        self.known.insert(name.to_owned(), None);
        Some(())
    }

    fn ask(&self, way: &Way) -> Option<()> {
        let found =
            way.rest("POST", &format!("{GUIDE}/search"), Some(&json!({"query": "walnut"})))?;
        assert_eq!(found.status, 200, "{}", found.text());
        let looked = way.rest("POST", &format!("{GUIDE}/check-sources"), None)?;
        assert_eq!(looked.status, 200, "{}", looked.text());
        Some(())
    }

    fn settle_sizes(&mut self, way: &Way) -> Option<()> {
        let config = json!({"config": {"chunk_size": 64 + 16 * self.chance.below(20)}});
        let changed = way.rest("PATCH", GUIDE, Some(&config))?;
        assert_eq!(changed.status, 200, "{}", changed.text());
        Some(())
    }

    /// Compares what this writer was told with what stands now.
    #[track_caller]
    fn verify(&mut self, found: &BTreeMap<String, String>, when: &str) {
        for number in 0..4 {
            let name = format!("w{}-{number}.md", self.number);
            let says = |text: &Option<String>| match (text, found.get(&name)) {
                (Some(text), Some(markdown)) => markdown.contains(text.as_str()),
                (text, found) => text.is_none() && found.is_none(),
            };
            let known = self.known.get(&name).cloned().flatten();
            let doubt = self.doubt.as_ref().filter(|(of, _)| *of == name).map(|(_, text)| text);
            match doubt {
                _ if says(&known) => {}
                Some(text) if says(text) => drop(self.known.insert(name, text.clone())),
                _ => panic!(
                    "{when}: `{name}`: {:?} in place of {known:?}, {doubt:?}",
                    found.get(&name)
                ),
            }
        }
        self.doubt = None;
    }
}

fn id_of(listed: &Value, name: &str) -> Option<String> {
    let documents = listed["documents"].as_array().unwrap();
    let own = documents.iter().find(|it| it["metadata"]["original_filename"] == name)?;
    Some(own["id"].as_str().unwrap().to_owned())
}

/// The Markdown of each document, by its filename.
fn texts(server: &TestServer) -> BTreeMap<String, String> {
    let listed = server.get(&format!("{DOCUMENTS}?limit=200")).json();
    let mut texts = BTreeMap::new();
    for document in listed["documents"].as_array().unwrap() {
        let name = document["metadata"]["original_filename"].as_str().unwrap().to_owned();
        let id = document["id"].as_str().unwrap();
        let read = server.get(&format!("{DOCUMENTS}/{id}")).json();
        let before = texts.insert(name, read["markdown"].as_str().unwrap().to_owned());
        assert_eq!(before, None, "taken in twice: {listed}");
    }
    texts
}

fn verify(server: &TestServer, writers: &mut [Writer], when: &str) {
    let found = texts(server);
    for writer in writers.iter_mut() {
        writer.verify(&found, when);
    }
    assert_paired(server, when);
}

fn writers(server: &TestServer, chance: &mut Chance) -> Vec<Writer> {
    (0..5).map(|number| Writer::new(number, chance.fork(), server)).collect()
}

#[test]
fn many_at_once_lose_no_document() {
    let mut chance = Chance::told("writers of documents");
    let server = TestServer::start();
    make_base(&server, "guide");
    let mut writers = writers(&server, &mut chance);
    for round in 0..count(3, 30) {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for writer in &mut writers {
                let stop = &stop;
                // Files of this machine are named over the socket only.
                let way = Way::socket(&server);
                scope.spawn(move || writer.work(&way, stop));
            }
            std::thread::sleep(Duration::from_secs(2));
            stop.store(true, Ordering::Relaxed);
        });
        let when = format!("round {round}");
        verify(&server, &mut writers, &when);
        derived::assert_rebuildable(&server, &when);
    }
    let acknowledged: usize = writers.iter().map(|writer| writer.acknowledged).sum();
    assert!(acknowledged > 50, "hardly anything was done: {acknowledged}");
    println!("{acknowledged} acknowledged, 0 lost");
}

#[test]
fn no_document_that_was_acknowledged_is_lost_by_random_kills() {
    let rounds = count(8, 100);
    let mut chance = Chance::told("kills of documents");
    let mut server = TestServer::start();
    make_base(&server, "guide");
    let mut writers = writers(&server, &mut chance);
    for round in 0..rounds {
        let stop = AtomicBool::new(false);
        let pause = Duration::from_millis(50 + chance.below(501) as u64);
        std::thread::scope(|scope| {
            for writer in &mut writers {
                let (way, stop) = (Way::socket(&server), &stop);
                scope.spawn(move || writer.work(&way, stop));
            }
            std::thread::sleep(pause);
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        server.start_again();
        let when = format!("round {round}, killed after {pause:?}");
        verify(&server, &mut writers, &when);
        if round % 4 == 3 || round + 1 == rounds {
            derived::assert_rebuildable(&server, &when);
        }
    }
    let acknowledged: usize = writers.iter().map(|writer| writer.acknowledged).sum();
    println!("kills of documents: {rounds} rounds, {acknowledged} acknowledged, 0 lost");
    assert!(acknowledged > rounds, "hardly anything was done");
}

#[track_caller]
fn no_space(reply: &Reply, what: &str) {
    assert_eq!(reply.refusal(), (507, "NO_SPACE".to_owned()), "{what}: {}", reply.text());
}

#[test]
fn a_full_disk_takes_no_document_and_loses_none() {
    let mut disk = None;
    let server = TestServer::start_with(|home| disk = SmallDisk::mount(home.root(), 4096));
    let Some(disk) = disk else { return };
    make_base(&server, "guide");
    let folder = server.folder().join("files");
    let (a, b) = (write(&folder, "a.md", "one"), write(&folder, "b.md", "two"));
    let way = Way::socket(&server);
    let add = |path: &Path, replace: bool| {
        way.rest("POST", DOCUMENTS, Some(&json!({"path": path, "replace": replace}))).unwrap()
    };
    let added = add(&a, false);
    assert_eq!(added.status, 201, "{}", added.text());
    let id = added.json()["id"].as_str().unwrap().to_owned();
    let document = format!("{DOCUMENTS}/{id}");
    derived::read_all(&server);
    let before = tree::files(&server.home().knowledge());
    let filler = disk.place().join("filler");
    let mut full = std::fs::File::create(&filler).unwrap();
    for size in [4096, 1] {
        while std::io::Write::write_all(&mut full, &vec![0; size]).is_ok() {}
    }

    no_space(&add(&b, false), "add");
    write(&folder, "a.md", "changed");
    no_space(&add(&a, true), "replace");
    no_space(&server.trigger(&format!("{document}/update-source")), "update");
    let text = json!({"markdown": "walnut ".repeat(900)});
    no_space(&server.put(&document, &text), "edit");
    no_space(&server.patch(GUIDE, &json!({"description": "x".repeat(200)})), "configure");
    no_space(&server.post(BASES, &json!({"name": "other"})), "make");
    assert_eq!(server.get(&document).status, 200);
    let found = server.post(&format!("{GUIDE}/search"), &json!({"query": "walnut"}));
    assert_eq!(found.json()["passages"][0]["document_id"], id, "{}", found.text());
    assert!(tree::files(&server.home().knowledge()) == before, "a refusal changed the files");
    let checked = server.trigger(&format!("{GUIDE}/check-sources")).json();
    assert_eq!(checked["documents"][0]["status"], "changed", "{checked}");

    drop(full);
    std::fs::remove_file(filler).unwrap();
    assert_eq!(add(&b, false).status, 201);
    assert_eq!(server.trigger(&format!("{document}/update-source")).status, 200);
    assert!(texts(&server)["a.md"].contains("changed"));
    assert_paired(&server, "after there was room");
    derived::assert_rebuildable(&server, "after there was room");
}
