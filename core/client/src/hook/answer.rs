//! The shapes that agents want to be told in; one that finds more in it than it knows tells nobody.

use coffer_api::agents::AgentType;
use coffer_api::hooks::SessionContextOut;
use serde_json::json;

/// The words to print.
pub(super) fn shaped(told: SessionContextOut) -> String {
    let SessionContextOut { additional_context: text, kind } = told;
    match kind {
        AgentType::ClaudeCode | AgentType::Codex | AgentType::Gemini => json!({
            "hookSpecificOutput": {
                "hookEventName": "SessionStart",
                "additionalContext": text,
            }
        })
        .to_string(),
        AgentType::Copilot => json!({ "additionalContext": text }).to_string(),
        AgentType::Cursor => json!({ "additional_context": text }).to_string(),
        // Coffer's own plugin reads it.
        AgentType::OpenCode => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_agent_has_its_shape() {
        let nested = r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\n\"é"}}"#;
        for (kind, words) in [
            (AgentType::ClaudeCode, nested),
            (AgentType::Codex, nested),
            (AgentType::Gemini, nested),
            (AgentType::Copilot, r#"{"additionalContext":"a\n\"é"}"#),
            (AgentType::Cursor, r#"{"additional_context":"a\n\"é"}"#),
            (AgentType::OpenCode, "a\n\"é"),
        ] {
            let told = SessionContextOut { additional_context: "a\n\"é".to_owned(), kind };
            assert_eq!(shaped(told), words, "{kind:?}");
        }
    }
}
