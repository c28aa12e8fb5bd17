//! Every public operation that writes, as the crash sweep and the order proof run it: a home made
//! ready, one request, and how its outcome is known from the files.

mod bases;

use std::path::{Path, PathBuf};

use coffer_env::Home;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::FACTS;
use crate::support::attempt::Way;
use crate::support::tree::{self, Files};
use crate::support::{Reply, TestServer, project};
pub use bases::{ADD_DOCUMENT, DELETE_BASE, DELETE_DOCUMENT, EDIT_DOCUMENT, REPLACE_DOCUMENT};

/// A project store that no folder of this machine belongs to.
pub const STORE: &str = "project-01JXYZ01JXYZ01JXYZ01JXYZ01";
/// A project store beside that of the git project, with files of the same names.
const OTHER: &str = "project-01JXYZ01JXYZ01JXYZ01JXYZ02";
/// A text that an operation writes.
pub const NEW: &str = "the new text: walnut 部署\n\nall of it";

/// One operation.
pub struct Operation {
    /// For people.
    pub name: &'static str,
    /// The request; `None` when no whole reply came.
    act: fn(&Ground, &Way) -> Option<Reply>,
    /// The files that it changed, added or took away, if it was done wholly.
    done: fn(&Ground, &Files) -> Option<Vec<String>>,
}

/// A home made ready, to be copied for each run, and what it holds.
pub struct Ground {
    folder: TempDir,
    /// A git project whose store holds a scene.
    pub app: PathBuf,
    /// The files below `memory/`, and the settings.
    pub before: Files,
    fact: String,
    fact_path: String,
    /// The file of a document, among `before`.
    document: String,
}

/// Whether an operation took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is as it was.
    Old,
    /// Everything is as it was asked for.
    New,
}

impl Ground {
    /// Makes a home with facts, a scene, a label and settings.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-ground").tempdir().unwrap();
        let app = project::repository(folder.path(), "app");
        let mut server = TestServer::start();
        let add = |store: &str, text: &str| {
            let path = format!("/api/v1/memory_stores/{store}/facts");
            let reply = server.post(&path, &json!({"text": text}));
            assert_eq!(reply.status, 201, "{}", reply.text());
            reply.json()
        };
        let fact = add("global", "the first fact\n\nwith two paragraphs");
        add("global", "the second fact");
        add("global", "the third fact");
        let scene = json!({"cwd": app, "body": "half way"});
        assert_eq!(server.post("/api/v1/handoff", &scene).status, 200);
        assert_eq!(server.put("/api/v1/settings", &json!({"daily_token_cap": 7})).status, 200);
        let word = |key: &str| fact[key].as_str().unwrap().to_owned();
        let memory = server.home().memory();
        let fact_path = word("path");
        let fact_path = Path::new(&fact_path).strip_prefix(memory).unwrap();
        let fact_path = fact_path.to_str().unwrap().to_owned();
        let fact = word("id");
        add(OTHER, "their fact");
        let document = put_document(&server, folder.path());
        server.signal("TERM");
        server.ended();
        put_lanes(&server.home());
        tree::copy(server.home().root(), &folder.path().join("home"));
        let before = state(&Home::at(folder.path().join("home")));
        Self { folder, app, before, fact, fact_path, document }
    }

    /// A quiet server on a copy of the home.
    pub fn server(&self) -> TestServer {
        let server = TestServer::start_single(|home| {
            tree::copy(&self.folder.path().join("home"), home.root());
        });
        crate::support::derived::read_all(&server);
        server
    }

    /// A file that a knowledge base may take in.
    fn source(&self, name: &str) -> String {
        self.folder.path().join("source").join(name).to_str().unwrap().to_owned()
    }

    /// The folder below `memory/` of the project's store.
    fn app_folder(&self) -> &str {
        let yaml = |path: &&String| {
            path.starts_with("projects/")
                && path.ends_with("/store.yaml")
                && !path.starts_with(&other_folder())
        };
        self.before.keys().find(yaml).unwrap().strip_suffix("/store.yaml").unwrap()
    }
}

