//! Queries are text, whatever they look like: each finds its note, none is syntax, none fails.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{FACTS, RECALL, hits, put, recall, remember};
use crate::support::TestServer;
use crate::support::mcp::Mcp;

/// Queries with something to find, each as it stands in a note.
const WITH_WORDS: &[&str] = &[
    "multi-agent",
    "a\"b",
    "don't",
    "status: done",
    "retry OR",
    "NOT x",
    "AND",
    "{a b}:c",
    "col:x",
    "a + b",
    "@nasa",
    "#tag",
    "a=b",
    "50%",
    "C:\\x",
    "foo/bar",
    "src/*.rs",
    "你好",
    "😀",
    "\u{202e}abc",
    "'; DROP TABLE x;--",
    "^x",
    "-x",
    "NEAR(y",
    "\"quoted phrase\"",
    "getUserName",
    "a_b::c",
    "ci",
    "v1.2.3",
    "--no-verify",
    "$HOME",
    "<div>",
    "x && y",
    "user@example.org",
    "https://example.org/a?b=c",
    "C++",
    "C#",
    ".env",
    "0xdeadbeef",
    "É",
    "ß",
    "L'été",
    "node.js",
    "a.b.c.d",
    "日本",
    "向量检索",
    "“smart quotes”",
];

/// Queries of which nobody expects a hit.
const WITHOUT: &[&str] = &[
    "\"",
    "\"\"",
    "NEAR(",
    "*",
    "(",
    ")",
    "%",
    "_",
    "()",
    "\\",
    "/",
    "//",
    "\"\"\"",
    "' OR 1=1",
    "NOT",
    "OR OR",
    "AND NOT",
    "a AND",
    "-",
    "--",
    "^",
    "{",
    "}",
    ":",
    "a:",
    "\u{0}",
    "\u{202e}",
    "\u{fffd}",
    "   .   ",
    "\u{feff}",
    "{}:",
    "\"unclosed",
    "unopened\"",
    "a NEAR/3 b",
    "x*y*z*",
    "\t\n",
    "?",
    "💥",
];

#[test]
fn what_stands_in_a_note_finds_it() {
    let server = TestServer::start();
    let notes: Vec<Value> = WITH_WORDS
        .iter()
        .map(|query| {
            remember(&server, &json!({"text": format!("a note that says {query} somewhere")}))
        })
        .collect();
    let mut missed = Vec::new();
    for (query, note) in WITH_WORDS.iter().zip(&notes) {
        let found = hits(&server, query);
        // A note with all of the query's words answers as well.
        let rivals = WITH_WORDS.iter().filter(|other| has_words_of(other, query)).count() - 1;
        if !found.iter().take(3 + rivals).any(|hit| hit["id"] == note["id"]) {
            let instead: Vec<_> = found.iter().take(3).map(|hit| hit["text"].clone()).collect();
            missed.push((*query, instead));
        }
        let reply = server.post(RECALL, &json!({"query": query, "mode": "grep", "top_k": 20}));
        let found = reply.json()["hits"].clone();
        let ids: Vec<&Value> = found.as_array().unwrap().iter().map(|hit| &hit["id"]).collect();
        assert!(ids.contains(&&note["id"]), "grep for {query:?}: {found}");
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Whether a text has all words of a query but its operators.
fn has_words_of(text: &str, query: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !["", "NOT", "OR", "AND"].contains(word))
            .map(str::to_lowercase)
            .collect()
    };
    let (text, query) = (words(text), words(query));
    query.iter().all(|word| text.contains(word)) && (!query.is_empty() || text == query)
}

