//! Names are never paths. Every payload that pretends to be one is refused on every route and tool
//! that takes a name, and nothing outside of the home is so much as looked at.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use coffer_api::routes;
use serde_json::json;

use super::{FACTS, remember};
use crate::support::mcp::Mcp;
use crate::support::trace::Strace;
use crate::support::{TestServer, project, tree};

/// What pretends to be a path, or part of one.
fn payloads() -> Vec<String> {
    let mut payloads: Vec<String> = [
        "../x",
        "..\\x",
        "/etc/passwd",
        "C:\\x",
        "\\\\host\\share",
        "%2e%2e%2f",
        "%252e%252e%252f",
        "....//",
        "a/./../..",
        "global\0",
        "global ",
        "global.",
        "global'",
        "global\"",
        "~/x",
        "~",
        "file:///etc/passwd",
        "\u{2024}\u{2024}/",
        "／etc／passwd",
        "x.md:stream",
        ".",
        "..",
        "../global",
        "./global",
        "global/",
        "global/../global",
        "global/../../run/server.json",
        "../run/server.json",
        "../coffer.db",
        "GLOBAL",
        "project-../../../../etc",
        "project-",
        "*",
        "?",
        "[a]",
        "$(id)",
        "`id`",
        "; id",
        "--help",
        "-rf",
        "\n",
        "global\r\nX-Evil: 1",
        "memory:global",
        "https://example.org/",
        "%00",
        "%c0%ae%c0%ae%c0%af",
        "con",
    ]
    .iter()
    .map(|payload| (*payload).to_owned())
    .collect();
    payloads.push("../".repeat(5_000));
    payloads.push("x".repeat(10_000));
    payloads
}

/// Every route with a parameter, with the methods to try.
const ROUTES: &[&str] = &[
    routes::STORE,
    routes::STORE_LABEL,
    routes::STORE_METRICS,
    routes::FACTS,
    routes::FACT,
    routes::RECALL,
    routes::STORE_REINDEX,
    routes::RULES,
    routes::RULES_DELETE,
    routes::SUPERSEDED,
    routes::RESTORE,
    routes::JOURNAL,
    routes::STORE_HANDOFF,
    routes::CONSOLIDATION_LOG,
    routes::RESOURCE,
    routes::RESOURCE_ENABLE,
    routes::RESOURCE_DISABLE,
    routes::JOB,
];
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Files with a text that must never be told, around and inside of the home.
struct Canaries {
    paths: Vec<PathBuf>,
}

const CANARY: &str = "canary-5d1f8a";

impl Canaries {
    fn place(server: &TestServer) -> Self {
        let home = server.home();
        let root = home.root();
        let evil = format!("{}-evil", root.display());
        let paths = vec![
            server.folder().join("x"),
            server.folder().join("x.md"),
            Path::new(&evil).join("memory/global/knowledge/x.md"),
            home.memory().join("global-evil/knowledge/x.md"),
            home.memory().join("x"),
            home.memory().join("x.md"),
            home.run().join("x.md"),
        ];
        for path in &paths {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, CANARY).unwrap();
        }
        Self { paths }
    }

    fn assert_untouched(&self) {
        for path in &self.paths {
            assert_eq!(fs::read_to_string(path).unwrap(), CANARY, "{}", path.display());
        }
    }
}

/// Every route filled with a payload, in each of its places, escaped and as it is.
fn targets(route: &str, payload: &str) -> Vec<String> {
    const GOOD: &str = "01JXYZ01JXYZ01JXYZ01JXYZ01";
    let mut targets = vec![routes::fill(route, &[payload, payload])];
    if route.matches('{').count() == 2 {
        let kind = if route.contains("{kind}") { "memory" } else { "global" };
        targets.push(routes::fill(route, &[kind, payload]));
        targets.push(routes::fill(route, &[payload, GOOD]));
    }
    let is_plain = payload.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#".contains(&byte));
    if is_plain && payload.len() < 1_000 {
        targets.push(
            route
                .split('/')
                .map(|part| if part.starts_with('{') { payload } else { part })
                .collect::<Vec<_>>()
                .join("/"),
        );
    }
    targets
}

