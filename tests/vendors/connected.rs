//! Each agent by itself: connected, it tells its model the rules and starts Coffer's server; its
//! session is read; disconnected, every file is as it was.

use serde_json::Value;

use super::agent::Agent;
use super::files::Files;
use super::household::Household;
use super::model::{Asked, Script};
use super::{are_asked_for, claude_code, codex, codex_approval, opencode};

const RULE: &str = "Parsers are written by hand, never generated.";
const PROMPT: &str = "Where is the walnut parser?";
const ANSWER: &str = "In crates/walnut, as far as I see.";

#[test]
fn claude_code_is_told_the_rules_and_left_without_a_trace() {
    is_told_and_left(&claude_code::AGENT, |_| {});
}

#[test]
fn codex_is_told_the_rules_and_left_without_a_trace() {
    is_told_and_left(&codex::AGENT, |household| {
        assert_eq!(codex_approval::approve(household), [] as [Value; 0]);
    });
}

#[test]
fn opencode_is_told_the_rules_and_left_without_a_trace() {
    is_told_and_left(&opencode::AGENT, |_| {});
}

fn is_told_and_left(agent: &Agent, approve: impl FnOnce(&Household)) {
    if !are_asked_for() {
        return;
    }
    let household = Household::with_coffer_elsewhere(&[agent]);
    household.coffer(&["memory", "rules", "add", RULE]);
    let before = household.files();
    household.coffer(&["agent", "connect", agent.kind]);
    let connected = household.files();
    assert_eq!(before.changed(&connected), with_copies(agent, &before));
    approve(&household);

    let script = Script { call: None, text: ANSWER };
    let session = household.session(agent, PROMPT, &script);
    let told = session.told().unwrap_or_else(|| panic!("no rules: {}", session.said));
    assert!(told.contains(RULE) && told.contains("coffer__resume"), "{told}");
    assert!(knows_tools(&session.asked.last().unwrap().body), "{}", session.said);
    is_read(&household, agent);

    let used = household.files();
    household.coffer(&["agent", "disconnect", agent.name]);
    let left = household.files();
    let changed = used.changed(&left);
    assert_eq!(changed, with_copies(agent, &before));
    for name in agent.touched {
        is_as_before(name, [&before, &connected, &used, &left]);
        let copy = used.get(name).filter(|_| before.get(name).is_some());
        assert_eq!(left.get(&format!("{name}.coffer.bak")), copy, "{name}");
    }

    let session = household.session(agent, PROMPT, &script);
    assert_eq!(session.told(), None);
    let named = |asked: &Asked| asked.body.to_string().contains("coffer__");
    assert!(!session.asked.iter().any(named), "{}", session.said);
}

/// The files that Coffer changes, and the copies that it keeps of those that were there.
fn with_copies(agent: &Agent, before: &Files) -> Vec<String> {
    let copies = agent.touched.iter().filter(|name| before.get(name).is_some());
    let copies = copies.map(|name| format!("{name}.coffer.bak"));
    let mut names: Vec<String> =
        agent.touched.iter().map(|name| (*name).to_owned()).chain(copies).collect();
    names.sort();
    names
}

/// Whether a model could call Coffer's tools: all of them are named to it.
fn knows_tools(body: &Value) -> bool {
    let text = body.to_string();
    ["coffer__recall", "coffer__remember", "coffer__resume"].iter().all(|name| text.contains(name))
}

/// The session is listed, and what was said in it is what a person and the model said.
fn is_read(household: &Household, agent: &Agent) {
    let listed = household.coffer_json(&["transcript", "list", agent.name]);
    assert_eq!(listed["total"], 1, "{listed}");
    let session = &listed["sessions"][0];
    assert_eq!(session["project_path"], household.project.to_str().unwrap(), "{listed}");
    let id = session["session_id"].as_str().unwrap();
    let shown = household.coffer_json(&["transcript", "show", agent.name, id]);
    let turns = shown["turns"].as_array().unwrap();
    let texts: Vec<_> = turns.iter().map(|turn| turn["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [PROMPT, ANSWER], "{shown}");
}

/// A file that nobody else wrote has its very bytes again, or is gone again; one that the agent wrote
/// meanwhile has what the agent wrote, and nothing of Coffer's.
#[track_caller]
fn is_as_before(name: &str, [before, connected, used, left]: [&Files; 4]) {
    if connected.get(name) == used.get(name) {
        assert_eq!(left.get(name), before.get(name), "{name}");
    } else if name.ends_with(".json") {
        let json = |files: &Files| serde_json::from_str::<Value>(files.text(name)).unwrap();
        let mut expected = json(used);
        assert!(expected["mcpServers"].as_object_mut().unwrap().remove("coffer").is_some());
        if json(before)["mcpServers"].is_null() {
            expected.as_object_mut().unwrap().remove("mcpServers");
        }
        assert_eq!(json(left), expected, "{name}");
    } else {
        let appended = used.text(name).strip_prefix(connected.text(name)).unwrap();
        assert_eq!(left.text(name), format!("{}{appended}", before.text(name)), "{name}");
    }
}