#[test]
fn no_query_is_syntax() {
    let server = TestServer::start();
    remember(&server, &json!({"text": "an ordinary note about walnuts"}));
    let mut agent = Mcp::connect(&server, None);
    let long = ["x".repeat(4096), "walnut ".repeat(585), "\"".repeat(4096), "(".repeat(4096)];
    for query in WITHOUT.iter().chain(WITH_WORDS).copied().chain(long.iter().map(String::as_str)) {
        for mode in ["keyword", "grep", "vector", "hybrid"] {
            let asked = json!({"query": query, "mode": mode});
            let reply = server.post(RECALL, &asked);
            let blank = query.trim().is_empty();
            let is_right =
                reply.status == 200 || (reply.status == 422 && (blank || mode == "grep"));
            assert!(is_right, "{query:.40?} {mode}: {} {}", reply.status, reply.text());
            assert!(
                !reply.text().to_lowercase().contains("syntax"),
                "{query:.40?}: {}",
                reply.text()
            );
        }
        let listed = server.get(&format!("{FACTS}?q={}", encoded(query)));
        assert_eq!(listed.status, 200, "{query:.40?}: {}", listed.text());
        let searched = server.post("/api/v1/search", &json!({"query": query}));
        assert!([200, 422].contains(&searched.status), "{query:.40?}: {}", searched.text());
        let told = agent.tool("coffer__recall", &json!({"query": query})).to_string();
        assert!(!told.to_lowercase().contains("syntax"), "{query:.40?}: {told}");
    }
    assert_eq!(hits(&server, "walnuts").len(), 1);
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    coffer_api::routes::encode(text, &mut encoded);
    encoded
}

#[test]
fn wildcards_of_the_database_are_ordinary_in_filters() {
    let server = TestServer::start();
    for title in ["fifty", "50% off", "a_b", "axb"] {
        remember(&server, &json!({"text": "walnut", "title": title}));
    }
    for (q, titles) in
        [("%", vec!["50% off"]), ("_", vec!["a_b"]), ("a_b", vec!["a_b"]), ("50%", vec!["50% off"])]
    {
        let listed = server.get(&format!("{FACTS}?q={}", encoded(q))).json();
        let found: Vec<&str> = listed["facts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fact| fact["title"].as_str().unwrap())
            .collect();
        assert_eq!(found, titles, "{q}");
    }
}

#[test]
fn patterns_are_linear_or_refused() {
    let server = TestServer::start();
    put(&server, "line.md", format!("{}b\n", "a".repeat(1 << 20)));
    put(&server, "words.md", "walnut one\nWalnut two\nalmond\n");
    assert_eq!(hits(&server, "almond").len(), 1);
    let ten_kilobytes = format!("/{}/", "walnut|".repeat(1500));
    for (pattern, is_fine) in [
        ("/(a+)+$/", true),
        ("/(.*)*x/", true),
        ("/^(a|a)*$/", true),
        ("/walnut (one|two)/", true),
        ("/a{1000}{1000}/", false),
        ("/(?R)walnut (one|two)$/", true),
        ("/(?<=a)b/", false),
        ("/(a)\\1/", false),
        ("/(/", false),
        ("/[/", false),
        ("/*/", false),
        ("/\\p{Nope}/", false),
        (ten_kilobytes.as_str(), false),
    ] {
        let began = Instant::now();
        let reply = server.post(RECALL, &json!({"query": pattern, "mode": "grep"}));
        let took = began.elapsed();
        assert!(took < Duration::from_secs(4), "{pattern:.30}: {took:?}");
        let wanted = if is_fine { 200 } else { 422 };
        assert_eq!(reply.status, wanted, "{pattern:.30}: {}", reply.text());
        if !is_fine {
            assert_eq!(reply.fields(), ["query"], "{pattern:.30}");
        }
    }
    let found = server.post(RECALL, &json!({"query": "/walnut (one|two)/", "mode": "grep"})).json();
    assert!(found["hits"][0]["source"].as_str().unwrap().ends_with("words.md"), "{found}");
}

#[test]
fn numbers_out_of_bounds_are_refused() {
    let server = TestServer::start();
    remember(&server, &json!({"text": "walnut"}));
    for top in [json!(0), json!(21), json!(-1), json!(1.5), json!("5"), json!(1e12), json!(null)] {
        let reply = server.post(RECALL, &json!({"query": "walnut", "top_k": top}));
        let wanted = if top.is_null() { 200 } else { 422 };
        assert_eq!(reply.status, wanted, "{top}: {}", reply.text());
    }
    for query in
        ["limit=0", "limit=-1", "limit=1e12", "limit=NaN", "offset=-1", "offset=99999999999999"]
    {
        let reply = server.get(&format!("{FACTS}?{query}"));
        assert!([400, 422].contains(&reply.status), "{query}: {}", reply.text());
    }
    assert_eq!(recall(&server, "").status, 422);
}
