//! Purging over real files and a real index.

use std::fs;
use std::path::Path;

use coffer_env::Home;

use super::*;
use crate::coffer::Coffer;
use crate::memory::FactIn;
use coffer_domain::store::StoreName;
use coffer_env::clock::Stamp;

const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

struct Ground {
    temp: tempfile::TempDir,
    coffer: Coffer,
}

impl Ground {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let coffer = Coffer::open(&Home::at(temp.path()), |_| {}).unwrap();
        Self { temp, coffer }
    }

    fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.temp.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.temp.path().join(path)).unwrap()).unwrap()
    }

    fn remember(&self, title: &str, text: &str) {
        let fact = FactIn { text, title: Some(title), ..FactIn::default() };
        let stamp = Stamp::new();
        self.coffer.memory.remember(&StoreName::Global, fact, &Author::USER, stamp).unwrap();
    }

    fn purge(&self, wanted: Wanted, dry_run: bool) -> Purged {
        let purge = &self.coffer.purge;
        let request = purge.prepare(wanted, dry_run, Stamp::new().id).unwrap();
        let purged = purge.run(&request, NOW, &|_, _| true).unwrap();
        purge.forget(&request);
        purged
    }

    fn text(&self, text: &str) -> Purged {
        self.purge(Wanted::Text(text.to_owned()), false)
    }

    /// Files whose bytes or names hold a text.
    fn holding(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        look(self.temp.path(), &mut |path, bytes| {
            let name = path.strip_prefix(self.temp.path()).unwrap().display().to_string();
            let in_bytes = memchr::memmem::find(bytes, text.as_bytes()).is_some();
            if in_bytes || name.contains(text) {
                found.push(name);
            }
        });
        found
    }
}

fn look(folder: &Path, each: &mut dyn FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            look(&entry.path(), each);
        } else if entry.file_type().unwrap().is_file() {
            each(&entry.path(), &fs::read(entry.path()).unwrap());
        }
    }
}

fn row(place: &str, files: u64, occurrences: u64) -> Emptied {
    Emptied { place: place.to_owned(), files, occurrences, is_deleted: place == "old databases" }
}

/// One file of every place.
fn everywhere(ground: &Ground) {
    ground.remember("About WalnutSecret keys", "the WalnutSecret is in the drawer");
    for (path, text) in [
        (
            "knowledge/topic.md",
            "---\r\ntitle: a topic\r\n---\r\nWalnutSecret twice WalnutSecret\r\n",
        ),
        ("knowledge/INDEX.md", "- [x](inbox/about-walnutsecret-keys-ab12cd.md)\n"),
        ("rules/deep/rules.md", "\u{feff}- never say WalnutSecret\n"),
        ("journal/2026-06-09.md", "## 2026-06-09T10:00:00Z · a\nWalnutSecret 部署\n"),
        ("handoff/walnutsecret-fix-1a2b3c4d.md", "---\nbranch: WalnutSecret/fix\n---\nx\n"),
        ("superseded/knowledge--walnutsecret-20260528T202640123456Z.md", "WalnutSecret\n"),
        ("consolidation-log.md", "- deleted `knowledge/about-walnutsecret-ab12cd.md`\n"),
        ("notes.txt", "WalnutSecret"),
        (".hidden/x", "WalnutSecret"),
    ] {
        ground.put(&format!("memory/global/{path}"), text);
    }
    ground.put("trash/global-2026/knowledge/a.md", "WalnutSecret\n");
    ground.put(
        "logs/coffer.2026-06-09.log",
        "cannot read `about-walnutsecret-ab12cd.md`\nWalnutSecret\n",
    );
    ground.put("run/intents/left.bak", "{\"moves\":[\"WalnutSecret\"]}");
    ground.put("coffer.db.bad-20260528T202640123456Z", "WalnutSecret");
    ground.put("config.toml", "preferred_editor = \"edit WalnutSecret\"\n");
    let memory = &ground.coffer.memory;
    memory.label(&StoreName::Global, Some("WalnutSecret"), &Author::USER, NOW).unwrap();
    memory.stores().unwrap();
    memory.warm_up().unwrap();
}

