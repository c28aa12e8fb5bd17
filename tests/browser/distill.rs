//! What a conversation taught, written to the journal from its page.

use std::time::Duration;

use coffer_corpus::provider::Answer;
use serde_json::json;

use super::signed_in;
use crate::engine::distill::talks::Kind;
use crate::engine::distill::{TWO, journal, run, served, talk};
use crate::engine::scripted::{late, said};
use crate::support::TestServer;
use crate::support::browser::{Browser, keys};
use crate::support::process::PATIENCE;

const PAGE: &str = "/agents/claude-code/conversations/s";
const BUTTON: &str = "[data-testid=distill]:enabled";
const BEGIN: &str = "[data-testid=distill-begin]";
const LEAD: &str = "[data-testid=distill-lead]";

/// Opens the dialog, and says so.
#[track_caller]
fn begin(browser: &Browser) {
    browser.see(BUTTON);
    browser.click(BUTTON);
    browser.see(&format!("{BEGIN}:enabled"));
    browser.click(BEGIN);
}

#[test]
fn a_conversation_is_distilled_once_the_person_saw_what_is_sent() {
    let (server, provider) = served(|_| late(said(TWO), Duration::from_secs(1)));
    let key = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";
    talk(&server, "s", &[&format!("plant the walnut with {key}"), "A planted"]);
    let browser = signed_in(&server, PAGE);
    browser.see(BUTTON);
    browser.click(BUTTON);
    browser.reads(LEAD, "This is sent to the language model: about", PATIENCE);
    let sent = browser.text("[data-testid=distilling] [data-testid=would-send]").unwrap();
    assert!(sent.contains("> plant the walnut with [redacted: github-token]"), "{sent}");
    browser.reads("[data-testid=tokens-left]", "200,000 of 200,000 tokens are left", PATIENCE);
    browser.reads("[data-testid=distilling] .path", "/journal/2026-11-29.md", PATIENCE);
    browser.press(&[keys::ESCAPE]);
    browser.wait("the dialog is closed", PATIENCE, || browser.find(LEAD).is_none().then_some(()));
    assert!(provider.asked().is_empty() && journal(&server).is_empty(), "nobody said so");

    begin(&browser);
    browser.reads(BEGIN, "Reading…", PATIENCE);
    browser.reads(LEAD, "2 insights were written to the journal.", PATIENCE);
    browser.reads("[data-testid=insight]", "The walnut is planted.", PATIENCE);
    browser.see(&format!("{BEGIN}:disabled"));
    assert!(journal(&server).contains("The hazel is not."));
    // A person who comes again is told that it is done.
    browser.press(&[keys::ESCAPE]);
    browser.wait("the dialog is closed", PATIENCE, || browser.find(LEAD).is_none().then_some(()));
    browser.click(BUTTON);
    browser.reads(LEAD, "This is distilled already", PATIENCE);
    browser.see(&format!("{BEGIN}:disabled"));
    assert_eq!(provider.asked().len(), 1);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn whoever_closed_the_dialog_is_told_all_the_same() {
    let (server, _provider) = served(|_| late(said("[]"), Duration::from_secs(1)));
    talk(&server, "s", &["plant the walnut", "A planted"]);
    let browser = signed_in(&server, PAGE);
    begin(&browser);
    browser.reads(BEGIN, "Reading…", PATIENCE);
    browser.press(&[keys::ESCAPE]);
    browser.reads("[data-testid=notices]", "Nothing here is worth keeping", PATIENCE);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn what_the_model_refuses_is_said_and_nothing_is_written() {
    let (server, _provider) = served(|_| Answer::json(400, "{}"));
    talk(&server, "s", &["plant the walnut", "A planted"]);
    let browser = signed_in(&server, PAGE);
    begin(&browser);
    browser.reads(LEAD, "Nothing was written: ", PATIENCE);
    assert!(journal(&server).is_empty());
    assert_eq!(run(&server, "s")["status"], json!("refused"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn without_a_model_the_button_says_what_is_missing() {
    let server = TestServer::start();
    Kind::ClaudeCode.register(&server);
    talk(&server, "s", &["plant the walnut", "A planted"]);
    let browser = signed_in(&server, PAGE);
    browser.see("[data-testid=distill]:disabled");
    let title = browser.value("document.querySelector('[data-testid=distill]').title");
    assert_eq!(title, json!("Needs a language model: choose one in the settings"));
    assert_eq!(browser.complaints(), [""; 0]);
}
