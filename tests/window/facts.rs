//! Facts in the window: they appear by themselves, and their files are the person's own.

use std::time::Instant;

use serde_json::json;

use crate::support::desktop::{App, Desktop, PATIENCE, Page, Shown, eventually};

#[test]
fn what_an_agent_remembers_appears_by_itself() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    page.see("[data-testid=first-run]");

    let mut agent = app.agent("claude-code");
    agent.done(
        "coffer__remember",
        &json!({"text": "Tests run with cargo xtask test.", "scope": "global"}),
    );
    let remembered = Instant::now();
    // A busy machine is no defect: the figure is printed, only a hang fails.
    page.reads("[data-testid=document]", "Tests run with cargo xtask test", PATIENCE);
    eprintln!("a remembered fact was seen after {:?}", remembered.elapsed());
    assert!(page.text("[data-testid=first-run]").is_none());
    page.reads("[data-testid=document] .doc-side", "claude-code", PATIENCE);
    desktop.picture("first-fact");
}

#[test]
fn files_open_in_the_persons_own_programs_and_edits_count_at_once() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    let fact = app.post(
        "/api/v1/memory_stores/global/facts",
        &json!({"text": "The bridge opens at nine.", "title": "Bridge & ünïcode"}),
    );
    let path = fact.json()["path"].as_str().unwrap().to_owned();
    open_fact(&page);

    page.click("[data-testid=provenance] [data-testid=reveal]");
    let shown = eventually("the file manager is asked", PATIENCE, || desktop.bus.shown().pop());
    assert_eq!(shown, Shown::Items(vec![uri(&path)]));

    page.click("[data-testid=provenance] [data-testid=open]");
    let opened = eventually("the editor is started", PATIENCE, || {
        Some(desktop.notes("fake-editor")).filter(|notes| !notes.is_empty())
    });
    assert_eq!(opened, [path.as_str()]);

    page.click("[data-testid=provenance] [data-testid=copy-path]");
    page.reads("[data-testid=notices]", "Path copied.", PATIENCE);
    desktop.picture("fact");

    // The person changes a word and saves.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("at nine", "at eleven")).unwrap();
    let recalled = app.agent("codex").done("coffer__recall", &json!({"query": "bridge opens"}));
    assert!(recalled.to_string().contains("at eleven"), "{recalled}");
    // The page reads it when it is looked at again.
    page.click("a[href='/stores/global/rules']");
    page.see("[data-testid=lane-rules]");
    page.click("[data-testid=lanes] a[href='/stores/global']");
    open_fact(&page);
    page.reads("[data-testid=document] .prose", "at eleven", PATIENCE);
}

fn open_fact(page: &Page) {
    page.click("[data-testid=document] .doc-head");
    page.see("[data-testid=document] [data-testid=provenance]");
}

/// The file's address as file managers take it.
fn uri(path: &str) -> String {
    let mut uri = "file://".to_owned();
    for part in path.split('/').skip(1) {
        uri.push('/');
        coffer_api::routes::encode(part, &mut uri);
    }
    uri
}
