//! Every place that belongs to a project leads to its one store, and no other place does.

use std::fs;
use std::os::unix::fs::symlink;

use coffer_api::handoff::ScopeReason::{Created, NoProject, Path};
use serde_json::json;

use super::{found, named_by, remember, scope};
use crate::support::TestServer;
use crate::support::project::{git, repository, worktree};
use crate::support::trace::Strace;

#[test]
fn subfolders_links_and_dots_lead_to_one_store() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    fs::create_dir_all(app.join("src/deep")).unwrap();
    symlink(app.join("src"), server.folder().join("link")).unwrap();
    symlink(&app, server.folder().join("whole")).unwrap();
    assert_eq!(found(&server, &app), (named_by(&app), Created));
    let store = remember(&server, &app, "walnut");
    for cwd in ["app", "app/src/deep", "link", "link/deep", "whole/src", "app/src/..", "app/.git"] {
        assert_eq!(found(&server, &server.folder().join(cwd)), (store.clone(), Path), "{cwd}");
    }
}

#[test]
fn worktrees_come_and_go_and_the_store_stays() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let store = remember(&server, &app, "walnut");
    let tree = worktree(&app, "feature");
    let here = scope(&server, &tree);
    assert_eq!((here.store_name.as_str(), here.branch.as_deref()), (&*store, Some("feature")));
    assert_eq!(here.project_root.as_deref(), app.to_str());
    git(&app, &["worktree", "move", "feature", "../elsewhere"]);
    assert_eq!(found(&server, &server.folder().join("elsewhere")), (store.clone(), Path));
    assert_eq!(found(&server, &tree).1, NoProject);
    git(&app, &["worktree", "remove", "../elsewhere"]);
    assert_eq!(found(&server, &app), (store, Path));
    // The first write may come from a worktree as well.
    let other = repository(server.folder(), "other");
    let tree = worktree(&other, "first");
    assert_eq!(remember(&server, &tree, "x"), named_by(&other));
}

#[test]
fn the_working_state_is_of_the_branch_and_the_store_of_the_project() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let tree = worktree(&app, "feature");
    for (cwd, body) in [(&app, "on main"), (&tree, "on feature")] {
        let saved = server.post("/api/v1/handoff", &json!({"cwd": cwd, "body": body})).json();
        assert_eq!(saved["scope"], named_by(&app));
    }
    for (cwd, body) in [(&app, "on main"), (&tree, "on feature")] {
        let resumed = server.get(&format!("/api/v1/resume?cwd={}", cwd.display())).json();
        assert_eq!(resumed["body"], body);
    }
}

#[test]
fn a_submodule_is_a_project_of_its_own() {
    let server = TestServer::start();
    let library = repository(server.folder(), "library");
    let app = repository(server.folder(), "app");
    let url = library.to_str().unwrap();
    git(&app, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "libs/a"]);
    let inner = app.join("libs/a");
    let stores = [&library, &app, &inner].map(|folder| remember(&server, folder, "x"));
    assert_eq!(stores, [&library, &app, &inner].map(|folder| named_by(folder)));
    assert_eq!(found(&server, &app.join("libs")).0, named_by(&app));
}

#[test]
fn a_repository_within_a_repository_is_a_project_of_its_own() {
    let server = TestServer::start();
    let outer = repository(server.folder(), "outer");
    let inner = repository(&outer, "inner");
    assert_eq!(remember(&server, &inner, "x"), named_by(&inner));
    assert_eq!(remember(&server, &outer, "y"), named_by(&outer));
}

#[test]
fn a_bare_repository_and_its_worktrees_are_one_project() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let bare = server.folder().join("app.git");
    git(server.folder(), &["clone", "-q", "--bare", "app", "app.git"]);
    git(&bare, &["worktree", "add", "-q", "../tree", "-b", "side"]);
    let store = remember(&server, &bare, "x");
    assert_eq!(store, named_by(&bare));
    assert_ne!(store, named_by(&app));
    let tree = scope(&server, &server.folder().join("tree"));
    assert_eq!((tree.store_name, tree.branch.as_deref()), (store, Some("side")));
}