/// Puts a document into a knowledge base, whose source is another one by then; its file.
fn put_document(server: &TestServer, folder: &Path) -> String {
    let bases = "/api/v1/knowledge_bases";
    assert_eq!(server.post(bases, &json!({"name": "guide"})).status, 201);
    let source = folder.join("source");
    std::fs::create_dir(&source).unwrap();
    let (old, new) = (source.join("a.md"), source.join("new.md"));
    std::fs::write(&old, "# A\n\nthe old text").unwrap();
    let added = server.post(&format!("{bases}/guide/documents"), &json!({"path": old}));
    assert_eq!(added.status, 201, "{}", added.text());
    [old, new].iter().for_each(|file| std::fs::write(file, NEW).unwrap());
    format!("kb/guide/docs/{}.md", added.json()["id"].as_str().unwrap())
}

fn other_folder() -> String {
    format!("projects/{}", &OTHER["project-".len()..])
}

/// Lanes of both project stores, each of which has to be merged in a way of its own.
fn put_lanes(home: &Home) {
    let scene = "---\nbranch: main\nupdated_at: 2040-01-01T00:00:00+00:00\n---\n\ntheirs\n";
    for store in std::fs::read_dir(home.projects()).unwrap().flatten() {
        let is_other = OTHER.ends_with(store.file_name().to_str().unwrap());
        let name = if is_other { "theirs" } else { "ours" };
        let mut files = vec![
            ("journal/2026-06-09.md", format!("## 2026-06-09T10:00:00Z · a\n{name}\n")),
            ("rules/rules.md", format!("- {name}\n")),
            ("consolidation-log.md", format!("- {name}\n")),
        ];
        files.extend(is_other.then(|| ("handoff/main.md", scene.to_owned())));
        for (path, text) in files {
            let file = store.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
    }
}

/// What operations may change: the files below `memory/`, those below `knowledge/` as `kb/`, and the
/// settings.
pub fn state(home: &Home) -> Files {
    let mut files = tree::files(&home.memory());
    let bases = tree::files(&home.knowledge());
    files.extend(bases.into_iter().map(|(path, bytes)| (format!("kb/{path}"), bytes)));
    if let Ok(settings) = std::fs::read(home.config_file()) {
        files.insert("config.toml".to_owned(), settings);
    }
    files
}

impl Operation {
    /// Sends the request.
    pub fn act(&self, ground: &Ground, way: &Way) -> Option<Reply> {
        (self.act)(ground, way)
    }

    /// What became of the operation; anything between before and after is a panic.
    #[track_caller]
    pub fn outcome(&self, ground: &Ground, home: &Home) -> Outcome {
        let now = state(home);
        let done = (self.done)(ground, &now);
        let changed = done.clone().unwrap_or_default();
        for (path, bytes) in &now {
            // A version that was to be replaced is kept, whether it came to that or not.
            let is_copy =
                path.contains("superseded/") && ground.before.values().any(|b| b == bytes);
            // A store without a fact says nothing yet.
            let is_provisioned = *path == format!("projects/{}/store.yaml", &STORE[8..])
                && String::from_utf8_lossy(bytes).contains("created_at");
            if !is_copy && !is_provisioned && !changed.contains(path) {
                let text = String::from_utf8_lossy(bytes);
                assert_eq!(ground.before.get(path), Some(bytes), "{}: `{path}`: {text}", self.name);
            }
        }
        for path in ground.before.keys().filter(|path| !changed.contains(path)) {
            assert!(now.contains_key(path), "{}: `{path}` is gone", self.name);
        }
        if done.is_some() { Outcome::New } else { Outcome::Old }
    }
}

fn patch(way: &Way, path: &str, body: &Value) -> Option<Reply> {
    way.rest("PATCH", path, Some(body))
}

/// The file below a folder, or the file itself, whose body is the new text.
fn with_new_body(now: &Files, below: &str) -> Option<Vec<String>> {
    let is_new = |(path, bytes): &(&String, &Vec<u8>)| {
        path.starts_with(below) && tree::body(bytes) == Some(NEW)
    };
    let found: Vec<String> = now.iter().filter(is_new).map(|(path, _)| path.clone()).collect();
    assert!(found.len() <= 1, "written twice: {found:?}");
    (!found.is_empty()).then_some(found)
}

/// As `with_new_body`, for a file whose version before has to be kept.
fn replaced(ground: &Ground, now: &Files, path: &str) -> Option<Vec<String>> {
    let found = with_new_body(now, path)?;
    assert!(is_kept(now, &ground.before[path]), "the version before is lost");
    Some(found)
}

/// Whether a version is kept.
fn is_kept(now: &Files, bytes: &[u8]) -> bool {
    now.iter().any(|(path, kept)| path.contains("superseded/") && kept == bytes)
}

/// Files that are gone: all or none of those below a folder, each of them kept.
fn retired(ground: &Ground, now: &Files, below: &str) -> Option<Vec<String>> {
    let facts = ground.before.keys().filter(|path| path.starts_with(below)).cloned();
    let (gone, here): (Vec<String>, Vec<String>) = facts.partition(|path| !now.contains_key(path));
    assert!(gone.is_empty() || here.is_empty(), "done by half: {gone:?}");
    assert!(gone.iter().all(|path| is_kept(now, &ground.before[path])), "lost: {gone:?}");
    (!gone.is_empty()).then_some(gone)
}

/// A file that is another one than before, which then has to hold a line.
fn with_line(ground: &Ground, now: &Files, path: &str, line: &str) -> Option<Vec<String>> {
    let bytes = now.get(path).filter(|bytes| ground.before.get(path) != Some(*bytes))?;
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.lines().any(|here| here.trim() == line), "`{path}`: {text}");
    Some(vec![path.to_owned()])
}

