//! Search, grep, counts.

use coffer_domain::store::Mode;

use super::*;

impl Fixture {
    fn search(&self, query: &str) -> Vec<KbPassage> {
        self.kb.search(&self.name, query, 5).unwrap().passages
    }

    fn grep(&self, pattern: &str, max_matches: u32, case_sensitive: Option<bool>) -> Grepped {
        let pattern = pattern.to_owned();
        self.kb.grep(&self.name, &GrepRequest { pattern, max_matches, case_sensitive }).unwrap()
    }
}

#[test]
fn a_passage_tells_where_it_stands() {
    let at = Fixture::new();
    let (before, after) = ("word ".repeat(2000), "thing ".repeat(400));
    let text = format!("# Guide\n\n{before}\n\n## Deploy\n\nRun `make release`. {after}\n");
    let document = at.add("guide.md", &text);
    let found = at.search("how to deploy a release");
    assert_eq!(
        (&found[0].document, found[0].heading_path.as_str()),
        (&document.id, "Guide > Deploy")
    );
    let file = fs::read_to_string(at.dir().join(&found[0].path)).unwrap();
    let (first, last) = found[0].lines;
    let lines: Vec<&str> = file.lines().collect();
    let passage = lines[first as usize - 1..last as usize].join("\n");
    assert!(passage.contains("Run `make release`."), "{passage}");
    assert!(found[0].position > 0);
}

#[test]
fn other_sizes_of_passages_cut_all_documents_again_by_whoevers_hand() {
    let mut at = Fixture::new();
    let text: String = (0..200).map(|n| format!("Sentence {n} says a thing. ")).collect();
    at.add("a.md", &text);
    let count = |at: &Fixture| at.kb.metrics(&at.name).unwrap().chunks;
    let before = count(&at);
    let patch = BasePatch { chunk_size: Some(64), ..BasePatch::default() };
    at.kb.change(&at.name, &patch, now()).unwrap();
    let more = count(&at);
    assert!(more > 2 * before, "{more} {before}");
    let file = at.dir().join("kb.yaml");
    let yaml = fs::read_to_string(&file).unwrap().replace("chunk_size: 64", "chunk_size: 512");
    fs::write(&file, yaml).unwrap();
    assert_eq!(count(&at), before);
    at.assert_whole();
}

#[test]
fn grep_reads_the_files_and_says_when_it_stops() {
    let at = Fixture::new();
    let document = at.add("a.md", "alpha\nBeta one\nbeta two\n");
    at.add("b.md", &format!("{}beta{}", "x".repeat(5000), "y".repeat(5000)));
    let hits = at.grep("beta", 10, None).hits;
    assert_eq!(hits.len(), 3);
    assert_eq!(hits[0].path, format!("docs/{}.md", document.id));
    assert!(hits[2].line.len() < 1000 && hits[2].line.contains("beta"), "{}", hits[2].line);
    assert_eq!(at.grep("beta", 10, Some(true)).hits.len(), 2);
    assert_eq!(at.grep("^BETA", 10, Some(false)).hits.len(), 2);
    let some = at.grep("beta", 2, None);
    assert_eq!((some.hits.len(), some.truncated), (2, true));
    assert!(!at.grep("beta", 3, None).truncated || at.grep("beta", 3, None).hits.len() == 3);
    fs::write(&document.path, "gamma ray\n").unwrap();
    assert_eq!(at.grep("gamma", 10, None).hits.len(), 1);
    fs::write(at.dir().join("docs/binary.md"), "gamma\n\0\0gamma").unwrap();
    assert!(at.grep("gamma", 10, None).hits.len() <= 2);
    let bad = GrepRequest { pattern: "(".into(), max_matches: 1, case_sensitive: None };
    assert!(matches!(at.kb.grep(&at.name, &bad), Err(Error::Invalid { field: "pattern", .. })));
}

