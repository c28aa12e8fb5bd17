//! An agent's own memory, switched off by Coffer and put back, as the agent itself sees it.

use super::household::Household;
use super::model::Script;
use super::{are_asked_for, claude_code, codex};

/// Claude Code tells its model of a folder for memory, or does not.
#[test]
fn claude_code_uses_its_own_memory_unless_it_is_switched_off() {
    if !are_asked_for() {
        return;
    }
    let household = Household::with(&[&claude_code::AGENT]);
    let before = household.files();
    household.coffer(&["agent", "connect", "claude_code"]);
    let has_memory = || {
        let script = Script { call: None, text: "So it is." };
        let session = household.session(&claude_code::AGENT, "How is it?", &script);
        session.asked.iter().any(|asked| asked.body.to_string().contains("MEMORY.md"))
    };
    assert!(has_memory());
    household.coffer(&["agent", "native-memory", "claude-code", "off"]);
    assert!(!has_memory());
    household.coffer(&["agent", "native-memory", "claude-code", "restore"]);
    assert!(has_memory());
    household.coffer(&["agent", "native-memory", "claude-code", "off"]);
    household.coffer(&["agent", "disconnect", "claude-code"]);
    assert!(has_memory());
    let settings = ".claude/settings.json";
    assert_eq!(household.files().get(settings), before.get(settings));
}

/// Codex says itself which features are on.
#[test]
fn codex_uses_its_own_memory_unless_it_is_switched_off() {
    if !are_asked_for() {
        return;
    }
    let household = Household::with(&[&codex::AGENT]);
    let config = household.at(".codex/config.toml");
    let theirs = std::fs::read_to_string(&config).unwrap() + "memories = true # mine\n";
    std::fs::write(&config, &theirs).unwrap();
    household.coffer(&["agent", "connect", "codex"]);
    let has_memory = || {
        let listed = household.command(&codex::AGENT).args(["features", "list"]).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let line = listed.lines().find(|line| line.starts_with("memories ")).unwrap();
        line.ends_with("true")
    };
    assert!(has_memory());
    household.coffer(&["agent", "native-memory", "codex", "off"]);
    assert!(!has_memory());
    household.coffer(&["agent", "native-memory", "codex", "restore"]);
    assert!(has_memory());
    household.coffer(&["agent", "native-memory", "codex", "off"]);
    household.coffer(&["agent", "disconnect", "codex"]);
    assert_eq!(std::fs::read_to_string(&config).unwrap(), theirs);
}
