//! Texts come from agents, so nobody vouches for them: they run nothing and fetch nothing.

use std::io::Read as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::{FACTS, signed_in};
use crate::support::TestServer;
use crate::support::browser::Browser;
use crate::support::process::PATIENCE;

/// A port that nobody has a reason to send anything to.
struct Trap {
    port: u16,
    caught: Arc<AtomicUsize>,
}

impl Trap {
    fn set() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let caught = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&caught);
        std::thread::spawn(move || {
            // A connection that says nothing is the browser's guess, made before any policy is asked.
            for stream in listener.incoming() {
                let count = Arc::clone(&count);
                std::thread::spawn(move || {
                    let length = stream.and_then(|mut stream| stream.read(&mut [0; 64]));
                    count.fetch_add(length.unwrap_or(0).min(1), Ordering::SeqCst);
                });
            }
        });
        Self { port, caught }
    }

    /// Markdown that tries all it can, in the name of a place.
    fn text(&self, place: &str) -> String {
        let elsewhere = format!("http://127.0.0.1:{}/{place}", self.port);
        let ran = format!("window.ran='{place}'");
        format!(
            "walnut of {place}\n\n<script>{ran}</script>\n\n<script src=\"{elsewhere}.js\"></script>\n\n\
             <img src=\"{elsewhere}.png\" onerror=\"{ran}\">\n\n<svg onload=\"{ran}\"></svg>\n\n\
             <iframe src=\"{elsewhere}\"></iframe> <iframe srcdoc=\"<script>parent.{ran}</script>\"></iframe>\n\n\
             <details open ontoggle=\"{ran}\">x</details> <style>@import '{elsewhere}.css';</style>\n\n\
             <a href=\"javascript:{ran}\">raw</a> [link](javascript:{ran}) <javascript:{ran}>\n\n\
             [data](data:text/html,<script>opener.{ran}</script>) ![picture]({elsewhere}.gif)\n\n\
             [![both]({elsewhere}.webp)](javascript:{ran}) [ref][r]\n\n[r]: javascript:{ran}\n\n\
             ```html\n</code></pre><img src=x onerror={ran}>\n```\n\n| <b onclick={ran}>a</b> |\n|-|\n| ![]({elsewhere}) |\n"
        )
    }
}

/// Something hostile in one line, for titles and names.
fn line(place: &str) -> String {
    format!("<img src=x onerror=\"window.ran='{place}'\"> {place}")
}

