//! What the language model does to a store, on the store's page: asked for, followed, told, undone.

use std::time::Duration;

use coffer_corpus::provider::Answer;
use serde_json::json;

use super::signed_in;
use crate::engine::scripted::{
    Chat, answered, calls, configure, files, late, provider, remember, said, served,
};
use crate::support::TestServer;
use crate::support::browser::{Browser, keys};
use crate::support::mcp::Mcp;
use crate::support::process::PATIENCE;

const CARD: &str = "[data-testid=pass-work]";
const LEAD: &str = "[data-testid=pass-lead]";
const BEGIN: &str = "[data-testid=pass-begin]:enabled";
pub(super) const RULE: &str = "Always use tabs.";

/// Rules become rules, sorrow is no answer, all else is a topic of its own.
pub(super) fn sorted(chat: &Chat) -> Answer {
    let item = chat.material()["item"]["text"].as_str().unwrap().to_owned();
    if item.contains("sorry") {
        return said("I am sorry.");
    }
    if item.contains(RULE) {
        return answered(&json!({"action": "rule", "topic": "style", "rule": item.trim()}));
    }
    answered(&json!({"action": "create", "topic": "deploying", "title": "Deploying",
        "description": "How to deploy.", "body": item}))
}

/// What lies in the inbox for `sorted`; the rule is an agent's.
pub(super) fn fill_inbox(server: &TestServer) {
    remember(server, "Deploy with `make release` on port 8080.");
    remember(server, "This one makes the model sorry.");
    let mut agent = Mcp::connect(server, None);
    agent.done("coffer__remember", &json!({"text": RULE, "scope": "global"}));
}

/// Tells a model to write a topic anew and to lose something.
pub(super) fn forgetful(chat: &Chat) -> Answer {
    let topic = json!({"slug": "ports", "title": "Ports", "description": "Ports.",
        "body": "There are ports."});
    match chat.messages.iter().filter(|message| message["role"] == "tool").count() {
        0 => calls(&[("read_topic", json!({"slug": "ports"}))]),
        1 => calls(&[("write_topic", topic)]),
        _ => said("done"),
    }
}

/// A topic of the global store.
pub(super) fn topic(server: &TestServer) {
    remember(server, "So that there is a store.");
    let file = server.home().memory().join("global/knowledge/ports.md");
    std::fs::write(file, "Port 8080 of `net.rs`.\n").unwrap();
    assert_eq!(server.trigger("/api/v1/reindex?wait=30").status, 200);
}

#[track_caller]
fn begin(browser: &Browser, pass: &str) {
    browser.see(&format!("[data-testid={pass}]:enabled"));
    browser.click(&format!("[data-testid={pass}]"));
    browser.see(BEGIN);
    browser.click(BEGIN);
}

#[test]
fn the_inbox_is_organized_once_the_person_saw_what_is_sent() {
    let (server, provider) = served(sorted);
    fill_inbox(&server);
    let browser = signed_in(&server, "/stores/global");
    browser.see("[data-testid=organize]:enabled");
    browser.click("[data-testid=organize]");
    browser.reads(LEAD, "3 items of the inbox are sent", PATIENCE);
    browser.reads("[data-testid=tokens-left]", "200,000 of 200,000 tokens are left", PATIENCE);
    browser.click("[data-testid=would-send] summary");
    let shown = browser.text("[data-testid=pass]").unwrap();
    assert!(shown.contains("\"topics\":[]") && shown.contains("scripted"), "{shown}");
    browser.press(&[keys::ESCAPE]);
    browser.wait("the dialog is closed", PATIENCE, || browser.find(LEAD).is_none().then_some(()));
    assert!(provider.asked().is_empty(), "nothing is sent before the person says so");

    begin(&browser, "organize");
    let sentence = "2 items looked at: 1 topic created, 1 rule added, 1 item skipped.";
    browser.reads(CARD, sentence, PATIENCE);
    browser.reads(&format!("{CARD} [data-testid=outcome]"), "holds no JSON", PATIENCE);
    browser.reads("[data-testid=document]", "Deploying", PATIENCE);
    browser.click(&format!("{CARD} button"));
    browser.wait("the card is gone", PATIENCE, || browser.find(CARD).is_none().then_some(()));
    assert_eq!(browser.complaints(), [""; 0]);
    let later = signed_in(&server, "/stores/global");
    later.see("[data-testid=organize]:enabled");
    assert!(later.find(CARD).is_none(), "it is old news");
}

