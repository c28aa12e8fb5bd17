//! Credentials: values go in and never out.

use serde_json::json;

use crate::support::TestServer;

const CREDENTIALS: &str = "/api/v1/credentials";
const VALUE: &str = "sk-a-value-that-is-shown-nowhere";

#[test]
fn values_go_in_and_never_out() {
    let server = TestServer::start();
    assert_eq!(server.get(CREDENTIALS).json(), json!({"credentials": []}));
    let set = server.put(&format!("{CREDENTIALS}/openai"), &json!({"value": VALUE}));
    assert_eq!((set.status, set.text()), (204, String::new()));
    server.put(&format!("{CREDENTIALS}/a_1"), &json!({"value": "other"}));
    let listed = json!({"credentials": [
        {"ref": "a_1", "place": "file"},
        {"ref": "openai", "place": "file"},
    ]});
    assert_eq!(server.get(CREDENTIALS).json(), listed);
    let audit = server.get("/api/v1/audit?event=credential_set").json();
    assert_eq!(audit["events"][0]["ids"], json!(["a_1"]));
    let deleted = server.delete(&format!("{CREDENTIALS}/openai"));
    assert_eq!(deleted.status, 204);
    let again = server.delete(&format!("{CREDENTIALS}/openai"));
    assert_eq!(again.refusal(), (404, "RESOURCE_NOT_FOUND".to_owned()));
    for place in [CREDENTIALS, "/api/v1/audit", "/api/v1/doctor", "/api/v1/settings"] {
        assert!(!server.get(place).text().contains(VALUE), "{place}");
    }
    assert!(!server.said().contains(VALUE));
    let files = std::fs::read_dir(server.home().root()).unwrap();
    for path in files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let bytes = std::fs::read(&path).unwrap();
        let is_inside = bytes.windows(VALUE.len()).any(|window| window == VALUE.as_bytes());
        assert!(!is_inside, "{}", path.display());
    }
}

#[test]
fn what_is_refused_names_its_field_and_not_the_value() {
    let server = TestServer::start();
    for name in ["Open%20AI", "-x", &"x".repeat(65)] {
        let refused = server.put(&format!("{CREDENTIALS}/{name}"), &json!({"value": VALUE}));
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{name}");
        assert_eq!(refused.fields(), ["ref"]);
    }
    for (body, field) in [
        (json!({"value": ""}), "value"),
        (json!({"value": "two\nlines"}), "value"),
        (json!({"value": 1_234_567_890}), "value"),
        (json!({"value": ["1234567890"]}), "value"),
        (json!({"value": VALUE, "more": 1}), "more"),
        (json!({}), "value"),
    ] {
        let refused = server.put(&format!("{CREDENTIALS}/x"), &body);
        assert_eq!(refused.refusal(), (422, "CONFIG_INVALID".to_owned()), "{body}");
        assert_eq!(refused.fields(), [field]);
        assert!(!refused.text().contains("1234567890"), "{}", refused.text());
    }
    assert_eq!(server.get(CREDENTIALS).json(), json!({"credentials": []}));
}

#[test]
fn a_damaged_file_is_said_and_left_as_it_is() {
    let server = TestServer::start_with(|home| {
        std::fs::create_dir_all(home.root()).unwrap();
        std::fs::write(home.credentials_file(), "[x]\nplace = 1\n").unwrap();
    });
    let refused = server.put(&format!("{CREDENTIALS}/x"), &json!({"value": VALUE}));
    assert_eq!(refused.refusal(), (503, "STORE_UNAVAILABLE".to_owned()));
    assert_eq!(server.get(CREDENTIALS).refusal().0, 503);
    let checks = server.get("/api/v1/doctor").json();
    let row = checks["rows"].as_array().unwrap().iter().find(|row| row["check"] == "credentials");
    assert_eq!(row.unwrap()["state"], "error");
    let text = std::fs::read_to_string(server.home().credentials_file()).unwrap();
    assert_eq!(text, "[x]\nplace = 1\n");
}
