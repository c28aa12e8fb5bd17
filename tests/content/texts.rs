//! Texts of every kind: NUL, scripts, marks, sizes. Exact bytes come back, and a word of the middle
//! finds them.

use serde_json::{Value, json};

use super::{FACTS, hits, id_of, put, recall, remember};
use crate::support::{TestServer, derived};

#[test]
fn nul_is_refused_in_names_and_replaced_in_texts() {
    let server = TestServer::start();
    let added = remember(&server, &json!({"text": "walnut before\0almond behind"}));
    assert_eq!(added["text"], "walnut before\u{fffd}almond behind");
    for word in ["walnut", "almond", "behind"] {
        assert_eq!(hits(&server, word)[0]["id"], added["id"], "{word}");
    }
    for (field, body) in [
        ("title", json!({"text": "x", "title": "a\0b"})),
        ("description", json!({"text": "x", "description": "a\0b"})),
        ("origin_session_id", json!({"text": "x", "origin_session_id": "a\0b"})),
    ] {
        let refused = server.post(FACTS, &body);
        assert_eq!((refused.status, refused.fields()), (422, vec![field.to_owned()]), "{body}");
    }
    let label = server.patch("/api/v1/memory_stores/global/label", &json!({"label": "a\0b"}));
    assert_eq!(label.status, 422, "{}", label.text());
    for path in ["/api/v1/scope?cwd=/a%00b", "/api/v1/resume?cwd=%00"] {
        assert_eq!(server.get(path).status, 422, "{path}");
    }
    for path in [
        "/api/v1/memory_stores/global%00",
        "/api/v1/memory_stores/global/facts/%00",
        "/api/v1/memory_stores/global/facts?q=%00",
        "/api/v1/audit?event=%00",
        "/%00",
    ] {
        assert!(server.get(path).status < 500, "{path}");
    }
    // A file with NUL in it is indexed on both sides of it.
    put(&server, "nul.md", "cashew before\0pistachio behind\n\nand hazelnut below\n");
    for word in ["cashew", "pistachio", "hazelnut"] {
        id_of(&server, word, "nul.md");
    }
    derived::assert_rebuildable(&server, "with NUL");
}

/// A text, and words of it by which a person would look for it.
const SCRIPTS: &[(&str, &[&str])] = &[
    ("reply with 👩‍👩‍👧‍👦 and 🏳️‍🌈 when green", &["👩‍👩‍👧‍👦", "🏳️‍🌈", "green"]),
    ("the \u{202e}gnirts\u{202c} is reversed, \u{2067}מימין\u{2069} too", &["reversed", "מימין"]),
    ("服务器的部署流程写在文档里", &["部署", "文档", "服务器", "流程"]),
    ("デプロイは夜間に実行する", &["デプロイ", "夜間", "実行"]),
    ("배포는 매주 금요일에 한다", &["배포", "금요일"]),
    ("การปรับใช้ระบบทำทุกวันศุกร์", &["ระบบ", "ศุกร์"]),
    ("naïve café e\u{301}tude Ångström", &["naive", "café", "étude", "ångström"]),
    ("İstanbul'da ısı ölçümü yapılır", &["istanbul", "ölçümü"]),
    ("the ﬁle oﬃce has ligatures", &["file", "ligatures"]),
    ("развёртывание по пятницам", &["развёртывание", "пятницам"]),
    ("النشر يتم كل جمعة", &["النشر", "جمعة"]),
    ("तैनाती हर शुक्रवार को", &["तैनाती", "शुक्रवार"]),
    ("Ⅷ ½ ㎏ x² are odd numbers", &["odd", "numbers"]),
    ("𝕨𝕒𝕝𝕟𝕦𝕥 in letters of mathematics", &["walnut", "mathematics"]),
    ("ａｌｍｏｎｄ in wide letters", &["almond"]),
    ("zero\u{200b}width and soft\u{ad}hyphen", &["width", "hyphen"]),
    ("trailing spaces  \n\n\tand tabs\n\n```rust\nfn main() {}\n```", &["tabs", "main"]),
];

#[test]
fn every_script_comes_back_exactly_and_is_found_by_its_words() {
    let server = TestServer::start();
    let added: Vec<Value> =
        SCRIPTS.iter().map(|(text, _)| remember(&server, &json!({"text": text}))).collect();
    // Among others, so that a hit is one.
    for number in 0..40 {
        remember(&server, &json!({"text": format!("an ordinary note, its count is {number}")}));
    }
    let mut missed = Vec::new();
    for ((text, words), fact) in SCRIPTS.iter().zip(&added) {
        let path = format!("{FACTS}/{}", fact["id"].as_str().unwrap());
        assert_eq!(server.get(&path).json()["text"], json!(text));
        let file = std::fs::read_to_string(fact["path"].as_str().unwrap()).unwrap();
        assert!(file.contains(text), "{file}");
        for word in *words {
            let found = hits(&server, word);
            if !found.iter().take(3).any(|hit| hit["id"] == fact["id"]) {
                missed.push((*word, *text));
            }
        }
    }
    assert_eq!(missed, [], "words that do not find their text");
    derived::assert_rebuildable(&server, "with all scripts");
}

#[test]
fn texts_have_a_size_and_larger_ones_are_refused() {
    let server = TestServer::start();
    let longest = "字".repeat(8192);
    assert_eq!(remember(&server, &json!({"text": longest}))["text"], json!(longest));
    for text in ["字".repeat(8193), "x".repeat(1 << 20)] {
        let refused = server.post(FACTS, &json!({"text": text}));
        let details = refused.json()["error"]["details"].clone();
        let told = (refused.status, &details["reason"], &details["max"]);
        assert_eq!(told, (422, &json!("too_long"), &json!(8192)), "{}", refused.text());
    }
    let huge = server.post(FACTS, &json!({"text": "x".repeat(20 << 20)}));
    assert!([413, 422].contains(&huge.status), "{}", huge.status);
    assert_eq!(recall(&server, &"x".repeat(1 << 20)).status, 422);
    assert_eq!(recall(&server, &"walnut ".repeat(10_000)).status, 422);
    assert_eq!(server.get(FACTS).json()["total"], 1);
}

#[test]
fn large_files_are_indexed_whole() {
    let server = TestServer::start();
    let one_line = "walnut ".repeat(80_000) + "pistachio " + &"walnut ".repeat(80_000);
    assert!(one_line.len() > 1 << 20);
    put(&server, "one-line.md", &one_line);
    let lines: String = (0..10_000).map(|at| format!("line {at} of a long file\n")).collect();
    put(&server, "lines.md", format!("{lines}\nhazelnut in between\n\n{lines}"));
    let headings: String =
        (0..1_000).map(|at| format!("# Heading {at}\n\ntext {at}\n\n")).collect();
    put(&server, "headings.md", format!("{headings}# Cashew\n\nbelow it\n\n{headings}"));
    for (word, file) in
        [("pistachio", "one-line.md"), ("hazelnut", "lines.md"), ("cashew", "headings.md")]
    {
        id_of(&server, word, file);
        let grep = server.post(super::RECALL, &json!({"query": word, "mode": "grep"}));
        assert_eq!(grep.status, 200, "{}", grep.text());
    }
    let hit = &hits(&server, "pistachio")[0];
    assert!(hit["text"].as_str().unwrap().len() < 100_000, "a hit is a passage");
}
