//! Keys and passwords in what is to be remembered: none of them reaches the disk, whoever writes.

use std::path::Path;

use coffer_corpus::secrets::{Case, cases};
use serde_json::json;

use super::{FACTS, remember};
use crate::support::mcp::Mcp;
use crate::support::{TestServer, project, tree};

/// Where a text stands below Coffer's folder, in files and database alike.
fn places(home: &Path, text: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    let files = tree::files(home).into_iter();
    files.filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path).collect()
}

#[test]
fn no_secret_of_a_fact_is_written() {
    let mut server = TestServer::start();
    let bare: Vec<Case> = cases(5).into_iter().filter(|case| case.form == "bare").collect();
    assert_eq!(bare.len(), 30);
    for case in &bare {
        let added = remember(&server, &format!("the walnut key\n\n{}", case.text));
        assert!(added["redacted"].is_object(), "{}: {added}", case.kind);
        let text = added["text"].as_str().unwrap();
        assert!(text.starts_with("the walnut key") && text.contains("[redacted: "), "{text}");
    }
    let titled =
        json!({"text": "x", "title": bare[2].text.trim(), "description": bare[3].text.trim()});
    assert_eq!(server.post(FACTS, &titled).status, 201);
    let home = server.home();
    server.signal("TERM");
    server.ended();
    for hidden in bare.iter().flat_map(|case| &case.hidden) {
        assert_eq!(places(home.root(), hidden), [""; 0], "{hidden}");
    }
}

#[test]
fn a_fact_without_secrets_stays_as_it_was_written() {
    let server = TestServer::start();
    let text = "deploy with `make release`; sha256 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    let added = remember(&server, text);
    assert_eq!((added["text"].as_str(), added.get("redacted")), (Some(text), None));
}

#[test]
fn agents_are_told_what_was_taken_out() {
    let server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let case = cases(6).into_iter().find(|case| case.kind == "github-classic-pat").unwrap();
    let mut agent = Mcp::connect(&server, Some(&app));
    for (tool, argument) in [("coffer__remember", "text"), ("coffer__set_handoff", "body")] {
        let said = agent.tool(tool, &json!({argument: format!("token {}", case.text)})).to_string();
        assert!(said.contains("Secrets were taken out") && said.contains("github-token"), "{said}");
        assert!(case.remains(&said).is_none(), "{said}");
    }
    for hidden in &case.hidden {
        assert_eq!(places(server.home().root(), hidden), [""; 0]);
    }
}

#[test]
fn what_a_person_names_as_a_secret_is_one_everywhere() {
    let server = TestServer::start();
    remember(&server, "my badge is B123456");
    let settings = "[secrets]\npatterns = [{ name = \"badge\", pattern = \"B[0-9]{6}\" }, \"(\"]\n";
    std::fs::write(server.home().config_file(), settings).unwrap();
    let added = remember(&server, "another badge is B654321");
    assert_eq!(added["redacted"], json!({"badge": 1}), "{added}");
    assert_eq!(added["text"], "another badge is [redacted: badge]");
    let rows = server.get("/api/v1/doctor").json();
    let said = rows["rows"].as_array().unwrap().iter().find(|row| row["check"] == "settings");
    let reason = said.unwrap()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("`secrets.patterns` number 2") && reason.contains("parse"), "{reason}");
    let done = server.post("/api/v1/purge?wait=60", &json!({"secrets": true})).json();
    assert_eq!(done["remaining"], 0, "{done}");
    assert_eq!(places(server.home().root(), "B123456"), [""; 0]);
    let changed = server.put("/api/v1/settings", &json!({"daily_token_cap": 7}));
    assert_eq!(changed.status, 200, "{}", changed.text());
    let kept = std::fs::read_to_string(server.home().config_file()).unwrap();
    assert!(kept.starts_with(settings) || kept.contains("B[0-9]{6}"), "{kept}");
}
