//! The end of a session reaches Coffer, of those agents that tell it, and with it which one it was.

use serde_json::json;

use super::agent::Agent;
use super::household::Household;
use super::model::Script;
use super::{are_asked_for, claude_code, codex, codex_approval};
use crate::support::ended::ended_sessions;
use crate::support::process::{PATIENCE, eventually};

#[test]
fn the_end_of_a_session_of_claude_code_is_told() {
    is_told(&claude_code::AGENT, |_| {});
}

#[test]
fn the_end_of_a_session_of_codex_is_told() {
    is_told(&codex::AGENT, |household| drop(codex_approval::approve(household)));
}

fn is_told(agent: &Agent, approve: impl FnOnce(&Household)) {
    if !are_asked_for() {
        return;
    }
    let household = Household::with(&[agent]);
    // Ends are noted only where they are wanted; this engine is asked nothing, as it never answers.
    let engine = json!({"provider": "ollama", "model": "m", "base_url": "http://127.0.0.1:1/v1"});
    assert_eq!(household.server.put("/api/v1/settings/engine", &engine).status, 200);
    household.server.put("/api/v1/settings", &json!({"distill": {"on_session_end": true}}));
    household.coffer(&["agent", "connect", agent.kind]);
    approve(&household);
    let script = Script { call: None, text: "That is all there is to it." };
    household.session(agent, "What is there to it?", &script);
    let ended = eventually("the end is told", PATIENCE, || {
        Some(ended_sessions(&household.server.home())).filter(|ended| !ended.is_empty())
    });
    let listed = household.coffer_json(&["transcript", "list", agent.name]);
    let id = listed["sessions"][0]["session_id"].as_str().unwrap();
    let project = household.project.to_str().unwrap();
    assert_eq!(ended, [(agent.name.to_owned(), id.to_owned(), project.to_owned())]);
}