#[test]
fn a_bare_folder_among_its_worktrees_is_one_project() {
    let server = TestServer::start();
    repository(server.folder(), "app");
    let top = server.folder().join("top");
    fs::create_dir(&top).unwrap();
    git(&top, &["clone", "-q", "--bare", "../app", ".bare"]);
    fs::write(top.join(".git"), "gitdir: ./.bare\n").unwrap();
    git(&top, &["worktree", "add", "-q", "tree", "-b", "side"]);
    let store = remember(&server, &top, "x");
    assert_eq!(found(&server, &top.join("tree")), (store, Path));
}

#[test]
fn a_repository_kept_elsewhere_is_where_its_files_are() {
    let server = TestServer::start();
    let app = server.folder().join("app");
    fs::create_dir(&app).unwrap();
    git(&app, &["init", "-q", "--separate-git-dir=../kept", "-b", "main"]);
    assert_eq!(remember(&server, &app, "x"), named_by(&app));
}

#[test]
fn a_detached_head_has_the_same_store_and_a_short_name() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let store = remember(&server, &app, "x");
    git(&app, &["checkout", "-q", "--detach"]);
    let here = scope(&server, &app);
    assert_eq!((here.store_name, here.reason), (store, Path));
    let branch = here.branch.unwrap();
    assert!(branch.len() == 12 && branch.bytes().all(|byte| byte.is_ascii_hexdigit()), "{branch}");
}

/// On a disk that tells cases apart these are two folders, as they are for git.
#[test]
fn paths_that_differ_in_case_are_two_projects() {
    let server = TestServer::start();
    let [lower, upper] = ["app", "App"].map(|name| repository(server.folder(), name));
    let stores = [&lower, &upper].map(|folder| remember(&server, folder, "x"));
    assert_ne!(stores[0], stores[1]);
    assert_eq!([&lower, &upper].map(|folder| found(&server, folder).1), [Path, Path]);
}

#[test]
fn names_of_any_language_and_with_blanks_are_fine() {
    let server = TestServer::start();
    let app = repository(server.folder(), "my app");
    assert_eq!(remember(&server, &app, "x"), named_by(&app));
    assert_eq!(found(&server, &app).1, Path);
}

#[test]
fn home_and_what_is_no_repository_are_no_projects() {
    let server = TestServer::start();
    // The server's home directory.
    git(server.folder(), &["init", "-q"]);
    let folder = server.folder().join("plain");
    fs::create_dir(&folder).unwrap();
    for cwd in [server.folder(), &folder, "/".as_ref(), "/tmp".as_ref(), "/no/such".as_ref()] {
        let here = scope(&server, cwd);
        assert_eq!((here.store_name.as_str(), here.reason), ("global", NoProject), "{cwd:?}");
        assert_eq!(here.project_root, None);
    }
    // A repository below it is one all the same.
    assert_eq!(found(&server, &repository(server.folder(), "app")).1, Created);
    let scene = json!({"cwd": folder, "body": "x"});
    assert_eq!(server.post("/api/v1/handoff", &scene).refusal().1, "SCOPE_UNRESOLVED");
}

#[test]
fn asking_makes_no_store() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    for _ in 0..3 {
        assert_eq!(found(&server, &app).1, Created);
    }
    assert!(!server.home().projects().exists());
}

#[test]
fn a_project_that_is_known_costs_no_process() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let other = repository(server.folder(), "other");
    remember(&server, &app, "x");
    for asked in [&app, &other] {
        found(&server, asked);
        let strace = Strace::attach(&server, &["-e", "trace=execve"]);
        for _ in 0..3 {
            found(&server, asked);
        }
        let trace = strace.detach();
        assert!(trace.calls.iter().all(|call| call.name != "execve"), "{:?}", trace.calls);
    }
}