#[test]
fn a_rule_that_the_organizer_made_is_shown_deleted_and_put_back() {
    let (server, _provider) = served(sorted);
    fill_inbox(&server);
    let browser = signed_in(&server, "/stores/global");
    begin(&browser, "organize");
    browser.reads(CARD, "1 rule added", PATIENCE);
    let (name, text) = files(&server, "rules").remove(0);
    std::fs::write(server.home().memory().join("global/rules").join(&name), {
        format!("# Mine\n\n- First.\n{text}- Last.\n")
    })
    .unwrap();
    browser.click("[data-lane=rules]");
    browser.reads("[data-testid=lane-rules] .badge", "Derived from test-agent", PATIENCE);
    browser.see("[data-rule]");
    assert_eq!(browser.value("document.querySelectorAll('[data-rule]').length"), 1);
    browser.click("[data-rule]");
    browser.wait("the rule is gone from the page", PATIENCE, || {
        browser.find("[data-rule]").is_none().then_some(())
    });
    assert_eq!(files(&server, "rules"), [(name.clone(), "# Mine\n\n- First.\n- Last.\n".into())]);

    browser.click("[data-lane=log]");
    let version = "[data-testid=lane-log] [data-testid=document][data-id^=rules]";
    browser.reads(version, &format!("rules/{name}"), PATIENCE);
    browser.click(&format!("{version} button"));
    browser.reads(&format!("{version} .added"), RULE, PATIENCE);
    browser.click(&format!("{version} [data-testid=restore]"));
    browser.wait("the rule is there again", PATIENCE, || {
        files(&server, "rules")[0].1.contains(RULE).then_some(())
    });
    browser.reads("[data-testid=notices]", "It stands there again", PATIENCE);
    browser.reads(version, &format!("rules/{name}"), PATIENCE);
    browser.click("[data-lane=rules]");
    browser.see("[data-rule]");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_pass_that_runs_is_followed_and_stopped() {
    let (server, provider) = served(|chat| late(sorted(chat), Duration::from_millis(400)));
    for number in 0..30 {
        remember(&server, &format!("Fact {number}."));
    }
    let browser = signed_in(&server, "/stores/global");
    begin(&browser, "organize");
    browser.reads(CARD, "of 30 items", PATIENCE);
    browser.reads(CARD, "Organizing the inbox: 2 of 30 items", PATIENCE);
    browser.see(&format!("{CARD} progress"));
    browser.click(&format!("{CARD} [data-testid=stop]"));
    browser.reads(CARD, "Stopped: what was done by then stays", PATIENCE);
    let asked = provider.asked().len();
    assert!((2..30).contains(&asked), "{asked}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn what_a_reorg_lost_is_named_and_found_again() {
    let (server, _provider) = served(forgetful);
    topic(&server);
    let browser = signed_in(&server, "/stores/global");
    browser.reads("[data-testid=store-header]", "1 topic ", PATIENCE);
    begin(&browser, "reorg");
    browser.reads(CARD, "1 topic before, 1 now: 1 written, 0 retired.", PATIENCE);
    browser.reads("[data-testid=pass-lost]", "8080", PATIENCE);
    browser.reads("[data-testid=pass-lost]", "net.rs", PATIENCE);
    browser.click("[data-testid=pass-todo] a");
    let version = "[data-testid=lane-log] [data-testid=document]";
    browser.reads(version, "knowledge/ports.md", PATIENCE);
    browser.click(&format!("{version} button"));
    browser.reads(&format!("{version} .added"), "Port 8080", PATIENCE);
    browser.click(&format!("{version} [data-testid=restore]"));
    browser.wait("the topic is what it was", PATIENCE, || {
        let topics = files(&server, "knowledge");
        let ports = topics.iter().find(|(name, _)| name == "ports.md");
        ports.is_some_and(|(_, text)| text == "Port 8080 of `net.rs`.\n").then_some(())
    });
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn without_a_model_it_is_said_what_is_missing() {
    let server = TestServer::start();
    remember(&server, "A fact.");
    let browser = signed_in(&server, "/stores/global");
    browser.reads("[data-testid=no-model]", "none is set", PATIENCE);
    for pass in ["organize", "reorg"] {
        browser.see(&format!("[data-testid={pass}]:disabled"));
    }
    browser.click("[data-testid=no-model] a");
    browser.see("#token-cap");
    let provider = provider(sorted);
    configure(&server, &provider);
    browser.click("[data-store=global]");
    browser.see("[data-testid=organize]:enabled");
    assert!(browser.find("[data-testid=no-model]").is_none());
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_days_tokens_are_told_and_raised() {
    let (server, provider) = served(|_| answered(&json!({"action": "keep"})));
    for number in 0..4 {
        remember(&server, &format!("Fact {number}."));
    }
    server.put("/api/v1/settings", &json!({"daily_token_cap": 8_900}));
    let browser = signed_in(&server, "/stores/global");
    begin(&browser, "organize");
    browser.reads(CARD, "The tokens of today are used up.", PATIENCE);
    let used = provider.asked().len() * 100;
    browser.click("[data-testid=pass-todo] a");
    let line = format!("{used} of 8,900 tokens used today");
    browser.reads("[data-testid=tokens-today]", &line, PATIENCE);
    browser.value("document.querySelector('#token-cap').value = ''");
    browser.type_into("#token-cap", "500000");
    browser.click("[data-testid=save-cap]");
    browser.reads("[data-testid=tokens-today]", &format!("{used} of 500,000"), PATIENCE);
    assert_eq!(server.get("/api/v1/settings").json()["daily_token_cap"], 500_000);
    assert_eq!(browser.complaints(), [""; 0]);
}
