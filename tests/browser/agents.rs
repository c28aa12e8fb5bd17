//! Coding agents on the page: connected with a look at every line first, drifted, put right, and
//! their conversations. Their folders are below the server's own home.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{remember, signed_in, way_in};
use crate::support::TestServer;
use crate::support::browser::{Browser, keys};
use crate::support::process::PATIENCE;

const PROPOSAL: &str = "[data-testid=proposal]";
const MAKE: &str = "[data-testid=proposal-make]";
const SETTINGS: &str = "{\n  \"theme\": \"dark\"\n}\n";

/// A server of a person who has these folders of agents.
pub(super) fn server(folders: &[&str]) -> TestServer {
    let server = TestServer::start();
    for folder in folders {
        fs::create_dir_all(server.folder().join(folder)).unwrap();
    }
    server
}

/// What comes back to the page looks at the files again.
fn come_back(browser: &Browser) {
    browser.value("window.dispatchEvent(new Event('focus'))");
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Waits until the dialog is gone.
#[track_caller]
fn is_closed(browser: &Browser) {
    browser.wait("the dialog closes", PATIENCE, || {
        browser.find(&format!("{PROPOSAL}[open]")).is_none().then_some(())
    });
}

/// Says yes to what is shown.
#[track_caller]
fn make(browser: &Browser) {
    browser.click(MAKE);
    is_closed(browser);
}

/// Rules of a store, as a person writes them.
pub(super) fn write_rules(server: &TestServer, store: &str, rules: &str) {
    let stores = server.get("/api/v1/memory_stores").json();
    let stores = stores["memory_stores"].as_array().unwrap();
    let store = stores.iter().find(|it| it["name"] == store).unwrap();
    let folder = Path::new(store["store_dir"].as_str().unwrap()).join("rules");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("own.md"), rules).unwrap();
}

