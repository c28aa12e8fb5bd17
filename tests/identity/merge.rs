//! Merging two stores: everything of the one ends in the other, once, whatever happens on the way.

use std::fs;
use std::path::{Path, PathBuf};

use coffer_api::handoff::ScopeReason::{Alias, Path as ByPath};
use coffer_api::merge::{AfterMerge, MergeOut};
use serde_json::json;

use super::{
    audited, clone, facts_of, folder_of, found, merge, named_by, remember, scan, texts,
    with_remote, yaml,
};
use crate::support::tree::Files;
use crate::support::{TestServer, derived, tree};

/// Two clones of one remote, each with a store.
struct Two {
    server: TestServer,
    app: PathBuf,
    other: PathBuf,
    ours: String,
    theirs: String,
}

impl Two {
    fn new() -> Self {
        let server = TestServer::start();
        let app = with_remote(server.folder(), "app");
        let other = clone(&app, "other");
        let ours = remember(&server, &app, "ours");
        let theirs = remember(&server, &other, "theirs");
        Self { server, app, other, ours, theirs }
    }

    fn merge(&self) -> MergeOut {
        merge(&self.server, &self.theirs, &self.ours).read_as()
    }

    /// Writes a file into both stores, as a person might.
    fn put(&self, path: &str, [ours, theirs]: [Option<&str>; 2]) {
        for (store, text) in [(&self.ours, ours), (&self.theirs, theirs)] {
            let file = folder_of(&self.server, store).join(path);
            if let Some(text) = text {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
        }
    }

    /// The files of the store that stays.
    fn files(&self) -> Files {
        tree::files(&folder_of(&self.server, &self.ours))
    }

    fn text(&self, path: &str) -> String {
        let read = fs::read_to_string(folder_of(&self.server, &self.ours).join(path));
        read.unwrap_or_else(|error| panic!("{path}: {error}; {:?}", self.files().keys()))
    }

    fn id(&self) -> &str {
        self.theirs.strip_prefix("project-").unwrap()
    }
}

#[test]
fn a_merge_brings_every_file_and_the_store_is_found_by_both_projects() {
    let two = Two::new();
    let server = &two.server;
    let label = format!("/api/v1/memory_stores/{}/label", two.theirs);
    server.patch(&label, &json!({"label": "Their name"}));
    let merged = two.merge();
    assert_eq!(merged.target, two.ours);
    assert_eq!((merged.merged_files, merged.label_moved, merged.root_moved), (1, true, false));
    assert_eq!(merged.aliases, [two.id()]);
    assert_eq!(merged.reorg_status, AfterMerge::NoModel);
    assert_eq!(texts(server, &two.ours), ["ours", "theirs"]);
    assert!(!folder_of(server, &two.theirs).exists());
    assert_eq!(found(server, &two.app), (two.ours.clone(), ByPath));
    assert_eq!(found(server, &two.other), (two.ours.clone(), Alias));
    let shown = server.get(&format!("/api/v1/memory_stores/{}", two.ours)).json();
    assert_eq!((&shown["label"], &shown["fact_count"]), (&json!("Their name"), &json!(2)));
    assert_eq!(shown["config"]["merged_identities"], json!([two.id()]));
    assert_eq!(shown["project_root"], two.app.to_str().unwrap());
    assert!(yaml(server, &two.ours).contains(two.other.to_str().unwrap()), "its folder moved");
    assert_eq!(scan(server).proposals, []);
    let rows = audited(server, "memory_stores_merged");
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["store"], &rows[0]["ids"]), (&json!(two.ours), &json!([two.id()])));
    assert_eq!(rows[0]["counts"]["files"], 1);
    derived::assert_rebuildable(server, "after a merge");
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    // Once more there is nothing to merge.
    let again = merge(server, &two.theirs, &two.ours);
    assert_eq!(again.refusal(), (404, "MEMORY_STORE_NOT_FOUND".to_owned()));
}

