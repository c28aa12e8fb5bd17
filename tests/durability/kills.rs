//! Writers over every surface, killed without warning again and again: nothing that was acknowledged
//! is lost, nothing is torn, nothing is left over, and the index is what the files give.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::FACTS;
use crate::support::attempt::Way;
use crate::support::chance::{Chance, count};
use crate::support::{TestServer, derived, project, tree};

/// What a writer knows of one text that may be changed: `now`, and what an unanswered request may
/// have made of it.
#[derive(Debug, Clone)]
struct Known {
    now: Option<String>,
    doubt: Option<Option<String>>,
}

impl Known {
    fn sure(text: String) -> Self {
        Self { now: Some(text), doubt: None }
    }

    /// Settles a doubt by what is found; both outcomes are right, a third is not.
    #[track_caller]
    fn settle(&mut self, found: Option<&String>, what: &str) {
        let found = found.cloned();
        let is_right = found == self.now || self.doubt.as_ref() == Some(&found);
        assert!(is_right, "{what}: found {found:?} in place of {self:?}");
        (self.now, self.doubt) = (found, None);
    }
}

/// One writer and all that it was told.
struct Writer {
    number: usize,
    chance: Chance,
    folder: PathBuf,
    store: String,
    /// By store and id.
    facts: HashMap<(String, String), Known>,
    /// Texts whose writing was not answered: store and text.
    unanswered: Vec<(String, String)>,
    scene: Known,
    label: Known,
    /// Every text that was ever sent.
    sent: HashSet<String>,
    /// Texts whose replacement or deletion was acknowledged.
    retired: HashSet<String>,
    acknowledged: usize,
}

impl Writer {
    fn new(number: usize, chance: Chance, server: &TestServer) -> Self {
        let folder = project::repository(server.folder(), &format!("app{number}"));
        let scope = server.get(&format!("/api/v1/scope?cwd={}", folder.display())).json();
        Self {
            number,
            chance,
            folder,
            store: scope["store_name"].as_str().unwrap().to_owned(),
            facts: HashMap::new(),
            unanswered: Vec::new(),
            scene: Known { now: None, doubt: None },
            label: Known { now: None, doubt: None },
            sent: HashSet::new(),
            retired: HashSet::new(),
            acknowledged: 0,
        }
    }

    /// Works until told to stop, or until a request is not answered.
    fn work(&mut self, way: &Way, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let answered = match self.chance.below(12) {
                0..=4 => self.remember(way),
                5..=7 => self.edit(way),
                8..=9 => self.delete(way),
                10 => self.hand_over(way),
                _ => self.name_store(way),
            };
            if answered.is_none() {
                return;
            }
            self.acknowledged += 1;
        }
    }

    fn text(&mut self) -> String {
        let number = self.chance.next();
        let padding = "walnut 部署 ".repeat(self.chance.below(200));
        let text = format!("writer {} says {number:x}\n\n{padding}end", self.number);
        self.sent.insert(text.clone());
        text
    }

    fn remember(&mut self, way: &Way) -> Option<()> {
        let text = self.text();
        let store =
            if self.chance.below(2) == 0 { "global".to_owned() } else { self.store.clone() };
        self.unanswered.push((store.clone(), text.clone()));
        let id = if self.number.is_multiple_of(3) {
            let scope = if store == "global" { "global" } else { "project" };
            let arguments = json!({"text": text, "scope": scope});
            let result = way.tool("coffer__remember", &arguments, &self.folder)?;
            assert_ne!(result["isError"], true, "{result}");
            result["structuredContent"]["id"].as_str().unwrap().to_owned()
        } else {
            let path = format!("/api/v1/memory_stores/{store}/facts");
            let reply = way.rest("POST", &path, Some(&json!({"text": text})))?;
            assert_eq!(reply.status, 201, "{}", reply.text());
            reply.json()["id"].as_str().unwrap().to_owned()
        };
        self.unanswered.pop();
        self.facts.insert((store, id), Known::sure(text));
        Some(())
    }

    fn some_fact(&mut self) -> Option<(String, String)> {
        let mut here: Vec<_> = self.facts.iter().filter(|(_, known)| known.now.is_some()).collect();
        here.sort_by(|a, b| a.0.cmp(b.0));
        let at = self.chance.below(here.len().max(1));
        here.get(at).map(|(key, _)| (*key).clone())
    }

    fn edit(&mut self, way: &Way) -> Option<()> {
        let Some(key) = self.some_fact() else { return self.remember(way) };
        let text = self.text();
        let known = self.facts.get_mut(&key).unwrap();
        known.doubt = Some(Some(text.clone()));
        let reply = way.rest("PATCH", &path_of(&key), Some(&json!({"text": text})))?;
        assert_eq!(reply.status, 200, "{}", reply.text());
        self.retired.extend(known.now.take());
        *known = Known::sure(text);
        Some(())
    }

    fn delete(&mut self, way: &Way) -> Option<()> {
        let Some(key) = self.some_fact() else { return self.remember(way) };
        let known = self.facts.get_mut(&key).unwrap();
        known.doubt = Some(None);
        let reply = way.rest("DELETE", &path_of(&key), None)?;
        assert_eq!(reply.status, 204, "{}", reply.text());
        self.retired.extend(known.now.take());
        known.doubt = None;
        Some(())
    }

    fn hand_over(&mut self, way: &Way) -> Option<()> {
        let text = self.text();
        self.scene.doubt = Some(Some(text.clone()));
        if self.number.is_multiple_of(3) {
            let arguments = json!({"body": text});
            let result = way.tool("coffer__set_handoff", &arguments, &self.folder)?;
            assert_ne!(result["isError"], true, "{result}");
        } else {
            let body = json!({"cwd": self.folder, "body": text});
            let reply = way.rest("POST", "/api/v1/handoff", Some(&body))?;
            assert_eq!(reply.status, 200, "{}", reply.text());
        }
        self.retired.extend(self.scene.now.take());
        self.scene = Known::sure(text);
        Some(())
    }

    fn name_store(&mut self, way: &Way) -> Option<()> {
        let label = format!("label {:x}", self.chance.next());
        let path = format!("/api/v1/memory_stores/{}/label", self.store);
        self.label.doubt = Some(Some(label.clone()));
        let reply = way.rest("PATCH", &path, Some(&json!({"label": label})))?;
        if reply.status == 404 {
            // The store comes with its first fact.
            self.label.doubt = None;
            return self.remember(way);
        }
        assert_eq!(reply.status, 200, "{}", reply.text());
        self.label = Known::sure(label);
        Some(())
    }

    /// Compares what this writer was told with what the server says now.
    fn verify(&mut self, server: &TestServer, found: &Found) {
        for ((store, id), known) in &mut self.facts {
            known.settle(found.texts.get(&(store.clone(), id.clone())), id);
        }
        for (store, text) in std::mem::take(&mut self.unanswered) {
            let written =
                found.texts.iter().filter(|((at, _), here)| *at == store && **here == text);
            let keys: Vec<_> = written.map(|(key, _)| key.clone()).collect();
            assert!(keys.len() <= 1, "written twice: {text}");
            self.facts.extend(keys.into_iter().map(|key| (key, Known::sure(text.clone()))));
        }
        let resumed = server.get(&format!("/api/v1/resume?cwd={}", self.folder.display())).json();
        self.scene.settle(resumed["body"].as_str().map(str::to_owned).as_ref(), "handoff");
        let store = server.get(&format!("/api/v1/memory_stores/{}", self.store)).json();
        self.label.settle(store["label"].as_str().map(str::to_owned).as_ref(), "label");
    }
}

