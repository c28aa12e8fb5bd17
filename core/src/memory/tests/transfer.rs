//! Export and import over real files.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use coffer_domain::archive::Owner;
use coffer_domain::fact::FileText;
use coffer_domain::import::Format;

use super::*;
use crate::archive::Packer;
use crate::archive::forge::{Kind, forge, listed};
use crate::error::Result;
use crate::index::HistoryFilter;
use crate::vault::Dir;

/// A home, and a place outside of it.
struct Ground {
    at: Fixture,
    outside: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        Self { at: Fixture::new(), outside: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.outside.path().join(name)
    }

    fn home(&self, path: &str) -> PathBuf {
        self.at.temp.path().join(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn export(&self, name: &str, replace: bool) -> Result<Exported> {
        let request = Export { path: self.path(name), stores: Vec::new(), replace };
        self.at.memory.export(&request, none(), now(), &|_, _| true)
    }

    fn request(&self, name: &str) -> Import {
        let otherwise = GLOBAL;
        Import { path: self.path(name), format: None, store: None, otherwise, dry_run: false }
    }

    fn import(&self, name: &str) -> Result<Imported> {
        self.at.memory.import(&self.request(name), now(), &|_, _| true, |_, _| Ok(()))
    }

    fn counts(&self, name: &str) -> [u64; 4] {
        counts(&self.import(name).unwrap())
    }

    /// Every visible file of the stores.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let root = Dir::open(&self.home("memory")).unwrap();
        let found = crate::vault::walk(&root, &[""], |_| true);
        let read = |path: String| {
            let bytes = root.read_at(&path).unwrap().unwrap().bytes;
            (path, bytes)
        };
        found.files.into_iter().map(|file| read(file.path)).collect()
    }

    /// The live index of all stores is the one that a rebuild from the files gives.
    fn assert_rebuilt(&self) {
        let live = self.at.dump();
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.home(&format!("coffer.db{end}")));
        }
        self.at.dump();
        self.at.memory.stores().unwrap();
        assert!(live == self.at.dump());
    }

    fn audit(&self, event: &str) -> usize {
        let event = Some(event.to_owned());
        let filter = HistoryFilter { event, limit: 99, ..HistoryFilter::default() };
        self.at.memory.knowledge().read(|db| crate::index::audit(db, &filter)).unwrap().len()
    }
}

fn owners(stores: Vec<StoreName>) -> Vec<Owner> {
    stores.into_iter().map(Owner::Store).collect()
}

/// Nothing beside stores.
fn none() -> (Vec<crate::knowledge::Folder>, LeftOut) {
    Default::default()
}

/// Added, same, conflicting, left out.
fn counts(done: &Imported) -> [u64; 4] {
    {
        let Outcomes { added, same, conflicting, skipped, .. } = &done.outcomes;
        [*added, *same, *conflicting, skipped.count()]
    }
}

fn project() -> StoreName {
    StoreName::Project(Id::of_project("/some/app"))
}

/// A home with facts, lanes, retired versions, a project store, and what must not travel.
fn filled() -> Ground {
    let ground = Ground::new();
    let fact = ground.at.remember("the first fact").fact;
    let text = Some("the first fact, edited".into());
    let change = FactChange { text, ..FactChange::default() };
    ground.at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now()).unwrap();
    let text = FactIn { text: "of a project", ..FactIn::default() };
    ground.at.memory.remember(&project(), text, &Author::agent("codex"), Stamp::new()).unwrap();
    let global = ground.home("memory/global");
    for (path, text) in [
        ("rules/deep/style.md", "- be brief"),
        ("journal/2026-06-09.md", "## x · y\n\nz"),
        ("handoff/main.md", "half way"),
        ("knowledge/topic.md", "by hand, without a header"),
        ("knowledge/INDEX.md", "made here"),
        ("consolidation-log.md", "made here"),
        ("knowledge/.hidden.md", "another program's"),
        ("../../run/server.json", "a-secret-token"),
    ] {
        fs::create_dir_all(global.join(path).parent().unwrap()).unwrap();
        fs::write(global.join(path), text).unwrap();
    }
    let topic = fs::File::options().write(true).open(global.join("knowledge/topic.md")).unwrap();
    let old = SystemTime::UNIX_EPOCH + Duration::from_nanos(1_700_000_000_123_456_789);
    topic.set_modified(old).unwrap();
    let link = global.join("rules/link.md");
    std::os::unix::fs::symlink(ground.home("run/server.json"), link).unwrap();
    ground
}