#[test]
fn a_text_is_gone_from_every_place_and_its_database() {
    let ground = Ground::new();
    everywhere(&ground);
    let before = ground.holding("WalnutSecret");
    let dry = ground.purge(Wanted::Text("WalnutSecret".into()), true);
    assert_eq!(ground.holding("WalnutSecret"), before, "a dry run changes nothing");
    assert!(dry.dry_run && dry.remaining > 0, "{dry:?}");

    let done = ground.text("WalnutSecret");
    assert_eq!((done.remaining, &done.unreachable), (0, &vec![]), "{done:?}");
    assert_eq!(ground.holding("WalnutSecret"), [""; 0]);
    assert_eq!(ground.holding("walnutsecret"), [""; 0]);
    assert_eq!(done.places, dry.places);
    let of = |place: &str| done.places.iter().find(|row| row.place == place).cloned();
    assert_eq!(of("knowledge"), Some(row("knowledge", 3, 5)));
    assert_eq!(of("rules"), Some(row("rules", 1, 1)));
    assert_eq!(of("trash"), Some(row("trash", 1, 1)));
    assert_eq!(of("logs"), Some(row("logs", 1, 2)));
    assert_eq!(of("old databases"), Some(row("old databases", 1, 1)));
    assert_eq!(of("file names"), Some(row("file names", 3, 3)));
    for place in [
        "journal",
        "handoff",
        "superseded",
        "log of changes",
        "memory",
        "stores",
        "settings",
        "records of work",
    ] {
        assert!(of(place).is_some(), "{place}: {done:?}");
    }
    assert!(of("database").unwrap().occurrences >= 5, "{done:?}");

    let memory = "memory/global";
    assert_eq!(
        ground.read(&format!("{memory}/knowledge/topic.md")),
        "---\r\ntitle: a topic\r\n---\r\n[purged] twice [purged]\r\n"
    );
    assert_eq!(
        ground.read(&format!("{memory}/rules/deep/rules.md")),
        "\u{feff}- never say [purged]\n"
    );
    assert_eq!(
        ground.read(&format!("{memory}/handoff/purged-fix-1a2b3c4d.md")),
        "---\nbranch: \"[purged]/fix\"\n---\nx\n"
    );
    assert_eq!(
        ground.read(&format!("{memory}/knowledge/INDEX.md")),
        "- [x](inbox/about-purged-keys-ab12cd.md)\n"
    );
    assert!(
        ground
            .read("logs/coffer.2026-06-09.log")
            .contains("about-************-ab12cd.md`\n************\n")
    );
    assert!(!ground.temp.path().join("coffer.db.bad-20260528T202640123456Z").exists());
    assert_eq!(fs::read_dir(ground.temp.path().join("run/intents/purges")).unwrap().count(), 0);
}

#[test]
fn the_index_is_what_the_files_give_afterwards() {
    let ground = Ground::new();
    everywhere(&ground);
    for number in 0..80 {
        ground
            .remember(&format!("WalnutSecret number {number}"), &format!("WalnutSecret {number}"));
    }
    ground.text("WalnutSecret");
    let index = ground.coffer.purge.knowledge.index();
    let live = index.read(crate::index::dump).unwrap();
    index.empty(crate::index::Harm::Derived);
    ground.coffer.memory.warm_up().unwrap();
    assert_eq!(index.read(crate::index::dump).unwrap(), live);
    assert_eq!(index.harm().unwrap(), None);
    assert_eq!(ground.holding("walnutsecret"), [""; 0]);
    let events =
        HistoryFilter { limit: 1, event: Some("purged".into()), ..HistoryFilter::default() };
    let rows = index.read(|db| audit(db, &events)).unwrap();
    assert_eq!(rows[0].counts["remaining"], 0);
}

