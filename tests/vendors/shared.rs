//! Three agents of three vendors in one project: what one remembers, the others find.

use serde_json::json;

use super::agent::ALL;
use super::household::Household;
use super::model::Script;
use super::{are_asked_for, claude_code, codex, codex_approval, opencode};

const FACT: &str = "The walnut parser lives in crates/walnut, and nothing else may parse walnuts.";

#[test]
fn what_one_agent_remembers_the_others_recall() {
    if !are_asked_for() {
        return;
    }
    let household = Household::with(&ALL);
    for agent in ALL {
        household.coffer(&["agent", "connect", agent.kind]);
    }
    codex_approval::approve(&household);

    let call = Some(("coffer__remember", json!({"text": FACT})));
    let script = Script { call, text: "I have noted it." };
    let session = household.session(&claude_code::AGENT, "Remember where the parser is.", &script);
    let results = session.results(&claude_code::AGENT);
    let facts = household.coffer_json(&["memory", "facts"]);
    let id = facts["facts"][0]["id"].as_str().unwrap_or_else(|| panic!("{facts} {}", session.said));
    assert!(results.last().is_some_and(|result| result.contains(id)), "{results:?}");

    for agent in [&codex::AGENT, &opencode::AGENT] {
        let call = Some(("coffer__recall", json!({"query": "who may parse walnuts"})));
        let script = Script { call, text: "It is in crates/walnut." };
        let session = household.session(agent, "Where is the parser?", &script);
        let results = session.results(agent);
        assert_eq!(results.len(), 1, "{}: {}", agent.name, session.said);
        assert!(results[0].contains(FACT), "{results:?}");
    }
    let calls = household.coffer_json(&["audit", "--calls"]);
    let agents: Vec<_> =
        calls["invocations"].as_array().unwrap().iter().map(|call| &call["agent"]).collect();
    assert_eq!(agents, ["opencode", "codex", "claude-code"], "{calls}");
}
