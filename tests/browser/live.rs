//! What changes shows by itself: what agents and the person remember, and edits of the files.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{remember, signed_in, way_in};
use crate::support::TestServer;
use crate::support::browser::{Browser, keys};
use crate::support::mcp::Mcp;
use crate::support::process::PATIENCE;

const DOCUMENT: &str = "[data-testid=document]";

/// Says how long something took that a test bounds only as a hang; the least and the most.
fn told(what: &str, mut taken: Vec<Duration>) {
    taken.sort();
    println!(
        "{what}: {:?} to {:?}, {:?} in the middle",
        taken[0],
        taken[taken.len() - 1],
        taken[taken.len() / 2]
    );
}

/// Marks the page, so that it is known whether it was loaded anew since.
fn mark(browser: &Browser) {
    browser.value("window.isMarked = true");
}

#[track_caller]
fn is_the_same_page(browser: &Browser) {
    assert_eq!(browser.value("window.isMarked"), true, "the page was loaded anew");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_new_fact_shows_by_itself() {
    let server = TestServer::start();
    let browser = signed_in(&server, "/");
    browser.see("[data-testid=first-run]");
    mark(&browser);
    let mut taken = Vec::new();
    for round in 0..10 {
        let title = format!("Walnut {round}");
        remember(&server, &title, &format!("What nobody knew before round {round}."));
        let replied = Instant::now();
        browser.reads(DOCUMENT, &title, PATIENCE);
        taken.push(replied.elapsed());
    }
    told("from the reply to the fact on the page", taken);
    assert!(browser.find("[data-testid=first-run]").is_none());

    let mut agent = Mcp::connect(&server, None);
    agent.done("coffer__remember", &json!({"text": "Hazelnut oil.", "scope": "global"}));
    browser.reads(DOCUMENT, "Hazelnut oil.", PATIENCE);
    browser.reads(DOCUMENT, "test-agent", PATIENCE);
    browser.reads("[data-store=global] .count", "11", PATIENCE);
    is_the_same_page(&browser);
}

#[test]
fn edits_of_the_files_show_when_they_are_looked_at() {
    let server = TestServer::start();
    let fact = remember(&server, "Bridge", "It opens at nine.");
    let path = fact["path"].as_str().unwrap();
    let browser = signed_in(&server, "/");
    browser.reads("#facts", "Bridge", PATIENCE);
    mark(&browser);
    let look = || {
        browser.click("[data-lane=rules]");
        browser.see("[data-testid=lane-rules]");
        browser.click("[data-lane=knowledge]");
        browser.see("[data-testid=lane-knowledge]");
    };
    let mut taken = Vec::new();
    for hour in ["ten", "eleven", "noon"] {
        let text = std::fs::read_to_string(path).unwrap();
        let begin = text.find("It opens at").unwrap();
        std::fs::write(path, format!("{}It opens at {hour}.\n", &text[..begin])).unwrap();
        let looked = Instant::now();
        look();
        browser.reads(DOCUMENT, &format!("It opens at {hour}."), PATIENCE);
        taken.push(looked.elapsed());
    }
    told("from looking to the edited text on the page", taken);

    let inbox = std::path::Path::new(path).parent().unwrap();
    std::fs::write(inbox.join("by-hand.md"), "# Written by hand\n\nWith an editor.\n").unwrap();
    std::fs::remove_file(path).unwrap();
    look();
    browser.reads("#facts", "Written by hand", PATIENCE);
    browser.wait("the fact is gone", PATIENCE, || {
        browser.text("#facts").filter(|text| !text.contains("Bridge"))
    });
    is_the_same_page(&browser);
}

#[test]
fn pages_out_of_sight_hold_no_connection() {
    // A browser lends a site six of them.
    const MANY: usize = 8;
    let server = TestServer::start();
    let browser = signed_in(&server, "/");
    // The browser keeps pages that were left, for going back to them.
    for at in 0..MANY {
        browser.go(&way_in(&server, if at % 2 == 0 { "/settings" } else { "/activity" }));
        browser.see("[data-testid=stores] a");
    }
    browser.go(&way_in(&server, "/stores/global"));
    browser.see("[data-testid=first-run]");
    mark(&browser);
    let first = browser.tab();
    for _ in 0..MANY {
        browser.open_tab();
        browser.go(&way_in(&server, "/settings"));
        browser.see("[data-testid=stores] a");
    }
    remember(&server, "Walnut", "Remembered while nobody looked.");
    browser.reads("[data-store=global] .count", "1", PATIENCE);
    browser.turn_to(&first);
    browser.reads(DOCUMENT, "Walnut", PATIENCE);
    remember(&server, "Hazelnut", "Remembered while somebody looks.");
    browser.reads("#facts", "Hazelnut", PATIENCE);
    is_the_same_page(&browser);
}

#[test]
fn the_search_finds_words_of_any_script_and_opens_them() {
    let server = TestServer::start();
    remember(&server, "发布流程", "生产环境的部署由流水线完成,不要手动操作。");
    remember(&server, "Deploying", "Deploy with `make release`.");
    let browser = signed_in(&server, "/settings");
    mark(&browser);
    browser.press(&[keys::CONTROL, 'k']);
    assert_eq!(browser.value("document.activeElement.id"), "search");
    browser.type_into("[data-testid=search]", "部署");
    browser.reads("[data-testid=hit] .hit-title", "发布流程", PATIENCE);
    browser.reads("[data-testid=hit] mark", "部署", PATIENCE);
    assert_eq!(browser.value("document.querySelectorAll('[data-testid=hit]').length"), 1);
    // What is remembered meanwhile is found too.
    remember(&server, "回滚", "部署失败时先回滚。");
    browser.reads("[data-testid=search-results]", "回滚", PATIENCE);

    browser.value("document.querySelector('[data-testid=search]').select()");
    browser.type_into("[data-testid=search]", "make release");
    browser.reads("[data-testid=hit] .hit-title", "Deploying", PATIENCE);
    browser.press(&[keys::ENTER]);
    browser.reads("[data-testid=fact] h1", "Deploying", PATIENCE);
    browser.reads("[data-testid=fact] .prose code", "make release", PATIENCE);
    assert!(browser.find("[data-testid=search-panel]").is_none());
    is_the_same_page(&browser);
}