#[test]
fn texts_in_other_scripts_and_over_lines_go_too() {
    let ground = Ground::new();
    ground.remember("服务器的部署密码", "部署密码：甲乙丙丁\n第二行");
    ground.put("memory/global/knowledge/two.md", "one\r\nfirst line\r\nsecond line\r\nthree\r\n");
    ground.coffer.memory.warm_up().unwrap();
    assert_eq!(ground.text("部署密码").remaining, 0);
    assert_eq!(ground.holding("部署密码"), [""; 0]);
    assert_eq!(ground.text("first line\nsecond line").remaining, 0);
    assert_eq!(ground.read("memory/global/knowledge/two.md"), "one\r\n[purged]\r\nthree\r\n");
}

#[test]
fn patterns_and_secrets_are_purged_with_the_names_made_of_them() {
    let ground = Ground::new();
    ground.remember("ticket ABC-1234 is open", "see ABC-1234 and ABC-99");
    ground.put("memory/global/rules/a.md", "- see `inbox/ticket-abc-1234-is-open.md`\n");
    let done = ground.purge(Wanted::Pattern(r"ABC-\d{4}".into()), false);
    assert_eq!(done.remaining, 0, "{done:?}");
    assert_eq!(ground.holding("ABC-1234"), [""; 0]);
    assert_eq!(ground.holding("abc-1234"), [""; 0]);
    assert_eq!(ground.holding("ABC-99").len(), 2, "the file and the database");

    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    ground.put("memory/global/knowledge/key.md", format!("the key is {key}\n"));
    ground.coffer.memory.warm_up().unwrap();
    let done = ground.purge(Wanted::Secrets, false);
    assert_eq!(done.remaining, 0, "{done:?}");
    assert_eq!(ground.holding(&key), [""; 0]);
    assert_eq!(ground.read("memory/global/knowledge/key.md"), "the key is [purged]\n");
}

/// A text in a database may lie in two pages, so that a look at its bytes cannot show that it is in
/// none; a person's copy of a file is treated as the file.
#[test]
fn old_databases_are_told_before_they_go_and_copies_stay() {
    let ground = Ground::new();
    let old = "coffer.db.bad-20260528T202640123456Z";
    ground.put(old, "Walnut\0\0Secret");
    ground.put("config.toml.bak", "# mine\n");
    ground.put("notes.bak", "WalnutSecret here\n");
    let dry = ground.purge(Wanted::Text("WalnutSecret".into()), true);
    let rows = vec![row("old databases", 1, 0), row("copies", 1, 1)];
    assert_eq!((&dry.places, dry.remaining), (&rows, 1), "{dry:?}");
    assert!(ground.temp.path().join(old).exists());

    let done = ground.text("WalnutSecret");
    assert_eq!((&done.places, done.remaining), (&rows, 0), "{done:?}");
    assert!(!ground.temp.path().join(old).exists());
    assert_eq!(ground.read("config.toml.bak"), "# mine\n");
    assert_eq!(ground.read("notes.bak"), "[purged] here\n");
    assert_eq!(ground.text("WalnutSecret").places, []);
}

#[test]
fn what_cannot_be_purged_is_told() {
    let ground = Ground::new();
    ground.put("memory/.git/HEAD", "WalnutSecret");
    ground.put("memory/global/knowledge/big.md", vec![b'x'; (16 << 20) + 1]);
    ground.put("memory/global/knowledge/bad.md", "---\nWalnutSecret: [\n---\nWalnutSecret\n");
    let mut bytes = vec![b'x'; 40 << 20];
    bytes.extend_from_slice(b"WalnutSecret");
    ground.put("memory/global/notes.txt", bytes);
    ground.put("master.key", "WalnutSecret");
    let done = ground.text("WalnutSecret");
    assert_eq!(done.remaining, 2, "{done:?}");
    let told: Vec<&str> = done.unreachable.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(told, ["master.key", "memory/.git", "memory/global/notes.txt"], "{done:?}");
    assert_eq!(ground.read("memory/global/knowledge/bad.md"), "---\n(purged): [\n---\n[purged]\n");
}