#[test]
fn what_was_exported_is_imported_byte_for_byte_and_row_for_row() {
    let from = filled();
    let done = from.export("all.tar.gz", false).unwrap();
    assert_eq!((done.stores, done.files), (2, 9), "{done:?}");
    let left: Vec<&str> = done.skipped.rows.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(left, ["memory/global/rules/link.md"]);
    assert_eq!(done.bytes, fs::metadata(&done.path).unwrap().len());
    assert_eq!(from.audit("exported"), 1);

    let to = Ground::new();
    fs::copy(&done.path, to.path("all.tar.gz")).unwrap();
    let dry = Import { dry_run: true, ..to.request("all.tar.gz") };
    let would = to.at.memory.import(&dry, now(), &|_, _| true, |_, _| Ok(())).unwrap();
    assert_eq!((counts(&would), would.outcomes.files.len()), ([9, 0, 0, 0], 9));
    assert_eq!((to.files(), to.audit("imported")), (vec![], 0), "a dry run does nothing");

    assert_eq!(to.counts("all.tar.gz"), [9, 0, 0, 0]);
    assert_eq!(to.audit("imported"), 1);
    let travelled = |(path, _): &(String, Vec<u8>)| {
        !path.ends_with("INDEX.md") && !path.ends_with("consolidation-log.md")
    };
    let files: Vec<_> = from.files().into_iter().filter(travelled).collect();
    assert_eq!(to.files(), files);
    assert!(to.at.dump() == from.at.dump());
    let stores = |ground: &Ground| -> Vec<(StoreName, Timestamp)> {
        let stores = ground.at.memory.stores().unwrap().into_iter();
        stores.map(|store| (store.name, store.created_at)).collect()
    };
    assert_eq!(stores(&to), stores(&from));

    assert_eq!(to.counts("all.tar.gz"), [0, 9, 0, 0]);
    assert_eq!(to.files(), files, "a second run adds nothing");
    to.assert_rebuilt();
}

#[test]
fn an_archive_is_written_whole_and_replaces_only_what_it_may() {
    let ground = filled();
    ground.write("there.tar.gz", "mine");
    let refused = ground.export("there.tar.gz", false);
    assert!(matches!(refused, Err(Error::AlreadyExists(_))), "{refused:?}");
    assert_eq!(fs::read(ground.path("there.tar.gz")).unwrap(), b"mine");
    ground.export("there.tar.gz", true).unwrap();
    assert!(fs::metadata(ground.path("there.tar.gz")).unwrap().len() > 100);
    let stores = vec![GLOBAL];
    let request = Export { path: ground.path("b.tar.gz"), stores: owners(stores), replace: false };
    let cancelled = ground.at.memory.export(&request, none(), now(), &|done, _| done < 2);
    assert!(matches!(cancelled, Err(Error::Cancelled)), "{cancelled:?}");
    assert_eq!(fs::read_dir(ground.outside.path()).unwrap().count(), 1, "nothing is left over");
    for (path, stores) in [
        (ground.home("memory/global/knowledge/x.md"), vec![]),
        (ground.home("run/server.json"), vec![]),
        ("relative.tar.gz".into(), vec![]),
        (ground.path("none/a.tar.gz"), vec![]),
        (ground.path("c.tar.gz"), vec![StoreName::Project(Id::of_project("/none"))]),
    ] {
        let request = Export { path, stores: owners(stores), replace: true };
        assert!(ground.at.memory.check_export(&request).is_err(), "{request:?}");
        assert!(
            ground.at.memory.export(&request, none(), now(), &|_, _| true).is_err(),
            "{request:?}"
        );
    }
}

#[test]
fn the_same_files_give_the_same_archive() {
    let ground = filled();
    let at = now();
    let bytes = |name: &str| {
        let request =
            Export { path: ground.path(name), stores: vec![Owner::Store(GLOBAL)], replace: false };
        ground.at.memory.export(&request, none(), at, &|_, _| true).unwrap();
        fs::read(ground.path(name)).unwrap()
    };
    assert_eq!(bytes("a.tar.gz"), bytes("b.tar.gz"));
}