/// All of them.
pub const ALL: &[Operation] = &[
    REMEMBER_IN_A_NEW_STORE,
    REMEMBER,
    EDIT,
    DELETE,
    CLEAR,
    HAND_OVER,
    LABEL,
    CONFIGURE,
    DISABLE,
    SETTINGS,
    DELETE_STORE,
    MERGE,
    ADD_DOCUMENT,
    REPLACE_DOCUMENT,
    EDIT_DOCUMENT,
    DELETE_DOCUMENT,
    DELETE_BASE,
];

pub const REMEMBER_IN_A_NEW_STORE: Operation = Operation {
    name: "remember in a new store",
    act: |_, way| {
        let path = format!("/api/v1/memory_stores/{STORE}/facts");
        way.rest("POST", &path, Some(&json!({"text": NEW})))
    },
    done: |_, now| {
        let store = format!("projects/{}", &STORE[8..]);
        let mut found = with_new_body(now, &format!("{store}/knowledge/inbox/"))?;
        found.push(format!("{store}/store.yaml"));
        assert!(found.iter().all(|path| now.contains_key(path)), "a store without its name");
        Some(found)
    },
};

pub const REMEMBER: Operation = Operation {
    name: "remember",
    act: |_, way| way.rest("POST", FACTS, Some(&json!({"text": NEW}))),
    done: |_, now| with_new_body(now, "global/knowledge/inbox/"),
};

pub const EDIT: Operation = Operation {
    name: "edit",
    act: |ground, way| patch(way, &format!("{FACTS}/{}", ground.fact), &json!({"text": NEW})),
    done: |ground, now| replaced(ground, now, &ground.fact_path),
};

pub const DELETE: Operation = Operation {
    name: "delete",
    act: |ground, way| way.rest("DELETE", &format!("{FACTS}/{}", ground.fact), None),
    done: |ground, now| retired(ground, now, &ground.fact_path),
};

pub const CLEAR: Operation = Operation {
    name: "clear",
    act: |_, way| way.rest("DELETE", FACTS, None),
    done: |ground, now| retired(ground, now, "global/knowledge/"),
};

pub const HAND_OVER: Operation = Operation {
    name: "hand over",
    act: |ground, way| {
        let body = json!({"cwd": ground.app, "body": NEW});
        way.rest("POST", "/api/v1/handoff", Some(&body))
    },
    done: |ground, now| replaced(ground, now, &format!("{}/handoff/main.md", ground.app_folder())),
};

pub const LABEL: Operation = Operation {
    name: "label",
    act: |_, way| patch(way, "/api/v1/memory_stores/global/label", &json!({"label": "walnut"})),
    done: |ground, now| with_line(ground, now, "global/store.yaml", "label: walnut"),
};