#[test]
fn what_is_written_for_a_merged_store_goes_where_it_went() {
    let two = Two::new();
    two.merge();
    let server = &two.server;
    assert_eq!(remember(server, &two.other, "by folder"), two.ours);
    let by_name = server.post(&facts_of(&two.theirs), &json!({"text": "by name"}));
    assert_eq!(by_name.json()["store_name"], two.ours);
    let rules = format!("/api/v1/memory_stores/{}/rules", two.theirs);
    assert!(server.post(&rules, &json!({"text": "be kind"})).status < 300);
    let saved = server.post("/api/v1/handoff", &json!({"cwd": two.other, "body": "x"})).json();
    assert_eq!(saved["scope"], two.ours);
    assert!(!folder_of(server, &two.theirs).exists());
    assert!(two.text("rules/rules.md").contains("be kind"));
    assert_eq!(texts(server, &two.ours), ["by folder", "by name", "ours", "theirs"]);
}

#[test]
fn merges_follow_each_other() {
    let two = Two::new();
    let server = &two.server;
    let third = remember(server, &clone(&two.app, "third"), "third");
    two.merge();
    let merged: MergeOut = merge(server, &two.ours, &third).read_as();
    assert!(merged.aliases.contains(&two.ours["project-".len()..].to_owned()));
    assert!(merged.aliases.iter().any(|id| id == two.id()));
    for folder in [&two.app, &two.other] {
        assert_eq!(found(server, folder), (third.clone(), Alias));
    }
    assert_eq!(texts(server, &third), ["ours", "theirs", "third"]);
}

#[test]
fn each_lane_is_merged_by_its_rules() {
    let two = Two::new();
    let one = "## 2026-06-09T10:00:00+00:00 · one\n<!-- agent: a -->\nfirst\n";
    let second = "## 2026-06-09T11:00:00+00:00 · two\n<!-- agent: b -->\nsecond\n";
    let same = "---\nid: 01JXYZ01JXYZ01JXYZ01JXYZ01\n---\n\nthe same\n";
    two.put("knowledge/same.md", [Some(same), Some(same)]);
    two.put("knowledge/topic.md", [Some("# Our topic\n"), Some("# Their topic\n")]);
    two.put("knowledge/deep/er/own.md", [None, Some("# Deep\n")]);
    two.put("knowledge/INDEX.md", [Some("our index\n"), Some("their index\n")]);
    two.put("journal/2026-06-09.md", [Some(one), Some(&format!("{one}\n{second}"))]);
    two.put("journal/2026-06-10.md", [None, Some(second)]);
    two.put("journal/2026-06-11.md", [Some("by hand\n"), Some("by another hand\n")]);
    two.put("rules/rules.md", [Some("- be kind\n"), Some("- be brief\n")]);
    let scene =
        |time: &str, text: &str| format!("---\nbranch: main\nupdated_at: {time}\n---\n\n{text}\n");
    // Scenes are as new as their files at least.
    let (older, newer) = ("2030-01-01T00:00:00+00:00", "2030-01-02T00:00:00+00:00");
    two.put("handoff/main.md", [Some(&scene(older, "old")), Some(&scene(newer, "new"))]);
    let two_branches = [older, newer].map(|time| scene(time, time).replace("main", "side"));
    two.put("handoff/side.md", [Some(&two_branches[1]), Some(&two_branches[0])]);
    two.put("handoff/odd.md", [Some("branch one\n"), Some("---\nbranch: other\n---\n\nx\n")]);
    let retired = "superseded/knowledge--a-20260609T101112123456Z.md";
    two.put(retired, [Some("ours\n"), Some("theirs\n")]);
    two.put("consolidation-log.md", [Some("- a\n- b"), Some("- c\n")]);
    two.put("notes.txt", [None, Some("a note")]);
    two.merge();

    let from = format!("--from-{}.md", two.id());
    let retired_later = "superseded/knowledge--a-20260609T101112123457Z.md";
    for (path, text) in [
        ("knowledge/same.md", same),
        ("knowledge/topic.md", "# Our topic\n"),
        (&format!("knowledge/topic{from}"), "# Their topic\n"),
        ("knowledge/deep/er/own.md", "# Deep\n"),
        ("knowledge/INDEX.md", "our index\n"),
        ("journal/2026-06-09.md", &format!("{one}\n{second}")),
        ("journal/2026-06-10.md", second),
        ("journal/2026-06-11.md", "by hand\n"),
        (&format!("journal/2026-06-11{from}"), "by another hand\n"),
        ("rules/rules.md", "- be kind\n"),
        (&format!("rules/rules{from}"), "- be brief\n"),
        ("handoff/main.md", &scene(newer, "new")),
        ("handoff/side.md", &two_branches[1]),
        ("handoff/odd.md", "branch one\n"),
        (&format!("handoff/odd{from}"), "---\nbranch: other\n---\n\nx\n"),
        (retired, "ours\n"),
        (retired_later, "theirs\n"),
        ("consolidation-log.md", "- a\n- b\n- c\n"),
        ("notes.txt", "a note"),
    ] {
        assert_eq!(two.text(path), text, "{path}");
    }
    let kept = |text: &str| {
        let files = two.files();
        let mut kept = files.iter().filter(|(path, _)| path.starts_with("superseded/handoff--"));
        kept.any(|(_, bytes)| bytes == text.as_bytes())
    };
    assert!(kept(&scene(older, "old")) && kept(&two_branches[0]), "{:?}", two.files().keys());
    // Two facts, two topics, one beside, one deep, and nothing twice.
    assert_eq!(two.files().len(), 19 + 2 + 2 + 1, "{:?}", two.files().keys());
    derived::assert_rebuildable(&two.server, "after a merge of all lanes");
    let lists = format!("/api/v1/memory_stores/{}/superseded", two.ours);
    let listed = two.server.get(&lists).json();
    assert_eq!(listed["files"].as_array().unwrap().len(), 4, "{listed}");
}

