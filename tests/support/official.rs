//! An MCP client that is not ours: the official TypeScript SDK, in a process of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use super::process::bound;
use super::server::TestServer;

/// A client that is about to connect.
pub struct Official(Value);

impl Official {
    /// One that spawns `coffer mcp` in a folder, as an agent's configuration would say.
    pub fn spawning(server: &TestServer, cwd: &Path, agent: &str) -> Self {
        let command = server.command("coffer");
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let env: Value = variables
            .map(|(name, value)| (name.to_str().unwrap().to_owned(), json!(value.to_str())))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let spawned = json!({"command": command.get_program().to_str(),
            "args": ["mcp", "--agent", agent], "cwd": cwd.to_str(), "env": env});
        Self::of("spawning-client", &spawned)
    }

    /// One that connects to the port, and may say which folder it works in.
    pub fn connecting(server: &TestServer, cwd: Option<&Path>) -> Self {
        let mut headers = json!({"authorization": format!("Bearer {}", server.info.token)});
        if let Some(cwd) = cwd {
            headers["X-Coffer-Cwd"] = json!(cwd.to_str());
        }
        let url = format!("http://127.0.0.1:{}/mcp", server.info.port);
        Self::of("connecting-client", &json!({"url": url, "headers": headers}))
    }

    fn of(name: &str, server: &Value) -> Self {
        Self(json!({"name": name, "server": server}))
    }

    /// It also answers when it is asked for its roots.
    pub fn with_root(mut self, folder: &Path) -> Self {
        self.0["roots"] = json!([format!("file://{}", folder.to_str().unwrap())]);
        self
    }

    /// Connects, takes the steps one by one and says goodbye. Nothing may have seemed wrong to the
    /// SDK on the way, and nothing may be left of it.
    #[track_caller]
    pub fn run(mut self, steps: &[Value]) -> Value {
        self.0["steps"] = json!(steps);
        let mut client = bound("node")
            .arg(folder().join("client.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        client.stdin.take().unwrap().write_all(self.0.to_string().as_bytes()).unwrap();
        let output = client.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}{}", output.status, why_not());
        assert_eq!(said, "");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["faults"], json!([]), "{told}");
        assert_eq!(told["outcomes"].as_array().unwrap().len(), steps.len());
        told
    }
}

/// A step that calls a tool.
pub fn call(name: &str, arguments: &Value) -> Value {
    json!({"call": {"name": name, "arguments": arguments}})
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp/official")
}

/// What is missing on this machine, where something is.
fn why_not() -> &'static str {
    let has_node = bound("node").arg("--version").output().is_ok_and(|ran| ran.status.success());
    let has_sdk = folder().join("node_modules/@modelcontextprotocol/sdk/package.json").is_file();
    match (has_node, has_sdk) {
        (false, _) => "\nNode.js is missing; `cargo xtask setup` installs it",
        (_, false) => "\nthe SDK is missing; `cargo xtask setup` installs it",
        (true, true) => "",
    }
}