pub const CONFIGURE: Operation = Operation {
    name: "configure",
    act: |_, way| patch(way, "/api/v1/memory_stores/global", &json!({"max_fact_chars": 4242})),
    done: |ground, now| with_line(ground, now, "global/store.yaml", "max_fact_chars: 4242"),
};

pub const DISABLE: Operation = Operation {
    name: "disable",
    act: |_, way| way.rest("POST", "/api/v1/resources/memory/global/disable", None),
    done: |ground, now| with_line(ground, now, "global/store.yaml", "enabled: false"),
};

pub const SETTINGS: Operation = Operation {
    name: "settings",
    act: |_, way| way.rest("PUT", "/api/v1/settings", Some(&json!({"daily_token_cap": 4242}))),
    done: |ground, now| with_line(ground, now, "config.toml", "daily_token_cap = 4242"),
};

pub const DELETE_STORE: Operation = Operation {
    name: "delete a store",
    act: |ground, way| {
        let store = &ground.app_folder()["projects/".len()..];
        way.rest("DELETE", &format!("/api/v1/resources/memory/project-{store}"), None)
    },
    done: |ground, now| {
        let below = format!("{}/", ground.app_folder());
        let all = ground.before.keys().filter(|path| path.starts_with(&below));
        let gone: Vec<String> =
            all.clone().filter(|path| !now.contains_key(*path)).cloned().collect();
        assert!(gone.is_empty() || gone.len() == all.count(), "done by half: {gone:?}");
        (!gone.is_empty()).then_some(gone)
    },
};

pub const MERGE: Operation = Operation {
    name: "merge two stores",
    act: |ground, way| {
        let ours = &ground.app_folder()["projects/".len()..];
        let body = json!({"source": OTHER, "target": format!("project-{ours}")});
        way.rest("POST", "/api/v1/memory_stores/merge", Some(&body))
    },
    done: |ground, now| {
        let (ours, theirs) = (format!("{}/", ground.app_folder()), format!("{}/", other_folder()));
        let of_theirs: Vec<&String> =
            ground.before.keys().filter(|path| path.starts_with(&theirs)).collect();
        if of_theirs.iter().all(|path| now.contains_key(*path)) {
            return None;
        }
        assert!(
            !now.keys().any(|path| path.starts_with(&theirs)),
            "done by half: {:?}",
            now.keys()
        );
        let before = |path: &str| ground.before[path].clone();
        let mut expected: Files = ground.before.clone();
        expected.retain(|path, _| path.starts_with(&ours));
        let fact = of_theirs.iter().find(|path| path.contains("/knowledge/inbox/")).unwrap();
        let kept = now.keys().find(|path| path.starts_with(&format!("{ours}superseded/handoff--")));
        let from = format!("rules/rules--from-{}.md", &OTHER["project-".len()..]);
        expected.extend([
            (fact.replace(&theirs, &ours), before(fact)),
            (kept.unwrap().clone(), before(&format!("{ours}handoff/main.md"))),
            (format!("{ours}handoff/main.md"), before(&format!("{theirs}handoff/main.md"))),
            (format!("{ours}{from}"), before(&format!("{theirs}rules/rules.md"))),
            (format!("{ours}consolidation-log.md"), b"- ours\n- theirs\n".to_vec()),
            (
                format!("{ours}journal/2026-06-09.md"),
                "## 2026-06-09T10:00:00Z · a\nours\n\n## 2026-06-09T10:00:00Z · a\ntheirs\n"
                    .as_bytes()
                    .to_vec(),
            ),
        ]);
        let yaml = format!("{ours}store.yaml");
        let alias = format!("merged_identities:\n- {}\n", &OTHER["project-".len()..]);
        assert!(String::from_utf8_lossy(&now[&yaml]).contains(&alias));
        expected.insert(yaml.clone(), now[&yaml].clone());
        let present: Files =
            now.iter().filter(|(path, _)| path.starts_with(&ours)).map(owned).collect();
        assert!(present == expected, "{:?} in place of {:?}", present.keys(), expected.keys());
        Some(of_theirs.into_iter().chain(present.keys()).cloned().collect())
    },
};

fn owned((path, bytes): (&String, &Vec<u8>)) -> (String, Vec<u8>) {
    (path.clone(), bytes.clone())
}
