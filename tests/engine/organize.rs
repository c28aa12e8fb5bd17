//! Organize: verdicts good and bad, and what becomes of the files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use coffer_corpus::provider::Answer;
use serde_json::{Value, json};

use super::scripted::{Chat, answered, files, late, pass, remember, said, served};
use crate::support::TestServer;
use crate::support::chance::is_long;

const CREATE: &str = "create";

fn verdict(action: &str, topic: &str, body: &str) -> Value {
    json!({"action": action, "topic": topic, "title": "Deploying", "description": "How to deploy.",
        "body": body})
}

/// Files everything into one topic, word for word.
pub fn faithful(chat: &Chat) -> Answer {
    let material = chat.material();
    let text = material["item"]["text"].as_str().unwrap();
    let known = material["topics"].as_array().unwrap().iter().find(|it| it["slug"] == "deploying");
    match known {
        Some(topic) => {
            let body = format!("{}\n\n{text}", topic["body"].as_str().unwrap());
            answered(&verdict("merge", "deploying", &body))
        }
        None => answered(&verdict(CREATE, "deploying", text)),
    }
}

fn inbox(server: &TestServer) -> usize {
    files(server, "knowledge/inbox").len()
}

#[test]
fn items_become_a_topic_and_every_version_is_kept() {
    let (server, _provider) = served(faithful);
    remember(&server, "Deploy with `make release` on port 8080.");
    remember(&server, "Deploy only on Fridays of week 12.");
    let done = pass(&server, "organize");
    assert_eq!(
        done,
        json!({"status": "organized", "items_processed": 2, "topics_created": 1,
            "topics_updated": 1, "rules_appended": 0, "rules_files_split": 0, "skipped": 0,
            "problems": [], "model": "scripted"})
    );
    let topics = files(&server, "knowledge");
    let names: Vec<&str> = topics.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["INDEX.md", "deploying.md"]);
    assert_eq!(topics[0].1, "# Topics\n\n- [Deploying](<deploying.md>): How to deploy.\n");
    let topic = &topics[1].1;
    assert!(topic.starts_with("---\ntitle: Deploying\ndescription: How to deploy.\nupdated_at: "));
    assert!(topic.contains("`make release` on port 8080") && topic.contains("week 12"), "{topic}");
    let retired = files(&server, "superseded");
    let of = |prefix: &str| retired.iter().filter(|(name, _)| name.starts_with(prefix)).count();
    assert_eq!((of("knowledge--inbox--"), of("knowledge--deploying-")), (2, 1));
    let log = server.get("/api/v1/memory_stores/global/consolidation-log").json();
    let log = log["text"].as_str().unwrap();
    assert!(log.contains("organizer created `knowledge/deploying.md` from `knowledge/inbox/"));
    assert!(log.contains("organizer updated `knowledge/deploying.md` from `knowledge/inbox/"));
    let found = server.post("/api/v1/memory_stores/global/recall", &json!({"query": "Fridays"}));
    assert_eq!(found.json()["hits"][0]["title"], "Deploying");
    let audit = server.get("/api/v1/audit?event=memory_organized").json();
    assert_eq!(audit["events"][0]["counts"]["items"], 2, "{audit}");
    // Each version comes back, byte for byte.
    let (file, text) = retired.iter().find(|(name, _)| name.contains("deploying-")).unwrap();
    let restore =
        server.post("/api/v1/memory_stores/global/superseded/restore", &json!({"file": file}));
    assert_eq!(restore.status, 200, "{}", restore.text());
    assert_eq!(&files(&server, "knowledge")[1].1, text);
    assert_eq!(pass(&server, "organize")["status"], "empty");
}

#[test]
fn without_an_engine_nothing_happens() {
    let server = TestServer::start();
    remember(&server, "A fact.");
    let done = pass(&server, "organize");
    assert_eq!((&done["status"], &done["model"]), (&json!("no_model"), &Value::Null));
    assert_eq!(inbox(&server), 1);
}

