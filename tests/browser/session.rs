//! Who may see the page: whoever Coffer itself sent there, and nobody after them.

use serde_json::json;

use super::{signed_in, way_in};
use crate::support::TestServer;
use crate::support::browser::Browser;
use crate::support::process::PATIENCE;

const SIGNED_OUT: &str = "[data-testid=signed-out]";

#[test]
fn a_link_opens_the_viewer_once_and_leaves_nothing_of_its_code() {
    let server = TestServer::start();
    let printed = server.command("coffer").args(["open", "--browser", "--print"]).output().unwrap();
    let link = String::from_utf8(printed.stdout).unwrap().trim().to_owned();
    let (_, code) = link.split_once("#code=").unwrap();

    let browser = Browser::start();
    browser.go(&link);
    browser.see("[data-testid=first-run]");
    assert_eq!(browser.address(), format!("http://127.0.0.1:{}/stores/global", server.info.port));
    assert_eq!(browser.value("localStorage.length + sessionStorage.length"), 0);
    assert_eq!(browser.value("document.cookie"), "");
    let seen = browser.value("document.documentElement.outerHTML + JSON.stringify(history.state)");
    assert!(!seen.as_str().unwrap().contains(code));
    let visited = browser.devtools("Page.getNavigationHistory", &json!({}));
    let visited: Vec<_> =
        visited["entries"].as_array().unwrap().iter().map(|at| &at["url"]).collect();
    assert!(!format!("{visited:?}").contains(code), "{visited:?}");
    browser.picture("first-run");

    browser.go("about:blank");
    browser.go(&link);
    browser.reads(&format!("{SIGNED_OUT} h1"), "This link has been used up", PATIENCE);
    assert!(!browser.address().contains(code), "{}", browser.address());
}

#[test]
fn without_a_session_the_page_says_what_to_do() {
    let server = TestServer::start();
    let browser = Browser::start();
    for path in ["/", "/stores/global", "/settings", "/#code=", "/activity?view=calls"] {
        browser.go("about:blank");
        browser.go(&format!("http://127.0.0.1:{}{path}", server.info.port));
        browser.reads(&format!("{SIGNED_OUT} h1"), "This page needs a key", PATIENCE);
        browser.reads(SIGNED_OUT, "coffer open --browser", PATIENCE);
        assert!(browser.find("[data-testid=stores]").is_none(), "{path}");
    }
    assert_eq!(browser.complaints(), [""; 0]);
    browser.go(&format!("http://127.0.0.1:{}/stores/global#token=0123", server.info.port));
    browser.reads(&format!("{SIGNED_OUT} h1"), "This session is over", PATIENCE);
    // A new link in the same tab.
    browser.go(&way_in(&server, "/stores/global"));
    browser.see("[data-testid=first-run]");
}

#[test]
fn a_key_is_forgotten_by_reloading_and_dies_with_all_others() {
    let server = TestServer::start();
    let browser = signed_in(&server, "/");
    browser.reload();
    browser.reads(&format!("{SIGNED_OUT} h1"), "This page needs a key", PATIENCE);
    browser.go(&way_in(&server, "/settings"));
    browser.see("[data-testid=stores]");
    assert_eq!(server.trigger("/api/v1/auth/rotate").status, 200);
    browser.reads(&format!("{SIGNED_OUT} h1"), "This session is over", PATIENCE);
}
