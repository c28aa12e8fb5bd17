//! Sessions as the agents keep them, with all that stands in one beside what was said.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::TestServer;

/// An agent whose sessions can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    ClaudeCode,
    Codex,
    OpenCode,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::OpenCode];

    /// Its name in Coffer.
    pub fn agent(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
        }
    }

    pub fn register(self, server: &TestServer) {
        let folder = match self {
            Self::ClaudeCode => ".claude",
            Self::Codex => ".codex",
            Self::OpenCode => ".config/opencode",
        };
        std::fs::create_dir_all(server.folder().join(folder)).unwrap();
        let kind = self.agent().replace('-', "_");
        let made = server.post("/api/v1/agents", &json!({"type": kind}));
        assert_eq!(made.status, 201, "{}", made.text());
    }
}

/// A session.
pub struct Talk {
    kind: Kind,
    id: String,
    cwd: PathBuf,
    /// To the minute.
    at: String,
    said: Vec<String>,
    /// What tools were given and gave, and what the agent thought.
    payload: String,
}

impl Talk {
    pub fn new(kind: Kind, id: &str, cwd: &Path) -> Self {
        let (id, cwd, at) = (id.to_owned(), cwd.to_owned(), "2026-11-29T10:00".to_owned());
        Self { kind, id, cwd, at, said: Vec::new(), payload: "a payload".to_owned() }
    }

    pub fn at(mut self, minute: &str) -> Self {
        self.at = minute.to_owned();
        self
    }

    /// What was said; the agent's words begin with `A`.
    pub fn saying<T: AsRef<str>>(mut self, said: &[T]) -> Self {
        self.said.extend(said.iter().map(|it| it.as_ref().to_owned()));
        self
    }

    pub fn with_payload(mut self, payload: &str) -> Self {
        self.payload = payload.to_owned();
        self
    }

    pub fn write(&self, server: &TestServer) {
        match self.kind {
            Kind::ClaudeCode => {
                let records = self.claude_code();
                self.lines(&server.folder().join(".claude/projects/p"), &self.id, &records);
            }
            Kind::Codex => {
                let name = format!("rollout-{}", self.id);
                self.lines(
                    &server.folder().join(".codex/sessions/2026/11/29"),
                    &name,
                    &self.codex(),
                );
            }
            Kind::OpenCode => self.opencode(&server.folder().join(".local/share/opencode/storage")),
        }
    }

    fn lines(&self, folder: &Path, name: &str, records: &[Value]) {
        std::fs::create_dir_all(folder).unwrap();
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        std::fs::write(folder.join(format!("{name}.jsonl")), text).unwrap();
    }

    /// Number, whether the person said it, and what.
    fn turns(&self) -> impl Iterator<Item = (usize, bool, &str)> {
        let turn = |(number, text): (usize, &String)| (number, !text.starts_with('A'), text.len());
        let turns: Vec<_> = self.said.iter().enumerate().map(turn).collect();
        turns.into_iter().map(|(number, is_person, _)| (number, is_person, &*self.said[number]))
    }

    fn time(&self, number: usize) -> String {
        format!("{}:{:02}.{:03}Z", self.at, number % 60, number / 60)
    }

    fn claude_code(&self) -> Vec<Value> {
        let mut records = Vec::new();
        for (number, is_person, text) in self.turns() {
            let (uuid, time) = (format!("{}-{number}", self.id), self.time(number));
            let record = |kind: &str, uuid: String, content: Value| {
                json!({"type": kind, "uuid": uuid, "sessionId": self.id, "cwd": self.cwd,
                    "timestamp": time, "message": {"role": kind, "content": content}})
            };
            if is_person {
                records.push(record("user", uuid, json!(text)));
                continue;
            }
            let content = json!([{"type": "thinking", "thinking": self.payload},
                {"type": "text", "text": text},
                {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": self.payload}}]);
            records.push(record("assistant", uuid.clone(), content));
            let result =
                json!([{"type": "tool_result", "tool_use_id": "t", "content": self.payload}]);
            let mut result = record("user", format!("{uuid}-r"), result);
            result["toolUseResult"] = json!({"stdout": self.payload});
            records.push(result);
        }
        records
    }

    fn codex(&self) -> Vec<Value> {
        let record = |number: usize, payload: Value| json!({"timestamp": self.time(number), "type": "response_item", "payload": payload});
        let meta =
            json!({"id": self.id, "cwd": self.cwd, "source": "cli", "cli_version": "0.89.0"});
        let mut records =
            vec![json!({"timestamp": self.time(0), "type": "session_meta", "payload": meta})];
        for (number, is_person, text) in self.turns() {
            let (role, part) =
                if is_person { ("user", "input_text") } else { ("assistant", "output_text") };
            let content = json!([{"type": part, "text": text}]);
            records
                .push(record(number, json!({"type": "message", "role": role, "content": content})));
            if !is_person {
                for payload in [
                    json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": self.payload}]}),
                    json!({"type": "function_call", "name": "shell", "call_id": "c", "arguments": self.payload}),
                    json!({"type": "function_call_output", "call_id": "c", "output": self.payload}),
                ] {
                    records.push(record(number, payload));
                }
            }
        }
        records
    }

    fn opencode(&self, storage: &Path) {
        let put = |path: String, value: Value| {
            let path = storage.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, value.to_string()).unwrap();
        };
        let id = format!("ses_{}", self.id);
        let day: u64 = self.at[8..10].parse().unwrap();
        let at = |number: usize| 1_795_000_000_000 + day * 86_400_000 + number as u64 * 1_000;
        let time = json!({"created": at(0), "updated": at(self.said.len())});
        let session = json!({"id": id, "version": "1.1.31", "projectID": "p", "directory": self.cwd,
            "time": time});
        put(format!("session/p/{id}.json"), session);
        put("project/p.json".to_owned(), json!({"id": "p", "worktree": self.cwd, "time": time}));
        for (number, is_person, text) in self.turns() {
            let message = format!("msg_{}_{number:04}", self.id);
            let role = if is_person { "user" } else { "assistant" };
            let value = json!({"id": message, "sessionID": id, "role": role, "time": {"created": at(number)}});
            put(format!("message/{id}/{message}.json"), value);
            let mut parts = vec![json!({"type": "text", "text": text})];
            if !is_person {
                parts.push(json!({"type": "reasoning", "text": self.payload}));
                parts.push(json!({"type": "tool", "tool": "bash", "state": {"status": "completed",
                    "input": {"command": self.payload}, "output": self.payload}}));
                parts.push(json!({"type": "file", "filename": "a", "url": self.payload}));
            }
            for (part, mut value) in parts.into_iter().enumerate() {
                let name = format!("prt_{}_{number:04}_{part}", self.id);
                value["id"] = json!(name);
                value["messageID"] = json!(message);
                value["sessionID"] = json!(id);
                put(format!("part/{message}/{name}.json"), value);
            }
        }
    }
}
