//! Merge scan: pairs that nothing ties together, judged by the engine; and what follows a merge.

use std::time::Duration;

use coffer_corpus::provider::Answer;
use serde_json::{Value, json};

use super::scripted::{answered, configure, provider, said, served};
use crate::support::process::eventually;
use crate::support::{TestServer, project};

const SCAN: &str = "/api/v1/memory_stores/merge_scan";

/// A project with a fact; its store.
fn store(server: &TestServer, name: &str) -> String {
    let app = project::repository(server.folder(), name);
    let scope = server.get(&format!("/api/v1/scope?cwd={}", app.display())).json();
    let store = scope["store_name"].as_str().unwrap().to_owned();
    let fact = json!({"text": format!("About {name}.")});
    let path = format!("/api/v1/memory_stores/{store}/facts");
    assert_eq!(server.post(&path, &fact).status, 201);
    store
}

fn scan(server: &TestServer) -> Value {
    let found = server.trigger(SCAN);
    assert_eq!(found.status, 200, "{}", found.text());
    found.json()
}

#[test]
fn pairs_are_judged_by_what_speaks_for_them() {
    let (server, provider) = served(|chat| {
        let material = chat.material();
        let names = [&material["one"]["name"], &material["other"]["name"]];
        let same = names.iter().all(|name| name.as_str().unwrap().starts_with("shop"));
        answered(&json!({"same": same, "confidence": "likely", "reason": "Both are\nshops."}))
    });
    for name in ["shop", "shop-old", "blog"] {
        store(&server, name);
    }
    let found = scan(&server);
    assert_eq!((&found["engine"], &found["truncated"]), (&json!("used"), &json!(false)));
    let proposals = found["proposals"].as_array().unwrap();
    assert_eq!(proposals.len(), 1, "{found}");
    assert_eq!(
        (&proposals[0]["confidence"], &proposals[0]["judged_by"], &proposals[0]["reason"]),
        (&json!("likely"), &json!("engine"), &json!("Both are shops."))
    );
    assert_eq!(proposals[0]["source_evidence"]["titles"].as_array().unwrap().len(), 1);
    assert_eq!(provider.asked().len(), 3);
}

#[test]
fn bad_verdicts_are_no_proposals() {
    let answers: [fn() -> Answer; 5] = [
        || said("They look alike."),
        || answered(&json!({"same": "maybe", "confidence": "likely", "reason": "x"})),
        || answered(&json!({"same": true, "confidence": "certain", "reason": "x"})),
        || answered(&json!({"same": true})),
        || Answer::json(500, "{}"),
    ];
    for answer in answers {
        let (server, _provider) = served(move |_| answer());
        store(&server, "one");
        store(&server, "two");
        let found = scan(&server);
        assert_eq!(
            (&found["engine"], &found["proposals"]),
            (&json!("used"), &json!([])),
            "{found}"
        );
    }
}

#[test]
fn a_scan_whose_model_cannot_be_asked_says_so() {
    for code in [401, 500] {
        let (server, _provider) = served(move |_| Answer::json(code, "{}"));
        store(&server, "one");
        store(&server, "two");
        assert_eq!(scan(&server)["truncated"], true);
    }
}

#[test]
fn without_an_engine_only_signs_count() {
    let server = TestServer::start();
    store(&server, "one");
    store(&server, "two");
    let found = scan(&server);
    assert_eq!(found, json!({"engine": "no_model", "truncated": false, "proposals": []}));
}

#[test]
fn a_merge_is_followed_by_a_reorg() {
    let server = TestServer::start();
    let (one, two) = (store(&server, "one"), store(&server, "two"));
    let topic = server.home().memory();
    let merge = |organize: bool| {
        let body = json!({"source": one, "target": two, "organize": organize});
        server.post("/api/v1/memory_stores/merge", &body)
    };
    let provider = provider(|_| said("Nothing to do."));
    configure(&server, &provider);
    let found = server.get(&format!("/api/v1/memory_stores/{two}")).json();
    let folder = std::path::Path::new(found["store_dir"].as_str().unwrap()).join("knowledge");
    assert!(folder.starts_with(topic));
    std::fs::write(folder.join("ports.md"), "# Ports\n\nPort 80.\n").unwrap();
    let merged = merge(true).json();
    assert_eq!(merged["reorg_status"], "queued", "{merged}");
    let done = || {
        let jobs = server.get("/api/v1/jobs").json();
        let job =
            jobs["jobs"].as_array().unwrap().iter().find(|job| job["kind"] == "reorg")?.clone();
        (job["state"] == "done").then_some(job)
    };
    let job = eventually("the reorg ends", Duration::from_secs(20), done);
    assert_eq!((&job["store"], &job["result"]["reorg"]["topics_before"]), (&json!(two), &json!(1)));
}

#[test]
fn a_store_that_is_quiet_is_organized_where_that_is_wanted() {
    let (server, _provider) = served(super::organize::faithful);
    let wish = json!({"auto_organize": {"enabled": true, "idle_seconds": 5}});
    assert_eq!(server.put("/api/v1/settings", &wish).status, 200);
    super::scripted::remember(&server, "Deploy with `make release`.");
    let filed = || {
        let files = super::scripted::files(&server, "knowledge");
        files.iter().any(|(name, _)| name == "deploying.md").then_some(())
    };
    eventually("it is filed", Duration::from_secs(20), filed);
}