/// One bad answer each: the item stays, nothing else changes, and it is said why.
#[test]
fn bad_answers_change_nothing() {
    let text = "Use `cargo xtask test` with 3 threads.";
    let lossy = verdict(CREATE, "x", "Use the tests.");
    let with = |action: &str, topic: &str| verdict(action, topic, text);
    let cases: Vec<(&str, Answer)> = vec![
        ("holds no JSON", said("I am sorry.")),
        ("EOF", said(&with(CREATE, "x").to_string()[..40])),
        ("more than one value", said(&format!("{0}\n{0}", with(CREATE, "x")))),
        ("unknown variant", answered(&with("destroy", "x"))),
        ("no topic `other` was given", answered(&with("merge", "other"))),
        ("no topic `../../etc/passwd` was given", answered(&with("merge", "../../etc/passwd"))),
        ("`body`", answered(&verdict(CREATE, "x", "  "))),
        ("title", answered(&json!({"action": CREATE, "topic": "x", "body": text}))),
        ("`rule`", answered(&json!({"action": "rule", "topic": "x"}))),
        ("loses `3`, `cargo xtask test`", answered(&lossy)),
        ("loses `3`", answered(&json!({"action": "rule", "rule": "Use `cargo xtask test`."}))),
        ("500", Answer::json(500, r#"{"error":"out of order"}"#)),
        ("400", Answer::json(400, r#"{"error":{"message":"too long"}}"#)),
        ("broke off", said("{}").cut(3)),
    ];
    for (reason, answer) in cases {
        let (server, _provider) = served(move |_| answer.clone());
        remember(&server, text);
        let before = files(&server, "");
        let done = pass(&server, "organize");
        assert_eq!(done["skipped"], 1, "{reason}: {done}");
        let said = done["problems"][0]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{reason}: {said}");
        assert_eq!(files(&server, ""), before, "{reason}");
    }
}

#[test]
fn what_is_lost_is_asked_for_once_more() {
    let (server, provider) = served(|chat| {
        let repaired = chat.last.contains("Your document lost these");
        let body = if repaired { "Port 8080, `make x`." } else { "A port." };
        assert!(!repaired || chat.last.contains("`8080`, `make x`"), "{}", chat.last);
        answered(&verdict(CREATE, "ports", body))
    });
    remember(&server, "The port is 8080, see `make x`.");
    assert_eq!(pass(&server, "organize")["topics_created"], 1);
    assert_eq!(provider.asked().len(), 2);
}

#[test]
fn rules_land_in_their_file_once_with_where_they_come_from() {
    let (server, _provider) = served(|_| {
        answered(&json!({"action": "rule", "topic": "Testing", "rule": "Never skip tests."}))
    });
    let rule = json!({"text": "Mine.", "file": "testing"});
    server.post("/api/v1/memory_stores/global/rules", &rule);
    remember(&server, "Tests must not be skipped, ever.");
    remember(&server, "Do not skip tests.");
    let done = pass(&server, "organize");
    assert_eq!(
        (&done["rules_appended"], &done["items_processed"]),
        (&json!(1), &json!(2)),
        "{done}"
    );
    let rules = files(&server, "rules");
    assert_eq!(rules.len(), 1);
    let (name, text) = &rules[0];
    assert_eq!(name, "testing.md");
    assert!(text.starts_with("- Mine.\n- Never skip tests. <!-- coffer: from user, "), "{text}");
    assert_eq!((text.lines().count(), inbox(&server)), (2, 0));
    let told = server.get("/api/v1/memory_stores/global/injection").json();
    let told = told["additional_context"].as_str().unwrap();
    assert!(told.contains("- Never skip tests.\n") && !told.contains("<!--"), "{told}");
}

#[test]
fn slugs_are_made_safe_and_never_take_anothers_file() {
    let wanted = ["../../evil", "INDEX", "con", "a/b\\c", "", "Ünï 規則", "same", "same"];
    let number = Arc::new(AtomicUsize::new(0));
    let (server, _provider) = served(move |chat| {
        let at = number.fetch_add(1, Ordering::SeqCst);
        let text = chat.material()["item"]["text"].as_str().unwrap().to_owned();
        answered(&verdict(CREATE, wanted[at], &text))
    });
    for number in 0..wanted.len() {
        remember(&server, &format!("Distinct fact number {number} about w{number}x."));
    }
    let done = pass(&server, "organize");
    assert_eq!(done["topics_created"], json!(wanted.len()), "{done}");
    let names: Vec<String> =
        files(&server, "knowledge").into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "INDEX.md",
            "a-b-c.md",
            "deploying.md",
            "evil.md",
            "index-2.md",
            "same-2.md",
            "same.md",
            "topic-con.md",
            "ünï-規則.md"
        ]
    );
    assert!(!server.folder().join("evil.md").exists());
}

#[test]
fn a_model_that_cannot_be_reached_ends_the_pass() {
    let (server, provider) = served(|_| Answer::json(503, "{}"));
    for number in 0..6 {
        remember(&server, &format!("Fact {number}."));
    }
    let done = pass(&server, "organize");
    assert_eq!((&done["status"], &done["skipped"]), (&json!("unavailable"), &json!(3)), "{done}");
    assert_eq!((provider.asked().len(), inbox(&server)), (3, 6));
    // A short inbox ends before that many were asked about, and says the same.
    let (server, _provider) = served(|_| Answer::json(503, "{}"));
    remember(&server, "A fact.");
    let done = pass(&server, "organize");
    assert_eq!((&done["status"], &done["skipped"]), (&json!("unavailable"), &json!(1)), "{done}");
}

#[test]
fn the_days_tokens_end_the_pass() {
    let (server, provider) = served(faithful);
    for number in 0..4 {
        remember(&server, &format!("Fact {number}."));
    }
    server.put("/api/v1/settings", &json!({"daily_token_cap": 8_900}));
    let done = pass(&server, "organize");
    assert_eq!(done["status"], "budget", "{done}");
    let asked = provider.asked().len();
    assert!((1..4).contains(&asked) && inbox(&server) == 4 - asked, "{asked}");
    let status = server.get("/api/v1/status").json();
    assert_eq!(status["engine"]["tokens_today"], json!(asked * 100));
}

#[test]
fn a_dry_run_asks_nobody() {
    let (server, provider) = served(faithful);
    remember(&server, "Deploy with make.");
    let path = "/api/v1/memory_stores/global/organize?dry_run=true";
    let would = server.trigger(path).json();
    assert_eq!(would["would_send"].as_array().unwrap().len(), 1, "{would}");
    assert!(would["would_send"][0]["text"].as_str().unwrap().contains("Deploy with make."));
    assert!(would["tokens"].as_u64().unwrap() > 200);
    let mut shown = server.command("coffer");
    let shown = shown.args(["memory", "organize", "global", "--dry-run"]).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("Deploy with make.") && shown.contains("\n1 item, about "), "{shown}");
    assert_eq!((provider.asked().len(), inbox(&server)), (0, 1));
}

/// 20 notes added, 5 edited, 3 deleted by others while items are organized: all 28 survive. With
/// COFFER_TEST_LONG=1 the pass takes more than a minute.
#[test]
fn what_others_do_meanwhile_survives() {
    let pace = if is_long() { 14 } else { 1 };
    let (server, _provider) =
        served(move |chat| late(faithful(chat), Duration::from_millis(150) * pace));
    let server = Arc::new(server);
    let ids: Vec<String> =
        (0..30).map(|number| remember(&server, &format!("Old fact o{number}o."))).collect();
    let other = Arc::clone(&server);
    let others = std::thread::spawn(move || {
        let fact = |id: &str| format!("/api/v1/memory_stores/global/facts/{id}");
        let mut changed = (Vec::new(), Vec::new());
        for number in 0..20 {
            remember(&other, &format!("New fact n{number}n."));
            // From the end, where the organizer is not yet; one that it took is gone.
            if number < 5 {
                let text = format!("Edited fact e{number}e.");
                let id = &ids[29 - number];
                if other.patch(&fact(id), &json!({"text": text})).status == 200 {
                    changed.0.push(text);
                }
            }
            if (5..8).contains(&number) {
                let id = &ids[29 - number];
                if other.delete(&fact(id)).status == 204 {
                    changed.1.push(format!("o{}o", 29 - number));
                }
            }
            std::thread::sleep(Duration::from_millis(100) * pace);
        }
        changed
    });
    let done = pass(&server, "organize");
    let (edited, deleted) = others.join().unwrap();
    assert_eq!((edited.len(), deleted.len()), (5, 3));
    let knowledge: String = files(&server, "knowledge")
        .into_iter()
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join("\n");
    for number in 0..20 {
        assert!(knowledge.contains(&format!("New fact n{number}n.")), "{number}: {done}");
    }
    for text in &edited {
        assert!(knowledge.contains(text), "{text}: {done}");
    }
    for text in &deleted {
        assert!(!knowledge.contains(text), "{text}");
        let superseded = files(&server, "superseded");
        assert!(superseded.iter().any(|(_, kept)| kept.contains(text)), "{text}");
    }
    for number in 0..22 {
        assert!(knowledge.contains(&format!("o{number}o")), "{number}");
    }
}

#[test]
fn a_cancelled_pass_keeps_what_it_did() {
    let (server, _provider) = served(|chat| late(faithful(chat), Duration::from_millis(300)));
    for number in 0..20 {
        remember(&server, &format!("Fact {number}."));
    }
    let started = server.trigger("/api/v1/memory_stores/global/organize?wait=1").json();
    let job = format!("/api/v1/jobs/{}", started["job"]["id"].as_str().unwrap());
    server.delete(&job);
    let ended = || {
        let job = server.get(&job).json();
        (job["state"] != "running").then_some(job)
    };
    let job = crate::support::process::eventually("it ends", Duration::from_secs(20), ended);
    assert_eq!(job["state"], "cancelled", "{job}");
    let left = inbox(&server);
    assert!((1..20).contains(&left), "{left}");
    let text: String = files(&server, "knowledge").into_iter().map(|(_, text)| text).collect();
    for number in 0..20 {
        assert!(text.contains(&format!("Fact {number}.")), "{number}");
    }
}

#[test]
fn a_pattern_of_three_days_is_offered_once() {
    let (server, provider) = served(|_| answered(&json!({"action": "keep"})));
    remember(&server, "Makes the store.");
    let journal = server.home().memory().join("global/journal");
    std::fs::create_dir_all(&journal).unwrap();
    let body = "The linter must run before the tests, or the build fails late.";
    for day in ["01", "02", "03"] {
        let text = format!("## 2026-03-{day}T10:00:00Z · Linter\n<!-- agent: codex -->\n{body}\n");
        std::fs::write(journal.join(format!("2026-03-{day}.md")), text).unwrap();
    }
    assert_eq!(pass(&server, "organize")["items_processed"], 2);
    let items = files(&server, "knowledge/inbox");
    let (_, promoted) = items.iter().find(|(_, text)| text.contains("linter")).unwrap();
    assert!(
        promoted.contains("actor: agent")
            && promoted.contains("2026-03-01, 2026-03-02, 2026-03-03")
    );
    pass(&server, "organize");
    assert_eq!(inbox(&server), 2);
    assert_eq!(provider.asked().len(), 2, "nothing changed that they might belong to");
}

/// Names that mean one file, also the file's own: every rule is in it, and what cannot be split stays.
#[test]
fn categories_of_one_name_lose_no_rule() {
    for (names, files_after) in [
        (["Code Style", "code-style", "git"], vec!["code-style.md", "git.md"]),
        (["rules", "Rules", "git"], vec!["git.md", "rules.md"]),
        (["rules", "Rules", "RULES"], vec!["rules.md"]),
    ] {
        let (server, _provider) = served(move |_| {
            let part = |at: usize| (0..120).filter(|n| n % 3 == at).collect::<Vec<usize>>();
            let category = |at: usize| json!({"name": names[at], "rules": part(at)});
            answered(&json!({"categories": [category(0), category(1), category(2)]}))
        });
        remember(&server, "Makes the store.");
        let folder = server.home().memory().join("global/rules");
        std::fs::create_dir_all(&folder).unwrap();
        let mut wanted: Vec<String> = (0..120).map(|n| format!("- Rule number {n}.")).collect();
        std::fs::write(folder.join("rules.md"), format!("{}\n", wanted.join("\n"))).unwrap();
        pass(&server, "organize");
        let rules = files(&server, "rules");
        let found: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(found, files_after, "{names:?}");
        let mut after: Vec<String> =
            rules.iter().flat_map(|(_, text)| coffer_domain::bundle::bullets_of(text)).collect();
        after.sort();
        wanted.sort();
        assert_eq!(after, wanted, "{names:?}");
    }
}

#[test]
fn a_file_of_too_many_rules_is_split_without_losing_one() {
    let (server, _provider) = served(|chat| {
        let material = chat.material();
        let rules = material["rules"].as_array().unwrap();
        let mut by: [Vec<Value>; 3] = Default::default();
        for rule in rules {
            let number = rule["number"].as_u64().unwrap();
            by[usize::try_from(number % 3).unwrap()].push(json!(number));
        }
        let names = ["git", "testing", "Code Style"];
        let categories: Vec<Value> = names
            .iter()
            .zip(by)
            .map(|(name, rules)| json!({"name": name, "rules": rules}))
            .collect();
        answered(&json!({"categories": categories}))
    });
    remember(&server, "Makes the store.");
    let folder = server.home().memory().join("global/rules");
    std::fs::create_dir_all(&folder).unwrap();
    let bullets: Vec<String> =
        (0..250).map(|n| format!("- Rule number {n}.\n  More of {n}.")).collect();
    let before = format!("# All\n\n{}\n", bullets.join("\n"));
    std::fs::write(folder.join("rules.md"), &before).unwrap();
    let done = server.trigger("/api/v1/memory_stores/global/organize?wait=60").json();
    assert_eq!(done["rules_files_split"], 1, "{done}");
    let rules = files(&server, "rules");
    let names: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["code-style.md", "git.md", "testing.md"]);
    let mut after: Vec<String> = Vec::new();
    for (_, text) in &rules {
        let own = coffer_domain::bundle::bullets_of(text);
        assert!(own.len() <= 100);
        after.extend(own);
    }
    after.sort();
    let mut wanted = bullets;
    wanted.sort();
    assert_eq!(after, wanted);
    assert!(files(&server, "superseded").iter().any(|(_, text)| *text == before));
}