/// Sessions as a real version of an agent wrote them.
pub(super) fn sessions(server: &TestServer, version: &str, folder: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/transcripts");
    copy(&from.join(version), &server.folder().join(folder));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A session of Claude Code of one line.
pub(super) fn say(server: &TestServer, id: &str, line: &str) -> PathBuf {
    let folder = server.folder().join(".claude/projects/-code-app");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{id}.jsonl"));
    fs::write(&file, format!("{line}\n")).unwrap();
    file
}

fn said(id: &str, project: &str, day: u32, text: &str) -> String {
    json!({"type": "user", "uuid": id, "cwd": project, "timestamp": format!("2026-11-{day:02}T10:00:00Z"),
        "message": {"content": text}})
    .to_string()
}

#[test]
fn an_agent_is_connected_after_a_look_and_disconnected_without_a_trace() {
    let server = server(&[".claude"]);
    let settings = server.folder().join(".claude/settings.json");
    fs::write(&settings, SETTINGS).unwrap();
    let browser = signed_in(&server, "/agents");
    browser.reads("[data-testid=empty]", "No agent is connected", PATIENCE);
    browser.reads("[data-testid=absent]", "Codex CLI", PATIENCE);

    // Nothing is done by looking.
    browser.click("[data-testid=candidate][data-id=claude-code] button");
    browser.reads(PROPOSAL, "\"hooks\"", PATIENCE);
    browser.reads(PROPOSAL, ".claude.json", PATIENCE);
    browser.reads(PROPOSAL, "new file", PATIENCE);
    let kept = browser.text(&format!("{PROPOSAL} .kept")).unwrap();
    assert!(kept.starts_with(" {"), "{kept:?}");
    browser.press(&[keys::ESCAPE]);
    is_closed(&browser);
    assert_eq!(text(&settings), SETTINGS);
    assert_eq!(server.get("/api/v1/agents").json(), json!({"agents": []}));

    browser.click("[data-testid=candidate][data-id=claude-code] button");
    make(&browser);
    browser.reads("[data-testid=agent]", "Connected", PATIENCE);
    browser.reads("[data-testid=agents]", "Claude Code", PATIENCE);
    assert!(browser.find("[data-testid=candidate]").is_none());
    assert!(text(&settings).contains("coffer-hook"));

    browser.click("[data-testid=agent] a");
    browser.reads("[data-testid=mcp-install] .check.ok", "As Coffer wrote it", PATIENCE);
    browser.reads("[data-testid=hook-install] .check.ok", ".claude/settings.json", PATIENCE);
    assert!(browser.find("[data-testid=connect]").is_none(), "there is nothing to connect");
    browser.click("[data-testid=disconnect]");
    browser.reads(PROPOSAL, "-  \"hooks\"", PATIENCE);
    make(&browser);
    browser.see("[data-testid=candidate][data-id=claude-code]");
    browser.reads("[data-testid=empty]", "No agent is connected", PATIENCE);
    assert_eq!(text(&settings), SETTINGS);
    assert!(!server.folder().join(".claude.json").exists());
    // The page may hear of the change before the reply, and ask for what is gone.
    let complaints = browser.complaints();
    let others = complaints.iter().filter(|said| !said.contains("status of 404"));
    assert_eq!(others.count(), 0, "{complaints:?}");
}

#[test]
fn what_others_changed_is_said_and_put_right() {
    let server = server(&[".codex"]);
    let browser = signed_in(&server, "/agents");
    browser.click("[data-testid=candidate][data-id=codex] button");
    browser.reads("[data-testid=proposal-note]", "/hooks", PATIENCE);
    browser.click(MAKE);
    // What only the person can do stays on the page until they close it, and on the agent's.
    browser.reads(PROPOSAL, "One thing is left to you", PATIENCE);
    browser.reads("[data-testid=proposal-note]", "/hooks", PATIENCE);
    browser.click("[data-testid=proposal-close]");
    is_closed(&browser);
    browser.click("[data-testid=agent] a");
    browser.reads("[data-testid=remark]", "/hooks", PATIENCE);

    let config = server.folder().join(".codex/config.toml");
    let written = text(&config);
    fs::write(&config, written.replace("--agent", "--agnet")).unwrap();
    fs::write(server.folder().join(".codex/hooks.json"), "{}").unwrap();
    come_back(&browser);
    browser.reads("[data-testid=drift]", "the MCP server and the session hook", PATIENCE);
    browser.reads("[data-testid=mcp-install] .check.warning", "Not as Coffer would", PATIENCE);
    browser.reads("[data-testid=hook-install] .check.warning", "was taken out", PATIENCE);
    browser.see("[data-agent=codex] .attention");
    browser.click("[data-testid=connect]");
    browser.reads(&format!("{PROPOSAL} .removed"), "--agnet", PATIENCE);
    browser.click(MAKE);
    browser.reads(PROPOSAL, "One thing is left", PATIENCE);
    browser.click("[data-testid=proposal-close]");
    browser.wait("nothing is drifted", PATIENCE, || {
        browser.find("[data-testid=drift]").is_none().then_some(())
    });
    assert_eq!(text(&config), written);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn an_agents_own_memory_is_switched_off_and_back() {
    let server = server(&[".claude", ".cursor"]);
    let settings = server.folder().join(".claude/settings.json");
    fs::write(&settings, SETTINGS).unwrap();
    for kind in ["claude_code", "cursor"] {
        assert_eq!(server.post("/api/v1/agents", &json!({"type": kind})).status, 201);
    }
    let browser = signed_in(&server, "/agents/claude-code");
    browser.reads("[data-testid=own-memory]", "On, or as you set it", PATIENCE);
    browser.click("[data-testid=memory-off]");
    browser.reads(PROPOSAL, "+  \"autoMemoryEnabled\"", PATIENCE);
    make(&browser);
    browser.reads("[data-testid=own-memory]", "Off: Coffer switched it off", PATIENCE);
    let off = text(&settings);
    fs::write(&settings, off.replace("false", "true")).unwrap();
    come_back(&browser);
    browser.reads("[data-testid=own-memory]", "somebody changed that", PATIENCE);
    browser.click("[data-testid=memory-off]");
    make(&browser);
    assert_eq!(text(&settings), off);
    browser.click("[data-testid=memory-back]");
    make(&browser);
    browser.reads("[data-testid=own-memory]", "On, or as you set it", PATIENCE);
    assert_eq!(text(&settings), SETTINGS);
    browser.go(&way_in(&server, "/agents/cursor"));
    browser.reads("[data-testid=own-memory]", "no memory of its own", PATIENCE);
    assert!(browser.find("[data-testid=memory-off]").is_none());
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_file_that_is_not_understood_comes_with_what_to_paste() {
    let server = server(&[".cursor"]);
    let file = server.folder().join(".cursor/mcp.json");
    fs::write(&file, "{ // mine\n}").unwrap();
    let browser = signed_in(&server, "/agents");
    browser.click("[data-testid=candidate][data-id=cursor] button");
    browser.reads("[data-testid=proposal-refused]", "is left as it is", PATIENCE);
    browser.reads("[data-testid=proposal-refused]", "paste this", PATIENCE);
    browser.reads("[data-testid=copy-block] pre", "coffer-mcp-shim", PATIENCE);
    assert!(browser.find(MAKE).is_none());
    browser.click("[data-testid=copy-block] button");
    browser.reads("[data-testid=notices]", "Entries", PATIENCE);
    assert_eq!(text(&file), "{ // mine\n}");
    // Mended, it goes on from here.
    fs::write(&file, "{}").unwrap();
    browser.click("[data-testid=proposal-refused] > button");
    make(&browser);
    browser.reads("[data-testid=agent]", "Connected", PATIENCE);
    let complaints = browser.complaints();
    let others = complaints.iter().filter(|said| !said.contains("status of 409"));
    assert_eq!(others.count(), 0, "{complaints:?}");
}

#[test]
fn conversations_are_found_filtered_ordered_and_read() {
    let server = server(&[".claude"]);
    let key = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";
    say(&server, "a", &said("a", "/code/app", 1, &format!("Fix the walnut parser with {key}")));
    say(&server, "b", &said("b", "/code/other", 9, "Write the docs"));
    let odd = say(&server, "odd", r#"{"type":"hologram"}"#);
    assert_eq!(server.post("/api/v1/agents", &json!({"type": "claude_code"})).status, 201);
    let browser = signed_in(&server, "/agents/claude-code");
    browser.click("[data-testid=to-conversations]");
    browser.reads("[data-testid=unread]", "1 conversation here could not be read", PATIENCE);
    let titles = || {
        let rows = "[...document.querySelectorAll('[data-testid=conversation] .doc-title')]";
        browser.value(&format!("{rows}.map(row => row.innerText)"))
    };
    let list = |expected: serde_json::Value| {
        browser.wait(&expected.to_string(), PATIENCE, || (titles() == expected).then_some(()));
    };
    let choose = |select: usize, value: &str| {
        browser.value(&format!(
            "(() => {{ const choice = document.querySelectorAll('[data-testid=conversation-filters] select')[{select}];
                choice.value = '{value}'; choice.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
        ));
    };
    let fixed = "Fix the walnut parser with [redacted: github-token]";
    list(json!(["Untitled", "Write the docs", fixed]));
    choose(1, "oldest");
    list(json!([fixed, "Write the docs", "Untitled"]));
    choose(0, "/code/other");
    list(json!(["Write the docs"]));
    choose(0, "");
    browser.value(
        "(() => { const from = document.querySelector('#from'); from.value = '2026-11-05';
            from.dispatchEvent(new Event('change', {bubbles: true})); })()",
    );
    list(json!(["Write the docs"]));
    browser.value(
        "(() => { const from = document.querySelector('#from'); from.value = '';
            from.dispatchEvent(new Event('change', {bubbles: true})); })()",
    );
    browser.type_into("[data-testid=filter]", "WALNUT");
    list(json!([fixed]));
    browser.click("[data-testid=conversation] a");
    browser.reads("[data-testid=turn]", "Fix the walnut parser", PATIENCE);
    assert!(!browser.text("body").unwrap().contains(key));
    browser.reads("[data-testid=conversation-page] .path", "a.jsonl", PATIENCE);
    // Going back finds the filter again.
    browser.click(".back a");
    browser.see("[data-testid=conversations]");
    browser.value("history.go(-2)");
    list(json!([fixed]));

    browser.go(&way_in(&server, "/agents/claude-code/conversations/odd"));
    browser.reads("[data-testid=empty]", "format of this conversation is not known", PATIENCE);
    browser.reads("[data-testid=conversation-page] .path", odd.to_str().unwrap(), PATIENCE);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn an_agent_without_a_reader_says_so() {
    let server = server(&[".cursor"]);
    assert_eq!(server.post("/api/v1/agents", &json!({"type": "cursor"})).status, 201);
    let browser = signed_in(&server, "/agents/cursor/conversations");
    let said = "The conversations of Cursor cannot be read";
    browser.reads("[data-testid=empty]", said, PATIENCE);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_page_shows_files_of_agents_and_opens_none() {
    let server = server(&[".claude"]);
    let file = say(&server, "a", &said("a", "/code/app", 1, "Hello"));
    let page = |path: &str| server.post(path, &json!({"path": file})).refusal();
    let (reveal, open) = ("/api/v1/files/reveal", "/api/v1/files/open");
    assert_eq!(page(reveal), (403, "PATH_NOT_ALLOWED".to_owned()), "nobody registered it");
    assert_eq!(server.post("/api/v1/agents", &json!({"type": "claude_code"})).status, 201);
    assert_eq!(page(open), (403, "PATH_NOT_ALLOWED".to_owned()));
    let shown = server.post(reveal, &json!({"path": file}));
    // Where there is no file manager, that is what is said.
    assert!(shown.status == 204 || shown.refusal().1 == "ENGINE_UNAVAILABLE", "{}", shown.text());
}

#[test]
fn what_an_agent_is_told_at_its_start_is_shown_to_the_letter() {
    let server = server(&[]);
    remember(&server, "Walnut", "What makes the store.");
    let rules = "- Use tabs. <!-- coffer: from codex, 01J0 -->\n- Never push.\n";
    write_rules(&server, "global", rules);
    let browser = signed_in(&server, "/stores/global/start");
    browser.reads("[data-testid=start-size]", "2 rules. ", PATIENCE);
    let told = server.get("/api/v1/memory_stores/global/injection").json();
    let shown = browser.value("document.querySelector('[data-testid=copy-block] pre').textContent");
    assert_eq!(shown, told["additional_context"]);
    assert!(!shown.as_str().unwrap().contains("<!--"), "{shown}");
    assert!(browser.find("[data-testid=start-remark]").is_none());
    // The organizer's rules are told like all others, and are marked where they stand.
    browser.click("[data-lane=rules]");
    browser.reads("[data-testid=lane-rules] .badge", "Derived from codex", PATIENCE);

    write_rules(&server, "global", &"- 始终使用胡桃木，不要使用橡木。\n".repeat(400));
    browser.go(&way_in(&server, "/stores/global/start"));
    browser.reads("[data-testid=lane-start]", "rules do not fit and are left out", PATIENCE);
    browser.reads("[data-testid=lane-start]", "Chinese, Japanese or Korean", PATIENCE);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_first_run_connects_what_it_finds_and_shows_the_first_fact() {
    let server = server(&[".codex"]);
    let browser = signed_in(&server, "/");
    browser.click("[data-testid=first-run] [data-testid=candidate] button");
    browser.reads(PROPOSAL, "+[mcp_servers.coffer]", PATIENCE);
    browser.click(MAKE);
    browser.reads(PROPOSAL, "One thing is left", PATIENCE);
    browser.click("[data-testid=proposal-close]");
    browser.reads("[data-testid=connected]", "Codex CLI can use Coffer now", PATIENCE);
    assert!(text(&server.folder().join(".codex/config.toml")).contains("mcp_servers.coffer"));
    remember(&server, "Walnut", "The first one.");
    browser.reads("#facts", "Walnut", PATIENCE);
    assert!(browser.find("[data-testid=first-run]").is_none());
    assert_eq!(browser.complaints(), [""; 0]);
}