/// A zero is no proof where nobody could look, and a report says where that was.
#[test]
fn what_is_not_proven_is_told() {
    let ground = Ground::new();
    ground.remember("about walnuts", "WalnutSecret and Walnut9");
    let told = |done: &Purged| -> Vec<String> {
        done.unreachable.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(told(&ground.text("WalnutSecret")), [""; 0], "its bytes were looked at");
    ground.remember("about oaks", "OakKey");
    assert_eq!(told(&ground.text("OakKey")), ["coffer.db"]);
    for wanted in [Wanted::Pattern(r"Walnut\d".into()), Wanted::Secrets] {
        assert_eq!(told(&ground.purge(wanted.clone(), true)), ["coffer.db"]);
        assert_eq!(told(&ground.purge(wanted, false)), ["coffer.db"]);
    }
    ground.put("models/minilm/config.json", "{}");
    assert_eq!(told(&ground.text("WalnutSecret")), ["models"]);
}

#[test]
fn a_purge_that_was_cut_off_goes_on() {
    let ground = Ground::new();
    for number in 0..10 {
        ground.remember(&format!("WalnutSecret {number}"), "WalnutSecret");
    }
    let purge = &ground.coffer.purge;
    let request =
        purge.prepare(Wanted::Text("WalnutSecret".into()), false, Stamp::new().id).unwrap();
    let steps = std::cell::Cell::new(0);
    let cut = purge.run(&request, NOW, &|_, _| {
        steps.set(steps.get() + 1);
        steps.get() < 25
    });
    assert!(matches!(cut, Err(Error::Cancelled)), "{cut:?}");
    assert!(!ground.holding("WalnutSecret").is_empty());
    assert_eq!(purge.waiting(), std::slice::from_ref(&request));
    let Ground { temp, coffer } = ground;
    coffer.close();
    drop(coffer);
    let ended = std::sync::Arc::new(std::sync::Mutex::new(false));
    let told = std::sync::Arc::clone(&ended);
    let coffer = Coffer::open(&Home::at(temp.path()), move |event| {
        if let crate::Event::JobChanged(job) = event {
            *told.lock().unwrap() |= job.state == crate::JobState::Done;
        }
    })
    .unwrap();
    let ground = Ground { temp, coffer };
    for _ in 0..500 {
        if *ended.lock().unwrap() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(ground.holding("WalnutSecret"), [""; 0]);
    assert_eq!(ground.coffer.purge.waiting(), []);
}

#[test]
fn a_text_leaves_documents_their_originals_and_what_was_retired() {
    use crate::kb::{BasePatch, Incoming};
    use coffer_domain::kb::KbName;
    let ground = Ground::new();
    let name = KbName::parse("guide").unwrap();
    let kb = &ground.coffer.kb;
    let patch =
        BasePatch { description: Some("on WalnutSecret".to_owned()), ..BasePatch::default() };
    kb.create(&name, &patch, &Author::USER, NOW).unwrap();
    let incoming = Incoming {
        filename: "WalnutSecret.md".to_owned(),
        bytes: b"# Drawer\n\nthe WalnutSecret is there".to_vec(),
        source_path: None,
    };
    let id = kb.add(&name, incoming, false, &Author::USER, &Stamp::new()).unwrap().document.id;
    kb.edit(&name, &id, ("WalnutSecret again", None), &Author::USER, NOW).unwrap();
    ground.put("knowledge/guide/raw/other.pdf", "WalnutSecret");
    let purged = ground.text("WalnutSecret");
    assert_eq!(purged.remaining, 0, "{purged:?}");
    assert_eq!(ground.holding("WalnutSecret"), ["knowledge/guide/raw/other.pdf"]);
    assert!(purged.unreachable.iter().any(|(path, _)| path == "knowledge"), "{purged:?}");
    assert!(purged.places.contains(&row("documents", 2, 4)), "{:?}", purged.places);
    let (document, text) = kb.document(&name, &id).unwrap();
    assert!(text.contains("again") && !text.contains("Walnut"), "{text}");
    assert!(!document.metadata.original_filename.unwrap().contains("Walnut"));
    assert_eq!(kb.search(&name, "WalnutSecret", 5).unwrap().passages, []);
}
