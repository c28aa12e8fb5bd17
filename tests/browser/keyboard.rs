//! Everything can be done without a mouse, and it is seen where the keyboard is.

use std::time::Duration;

use serde_json::json;

use super::{remember, signed_in};
use crate::support::TestServer;
use crate::support::browser::{Browser, keys};
use crate::support::process::{PATIENCE, answer_within};

/// What can be reached, by what it says.
const STOPS: &str =
    "[...document.querySelectorAll('a[href], button, input, select, [tabindex=\"0\"]')]
    .filter(stop => !stop.disabled && stop.checkVisibility())";

/// What has the keyboard now: how it looks. An outline that is drawn, in the window.
const HERE: &str = "(() => {
    const here = document.activeElement;
    const [style, place] = [getComputedStyle(here), here.getBoundingClientRect()];
    return {
        name: here.outerHTML.slice(0, 120),
        isSeen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
        place: [place.left, place.top, place.right, place.bottom, innerWidth, innerHeight],
        isInside: place.top >= 0 && place.bottom <= innerHeight && place.left >= 0 && place.right <= innerWidth,
    };
})()";

#[test]
fn tab_reaches_all_that_can_be_used_and_shows_where_it_is() {
    let server = TestServer::start();
    let id = remember(&server, "Walnut", "Deploy with [it](https://example.org/).")["id"].clone();
    for path in ["/stores/global", "/stores/global/rules", "/settings", "/activity", "/agents"] {
        let browser = signed_in(&server, path);
        browser.see("main .page-head");
        if path == "/stores/global" {
            browser.click("#facts .doc-head");
            browser.see(&format!("[data-id={id}] .prose a"));
        }
        reaches_all(&browser, path);
    }
}

#[track_caller]
fn reaches_all(browser: &Browser, path: &str) {
    browser.value("(document.activeElement.blur(), window.scrollTo(0, 0), window.met = new Set())");
    let count = browser.value(&format!("{STOPS}.length")).as_u64().unwrap();
    assert!(count > 8, "{path}: {count}");
    // What has the keyboard first is where it was last, so that the end of the page may come between.
    for at in 0..count + 2 {
        browser.press(&[keys::TAB]);
        if browser.value("document.activeElement === document.body") == true {
            continue;
        }
        // The link that skips the navigation slides into sight.
        let here = answer_within(Duration::from_secs(2), || {
            let here = browser.value(HERE);
            (here["isInside"] == true).then_some(here)
        });
        let here = here.unwrap_or_else(|| browser.value(HERE));
        assert!(here["isInside"] == true && here["isSeen"] == true, "{path}, stop {at}: {here}");
        browser.value("window.met.add(document.activeElement)");
    }
    let missed = browser.value(&format!(
        "{STOPS}.filter(stop => !window.met.has(stop)).map(stop => stop.outerHTML.slice(0, 120))"
    ));
    assert_eq!(missed, json!([]), "{path}");
}

#[test]
fn pages_rows_and_the_search_are_used_by_keys() {
    let server = TestServer::start();
    remember(&server, "Walnut", "Deploy with walnuts.");
    let browser = signed_in(&server, "/stores/global");
    browser.see("#facts .doc");
    // The first stop leads past the navigation.
    browser.press(&[keys::TAB]);
    assert_eq!(browser.value("document.activeElement.textContent"), "Skip to content");
    browser.press(&[keys::ENTER]);
    assert_eq!(browser.value("document.activeElement.id"), "content");

    browser.value("document.querySelector('#facts .doc-head').focus()");
    browser.press(&[keys::ENTER]);
    browser.reads("#facts .prose", "Deploy with walnuts.", PATIENCE);
    browser.press(&[keys::ENTER]);
    browser
        .wait("the row closes", PATIENCE, || browser.find("#facts .doc-head[aria-expanded=false]"));

    browser.press(&[keys::CONTROL, 'k']);
    browser.type_into("[data-testid=search]", "walnuts");
    browser.see("[data-testid=hit].active");
    assert!(browser.value(HERE)["isSeen"] == true);
    browser.press(&[keys::ESCAPE]);
    browser.wait("the search closes", PATIENCE, || {
        browser.find("[data-testid=search-panel]").is_none().then_some(())
    });

    browser.value("document.querySelector('a[href=\"/settings\"]').focus()");
    browser.press(&[keys::ENTER]);
    browser.reads("main h1", "Settings", PATIENCE);
    assert!(browser.address().ends_with("/settings"));
}