#[test]
fn what_stands_is_kept_and_the_other_version_goes_beside_it() {
    let ground = filled();
    ground.export("all.tar.gz", false).unwrap();
    let topic = ground.home("memory/global/knowledge/topic.md");
    fs::write(&topic, "changed since").unwrap();
    let fact = fs::read_dir(ground.at.inbox()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&fact).unwrap();
    fs::write(&fact, text.replace("edited", "edited again")).unwrap();
    let id = FileText::read(&text, "x", now()).id.unwrap();
    fs::write(ground.home("memory/global/store.yaml"), "label: Mine\n").unwrap();

    let done = ground.import("all.tar.gz").unwrap();
    assert_eq!(counts(&done), [0, 6, 2, 1], "{done:?}");
    assert!(done.outcomes.skipped.rows[0].0.ends_with("global/store.yaml"), "{done:?}");
    assert_eq!(fs::read(&topic).unwrap(), b"changed since");
    assert_eq!(ground.at.recall("by hand without a header"), ["by hand, without a header"]);
    assert!(ground.at.memory.fact(&GLOBAL, &id).unwrap().text.contains("edited again"));
    let before = ground.files();
    assert_eq!(ground.counts("all.tar.gz"), [0, 8, 0, 1]);
    assert_eq!(ground.files(), before, "a second run adds nothing");
    ground.assert_rebuilt();
}

#[test]
fn one_store_of_an_archive() {
    let from = filled();
    from.export("all.tar.gz", false).unwrap();
    let to = Ground::new();
    fs::copy(from.path("all.tar.gz"), to.path("all.tgz")).unwrap();
    let request = Import { store: Some(Owner::Store(project())), ..to.request("all.tgz") };
    let done = to.at.memory.import(&request, now(), &|_, _| true, |_, _| Ok(())).unwrap();
    assert_eq!(counts(&done), [2, 0, 0, 0]);
    let stores: Vec<_> = to.at.memory.stores().unwrap().into_iter().map(|it| it.name).collect();
    assert_eq!(stores, [project()]);
}

#[test]
fn a_cancelled_import_is_finished_by_another() {
    let from = filled();
    from.export("all.tar.gz", false).unwrap();
    let to = Ground::new();
    fs::copy(from.path("all.tar.gz"), to.path("all.tar.gz")).unwrap();
    let request = to.request("all.tar.gz");
    let cancelled = to.at.memory.import(&request, now(), &|done, _| done < 3, |_, _| Ok(()));
    assert!(matches!(cancelled, Err(Error::Cancelled)), "{cancelled:?}");
    let [added, same, ..] = to.counts("all.tar.gz");
    assert_eq!(added + same, 9);
    assert!(to.at.dump() == from.at.dump());
}

#[test]
fn hostile_archives_write_nothing_outside_of_the_stores() {
    let good: &[u8] = b"fine";
    let ground = Ground::new();
    let refused = [
        "../outside.md",
        "/tmp/outside.md",
        "memory/global/../../run/server.json",
        "memory/global/knowledge/../../../coffer.db",
        "run/server.json",
        "config.toml",
        "memory/global/knowledge/.hidden.md",
        "memory/projects/x/knowledge/a.md",
    ];
    let mut entries: Vec<_> = refused.iter().map(|name| (*name, Kind::File, good)).collect();
    let (link, hard, twice) = (
        "memory/global/knowledge/link.md",
        "memory/global/knowledge/hard.md",
        "memory/global/knowledge/twice.md",
    );
    entries.extend([(link, Kind::Link, &b""[..]), (hard, Kind::HardLink, b"")]);
    entries.extend([(twice, Kind::File, good), (twice, Kind::File, b"other")]);
    entries.push(("memory/global/knowledge/good.md", Kind::File, good));
    let list = entries.iter().map(|(name, _, bytes)| listed(name, bytes, 0)).collect();
    ground.write("bad.tar.gz", forge(&entries, Some(list)));
    let done = ground.import("bad.tar.gz").unwrap();
    assert_eq!(counts(&done)[..3], [2, 0, 0], "{done:?}");
    let left: Vec<&str> =
        done.outcomes.skipped.rows.iter().map(|(path, _)| path.as_str()).collect();
    for name in refused.iter().chain(&[link, hard, twice]) {
        assert!(left.contains(name), "{name} is not named: {left:?}");
    }
    let paths: Vec<String> = ground.files().into_iter().map(|(path, _)| path).collect();
    let written = ["global/knowledge/good.md", "global/knowledge/twice.md", "global/store.yaml"];
    assert_eq!(paths, written);
    assert_eq!(fs::read(ground.home("memory/global/knowledge/twice.md")).unwrap(), good);
    assert_eq!(fs::read_dir(ground.outside.path()).unwrap().count(), 1);
    for entry in fs::read_dir(ground.at.temp.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "memory" || name.starts_with("coffer.db"), "{name}");
    }
}

