//! Names of branches and titles: kept exactly, stored under safe names, never two under one.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::json;

use super::{FACTS, remember};
use crate::support::{TestServer, project, tree};

/// Branches; whether git itself would take such a name.
fn branches() -> Vec<(String, bool)> {
    let taken = [
        "feat/x",
        "feat-x",
        "CON",
        "aux.md",
        "Fix",
        "fix",
        "FIX",
        "é",
        "e\u{301}",
        "refs/heads/x",
        "😀",
        "部署",
        "a'b\"c",
        "$(id)",
        "`id`",
        "x;y",
        "#1",
        "a&b",
        "@x",
        "100%",
        "x=y",
        "a,b",
        "-rf",
    ];
    let refused = [
        "a/../../b",
        "..",
        "../../../etc/passwd",
        ".git",
        "a\\b",
        "a:b",
        "dot.",
        "C:\\x",
        "nul\u{7f}",
        "/etc/passwd",
        "a//b",
        "~",
        "a^b",
        "*",
        "a?b",
        "[x]",
    ];
    let mut names: Vec<(String, bool)> =
        taken.iter().map(|name| ((*name).to_owned(), true)).collect();
    names.push(("x".repeat(250), true));
    names.push(("部".repeat(80), true));
    names.extend(refused.iter().map(|name| ((*name).to_owned(), false)));
    names
}

fn check_out(app: &Path, branch: &str) {
    std::fs::write(app.join(".git/HEAD"), format!("ref: refs/heads/{branch}\n")).unwrap();
}

#[test]
fn each_branch_has_its_own_scene_under_a_safe_name() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let canary = server.folder().join("b.md");
    std::fs::write(&canary, "canary").unwrap();
    let resume = || server.get(&format!("/api/v1/resume?cwd={}", app.display())).json();
    let mut saved = HashMap::new();
    for (branch, is_taken) in branches() {
        check_out(&app, &branch);
        let body = format!("the scene of {branch}");
        let reply = server.post("/api/v1/handoff", &json!({"cwd": app, "body": body}));
        assert!(reply.status < 500, "{branch}: {}", reply.text());
        if is_taken {
            assert_eq!((reply.status, &reply.json()["branch"]), (200, &json!(branch)), "{branch}");
        }
        if reply.status == 200 {
            let named = reply.json()["branch"].as_str().unwrap().to_owned();
            assert_eq!(resume()["body"], body, "{branch}");
            saved.insert(named, (branch, body));
        }
    }
    for (named, (branch, body)) in &saved {
        check_out(&app, branch);
        let resumed = resume();
        assert_eq!((&resumed["body"], &resumed["branch"]), (&json!(body), &json!(named)));
    }
    assert!(saved.len() >= branches().iter().filter(|(_, is_taken)| *is_taken).count());

    let memory = tree::files(&server.home().memory());
    let scenes: Vec<&String> = memory.keys().filter(|path| !path.ends_with("store.yaml")).collect();
    assert_eq!(scenes.len(), saved.len(), "two branches share a file: {scenes:?}");
    let mut folded = HashSet::new();
    for path in scenes {
        let (folder, name) = path.rsplit_once('/').unwrap();
        assert!(folder.ends_with("/handoff"), "{path}");
        assert!(name.len() <= 80 + 1 + 8 + 3, "{path}");
        let is_safe = |c: char| c.is_alphanumeric() || "-.".contains(c);
        assert!(name.chars().all(is_safe), "{path}");
        assert!(folded.insert(name.to_lowercase()), "{path}: differs by case only");
    }
    assert_eq!(std::fs::read_to_string(canary).unwrap(), "canary");
}

#[test]
fn a_detached_head_has_a_scene_of_its_own() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let save = |body: &str| {
        let reply = server.post("/api/v1/handoff", &json!({"cwd": app, "body": body}));
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["branch"].as_str().unwrap().to_owned()
    };
    save("on main");
    project::git(&app, &["checkout", "-q", "--detach"]);
    let branch = save("detached");
    assert!(branch.len() == 12 && branch.bytes().all(|byte| byte.is_ascii_hexdigit()), "{branch}");
    let resume = || server.get(&format!("/api/v1/resume?cwd={}", app.display())).json();
    assert_eq!(resume()["body"], "detached");
    project::git(&app, &["checkout", "-q", "main"]);
    assert_eq!(resume()["body"], "on main");
}

#[test]
fn titles_are_kept_and_their_files_have_short_safe_names() {
    let server = TestServer::start();
    let titles = [
        "x".repeat(500),
        "字".repeat(500),
        "😀".repeat(255),
        "....".to_owned(),
        "CON".to_owned(),
        "com1".to_owned(),
        "-rf".to_owned(),
        "a/b\\c".to_owned(),
        "../../../etc/passwd".to_owned(),
        "C:\\Windows\\x".to_owned(),
        "~/x".to_owned(),
        "file.md:stream".to_owned(),
        "%2e%2e%2f".to_owned(),
        "\u{2024}\u{2024}/x".to_owned(),
        "／etc／passwd".to_owned(),
        "- not a list".to_owned(),
        "key: value # no comment".to_owned(),
        "'quoted' \"twice\"".to_owned(),
        "null".to_owned(),
        "--- x".to_owned(),
        "İstanbul ısı ﬁ".to_owned(),
    ];
    for title in &titles {
        let added = remember(&server, &json!({"text": format!("about {title}"), "title": title}));
        assert_eq!(added["title"], json!(title));
        let path = Path::new(added["path"].as_str().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.len() <= 120 && path.exists(), "{name}");
        assert!(path.starts_with(server.home().memory().join("global/knowledge/inbox")), "{name}");
        assert_eq!(path.canonicalize().unwrap(), path, "{name}");
        let again = server.get(&format!("{FACTS}/{}", added["id"].as_str().unwrap())).json();
        assert_eq!(again["title"], json!(title));
    }
    for title in ["", "   ", "\t", "a\nb", "a\0b", "a\u{1b}[31mb", &"x".repeat(501)] {
        let refused = server.post(FACTS, &json!({"text": "x", "title": title}));
        assert_eq!(
            (refused.status, refused.fields()),
            (422, vec!["title".to_owned()]),
            "{title:?}"
        );
    }
    assert_eq!(server.get(FACTS).json()["total"], titles.len());
}
