//! A project that was moved keeps its memory; whatever is not surely that is a new project.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path as Folder;

use coffer_api::handoff::ScopeReason::{Alias, Created, Path, Relinked};
use coffer_api::merge::JudgedBy;
use coffer_env::host_name;
use serde_json::json;

use super::{audited, clone, folder_of, found, named_by, remember, scan, texts, with_remote, yaml};
use crate::support::TestServer;
use crate::support::attempt::Way;
use crate::support::project::{git, repository, worktree};

/// Moves a folder, making the folders above the new place.
fn mv(from: &Folder, to: &Folder) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(from, to).unwrap();
}

#[test]
fn a_moved_project_keeps_its_memory() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "walnut");
    let scene = |cwd: &Folder, body: &str| {
        server.post("/api/v1/handoff", &json!({"cwd": cwd, "body": body})).json()
    };
    scene(&app, "half way");
    let moved = server.folder().join("code/renamed");
    mv(&app, &moved);
    for _ in 0..2 {
        assert_eq!(found(&server, &moved), (store.clone(), Relinked), "the same, however often");
    }
    let resumed = server.get(&format!("/api/v1/resume?cwd={}", moved.display())).json();
    assert_eq!(resumed["body"], "half way");
    assert_eq!(remember(&server, &moved, "almond"), store);
    assert_eq!(scene(&moved, "further")["scope"], store);
    assert_eq!(texts(&server, &store), ["almond", "walnut"]);
    let rows = audited(&server, "memory_store_relinked");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((&rows[0]["store"], &rows[0]["actor"]), (&json!(store), &json!("organizer")));
    let yaml = yaml(&server, &store);
    for root in [&app, &moved] {
        assert!(yaml.contains(root.to_str().unwrap()), "{yaml}");
    }
    let shown = server.get(&format!("/api/v1/memory_stores/{store}")).json();
    assert_eq!(shown["display_name"], "renamed");
    assert!(!folder_of(&server, &named_by(&moved)).exists());
    crate::support::derived::assert_rebuildable(&server, "after a move");
    // And back again.
    mv(&moved, &app);
    assert_eq!(found(&server, &app), (store.clone(), Path));
    let shown = server.get(&format!("/api/v1/memory_stores/{store}")).json();
    assert_eq!(shown["display_name"], "app");
}

#[test]
fn a_move_is_known_again_after_a_restart_and_moved_again() {
    let mut server = TestServer::start();
    let mut app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "walnut");
    for name in ["second", "third"] {
        let moved = app.with_file_name(name);
        mv(&app, &moved);
        assert_eq!(found(&server, &moved), (store.clone(), Relinked));
        server.kill();
        server.start_again();
        assert_eq!(found(&server, &moved), (store.clone(), Relinked));
        app = moved;
    }
    assert_eq!(audited(&server, "memory_store_relinked").len(), 2);
}

#[test]
fn a_moved_folder_of_projects_keeps_all_memories() {
    let server = TestServer::start();
    let code = server.folder().join("code");
    let apps = ["one", "two"].map(|name| repository(&code, name));
    let stores = apps.map(|app| remember(&server, &app, "x"));
    mv(&code, &server.folder().join("work/projects"));
    for (name, store) in ["one", "two"].iter().zip(stores) {
        let moved = server.folder().join("work/projects").join(name);
        assert_eq!(found(&server, &moved), (store, Relinked), "{name}");
    }
}

#[test]
fn a_moved_project_without_a_remote_is_known_by_its_first_commit() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let store = remember(&server, &app, "x");
    git(&app, &["commit", "-q", "--allow-empty", "-m", "two"]);
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    assert_eq!(found(&server, &moved), (store, Relinked));
}

#[test]
fn a_moved_project_is_found_from_its_worktree() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "x");
    let tree = worktree(&app, "tree");
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    git(&moved, &["worktree", "repair", tree.to_str().unwrap()]);
    assert_eq!(found(&server, &tree), (store.clone(), Relinked));
    assert_eq!(found(&server, &moved), (store, Relinked));
}

#[test]
fn a_link_left_at_the_old_place_does_not_hide_a_move() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "x");
    let moved = server.folder().join("big-disk/app");
    mv(&app, &moved);
    symlink(&moved, &app).unwrap();
    assert_eq!(found(&server, &app), (store.clone(), Relinked));
    assert_eq!(found(&server, &moved), (store, Relinked));
}

#[test]
fn many_who_ask_at_once_find_one_store_and_note_it_once() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "x");
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    std::thread::scope(|threads| {
        let asked: Vec<_> = (0..16).map(|_| threads.spawn(|| found(&server, &moved))).collect();
        for answer in asked {
            assert_eq!(answer.join().unwrap(), (store.clone(), Relinked));
        }
    });
    assert_eq!(audited(&server, "memory_store_relinked").len(), 1);
}

#[test]
fn a_copy_is_a_new_project_while_the_first_one_is_there() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    remember(&server, &app, "x");
    let copy = clone(&app, "copy");
    assert_eq!(found(&server, &copy), (named_by(&copy), Created));
}

