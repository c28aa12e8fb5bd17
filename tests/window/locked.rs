//! The page can do what a page in a browser can, and nothing else.

use serde_json::json;

use crate::support::desktop::{App, Desktop, PATIENCE, eventually};

#[test]
fn the_page_cannot_reach_the_program() {
    let desktop = Desktop::start();
    let (_app, page) = App::start_with_page(&desktop, &[]);
    page.see("[data-testid=first-run]");
    assert_eq!(page.value("typeof window.__TAURI__"), "undefined");
    for command in [
        "plugin:app|version",
        "plugin:event|listen",
        "plugin:window|close",
        "plugin:webview|create_webview_window",
        "plugin:shell|execute",
        "plugin:shell|spawn",
        "plugin:shell|open",
        "plugin:autostart|enable",
        "plugin:path|resolve_directory",
        "plugin:tray|new",
        "plugin:menu|new",
        "quit",
    ] {
        let answer = page.answer(&format!(
            "window.__TAURI_INTERNALS__.invoke({command:?}, {{}})
                .then(value => done('OK ' + JSON.stringify(value)), error => done('refused: ' + error));
             setTimeout(() => done('refused: no answer'), 5000);"
        ));
        let answer = answer.as_str().unwrap();
        assert!(answer.starts_with("refused"), "{command}: {answer}");
    }
    let entry = desktop.person().join(".config/autostart/Coffer.desktop");
    assert!(!entry.exists());
}

#[test]
fn the_page_goes_nowhere_else() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    page.see("[data-testid=first-run]");
    let own = format!("http://127.0.0.1:{}/stores/global", app.info.port);
    assert_eq!(page.address(), own);
    for elsewhere in [
        "http://example.invalid/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "about:blank".to_owned(),
        "data:text/html,<p>hello".to_owned(),
        "tauri://localhost/".to_owned(),
        format!("http://localhost:{}/", app.info.port),
        format!("http://127.0.0.1:{}/", app.info.port.wrapping_add(1)),
    ] {
        page.answer(&format!("location.href = {elsewhere:?}; setTimeout(done, 300);"));
        assert_eq!(page.address(), own, "{elsewhere}");
    }
    let opened = page.value("window.open('/settings') === null");
    assert_eq!(opened, json!(true));
    assert_eq!(desktop.windows().len(), 1, "{:?}", desktop.windows());
    assert_eq!(page.value("document.querySelectorAll('[data-testid=first-run]').length"), 1);
}

#[test]
fn the_key_is_renewed_and_never_kept() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    let is_signed_in = || {
        page.see("[data-testid=first-run]");
        assert!(!page.address().contains("token"), "{}", page.address());
    };
    is_signed_in();
    assert_eq!(page.value("localStorage.length + sessionStorage.length"), 0);
    assert_eq!(page.value("document.cookie"), "");
    page.reload();
    is_signed_in();

    // All keys are replaced: the page says so, and the tray opens it again.
    assert_eq!(app.post("/api/v1/auth/rotate", &json!({})).status, 200);
    page.see("[data-testid=signed-out]");
    app.tray().choose("Open Coffer");
    is_signed_in();
}

#[test]
fn nothing_of_the_memory_is_kept_outside_of_it() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    app.post("/api/v1/memory_stores/global/facts", &json!({"text": "xyzzy-plugh is the word."}));
    page.reads("[data-testid=document]", "xyzzy-plugh", PATIENCE);
    app.tray().choose("Quit");
    eventually("it has ended", PATIENCE, || (!desktop.home().server_file().exists()).then_some(()));
    let found = std::process::Command::new("grep")
        .args(["-rlaF", "xyzzy-plugh"])
        .arg(desktop.person())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
}