#[test]
fn what_cannot_be_merged_is_refused_and_untouched() {
    let two = Two::new();
    let server = &two.server;
    let before = tree::files(&server.home().memory());
    let nobody = "project-01JXYZ01JXYZ01JXYZ01JXYZ01";
    let missing = (404, "MEMORY_STORE_NOT_FOUND".to_owned());
    let invalid = (422, "CONFIG_INVALID".to_owned());
    for (source, target, refusal) in [
        (two.ours.as_str(), nobody, &missing),
        (nobody, two.ours.as_str(), &missing),
        ("project-x", two.ours.as_str(), &missing),
        ("../global", two.ours.as_str(), &missing),
        ("global", two.ours.as_str(), &invalid),
        (two.ours.as_str(), "global", &invalid),
        (two.ours.as_str(), two.ours.as_str(), &invalid),
    ] {
        assert_eq!(&merge(server, source, target).refusal(), refusal, "{source} into {target}");
    }
    let odd = json!({"source": two.theirs, "target": two.ours, "force": true});
    assert_eq!(server.post("/api/v1/memory_stores/merge", &odd).status, 422);
    assert_eq!(tree::files(&server.home().memory()), before);

    // A link may lead anywhere, and a file that does not parse says nothing that may be dropped.
    let link = folder_of(server, &two.theirs).join("knowledge/link.md");
    std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
    let refused = merge(server, &two.theirs, &two.ours);
    assert_eq!(refused.refusal(), (503, "STORE_UNAVAILABLE".to_owned()));
    assert!(refused.text().contains("link.md"), "{}", refused.text());
    fs::remove_file(link).unwrap();
    assert_eq!(tree::files(&server.home().memory()), before);
    let file = folder_of(server, &two.ours).join("store.yaml");
    fs::write(&file, "label: [").unwrap();
    let refused = merge(server, &two.theirs, &two.ours);
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert_eq!(texts(server, &two.theirs), ["theirs"]);
    assert_eq!(tree::residue(&server.home()), [""; 0]);
    assert_eq!(audited(server, "memory_stores_merged"), [] as [serde_json::Value; 0]);
}

