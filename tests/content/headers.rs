//! Frontmatter as people and programs leave it: broken, odd, hostile. The text is found all the same,
//! what cannot be read is listed and never rewritten, and an edit touches what it must.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{FACTS, doctor_on, hits, id_of, put};
use crate::support::chance::{count, is_long};
use crate::support::{TestServer, derived};

/// A file that ought to be found by the word that stands for `WORD`, whether its header can be read,
/// and how much of it is header, by its last line.
const TORTURE: &[(&str, bool, &str)] = &[
    ("unclosed", false, "---\ntitle: a\n\nWORD text\n"),
    ("rule-first", false, "---\n\nWORD below a rule\n"),
    ("tab", false, "---\nmetadata:\n\tactor: user\n---\n\nWORD\n"),
    ("star", false, "---\ntitle: *x*\n---\n\nWORD\n"),
    ("link", false, "---\ntags:\n  - [[link]]x\n---\n\nWORD\n"),
    ("twice", false, "---\ntitle: a\ntitle: b\n---\n\nWORD\n"),
    ("scalar", false, "---\njust words\n---\n\nWORD\n"),
    ("list", false, "---\n- a\n- b\n---\n\nWORD\n"),
    ("colon", false, "---\ntitle: deploy: now\n---\n\nWORD\n"),
    ("at-sign", false, "---\ntitle: @x\n---\n\nWORD\n"),
    ("percent", false, "---\ntitle: %x\n---\n\nWORD\n"),
    ("quote", false, "---\ntitle: \"open\n---\n\nWORD\n"),
    ("bracket", false, "---\ntags: [a, b\n---\n\nWORD\n"),
    ("windows-path", true, "---\nkey: C:\\a\ntitle: old\n---\n\nWORD\n"),
    ("mark", true, "\u{feff}---\ntitle: old\n---\n\nWORD\n"),
    ("crlf", true, "---\r\ntitle: old\r\nkey: 'x'\r\n---\r\n\r\nWORD\r\n"),
    ("two-blocks", true, "---\ntitle: old\n---\n---\ntitle: b\n---\n\nWORD\n"),
    ("empty", true, "---\n---\n\nWORD\n"),
    ("dots", true, "---\ntitle: old\n...\n\nWORD\n"),
    ("no-header", true, "WORD without a header\n"),
    ("no-end", true, "---\ntitle: old\n---\nWORD"),
    ("python", true, "---\nx: !!python/object/apply:os.system ['true']\ntitle: old\n---\n\nWORD\n"),
    ("merge-key", true, "---\nbase: &b {a: 1}\nmore:\n  <<: *b\ntitle: old\n---\n\nWORD\n"),
];

fn word(at: usize) -> String {
    format!("walnut{}", ["ka", "lo", "mi", "nu", "pe"][at % 5].repeat(at / 5 + 1))
}

#[test]
fn broken_headers_hide_no_text_and_are_never_rewritten() {
    let server = TestServer::start();
    let files: Vec<_> = TORTURE
        .iter()
        .enumerate()
        .map(|(at, (name, _, text))| {
            put(&server, &format!("{name}.md"), text.replace("WORD", &word(at)))
        })
        .collect();
    assert_eq!(server.get(FACTS).json()["total"], TORTURE.len());
    derived::assert_rebuildable(&server, "with broken headers");
    for (at, (name, parses, _)) in TORTURE.iter().enumerate() {
        let (word, path) = (word(at), &files[at]);
        let before = std::fs::read_to_string(path).unwrap();
        let file = format!("{name}.md");
        let id = id_of(&server, &word, &file);
        let fact = format!("{FACTS}/{id}");
        assert!(server.get(&fact).json()["text"].as_str().unwrap().contains(&word), "{name}");

        let row = doctor_on(&server, path);
        assert_eq!(row.is_none(), *parses, "{name}: {row:?}");
        if let Some(row) = row {
            assert_eq!(id_of(&server, name, &file), id, "{name}: not found by its path");
            assert!(row["reason"].as_str().unwrap().contains("line"), "{name}: {row}");
        }
        let edited = server.patch(&fact, &json!({"title": "A new title"}));
        if *parses {
            assert_eq!(edited.status, 200, "{name}: {}", edited.text());
            assert_eq!(server.get(&fact).json()["title"], "A new title", "{name}");
            let now = std::fs::read_to_string(path).unwrap();
            assert_eq!(without_titles(&now), without_titles(&before), "{name}: {now}");
        } else {
            assert_eq!(edited.refusal(), (409, "NOT_EDITABLE".to_owned()), "{name}");
            let error = edited.json()["error"].clone();
            assert_eq!(error["details"]["path"].as_str(), path.to_str(), "{name}");
            assert_eq!(std::fs::read_to_string(path).unwrap(), before, "{name}");
        }
        let before = std::fs::read_to_string(path).unwrap();
        let body = format!("{word} in another text");
        let edited = server.patch(&fact, &json!({"text": body}));
        assert_eq!(edited.status, 200, "{name}: {}", edited.text());
        let now = std::fs::read_to_string(path).unwrap();
        let header = header(&before);
        assert_eq!(now.get(..header.len()), Some(header), "{name}: {now}");
        assert_eq!(now[header.len()..].trim(), body, "{name}: {now}");
        assert_eq!(id_of(&server, &word, &file), id, "{name}: another id after edits");
    }
    derived::assert_rebuildable(&server, "after edits of broken headers");
}

/// A text without the lines that a title stands on; a file without a header gets one.
fn without_titles(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split('\n').filter(|line| !line.starts_with("title:"));
    lines.filter(|line| !["---", "---\r", "", "\r"].contains(line)).collect()
}