#[test]
fn no_name_leads_outside() {
    let server = TestServer::start();
    let fact = remember(&server, &json!({"text": "a walnut"}));
    let canaries = Canaries::place(&server);
    let before = tree::files(&server.home().memory());
    let strace = Strace::attach(&server, &["-e", "trace=%file"]);
    let mut tried = 0;
    for payload in payloads() {
        for (route, method) in
            ROUTES.iter().flat_map(|route| METHODS.iter().map(move |m| (route, m)))
        {
            for target in targets(route, &payload) {
                tried += 1;
                let request = server.request(method, &target);
                let request = if *method == "GET" || *method == "DELETE" {
                    request
                } else {
                    request.json(&json!({"text": "x", "query": "x", "label": "x"}))
                };
                let reply = request.send(&server.port());
                let is_refused = (400..500).contains(&reply.status);
                // The plain name of a store may come out of a payload by the rules of URLs alone.
                let is_read = *method == "GET" && reply.status == 200 && names_the_store(&target);
                assert!(
                    is_refused || is_read,
                    "{method} {target:.80}: {} {:.200}",
                    reply.status,
                    reply.text()
                );
                assert!(!reply.text().contains(CANARY), "{method} {target:.80}");
                assert!(!reply.text().contains(&server.info.token), "{method} {target:.80}");
            }
        }
    }
    let trace = strace.detach();
    let home = server.home().root().to_owned();
    let outside: Vec<String> = trace
        .calls
        .iter()
        .filter(|call| call.paths().iter().any(|path| !lies_in(path, &home) && !is_kernels(path)))
        .map(|call| call.text())
        .collect();
    assert!(outside.is_empty(), "looked at outside of the home: {outside:#?}");
    canaries.assert_untouched();
    let now = tree::files(&server.home().memory());
    assert!(now == before, "a refused request changed the files");
    let read = server.get(&format!("{FACTS}/{}", fact["id"].as_str().unwrap()));
    assert_eq!(read.json()["text"], "a walnut");
    println!("{tried} requests, {} calls watched", trace.calls.len());
}

fn names_the_store(target: &str) -> bool {
    target.contains("/global/") || target.ends_with("/global")
}

/// What the allocator of the C library asks the kernel.
fn is_kernels(path: &Path) -> bool {
    path == Path::new("/proc/sys/vm/overcommit_memory")
}

/// Whether a path lies in a folder once its `.` and `..` are gone.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            std::path::Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain.starts_with(folder)
}

#[test]
fn no_argument_of_a_tool_leads_outside() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let canaries = Canaries::place(&server);
    let mut agent = Mcp::connect(&server, Some(&app));
    for payload in payloads() {
        if payload.len() > 1_000 {
            continue;
        }
        for (tool, arguments) in [
            ("coffer__recall", json!({"query": "x", "scope": payload})),
            ("coffer__recall", json!({"query": "x", "mode": payload})),
            ("coffer__remember", json!({"text": "x", "scope": payload})),
            ("coffer__list_memory", json!({"scope": payload})),
            ("coffer__resume", json!({"branch": payload})),
            ("coffer__set_handoff", json!({"body": "x", "branch": payload})),
        ] {
            let error = agent.failed(tool, &arguments);
            assert_eq!(error["code"], "CONFIG_INVALID", "{tool} {arguments}");
        }
        let told = agent.tool("coffer__recall", &json!({"query": payload})).to_string();
        assert!(!told.contains(CANARY), "{payload}");
        // As a title or a session it is a text like any other.
        let arguments = json!({"text": format!("about {payload}"), "title": payload});
        let written = agent.tool("coffer__remember", &arguments);
        if written["isError"] != true {
            let path = PathBuf::from(written["structuredContent"]["path"].as_str().unwrap());
            assert!(
                path.canonicalize().unwrap().starts_with(server.home().projects()),
                "{payload}"
            );
        }
    }
    canaries.assert_untouched();
}

#[test]
fn a_working_directory_is_looked_at_and_never_read_from() {
    let server = TestServer::start();
    let canaries = Canaries::place(&server);
    for payload in payloads() {
        let mut cwd = String::new();
        routes::encode(&payload, &mut cwd);
        for path in [format!("/api/v1/scope?cwd={cwd}"), format!("/api/v1/resume?cwd={cwd}")] {
            let reply = server.get(&path);
            let is_right = [200, 400, 404, 414, 422, 431].contains(&reply.status);
            assert!(is_right, "{payload:.40}: {} {:.200}", reply.status, reply.text());
            assert!(!reply.text().contains(CANARY), "{payload:.40}");
        }
        let saved = server.post("/api/v1/handoff", &json!({"cwd": payload, "body": "x"}));
        assert_eq!(saved.status, 422, "{payload:.40}: {}", saved.text());
    }
    canaries.assert_untouched();
}