/// Writers for both stores go on while these are merged, over and over: every acknowledged fact is
/// there in the end, once.
#[test]
fn nothing_that_is_written_meanwhile_is_lost() {
    let two = Two::new();
    let (server, stop) = (&two.server, std::sync::atomic::AtomicBool::new(false));
    let written: Vec<String> = std::thread::scope(|threads| {
        let write = |name: &'static str, folder: PathBuf| {
            let stop = &stop;
            threads.spawn(move || {
                let mut written = Vec::new();
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    let text = format!("{name} {}", written.len());
                    remember(server, &folder, &text);
                    written.push(text);
                }
                written
            })
        };
        let writers = [
            write("a", two.app.clone()),
            write("b", two.other.clone()),
            write("c", two.other.clone()),
        ];
        std::thread::sleep(std::time::Duration::from_millis(150));
        let merged = merge(server, &two.theirs, &two.ours);
        std::thread::sleep(std::time::Duration::from_millis(150));
        // First of all, since a failure must not leave writers behind.
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(merged.status, 200, "{}", merged.text());
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    assert!(!folder_of(server, &two.theirs).exists());
    let mut bodies: Vec<String> = two
        .files()
        .iter()
        .filter(|(path, _)| path.starts_with("knowledge/"))
        .map(|(_, bytes)| tree::body(bytes).unwrap().to_owned())
        .collect();
    let mut expected = written;
    expected.extend(["ours".to_owned(), "theirs".to_owned()]);
    expected.sort();
    bodies.sort();
    assert_eq!(bodies, expected);
    derived::assert_rebuildable(server, "after a merge among writers");
}

/// A record without an end is what a crash leaves, wherever it struck.
#[test]
fn a_merge_that_was_cut_off_is_finished_once() {
    let mut two = Two::new();
    two.put(
        "journal/2026-06-09.md",
        [Some("## 2026-06-09 · a\nx\n"), Some("## 2026-06-09 · b\ny\n")],
    );
    two.server.kill();
    let records = two.server.home().root().join("run/intents/merges");
    fs::create_dir_all(&records).unwrap();
    let record = json!({"source": two.theirs, "target": two.ours, "actor": "user", "at_micros": 7});
    let record_file = records.join(format!("{}.json", two.theirs));
    // One file is over already.
    let inbox = |store: &str| folder_of(&two.server, store).join("knowledge/inbox");
    let file = fs::read_dir(inbox(&two.theirs)).unwrap().next().unwrap().unwrap();
    fs::rename(file.path(), inbox(&two.ours).join(file.file_name())).unwrap();
    // The second time all is done but for the end of the record.
    for _ in 0..2 {
        fs::write(&record_file, record.to_string()).unwrap();
        two.server.start_again();
        assert_eq!(texts(&two.server, &two.ours), ["ours", "theirs"]);
        assert_eq!(
            two.text("journal/2026-06-09.md"),
            "## 2026-06-09 · a\nx\n\n## 2026-06-09 · b\ny\n"
        );
        assert!(!folder_of(&two.server, &two.theirs).exists());
        assert_eq!(found(&two.server, &two.other), (two.ours.clone(), Alias));
        assert_eq!(audited(&two.server, "memory_stores_merged").len(), 1);
        assert_eq!(tree::residue(&two.server.home()), [""; 0]);
        derived::assert_rebuildable(&two.server, "after a merge that was cut off");
        two.server.kill();
    }
}

#[test]
fn a_record_that_leads_nowhere_waits_and_holds_up_nothing() {
    let mut two = Two::new();
    two.server.kill();
    let records = two.server.home().root().join("run/intents/merges");
    fs::create_dir_all(&records).unwrap();
    let gone = named_by(Path::new("/gone"));
    let record = json!({"source": two.theirs, "target": gone, "actor": "user", "at_micros": 7});
    fs::write(records.join(format!("{}.json", two.theirs)), record.to_string()).unwrap();
    fs::write(records.join("odd.json"), "{").unwrap();
    two.server.start_again();
    assert_eq!(texts(&two.server, &two.theirs), ["theirs"]);
    assert_eq!(texts(&two.server, &two.ours), ["ours"]);
    assert!(two.server.said().contains("wait"));
    let doctor = two.server.get("/api/v1/doctor").text();
    assert!(doctor.contains(&format!("the merge of `{}` into `{gone}` waits", two.theirs)));
}
