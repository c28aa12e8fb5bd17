//! Models and their keys, set on the settings page.

use coffer_corpus::provider::{Answer, Provider};
use serde_json::{Value, json};

use super::signed_in;
use crate::support::TestServer;
use crate::support::process::PATIENCE;

const EMBEDDING: &str = "/api/v1/settings/embedding";
const KEY: &str = "key-typed-on-the-page";

#[test]
fn a_key_and_a_model_are_set_tried_and_taken_back_on_the_page() {
    let server = TestServer::start();
    let provider = Provider::start(|_, _| {
        Answer::json(200, r#"{"data": [{"index": 0, "embedding": [3, 4]}]}"#)
    });
    let browser = signed_in(&server, "/settings");
    browser.type_into("#credential-name", "mine");
    browser.type_into("#credential-value", KEY);
    browser.click("[data-testid=set-credential] button");
    browser.reads("[data-testid=credential]", "mine", PATIENCE);
    assert_eq!(browser.value("document.querySelector('#credential-value').value"), "");

    browser.type_into("#embedding-model-model", "m");
    browser.type_into("#embedding-model-url", &provider.url());
    browser.click("#embedding-model-credential option[value=mine]");
    browser.click("[data-testid=embedding-model] [data-testid=test]");
    browser.reads("[data-testid=trial]", "save these settings first", PATIENCE);
    assert_eq!(provider.asked().len(), 0, "a fresh key goes to no address that is only typed");
    assert_eq!(server.get(EMBEDDING).json(), Value::Null, "a trial stores nothing");
    browser.click("[data-testid=embedding-model] button[type=submit]");
    browser.see("[data-testid=embedding-model] [data-testid=clear]");
    browser.click("[data-testid=embedding-model] [data-testid=test]");
    browser.reads("[data-testid=trial]", "answers vectors of 2 numbers", PATIENCE);
    let set = json!({"provider": "openai", "model": "m", "base_url": provider.url(),
        "credential_ref": "mine", "dimensions": null});
    assert_eq!(server.get(EMBEDDING).json(), set);

    browser.click("[data-testid=embedding-model] [data-testid=clear]");
    browser.wait("the model is gone", PATIENCE, || {
        server.get(EMBEDDING).json().is_null().then_some(())
    });
    browser.wait("the field is empty", PATIENCE, || {
        let field = browser.value("document.querySelector('#embedding-model-model').value");
        (field == "").then_some(())
    });
    browser.click("[data-testid=credential] button");
    browser.wait("the key is gone", PATIENCE, || {
        browser.find("[data-testid=credential]").is_none().then_some(())
    });
    assert!(!browser.value("document.body.innerHTML").to_string().contains(KEY));
    assert_eq!(browser.complaints(), [""; 0]);
}