fn put(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// One hostile text in each lane of the global store: its id.
fn seed(server: &TestServer, trap: &Trap) -> String {
    let fact = json!({"title": line("title"), "description": line("description"),
        "text": trap.text("fact"), "origin_session_id": line("session")});
    let fact = server.post(FACTS, &fact);
    assert_eq!(fact.status, 201, "{}", fact.text());
    let label = json!({"label": line("label")});
    assert_eq!(server.patch("/api/v1/memory_stores/global/label", &label).status, 200);
    let store = server.home().memory().join("global");
    put(&store, "rules/coding.md", &trap.text("rules"));
    let day = format!("## 10:00 {}\n\n{}", line("entry"), trap.text("journal"));
    put(&store, "journal/2026-06-09.md", &day);
    put(&store, "handoff/main.md", &trap.text("handoff"));
    put(&store, "consolidation-log.md", &format!("- {}\n\n{}", line("log"), trap.text("log")));
    assert_eq!(server.trigger("/api/v1/reindex?wait=30").status, 200);
    fact.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn hostile_text_runs_nothing_and_fetches_nothing() {
    let server = TestServer::start();
    let trap = Trap::set();
    let id = seed(&server, &trap);
    let browser = signed_in(&server, "/stores/global");
    let fact = format!("[data-id='{id}']");
    browser.click(&format!("{fact} .doc-head"));
    browser.reads(&format!("{fact} .prose"), "walnut of fact", PATIENCE);
    is_harmless(&browser, &trap, "the list");
    browser.picture("hostile");
    browser.click(&format!("{fact} a[href='/stores/global/facts/{id}']"));
    browser.reads("[data-testid=fact] .prose", "walnut of fact", PATIENCE);
    is_harmless(&browser, &trap, "the fact's page");
    for lane in ["rules", "journal", "handoff", "log"] {
        browser.click("[data-testid=stores] [data-store=global]");
        browser.click(&format!("[data-lane={lane}]"));
        browser.see(&format!("[data-testid=lane-{lane}]"));
        browser.wait("the text is open", PATIENCE, || {
            browser.value(
                "document.querySelectorAll('.doc-head[aria-expanded=false]')
                    .forEach(head => head.click())",
            );
            browser.text("main").filter(|text| text.contains(&format!("walnut of {lane}")))
        });
        is_harmless(&browser, &trap, lane);
    }
    browser.type_into("[data-testid=search]", "walnut");
    browser.reads("[data-testid=search-results]", "walnut of fact", PATIENCE);
    is_harmless(&browser, &trap, "the search");
    browser.click("a[href='/activity']");
    browser.see(".history");
    is_harmless(&browser, &trap, "the activity");
}

#[track_caller]
fn is_harmless(browser: &Browser, trap: &Trap, place: &str) {
    let before = browser.address();
    // Whatever can be clicked in a text is clicked.
    browser.value("document.querySelectorAll('.prose *').forEach(part => part.click?.())");
    browser.answer("requestAnimationFrame(() => setTimeout(done, 100))");
    assert_eq!(browser.value("window.ran ?? null"), json!(null), "{place}");
    assert_eq!(browser.address(), before, "{place}");
    let elsewhere = browser.value(
        "performance.getEntriesByType('resource').map(entry => entry.name)
            .filter(name => new URL(name).origin !== location.origin)",
    );
    assert_eq!(elsewhere, json!([]), "{place}");
    let made = browser.value(
        "document.querySelectorAll('main script, main img, main iframe, main svg[onload], \
            main style, main [style], main [onerror], main [onclick], a[href^=javascript], a[href^=data]').length",
    );
    assert_eq!(made, 0, "{place}");
    assert_eq!(trap.caught.load(Ordering::SeqCst), 0, "{place}");
    assert_eq!(browser.complaints(), [""; 0], "{place}");
    let tabs = browser.done("GET", "/window/handles", &serde_json::Value::Null).unwrap();
    assert_eq!(tabs.as_array().unwrap().len(), 1, "{place}");
}

#[test]
fn the_policy_holds_even_where_the_page_would_not() {
    let server = TestServer::start();
    let trap = Trap::set();
    let browser = signed_in(&server, "/");
    let elsewhere = format!("http://127.0.0.1:{}/x", trap.port);
    for attempt in [
        "const made = document.createElement('script'); made.textContent = \"window.ran = 1\"; document.body.append(made);".to_owned(),
        format!("const made = document.createElement('script'); made.src = '{elsewhere}'; document.body.append(made);"),
        format!("document.createElement('img').src = '{elsewhere}';"),
        "document.body.insertAdjacentHTML('beforeend', '<b onclick=\"window.ran = 1\">x</b>'); document.body.lastChild.click();".to_owned(),
        format!("fetch('{elsewhere}').catch(() => {{}});"),
        format!("try {{ new WebSocket('{}') }} catch {{}}", elsewhere.replace("http", "ws")),
        format!("const made = document.createElement('iframe'); made.src = '{elsewhere}'; document.body.append(made);"),
        format!("const made = document.createElement('form'); made.action = '{elsewhere}'; document.body.append(made); made.submit();"),
    ] {
        browser.answer(&format!("{attempt} setTimeout(done, 150);"));
        assert_eq!(browser.value("window.ran ?? null"), json!(null), "{attempt}");
        let complaints = browser.complaints();
        assert!(
            complaints.iter().any(|said| said.contains("Content Security Policy")),
            "{attempt}: {complaints:?}"
        );
        assert_eq!(trap.caught.load(Ordering::SeqCst), 0, "{attempt}");
    }
}