/// What is done to a repository, and the file that it is to give away.
type Trap = (&'static str, fn(&Path, &Path));

/// What a repository says of itself is not to be trusted either.
#[test]
fn a_repository_cannot_point_coffer_elsewhere() {
    let server = TestServer::start();
    let secret = server.folder().join("secret");
    fs::write(&secret, format!("ref: refs/heads/{CANARY}\n")).unwrap();
    let cases: &[Trap] = &[
        ("a link as HEAD", |app, secret| {
            fs::remove_file(app.join(".git/HEAD")).unwrap();
            symlink(secret, app.join(".git/HEAD")).unwrap();
        }),
        ("a folder as HEAD", |app, _| {
            fs::remove_file(app.join(".git/HEAD")).unwrap();
            fs::create_dir(app.join(".git/HEAD")).unwrap();
        }),
        ("a pipe as HEAD", |app, _| {
            fs::remove_file(app.join(".git/HEAD")).unwrap();
            let made = std::process::Command::new("mkfifo").arg(app.join(".git/HEAD")).status();
            assert!(made.unwrap().success());
        }),
        ("a large HEAD", |app, _| fs::write(app.join(".git/HEAD"), vec![b'x'; 20 << 20]).unwrap()),
        ("an empty HEAD", |app, _| fs::write(app.join(".git/HEAD"), "").unwrap()),
        ("a .git file that leads to itself", |app, _| {
            fs::remove_dir_all(app.join(".git")).unwrap();
            fs::write(app.join(".git"), format!("gitdir: {}\n", app.display())).unwrap();
        }),
        ("a .git file that leads to a secret", |app, secret| {
            fs::remove_dir_all(app.join(".git")).unwrap();
            fs::write(app.join(".git"), format!("gitdir: {}\n", secret.display())).unwrap();
        }),
        ("a command in its settings", |app, _| {
            let ran = app.join("ran");
            let config = format!(
                "[core]\n\tfsmonitor = touch {}\n\thooksPath = {}\n",
                ran.display(),
                app.display()
            );
            fs::write(app.join(".git/config"), config).unwrap();
        }),
    ];
    for (at, (name, harm)) in cases.iter().enumerate() {
        let app = project::repository(server.folder(), &format!("app{at}"));
        harm(&app, &secret);
        let began = std::time::Instant::now();
        let saved = server.post("/api/v1/handoff", &json!({"cwd": app, "body": "x"}));
        assert!(saved.status < 500, "{name}: {}", saved.text());
        let resumed = server.get(&format!("/api/v1/resume?cwd={}", app.display()));
        assert!(resumed.status < 500, "{name}: {}", resumed.text());
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{name}");
        assert!(!app.join("ran").exists(), "{name}: it ran");
    }
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn only_files_of_coffer_are_opened() {
    let server = TestServer::start();
    let added = remember(&server, &json!({"text": "a walnut"}));
    let canaries = Canaries::place(&server);
    let note = PathBuf::from(added["path"].as_str().unwrap());
    let link = note.with_file_name("link.md");
    symlink("/etc/passwd", &link).unwrap();
    let folder_link = note.parent().unwrap().join("elsewhere");
    symlink("/etc", &folder_link).unwrap();
    let inside = |path: &Path| path.to_str().unwrap().to_owned();
    let mut paths: Vec<String> = payloads().into_iter().filter(|path| path.len() < 1_000).collect();
    paths.extend([
        inside(&link),
        inside(&folder_link.join("passwd")),
        inside(&note.join("../../../../../run/server.json")),
        inside(&server.home().server_file()),
        inside(&server.home().database()),
        inside(&server.home().run()),
        format!("{}-evil/memory/global/knowledge/x.md", server.home().root().display()),
    ]);
    for path in paths {
        for route in [routes::FILES_OPEN, routes::FILES_REVEAL] {
            let reply = server.post(route, &json!({"path": path}));
            let is_refused = [400, 403, 404, 422].contains(&reply.status);
            assert!(is_refused, "{route} {path}: {} {}", reply.status, reply.text());
        }
    }
    canaries.assert_untouched();
}
