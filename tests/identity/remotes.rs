//! What a store notes of its project, and that no credential is among it.

use coffer_api::handoff::ScopeReason::{Created, Path};
use coffer_api::merge::{Confidence, EngineUse, JudgedBy};
use coffer_env::host_name;

use super::{clone, found, remember, scan, scope, with_remote, yaml};
use crate::support::project::{git, repository};
use crate::support::{TestServer, tree};

#[test]
fn a_store_notes_folder_remote_and_first_commit() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let yaml = yaml(&server, &remember(&server, &app, "x"));
    assert!(yaml.contains("remote: example.org/team/app\n"), "{yaml}");
    assert!(yaml.contains("root_commit: ") && yaml.contains(&host_name()), "{yaml}");
    assert!(yaml.contains(app.to_str().unwrap()), "{yaml}");
}

#[test]
fn no_credential_of_a_remote_is_kept_or_shown() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let store = remember(&server, &app, "x");
    remember(&server, &clone(&app, "other"), "y");
    let scan = scan(&server);
    assert_eq!(scan.proposals.len(), 1);
    assert!(!serde_json::to_string(&scan).unwrap().contains("hunter2"));
    assert!(!serde_json::to_string(&scope(&server, &app)).unwrap().contains("hunter2"), "{store}");
    for (path, bytes) in tree::files(server.home().root()) {
        assert!(!bytes.windows(7).any(|part| part == b"hunter2"), "{path}");
    }
}

#[test]
fn what_was_unknown_at_the_first_write_is_noted_later() {
    let server = TestServer::start();
    let app = server.folder().join("app");
    std::fs::create_dir(&app).unwrap();
    git(&app, &["init", "-q", "-b", "main"]);
    let store = remember(&server, &app, "before the first commit");
    let known = |key: &str| yaml(&server, &store).contains(&format!("\n{key}: "));
    assert!(!known("root_commit") && !known("remote"));
    git(&app, &["commit", "-q", "--allow-empty", "-m", "one"]);
    assert_eq!(found(&server, &app).1, Path);
    assert!(known("root_commit") && !known("remote"));
    git(&app, &["remote", "add", "origin", super::REMOTE]);
    assert_eq!(found(&server, &app).1, Path);
    assert!(known("remote") && !yaml(&server, &store).contains("hunter2"));
    let settled = yaml(&server, &store);
    found(&server, &app);
    assert_eq!(yaml(&server, &store), settled, "nothing new, nothing written");
}

#[test]
fn a_store_that_was_named_before_its_project_learns_where_it_is() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let store = super::named_by(&app);
    server.post(&super::facts_of(&store), &serde_json::json!({"text": "x"}));
    assert!(!yaml(&server, &store).contains("project_roots"));
    assert_eq!(found(&server, &app), (store.clone(), Path));
    assert!(yaml(&server, &store).contains(app.to_str().unwrap()));
    let shown = server.get(&format!("/api/v1/memory_stores/{store}")).json();
    assert_eq!(shown["display_name"], "app");
}

#[test]
fn what_a_person_wrote_into_the_file_stays() {
    let server = TestServer::start();
    let app = repository(server.folder(), "app");
    let store = remember(&server, &app, "x");
    let file = super::folder_of(&server, &store).join("store.yaml");
    std::fs::write(&file, "# mine\nlabel: 'Kept'   # why\ncustom: [1, 2]\n").unwrap();
    git(&app, &["commit", "-q", "--allow-empty", "-m", "two"]);
    found(&server, &app);
    let yaml = yaml(&server, &store);
    assert!(yaml.starts_with("# mine\nlabel: 'Kept'   # why\ncustom: [1, 2]\n"), "{yaml}");
    assert!(yaml.contains(app.to_str().unwrap()), "{yaml}");
}

#[test]
fn two_clones_of_one_remote_stay_two_and_are_proposed() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let other = clone(&app, "other");
    let ours = remember(&server, &app, "one");
    remember(&server, &app, "two");
    assert_eq!(found(&server, &other).1, Created);
    let theirs = remember(&server, &other, "three");
    assert_ne!(ours, theirs);
    let scan = scan(&server);
    assert_eq!((scan.engine, scan.truncated), (EngineUse::NoModel, false));
    let [proposal] = &scan.proposals[..] else { panic!("{scan:?}") };
    assert_eq!((&proposal.source, &proposal.target), (&theirs, &ours));
    assert_eq!((proposal.confidence, proposal.judged_by), (Confidence::Certain, JudgedBy::Remote));
    assert_eq!(proposal.target_evidence.fact_count, 2);
    assert_eq!(proposal.source_evidence.project_root.as_deref(), other.to_str());
    assert!(proposal.source_evidence.root_exists);
    assert_eq!(proposal.source_evidence.titles, ["three"]);
    // The folder that is there outweighs more facts.
    std::fs::remove_dir_all(&app).unwrap();
    let [proposal] = &super::scan(&server).proposals[..] else { panic!() };
    assert_eq!((&proposal.source, &proposal.target), (&ours, &theirs));
}

#[test]
fn unrelated_projects_and_forks_are_not_proposed() {
    let server = TestServer::start();
    let app = with_remote(server.folder(), "app");
    let fork = clone(&app, "fork");
    git(&fork, &["remote", "set-url", "origin", "git@example.org:me/app"]);
    for folder in [&app, &fork, &repository(server.folder(), "other")] {
        remember(&server, folder, "x");
    }
    assert_eq!(scan(&server).proposals, []);
}
