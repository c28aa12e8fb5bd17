//! The server goes and comes back: the page says what is so, and goes on as soon as it may.

use std::process::Stdio;
use std::time::Instant;

use coffer_env::ServerFile;
use serde_json::json;

use super::{remember, signed_in, way_in};
use crate::support::TestServer;
use crate::support::browser::Browser;
use crate::support::process::{PATIENCE, Process, eventually};

const CONNECTION: &str = "[data-testid=connection]";
const DOCUMENT: &str = "[data-testid=document]";

#[test]
fn a_server_that_comes_back_is_told_and_a_new_link_goes_on() {
    let mut server = TestServer::start();
    remember(&server, "Walnut", "Before.");
    let browser = signed_in(&server, "/stores/global");
    browser.reads(DOCUMENT, "Walnut", PATIENCE);
    browser.value("window.isMarked = true");

    server.signal("TERM");
    assert!(server.ended().success());
    browser.reads(CONNECTION, "Disconnected, retrying", PATIENCE);
    // What was read stays; what was not says why it cannot be.
    browser.reads(DOCUMENT, "Walnut", PATIENCE);
    browser.click("[data-lane=rules]");
    browser.reads("[data-testid=trouble]", "Coffer does not answer", PATIENCE);
    browser.picture("server-gone");

    // Sessions end with their server, so the page asks for a new key.
    let mut serve = server.command("coffer");
    serve.env("COFFER_PORT", server.info.port.to_string()).arg("serve").stdout(Stdio::null());
    let again = Process::start(&mut serve);
    let info = eventually("it serves again", PATIENCE, || {
        ServerFile::read(&server.home().server_file()).filter(|info| info.pid == again.id())
    });
    let back = Instant::now();
    assert_eq!(info.port, server.info.port);
    server.info = info;
    browser.reads("[data-testid=signed-out] h1", "This session is over", PATIENCE);
    println!("from the server's return to the page that says so: {:?}", back.elapsed());
    browser.reads("[data-testid=signed-out]", "coffer open --browser", PATIENCE);
    remember(&server, "Hazelnut", "After.");
    browser.go(&way_in(&server, "/stores/global/rules"));
    browser.see("[data-testid=lane-rules]");
    browser.click("[data-lane=knowledge]");
    browser.reads("#facts", "Hazelnut", PATIENCE);
    assert_eq!(browser.value("window.isMarked"), true, "the page was loaded anew");
}

#[test]
fn a_broken_connection_is_told_and_mended() {
    let server = TestServer::start();
    let browser = signed_in(&server, "/stores/global");
    browser.see("[data-testid=first-run]");
    browser.value("window.isMarked = true");
    // The browser cuts no stream that is there; a page that comes back into sight needs a new one.
    let page = browser.tab();
    is_offline(&browser, true);
    browser.open_tab();
    browser.turn_to(&page);
    browser.reads(CONNECTION, "Disconnected, retrying", PATIENCE);
    remember(&server, "Walnut", "Remembered meanwhile.");
    is_offline(&browser, false);
    let back = Instant::now();
    browser.reads(DOCUMENT, "Walnut", PATIENCE);
    println!("from the connection's return to what was missed: {:?}", back.elapsed());
    browser.wait("all is well", PATIENCE, || {
        browser.text(CONNECTION).filter(|text| text.trim().is_empty())
    });
    assert_eq!(browser.value("window.isMarked"), true, "the page was loaded anew");
}

/// Takes the network away from the page that is in sight, or gives it back.
fn is_offline(browser: &Browser, offline: bool) {
    browser.devtools("Network.enable", &json!({}));
    let network = json!({"offline": offline, "latency": 0, "downloadThroughput": -1,
        "uploadThroughput": -1});
    browser.devtools("Network.emulateNetworkConditions", &network);
}