/// The header of a text, its closing fence included; empty where there is none.
fn header(text: &str) -> &str {
    let start = text.strip_prefix('\u{feff}').map_or(0, |_| '\u{feff}'.len_utf8());
    let mut at = start;
    for (number, line) in text[start..].split_inclusive('\n').enumerate() {
        at += line.len();
        match (number, line.trim_end()) {
            (0, "---") => {}
            (0, _) => break,
            (_, "---" | "...") => return &text[..at],
            _ => {}
        }
    }
    &text[..start]
}

const ODD: &str = "---
# a comment that stays
\"title\":   'Quoted'   # and one behind
description: >-
  folded
  text

tags: [a,   b]
custom: {x: 1,y: [2]}
anchor: &a {k: v}
alias: *a
created_at: 2020-01-01T00:00:00Z
no_bool: no
exponent: 1e3
no_date: 2026-13-45
hex: 0x10
nothing: ~
date_tag: [2026-01-01]
long: 1234567890123456789012345678901234567890
zeta: 'single'

---

The walnut text.

";

#[test]
fn an_edit_of_a_field_touches_its_lines_only() {
    let server = TestServer::start();
    let path = put(&server, "odd.md", ODD);
    let fact = format!("{FACTS}/{}", id_of(&server, "walnut", "odd.md"));
    assert_eq!(server.get(&fact).json()["title"], "Quoted");
    assert_eq!(server.get(&fact).json()["description"], "folded text");

    assert_eq!(server.patch(&fact, &json!({"title": "Plain"})).status, 200);
    let now = std::fs::read_to_string(&path).unwrap();
    let changed: Vec<(&str, &str)> =
        ODD.lines().zip(now.lines()).filter(|(before, after)| before != after).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    let line = changed[0].1;
    assert!(line.starts_with("\"title\":   ") && line.ends_with("# and one behind"), "{line}");
    assert_eq!(now.lines().count(), ODD.lines().count());

    assert_eq!(server.patch(&fact, &json!({"description": "one line"})).status, 200);
    let now = std::fs::read_to_string(&path).unwrap();
    let rest = |text: &str| {
        let (before, after) = text.split_once("description:").unwrap();
        let (_, after) = after.split_once("tags:").unwrap();
        (before.lines().filter(|line| !line.contains("title")).count(), after.to_owned())
    };
    assert_eq!(rest(&now), rest(ODD), "{now}");
    assert_eq!(server.get(&fact).json()["description"], "one line");
    assert_eq!(server.patch(&fact, &json!({"description": ""})).status, 200);
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(!now.contains("description"), "{now}");
    assert!(now.ends_with("zeta: 'single'\n\n---\n\nThe walnut text.\n\n"), "{now}");
}

#[test]
fn values_are_taken_as_they_are_written() {
    let server = TestServer::start();
    for (at, (value, title)) in [
        ("no", "no"),
        ("1e3", "1e3"),
        ("2026-13-45", "2026-13-45"),
        ("0x10", "0x10"),
        ("2026-01-01", "2026-01-01"),
        ("0123", "0123"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("'~'", "~"),
        ("1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890"),
        ("\"tab\\there\"", "tab\there"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("typed{at}.md");
        let word = word(at);
        let text = format!("---\ntitle: {value}\nother: {value}\n---\n\n{word}\n");
        let path = put(&server, &name, &text);
        let fact = format!("{FACTS}/{}", id_of(&server, &word, &name));
        assert_eq!(server.get(&fact).json()["title"], title, "{value}");
        assert_eq!(server.patch(&fact, &json!({"description": "d"})).status, 200, "{value}");
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(now.contains(&format!("title: {value}\nother: {value}\n")), "{now}");
    }
}

/// Headers made to cost time or memory.
fn bombs() -> Vec<(&'static str, String)> {
    let mut aliases = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(aliases, "a{level}: &a{level} [{inner}]").unwrap();
    }
    let keys = |many: usize| (0..many).map(|at| format!("k{at}: v\n")).collect::<String>();
    vec![
        ("aliases", aliases),
        ("brackets", format!("a: {}\n", "[".repeat(50_000))),
        ("braces", format!("a: {}\n", "{a: ".repeat(10_000))),
        ("dashes", format!("a:\n{}\n", "- ".repeat(30_000))),
        ("large", format!("a: {}\n", "x".repeat(count(1, 5) << 20))),
        ("keys", keys(5_000)),
        ("more keys", keys(count(20_000, 300_000))),
        ("quotes", format!("a: {}\n", "'".repeat(60_001))),
        ("long key", format!("{}: x\n", "k".repeat(60_000))),
        ("anchors", (0..3_000).map(|at| format!("k{at}: &n{at} v\n")).collect()),
    ]
}

#[test]
fn hostile_headers_cost_little() {
    let server = TestServer::start();
    put(&server, "first.md", "walnut\n");
    assert_eq!(hits(&server, "walnut").len(), 1);
    let before = memory(&server);
    for (at, (name, header)) in bombs().into_iter().enumerate() {
        let (word, file) = (word(at), format!("bomb{at}.md"));
        put(&server, &file, format!("---\n{header}---\n\n{word}\n"));
        let began = Instant::now();
        id_of(&server, &word, &file);
        let took = began.elapsed();
        // Indexing megabytes of text takes its time, refusing a header none.
        assert!(took < Duration::from_secs(4) || is_long(), "{name}: {took:?}");
    }
    let grown = memory(&server).saturating_sub(before);
    assert!(grown < 150_000, "{grown} kB more");
    assert_eq!(hits(&server, "walnut").len(), 1);
}

/// The memory that a server has in use, in kilobytes.
fn memory(server: &TestServer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.info.pid)).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