#[test]
fn links_in_a_store_are_never_written_through() {
    let ground = Ground::new();
    ground.at.remember("a fact");
    let global = ground.home("memory/global");
    ground.write("target.md", "mine");
    fs::create_dir(ground.path("folder")).unwrap();
    std::os::unix::fs::symlink(ground.path("folder"), global.join("rules")).unwrap();
    std::os::unix::fs::symlink(ground.path("target.md"), global.join("knowledge/a.md")).unwrap();
    let mut packer = Packer::new(Vec::new());
    for path in ["rules/x.md", "knowledge/a.md", "knowledge/b.md"] {
        packer.add(&format!("memory/global/{path}"), b"x", 0).unwrap();
    }
    ground.write("a.tar.gz", packer.finish("now".into()).unwrap());
    assert_eq!(ground.counts("a.tar.gz"), [1, 0, 0, 2]);
    assert_eq!(fs::read(ground.path("target.md")).unwrap(), b"mine");
    assert_eq!(fs::read_dir(ground.path("folder")).unwrap().count(), 0);
}

#[test]
fn a_damaged_archive_changes_nothing() {
    let ground = Ground::new();
    let packed = |names: &[String]| {
        let mut packer = Packer::new(Vec::new());
        for name in names {
            packer.add(name, name.as_bytes(), 0).unwrap();
        }
        packer.finish("now".into()).unwrap()
    };
    let names: Vec<_> = (0..50).map(|at| format!("memory/global/knowledge/{at}.md")).collect();
    let good = packed(&names);
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    for (name, bytes) in [
        ("cut.tar.gz", good[..good.len() / 2].to_vec()),
        ("flipped.tar.gz", flipped),
        ("text.tar.gz", b"no archive".to_vec()),
        ("empty.tar.gz", Vec::new()),
        ("no-list.tar.gz", forge(&[("memory/global/rules/a.md", Kind::File, b"x")], None)),
        ("another-list.tar.gz", packed(&["coffer-export.json".to_owned()])),
    ] {
        ground.write(name, bytes);
        let refused = ground.import(name);
        assert!(matches!(refused, Err(Error::BadSource { .. })), "{name}: {refused:?}");
    }
    assert_eq!(ground.files(), []);
}

#[test]
fn other_bytes_than_the_list_names_are_left_out() {
    let ground = Ground::new();
    let [a, b, c, gone] = ["a", "b", "c", "gone"].map(|it| format!("memory/global/rules/{it}.md"));
    let entries: [(&str, Kind, &[u8]); 3] =
        [(&a, Kind::File, b"one"), (&b, Kind::File, b"two"), (&c, Kind::File, b"one")];
    let list = [(&a, i64::MAX), (&b, -5), (&gone, 0)].map(|(name, at)| listed(name, b"one", at));
    ground.write("a.tar.gz", forge(&entries, Some(list.to_vec())));
    assert_eq!(ground.counts("a.tar.gz"), [1, 0, 0, 3]);
    let written = fs::metadata(ground.home("memory/global/rules/a.md")).unwrap();
    assert!(written.modified().unwrap() <= SystemTime::now(), "no time of the future");
}

/// The sources in tests/fixtures/import, as their programs write them.
#[test]
fn memories_of_other_programs_become_facts_once() {
    use Format::{ClaudeCode, Codex, Markdown, McpMemory};
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/import");
    for (folder, format, facts, left, query, agent) in [
        ("claude-code", ClaudeCode, 2, 1, "mocked migration", Some("claude-code")),
        ("codex", Codex, 3, 2, "tag before publishing", Some("codex")),
        ("mcp-memory/memory.jsonl", McpMemory, 3, 1, "prefers pnpm", None),
        ("basic-memory", Markdown, 2, 0, "reciprocal rank fusion", None),
        ("obsidian", Markdown, 3, 1, "kettle descaling", None),
    ] {
        let at = Fixture::new();
        let path = fixtures.join(folder);
        let request = Import { path, format: None, store: None, otherwise: GLOBAL, dry_run: false };
        assert_eq!(at.memory.check_import(&request).unwrap(), SourceFormat::Foreign(format));
        let import = || at.memory.import(&request, now(), &|_, _| true, |_, _| Ok(())).unwrap();
        let first = import();
        assert_eq!(counts(&first), [facts, 0, 0, left], "{folder}: {first:?}");
        assert!(!at.recall(query).is_empty(), "{folder}");
        let page = at.memory.facts(&GLOBAL, &Page { limit: 9, ..Page::default() }).unwrap();
        assert_eq!(page.total, facts, "{folder}");
        for fact in &page.facts {
            assert_eq!(fact.agent.as_deref(), agent, "{folder}");
            let text = fs::read_to_string(&fact.path).unwrap();
            let from = format!("imported_from: {}/", format.as_str());
            let quoted = format!("imported_from: \"{}/", format.as_str());
            assert!(text.contains(&from) || text.contains(&quoted), "{text}");
            assert!(text.contains("imported_sha256: ") && fact.updated_at < now(), "{text}");
        }
        let second = import();
        assert_eq!(counts(&second), [0, facts, 0, left], "{folder}: {second:?}");
        at.assert_rebuilt();
        assert_eq!(counts(&import()), [0, facts, 0, left], "{folder}: after a rebuild");
    }
}

