//! What agents tell: each in its own spelling, and some without the event's name.

use serde::Deserialize;

/// Something that happened to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// It begins, or begins anew.
    Start {
        /// The working directory, where the agent tells it.
        cwd: Option<String>,
    },
    /// It ended.
    End {
        /// The working directory, where the agent tells it.
        cwd: Option<String>,
        /// The agent's id of it.
        session: String,
    },
}

/// All of it that is looked at; the values of other keys may be anything. A key in two spellings is
/// two keys: an agent may tell both.
#[derive(Deserialize)]
struct Told {
    hook_event_name: Option<String>,
    #[serde(rename = "hookEventName")]
    event_name: Option<String>,
    session_id: Option<String>,
    /// Copilot CLI's.
    #[serde(rename = "sessionId")]
    id: Option<String>,
    /// Cursor's.
    conversation_id: Option<String>,
    cwd: Option<String>,
    /// Cursor's.
    workspace_roots: Option<Vec<String>>,
    reason: Option<String>,
}

impl Event {
    /// Reads what an agent wrote; `None` for what is no start and no end.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let told: Told = serde_json::from_slice(bytes).ok()?;
        let roots = told.workspace_roots.unwrap_or_default().into_iter();
        let cwd = told.cwd.into_iter().chain(roots).find(|cwd| !cwd.is_empty());
        let name = told.hook_event_name.or(told.event_name).map(|name| name.to_ascii_lowercase());
        let ids = [told.session_id, told.id, told.conversation_id];
        match name.as_deref() {
            Some("sessionstart") => Some(Self::Start { cwd }),
            Some("sessionend") => {
                let session = ids.into_iter().flatten().find(|session| !session.is_empty())?;
                Some(Self::End { cwd, session })
            }
            Some(_) => None,
            // Copilot CLI names no event; only an end has a reason.
            None => told.reason.is_none().then_some(Self::Start { cwd }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Event {
        Event::Start { cwd: Some("/p".to_owned()) }
    }

    fn end() -> Event {
        Event::End { cwd: Some("/p".to_owned()), session: "s".to_owned() }
    }

    #[test]
    fn every_agents_words_are_understood() {
        for (told, event) in [
            // Claude Code and Codex.
            (
                r#"{"session_id":"s","transcript_path":"/t","cwd":"/p","hook_event_name":"SessionStart","source":"startup","new":{"x":[1]}}"#,
                Some(start()),
            ),
            (
                r#"{"session_id":"s","cwd":"/p","hook_event_name":"SessionEnd","reason":"clear"}"#,
                Some(end()),
            ),
            // Gemini CLI.
            (
                r#"{"session_id":"s","cwd":"/p","hook_event_name":"SessionStart","timestamp":"t"}"#,
                Some(start()),
            ),
            // Copilot CLI.
            (
                r#"{"sessionId":"s","timestamp":1,"cwd":"/p","source":"new","initialPrompt":"x"}"#,
                Some(start()),
            ),
            (r#"{"sessionId":"s","timestamp":1,"cwd":"/p","reason":"complete"}"#, None),
            // Cursor.
            (
                r#"{"conversation_id":"s","hook_event_name":"sessionStart","workspace_roots":["/p","/q"]}"#,
                Some(start()),
            ),
            // The same thing told twice.
            (
                r#"{"conversation_id":"c","session_id":"s","hook_event_name":"sessionStart","workspace_roots":["/p"]}"#,
                Some(start()),
            ),
            (
                r#"{"session_id":"s","sessionId":"t","conversation_id":"c","hook_event_name":"SessionEnd","hookEventName":"SessionEnd","cwd":"/p"}"#,
                Some(end()),
            ),
            ("\u{feff}{\"hook_event_name\":\"SessionStart\",\"cwd\":\"/p\"}\r\n", Some(start())),
            (r#"{"hook_event_name":"SessionStart"}"#, Some(Event::Start { cwd: None })),
        ] {
            assert_eq!(Event::read(told.as_bytes()), event, "{told}");
        }
    }

    #[test]
    fn other_events_and_other_things_are_nothing() {
        for told in [
            "",
            "null",
            "[]",
            "{",
            "session start",
            r#"{"hook_event_name":"Stop","session_id":"s","cwd":"/p"}"#,
            r#"{"hook_event_name":"SubagentStart","cwd":"/p"}"#,
            r#"{"hook_event_name":"SessionEnd","cwd":"/p"}"#,
            r#"{"hook_event_name":1}"#,
            "\u{0}",
        ] {
            assert_eq!(Event::read(told.as_bytes()), None, "{told}");
        }
        assert_eq!(Event::read(b"{\"cwd\":\"\xff\"}"), None);
    }
}