#[test]
fn where_several_fit_nothing_is_guessed() {
    for has_remote in [true, false] {
        let server = TestServer::start();
        let app = with_remote(server.folder(), "app");
        let others = ["two", "three"].map(|name| clone(&app, name));
        let [two, three] = &others;
        if !has_remote {
            for folder in [&app, two, three] {
                git(folder, &["remote", "remove", "origin"]);
            }
        }
        let stores = [remember(&server, &app, "one"), remember(&server, two, "two")];
        fs::remove_dir_all(&app).unwrap();
        fs::remove_dir_all(two).unwrap();
        assert_eq!(found(&server, three), (named_by(three), Created));
        let third = remember(&server, three, "three");
        assert_eq!(texts(&server, &third), ["three"]);
        // All of them are proposed to go into the one whose folder is there.
        let scan = scan(&server);
        let judge = if has_remote { JudgedBy::Remote } else { JudgedBy::RootCommit };
        for store in stores {
            let proposed = scan.proposals.iter().find(|it| it.source == store).unwrap();
            assert_eq!((&proposed.target, proposed.judged_by), (&third, judge));
        }
        assert_eq!(audited(&server, "memory_store_relinked"), [] as [serde_json::Value; 0]);
    }
}

#[test]
fn another_remote_or_history_is_another_project() {
    let server = TestServer::start();
    for (name, change) in [("remote", true), ("history", false)] {
        let app = with_remote(server.folder(), name);
        remember(&server, &app, "x");
        let moved = server.folder().join(format!("{name}-moved"));
        if change {
            mv(&app, &moved);
            git(&moved, &["remote", "set-url", "origin", "git@example.org:me/other"]);
        } else {
            fs::remove_dir_all(&app).unwrap();
            repository(server.folder(), &format!("{name}-moved"));
            git(&moved, &["commit", "-q", "--amend", "-m", "another beginning"]);
            git(&moved, &["remote", "add", "origin", super::REMOTE]);
        }
        assert_eq!(found(&server, &moved), (named_by(&moved), Created), "{name}");
    }
}

#[test]
fn without_a_first_commit_nothing_is_known_again() {
    let server = TestServer::start();
    let app = server.folder().join("unborn");
    fs::create_dir(&app).unwrap();
    git(&app, &["init", "-q"]);
    remember(&server, &app, "x");
    let moved = server.folder().join("unborn-moved");
    mv(&app, &moved);
    assert_eq!(found(&server, &moved).1, Created);

    let full = repository(server.folder(), "full");
    git(&full, &["commit", "-q", "--allow-empty", "-m", "two"]);
    let url = format!("file://{}", full.display());
    git(server.folder(), &["clone", "-q", "--depth=1", &url, "shallow"]);
    let shallow = server.folder().join("shallow");
    remember(&server, &shallow, "x");
    let moved = server.folder().join("shallow-moved");
    mv(&shallow, &moved);
    assert_eq!(found(&server, &moved).1, Created);
}

/// A folder that cannot be looked at may be there all the same, as one on another machine.
#[test]
fn a_place_that_cannot_be_looked_at_is_not_gone() {
    let server = TestServer::start();
    let code = server.folder().join("code");
    let app = with_remote(&code, "app");
    let store = remember(&server, &app, "x");
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    fs::remove_dir(&code).unwrap();
    symlink("code", &code).unwrap();
    assert!(fs::metadata(&app).is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound));
    assert_eq!(found(&server, &moved), (named_by(&moved), Created));
    fs::remove_file(&code).unwrap();

    let file = folder_of(&server, &store).join("store.yaml");
    let here = yaml(&server, &store);
    fs::write(&file, here.replace(&host_name(), "another-machine")).unwrap();
    assert_eq!(found(&server, &moved), (named_by(&moved), Created));
    fs::write(&file, here).unwrap();
    assert_eq!(found(&server, &moved), (store, Relinked));
}

#[test]
fn a_store_that_was_turned_off_stays_off_after_a_move() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "x");
    let off = server.trigger(&format!("/api/v1/resources/memory/{store}/disable"));
    assert!(off.status < 300, "{}", off.text());
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    assert_eq!(found(&server, &moved), (store.clone(), Relinked));
    let shown = server.get(&format!("/api/v1/memory_stores/{store}")).json();
    assert_eq!(shown["enabled"], false);
}

#[test]
fn an_agent_in_a_moved_project_has_its_memory() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "walnut");
    let moved = server.folder().join("moved");
    mv(&app, &moved);
    let way = Way::port(&server);
    let kept = json!({"text": "almond", "scope": "project"});
    let result = way.tool("coffer__remember", &kept, &moved).unwrap();
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(texts(&server, &store), ["almond", "walnut"]);
    let asked = json!({"query": "walnut"});
    let result = way.tool("coffer__recall", &asked, &moved).unwrap();
    assert!(result.to_string().contains("walnut"), "{result}");
}

/// Two files that claim the same project, as a copy by hand leaves them.
#[test]
fn a_project_that_two_stores_claim_is_given_to_none() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let claim = format!("merged_identities:\n- {}\n", &named_by(&app)["project-".len()..]);
    let claimants = ["one", "two"].map(|name| named_by(&server.folder().join(name)));
    for store in &claimants {
        let folder = folder_of(&server, store);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("store.yaml"), &claim).unwrap();
    }
    assert_eq!(found(&server, &app), (named_by(&app), Created));
    fs::remove_dir_all(folder_of(&server, &claimants[1])).unwrap();
    assert_eq!(found(&server, &app), (claimants[0].clone(), Alias));
}
