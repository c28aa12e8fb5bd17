//! The official TypeScript SDK as a client, over both transports: that we and our own small client
//! understand each other proves little.
//!
//! The SDK itself checks every message's shape, and each structured result against the schema that
//! the tool declares; what it finds wrong fails the run.

use serde_json::{Value, json};

use super::{RECALL, REMEMBER, TOOLS, noted, texts};
use crate::support::mcp::Mcp;
use crate::support::official::{Official, call};
use crate::support::{TestServer, project};

/// What a call that must succeed has found.
#[track_caller]
fn found(outcome: &Value) -> Vec<&str> {
    assert!(outcome["isError"] != true && outcome["refused"].is_null(), "{outcome}");
    texts(&outcome["structuredContent"])
}

#[test]
fn agents_of_a_project_share_and_others_do_not_see() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let feature = project::worktree(&app, "feature");
    let other = project::repository(server.folder(), "other");

    let fact = json!({"text": "Deploy with `make walnut`.", "title": "Deploying"});
    let told = Official::spawning(&server, &app, "walnut-agent").run(&[call(REMEMBER, &fact)]);
    let written = &told["outcomes"][0]["structuredContent"];
    let file = std::fs::read_to_string(written["path"].as_str().unwrap()).unwrap();
    assert!(file.contains("agent: walnut-agent"), "{file}");

    let question = [call(RECALL, &json!({"query": "how to deploy walnut"}))];
    let told = Official::connecting(&server, Some(&feature)).run(&question);
    assert_eq!(found(&told["outcomes"][0]), ["Deploy with `make walnut`."]);
    let hit = &told["outcomes"][0]["structuredContent"]["hits"][0];
    assert_eq!((&hit["id"], &hit["title"]), (&written["id"], &json!("Deploying")));

    let told = Official::connecting(&server, Some(&other)).run(&question);
    assert_eq!(found(&told["outcomes"][0]), [""; 0]);
    // Roots say it as well as the header does.
    let rooted = Official::connecting(&server, None).with_root(&feature).run(&question);
    assert_eq!(found(&rooted["outcomes"][0]), ["Deploy with `make walnut`."]);
    let rooted = Official::connecting(&server, None).with_root(&other).run(&question);
    assert_eq!(found(&rooted["outcomes"][0]), [""; 0]);
}

#[test]
fn all_that_a_client_may_ask_is_answered_over_a_spawned_server() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let told = all_is_answered(&server, Official::spawning(&server, &app, "walnut-agent"));
    assert_eq!(told["end"]["alive"], false, "{}", told["end"]);
    // Later than this the SDK sends a signal; the end of its input must do.
    assert!(told["end"]["milliseconds"].as_f64().unwrap() < 1900.0, "{}", told["end"]);
    let session = noted(&server, 1)[0]["session"].as_str().unwrap().to_owned();
    is_forgotten(&server, &session);
}

#[test]
fn all_that_a_client_may_ask_is_answered_over_http() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let told = all_is_answered(&server, Official::connecting(&server, Some(&app)));
    is_forgotten(&server, told["session"].as_str().unwrap());
}

#[track_caller]
fn all_is_answered(server: &TestServer, client: Official) -> Value {
    let remember = |text: &str| json!({"name": REMEMBER, "arguments": {"text": text}});
    let recall = |query: &str| json!({"name": RECALL, "arguments": {"query": query}});
    let told = client.run(&[
        json!({"list": {}}),
        json!({"schemas": {}}),
        json!({"ping": {}}),
        json!({"together": [remember("walnut of the north"), remember("hazelnut of the south")]}),
        json!({"together": [recall("walnut"), recall("hazelnut")]}),
        json!({"followed": recall("walnut")}),
        call(RECALL, &json!({"query": 7})),
        call("coffer__forget", &json!({})),
        call("coffer__list_memory", &json!({})),
        call("coffer__set_handoff", &json!({"body": "half way"})),
        call("coffer__resume", &json!({})),
    ]);
    assert_eq!(told["greeting"]["server"]["name"], "coffer");
    assert_eq!(told["greeting"]["server"]["version"], server.info.version);
    assert!(told["greeting"]["capabilities"]["tools"].is_object());
    assert!(told["greeting"]["instructions"].as_str().unwrap().contains("recall"));

    let outcomes = told["outcomes"].as_array().unwrap();
    let [list, schemas, ping, written, both, followed, wrong, unknown, facts, saved, resumed] =
        outcomes.as_slice()
    else {
        panic!("{outcomes:?}");
    };
    let names: Vec<_> = list.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, TOOLS);
    assert_eq!(*schemas, TOOLS.iter().map(|tool| (*tool, json!([]))).collect::<Value>());
    assert_eq!(*ping, json!({}));
    assert_ne!(written[0]["structuredContent"]["id"], written[1]["structuredContent"]["id"]);
    assert_eq!(found(&both[0]), ["walnut of the north"]);
    assert_eq!(found(&both[1]), ["hazelnut of the south"]);
    assert_eq!(found(&followed["result"]), ["walnut of the north"]);
    assert_eq!(wrong["isError"], true);
    let error: Value = serde_json::from_str(wrong["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(error["error"]["code"], "CONFIG_INVALID");
    assert!(error["error"]["details"]["fields"]["query"].is_string(), "{error}");
    assert_eq!(unknown["refused"]["code"], -32602, "{unknown}");
    assert_eq!(facts["structuredContent"]["total"], 2);
    assert_eq!(saved["structuredContent"]["status"], "saved");
    assert_eq!(resumed["structuredContent"]["body"], "half way");
    told
}

#[test]
fn a_call_that_is_given_up_disturbs_no_other() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    for client in [
        Official::spawning(&server, &app, "walnut-agent"),
        Official::connecting(&server, Some(&app)),
    ] {
        let recall = json!({"name": RECALL, "arguments": {"query": "walnut"}});
        let told = client.run(&[json!({"cancelled": recall}), json!({"call": recall})]);
        // Whether the answer or the change of mind was faster.
        let given_up = &told["outcomes"][0];
        let reason = given_up["refused"]["message"].to_string();
        assert!(
            reason.contains("changed their mind") || given_up["structuredContent"].is_object(),
            "{given_up}"
        );
        assert_eq!(found(&told["outcomes"][1]), [""; 0]);
    }
}

/// The session ended with the client's goodbye.
#[track_caller]
fn is_forgotten(server: &TestServer, session: &str) {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let reply = Mcp::connect(server, None).with_session(session).send(&ping);
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (404, &json!(-32001)));
}
