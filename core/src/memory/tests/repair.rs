//! Indexes and folders that were cut off, changed or replaced, and work that meets other work.

use super::*;

#[test]
fn an_index_that_was_cut_otherwise_is_filled_again_and_the_history_stays() {
    let at = Fixture::new();
    at.remember("about herons");
    let index = at.memory.knowledge().index();
    index
        .write(|tx| tx.execute_batch("PRAGMA application_id = 1; DELETE FROM signatures"))
        .unwrap();
    let again = Fixture { memory: Fixture::open(at.temp.path()), temp: at.temp };
    assert_eq!(again.recall("herons").len(), 1);
    let all = crate::index::HistoryFilter { limit: 9, ..Default::default() };
    let index = again.memory.knowledge().index();
    assert!(index.read(|db| crate::index::audit(db, &all)).unwrap().len() >= 2);
    again.assert_rebuilt();
}

/// An id that a person pins may be the one that another file derives from its path.
#[test]
fn a_pinned_id_meets_a_derived_one_and_nothing_stops() {
    let at = Fixture::new();
    let inbox = at.inbox();
    fs::create_dir_all(&inbox).unwrap();
    let derived = Id::of_file("global", "knowledge/inbox/b.md");
    let pin = format!("---\nid: {derived}\n---\n\n");
    fs::write(inbox.join("x.md"), format!("{pin}walnut pinned\n")).unwrap();
    at.assert_rebuilt();
    fs::write(inbox.join("b.md"), "walnut derived\n").unwrap();
    fs::write(inbox.join("c.md"), "walnut beside\n").unwrap();
    assert_eq!(at.recall("walnut").len(), 3);
    at.assert_rebuilt();
    // An earlier path with the same pin takes it from both.
    fs::write(inbox.join("a.md"), format!("{pin}walnut earlier\n")).unwrap();
    assert_eq!(at.recall("walnut").len(), 4);
    assert_eq!(at.memory.fact(&GLOBAL, &derived).unwrap().text, "walnut earlier");
    at.assert_rebuilt();
    for (gone, left) in [("a.md", "walnut derived"), ("b.md", "walnut pinned")] {
        fs::remove_file(inbox.join(gone)).unwrap();
        assert_eq!(at.memory.fact(&GLOBAL, &derived).unwrap().text, left);
        at.assert_rebuilt();
    }
}

/// Nobody tells of a folder above the store that another one replaces.
#[test]
fn a_memory_folder_that_is_put_back_from_a_copy_counts_at_once() {
    let at = Fixture::new();
    at.remember("walnut is old");
    assert_eq!(at.recall("walnut"), ["walnut is old"]);
    let (memory, old) = (at.temp.path().join("memory"), at.temp.path().join("memory.old"));
    fs::rename(&memory, &old).unwrap();
    let copied = Command::new("cp").arg("-a").args([&old, &memory]).status().unwrap();
    assert!(copied.success());
    fs::write(at.inbox().join("new.md"), "walnut is new\n").unwrap();
    assert_eq!(at.recall("walnut").len(), 2);
    fs::write(at.inbox().join("new.md"), "walnut is newer\n").unwrap();
    assert!(at.recall("walnut").contains(&"walnut is newer".to_owned()));
}

#[test]
fn a_reindex_that_is_cut_off_is_finished_by_the_next_read() {
    let at = Fixture::new();
    at.remember("walnut zero");
    at.recall("walnut");
    for number in 0..300 {
        fs::write(at.inbox().join(format!("n{number}.md")), format!("walnut {number}\n")).unwrap();
    }
    let store = at.memory.store_ref(&GLOBAL);
    let cut_off = at.memory.knowledge().reindex(&store, &|_, _| false);
    assert!(cut_off.is_err());
    let page = Page { limit: 1, ..Page::default() };
    assert_eq!(at.memory.facts(&GLOBAL, &page).unwrap().total, 301);
}

#[test]
fn a_long_fact_is_compared_whole() {
    let at = Fixture::new();
    let words = |seed: usize| -> String {
        (0..700).map(|at| format!("w{}x ", (at * 7919 + seed) % 5_000)).collect()
    };
    let first = at.remember(&words(1)).fact;
    let again = at.remember(&words(1));
    assert_eq!(again.similar.iter().map(|s| &s.id).collect::<Vec<_>>(), [&first.id]);
    assert_eq!(at.remember(&words(2_500)).similar, []);
}

#[test]
fn readers_wait_for_no_writer_where_nothing_changed() {
    let at = Fixture::new();
    at.remember("walnut");
    // Past the racy window, so that no stat is in doubt.
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    at.memory.knowledge().reindex(&at.memory.store_ref(&GLOBAL), &|_, _| true).unwrap();
    let (sender, held) = std::sync::mpsc::channel();
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let writer = at.memory.clone();
    let holding = std::thread::spawn(move || {
        writer.knowledge().index().write(|_| {
            sender.send(()).unwrap();
            gate.recv().unwrap();
            Ok(())
        })
    });
    held.recv().unwrap();
    // Another process's eyes: nothing is trusted yet, so that the store is walked.
    let index = Index::open(&at.memory.0.home.database(), now()).unwrap();
    let fresh = Knowledge::new(Arc::new(index), Embedders::off(), Arc::default());
    let found = fresh.fresh(&at.memory.store_ref(&GLOBAL), |db| {
        crate::index::tally(db, &at.memory.store_ref(&GLOBAL).scope, "knowledge/")
    });
    assert_eq!(found.unwrap().documents, 1);
    assert_eq!(fresh.lag(&at.memory.store_ref(&GLOBAL)), None);
    assert!(!holding.is_finished());
    go.send(()).unwrap();
    holding.join().unwrap().unwrap();
}

#[test]
fn a_delete_and_a_write_of_one_store_end_in_one_of_two_states() {
    for _ in 0..20 {
        let at = Fixture::new();
        at.remember("first");
        let writer = at.memory.clone();
        let writing = std::thread::spawn(move || {
            let fact = FactIn { text: "second", ..FactIn::default() };
            writer.remember(&GLOBAL, fact, &Author::USER, Stamp::new())
        });
        at.memory.delete_store(&GLOBAL, &Author::USER, now()).unwrap();
        let written = writing.join().unwrap();
        if let Ok(written) = written {
            let stands = written.fact.path.exists();
            // Either the write came first and went with the store, or it made the store anew.
            assert_eq!(at.recall("second").len(), usize::from(stands));
        }
        at.remember("third");
        assert_eq!(at.recall("third"), ["third"]);
    }
}

/// FTS5 writes down what it gathered whenever a statement is a transaction of its own inside the other,
/// as one is that fires a trigger: then each document costs twice as much, and leaves a segment.
#[test]
fn many_files_make_few_segments() {
    let at = Fixture::new();
    at.remember("first");
    let inbox = at.memory.paths(&GLOBAL).root().join("knowledge/inbox");
    for n in 0..500 {
        fs::write(inbox.join(format!("{n}.md")), format!("walnut {n}\n")).unwrap();
    }
    assert_eq!(at.memory.reindex(&GLOBAL, &|_, _| true).unwrap().reindexed, 500);
    let segments = at.memory.knowledge().index().read(|db| {
        let query = "SELECT count(DISTINCT id >> 37) FROM terms_fts_data WHERE id >= 1 << 37";
        db.query_row(query, [], |row| row.get::<_, i64>(0))
    });
    assert!(segments.unwrap() <= 4);
}