#[test]
fn a_base_that_is_off_answers_nothing_and_says_so() {
    let at = Fixture::new();
    let document = at.add("a.md", "alpha");
    at.kb.set_enabled(&at.name, false, USER, now()).unwrap();
    let found = at.kb.search(&at.name, "alpha", 5).unwrap();
    assert!(found.passages.is_empty() && found.note.is_some());
    assert!(at.grep("alpha", 5, None).note.is_some());
    assert_eq!(at.text(&document.id), "alpha");
    at.add("b.md", "beta");
    at.kb.set_enabled(&at.name, true, USER, now()).unwrap();
    assert_eq!(at.search("alpha").len(), 1);
    let words_only = BasePatch { enabled_modes: Some(vec![Mode::Keyword]), ..BasePatch::default() };
    at.kb.change(&at.name, &words_only, now()).unwrap();
    let refused = at.grep("alpha", 5, None);
    assert!(refused.hits.is_empty() && refused.note.is_some(), "{refused:?}");
}

#[test]
fn documents_are_paged_and_counted() {
    let at = Fixture::new();
    for number in 0..5 {
        at.add(&format!("{number}.md"), &format!("# Page {number}\n\nText."));
    }
    let page = at.kb.documents(&at.name, None, (2, 1)).unwrap();
    assert_eq!((page.documents.len(), page.total), (2, 5));
    assert_eq!(page.documents[0].title, "Page 3");
    let some = at.kb.documents(&at.name, Some("pAGE 4"), (10, 0)).unwrap();
    assert_eq!((some.documents.len(), some.total), (1, 1));
    let metrics = at.kb.metrics(&at.name).unwrap();
    assert_eq!((metrics.documents, metrics.chunks, metrics.degraded), (5, 5, 0));
    assert_eq!(metrics.indexed_modes, [Mode::Grep, Mode::Keyword]);
    let size = |folder: &str| -> u64 {
        let entries = fs::read_dir(at.dir().join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    let file = fs::metadata(at.dir().join("kb.yaml")).unwrap().len();
    assert_eq!(metrics.disk_bytes, size("docs") + size("raw") + file);
    let report = at.kb.reindex(&at.name, &|_, _| true, now()).unwrap();
    assert_eq!((report.scanned, report.reindexed, report.removed), (5, 0, 0));
}

#[test]
fn a_document_is_read_on_from_the_line_of_a_passage() {
    let at = Fixture::new();
    let document = at.add("a.md", "# One\n\nTwo\nThree\nFour\n");
    let part = |offset, limit| at.kb.part(&at.name, &document.id, offset, limit).unwrap();
    let all = part(0, 100);
    assert_eq!(all.markdown, "# One\n\nTwo\nThree\nFour");
    assert!(all.header.contains("source_filename: a.md"));
    assert_eq!((all.line_end, all.total_lines), (all.total_lines, all.line_start + 4));
    let passage = at.search("three").remove(0);
    assert_eq!(u64::from(passage.lines.0), all.line_start);
    let some = part(all.line_start + 2, 2);
    assert_eq!((some.markdown.as_str(), some.line_end), ("Two\nThree", all.line_start + 3));
    let none = part(1_000, 5);
    assert_eq!((none.markdown.as_str(), none.line_end), ("", 999));
}

/// Agents pay for what they read.
#[test]
fn what_is_read_at_once_is_no_more_than_an_agent_can_take() {
    let at = Fixture::new();
    let line = "walnut,".repeat(100);
    let many = format!("{line}\n").repeat(1_000);
    let document = at.add("many.md", &format!("# Many\n\n{many}"));
    let mut next = 1;
    let mut read = String::new();
    while read.lines().count() < 1_002 {
        let part = at.kb.part(&at.name, &document.id, next, 10_000).unwrap();
        assert!(part.markdown.len() < PART_BYTES && part.line_end >= part.line_start);
        read.extend([part.markdown.as_str(), "\n"]);
        next = part.line_end + 1;
    }
    assert!(read.ends_with(&many) && next > part_of(&at, &document, next).total_lines);

    let long = "river,".repeat(30_000);
    let document = at.add("long.md", &format!("# Long\n\n{long}\n\nThe end.\n"));
    let whole = at.kb.part(&at.name, &document.id, 1, 10_000).unwrap();
    assert_eq!(whole.markdown, "# Long\n");
    let refused = at.kb.part(&at.name, &document.id, whole.line_end + 1, 10).unwrap_err();
    assert!(refused.to_string().contains("has 180000 bytes"), "{refused}");
    assert_eq!(part_of(&at, &document, whole.line_end + 2).markdown, "\nThe end.");
}

fn part_of(at: &Fixture, document: &Document, offset: u64) -> Part {
    at.kb.part(&at.name, &document.id, offset, 100).unwrap()
}
