//! An agent that is started before Coffer is: its server of tools starts Coffer, and nothing is lost.

use serde_json::json;

use super::household::Household;
use super::model::Script;
use super::{are_asked_for, claude_code};

/// Ends the Coffer that the agent started, whatever became of the test.
struct Stopped<'h>(&'h Household);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        _ = self.0.server.command("coffer").arg("stop").output();
    }
}

#[test]
fn an_agent_that_is_started_first_starts_coffer() {
    if !are_asked_for() {
        return;
    }
    let mut household = Household::with(&[&claude_code::AGENT]);
    household.coffer(&["agent", "connect", "claude_code"]);
    household.server.kill();
    let stopped = Stopped(&household);
    let fact = "Walnuts are counted in hundreds.";
    let call = Some(("coffer__remember", json!({"text": fact})));
    let script = Script { call, text: "I have noted it." };
    let session = household.session(&claude_code::AGENT, "Note how walnuts are counted.", &script);
    let facts = household.coffer_json(&["memory", "facts"]);
    assert_eq!(facts["facts"][0]["text"], fact, "{}", session.said);
    drop(stopped);
    let status = household.server.command("coffer").arg("status").output().unwrap();
    assert_eq!(status.status.code(), Some(5), "it ends as any other");
}