#[test]
fn a_memory_that_is_edited_here_is_known_again_and_a_long_one_is_a_topic() {
    let ground = Ground::new();
    ground.write("notes/short.md", "short");
    ground.write("notes/long.md", "many words ".repeat(2_000));
    ground.write("notes/bad.md", b"\xff\xfe");
    ground.write("notes/.obsidian/workspace.md", "hidden");
    assert_eq!(ground.counts("notes"), [2, 0, 0, 1]);
    let in_folder = |path: PathBuf| fs::read_dir(path).unwrap().count();
    let knowledge = ground.home("memory/global/knowledge");
    assert_eq!((in_folder(knowledge.clone()), in_folder(ground.at.inbox())), (2, 1));
    let file = fs::read_dir(ground.at.inbox()).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\nshort\n", "\nedited\n")).unwrap();
    fs::rename(&file, knowledge.join("moved.md")).unwrap();
    assert_eq!(ground.counts("notes"), [0, 2, 0, 1]);
    ground.write("notes/short.md", "short, and changed there");
    assert_eq!(ground.counts("notes"), [1, 1, 0, 1]);
}

#[test]
fn no_secret_of_another_program_s_memory_reaches_a_store() {
    let ground = Ground::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    ground.write("notes/a.md", format!("The token is {token} for CI."));
    let done = ground.import("notes").unwrap();
    assert_eq!((counts(&done), done.redacted.len()), ([1, 0, 0, 0], 1), "{done:?}");
    for (path, bytes) in ground.files() {
        assert!(!String::from_utf8_lossy(&bytes).contains(&token), "{path}");
    }
    assert_eq!(ground.counts("notes"), [0, 1, 0, 0]);
}

#[test]
fn coffers_own_folder_and_unknown_things_are_no_source() {
    let ground = filled();
    ground.write("picture.png", "x");
    ground.write("empty/x.png", "x");
    for path in [
        ground.home("memory/global"),
        ground.home("run/server.json"),
        ground.at.temp.path().parent().unwrap().to_owned(),
        ground.path("picture.png"),
        ground.path("empty"),
        ground.path("none"),
    ] {
        let request = Import { path, ..ground.request("x") };
        assert!(ground.at.memory.check_import(&request).is_err(), "{request:?}");
        assert!(
            ground.at.memory.import(&request, now(), &|_, _| true, |_, _| Ok(())).is_err(),
            "{request:?}"
        );
    }
    let folder = Import { format: Some(SourceFormat::Coffer), ..ground.request("empty") };
    assert!(ground.at.memory.check_import(&folder).is_err());
}

/// The export is older than the merge.
#[test]
fn what_belonged_to_a_merged_store_goes_to_its_heir() {
    let ground = Ground::new();
    let memory = &ground.at.memory;
    let [gone, heir] = ["/a", "/b"].map(|root| StoreName::Project(Id::of_project(root)));
    for store in [&gone, &heir] {
        let text = format!("walnut of {store}");
        let fact = FactIn { text: &text, ..FactIn::default() };
        memory.remember(store, fact, &Author::USER, Stamp::new()).unwrap();
    }
    ground.export("all.tar.gz", false).unwrap();
    memory.merge(&gone, &heir, &Author::USER, now()).unwrap();
    let facts = |store| memory.facts(store, &Page { limit: 9, ..Page::default() }).unwrap().total;
    assert_eq!((facts(&gone), facts(&heir)), (0, 2));
    let report = ground.import("all.tar.gz").unwrap();
    assert_eq!((report.outcomes.added, report.outcomes.conflicting), (0, 0), "{report:?}");
    let lost = memory.facts(&heir, &Page { limit: 9, ..Page::default() }).unwrap().facts;
    let lost = lost.iter().find(|fact| fact.text.contains(&gone.to_string())).unwrap();
    fs::remove_file(&lost.path).unwrap();
    assert_eq!(ground.import("all.tar.gz").unwrap().outcomes.added, 1);
    assert_eq!((facts(&gone), facts(&heir)), (0, 2));
    assert!(!ground.home(&format!("memory/projects/{}", gone.project_id())).exists());
}