fn path_of((store, id): &(String, String)) -> String {
    format!("/api/v1/memory_stores/{store}/facts/{id}")
}

/// All facts that a server lists, by store and id.
struct Found {
    texts: HashMap<(String, String), String>,
}

impl Found {
    fn list(server: &TestServer) -> Self {
        let mut texts = HashMap::new();
        let stores = server.get("/api/v1/memory_stores").json();
        for store in stores["memory_stores"].as_array().unwrap() {
            let name = store["name"].as_str().unwrap();
            let mut offset = 0;
            loop {
                let path = format!("/api/v1/memory_stores/{name}/facts?limit=200&offset={offset}");
                let page = server.get(&path).json();
                let facts = page["facts"].as_array().unwrap();
                for fact in facts {
                    let word = |key: &str| fact[key].as_str().unwrap().to_owned();
                    let before = texts.insert((name.to_owned(), word("id")), word("text"));
                    assert_eq!(before, None, "listed twice");
                }
                offset += facts.len();
                if facts.is_empty() || page["total"] == offset {
                    break;
                }
            }
        }
        Self { texts }
    }
}

/// Every Markdown file holds one whole text that somebody sent, and every text that was replaced or
/// deleted is kept.
fn assert_whole(memory: &Path, writers: &[Writer]) {
    let mut kept = HashSet::new();
    for (path, bytes) in tree::files(memory) {
        if !path.ends_with(".md") {
            continue;
        }
        let body = tree::body(&bytes).unwrap_or_else(|| panic!("`{path}` is torn"));
        assert!(writers.iter().any(|writer| writer.sent.contains(body)), "`{path}`: {body}");
        if path.contains("superseded/") {
            kept.insert(body.to_owned());
        }
    }
    for text in writers.iter().flat_map(|writer| &writer.retired) {
        assert!(kept.contains(text), "retired and not kept: {text}");
    }
}

fn verify(server: &TestServer, writers: &mut [Writer], when: &str) {
    let found = Found::list(server);
    for writer in writers.iter_mut() {
        writer.verify(server, &found);
    }
    let known = writers.iter().flat_map(|writer| writer.facts.values());
    let expected = known.filter(|known| known.now.is_some()).count();
    assert_eq!(found.texts.len(), expected, "{when}: facts that nobody wrote");
    assert_whole(&server.home().memory(), writers);
    assert_eq!(tree::residue(&server.home()), [""; 0], "{when}");
}

#[test]
fn nothing_acknowledged_is_lost_by_random_kills() {
    let rounds = count(30, 200);
    let mut chance = Chance::told("kills");
    let mut server = TestServer::start();
    let mut writers: Vec<Writer> =
        (0..6).map(|number| Writer::new(number, chance.fork(), &server)).collect();
    let mut acknowledged = 0;
    for round in 0..rounds {
        let stop = AtomicBool::new(false);
        let pause = Duration::from_millis(chance.below(501) as u64);
        std::thread::scope(|scope| {
            for writer in &mut writers {
                let by_socket = writer.number % 3 == 1;
                let way = if by_socket { Way::socket(&server) } else { Way::port(&server) };
                let stop = &stop;
                scope.spawn(move || writer.work(&way, stop));
            }
            std::thread::sleep(pause);
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        server.start_again();
        let when = format!("round {round}, killed after {pause:?}");
        verify(&server, &mut writers, &when);
        if round % 5 == 4 || round + 1 == rounds {
            derived::assert_rebuildable(&server, &when);
        }
        acknowledged = writers.iter().map(|writer| writer.acknowledged).sum();
    }
    assert!(acknowledged > rounds, "hardly anything was written");
    let again: Value = server.post(FACTS, &json!({"text": "still here"})).json();
    assert_eq!(again["indexed"], true);
    println!("kills: {rounds} rounds, {acknowledged} acknowledged writes, 0 lost");
}
