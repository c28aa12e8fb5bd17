//! `coffer-mcp-shim` and `coffer mcp` over the server's restarts, and their own end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::run::Person;
use crate::support::shim::Shim;
use crate::support::tree::eventually;
use crate::support::{TestServer, project};

const RECALL: &str = "coffer__recall";
const REMEMBER: &str = "coffer__remember";

#[test]
fn a_session_survives_a_crash_and_a_restart_of_the_server() {
    let mut server = TestServer::start();
    let app = project::repository(server.folder(), "app");
    let mut agent = Shim::start(&server, &app, "tester");
    agent.done(REMEMBER, &json!({"text": "Deploy with `make walnut`."}));
    server.kill();
    server.start_again();
    let found = agent.done(RECALL, &json!({"query": "walnut"}));
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    server.kill();
    server.start_again();
    let second = agent.done(REMEMBER, &json!({"text": "Another fact."}));
    let file = std::fs::read_to_string(second["path"].as_str().unwrap()).unwrap();
    assert!(file.contains("agent: tester"), "{file}");
    assert!(second["store"].as_str().unwrap().starts_with("project-"));
}

#[test]
fn a_changed_token_strands_nobody() {
    let server = TestServer::start();
    let mut agent = Shim::start(&server, server.folder(), "tester");
    assert_eq!(server.trigger("/api/v1/auth/rotate").status, 200);
    agent.done(RECALL, &json!({"query": "x"}));
}

#[test]
fn a_pause_is_told_as_an_error_that_passes() {
    let server = TestServer::start();
    let mut agent = Shim::start(&server, server.folder(), "tester");
    server.put("/api/v1/settings", &json!({"serve_agents": false}));
    let arguments = json!({"name": RECALL, "arguments": {"query": "x"}});
    let error = agent.ask("tools/call", &arguments)["error"].clone();
    assert_eq!(error["data"], json!({"code": "PAUSED", "retryable": true}), "{error}");
    server.put("/api/v1/settings", &json!({"serve_agents": true}));
    agent.done(RECALL, &json!({"query": "x"}));
}

/// A bridge of a home without a server, by either name.
fn bridge(person: &Person, words: &[&str]) -> Child {
    let mut command = person.program(words[0]);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;

const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

const PING: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

/// Waits for the end of a process; how long that took.
#[track_caller]
fn ended_within(child: &mut Child, limit: Duration) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < limit, "still there after {limit:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn both_names_start_the_server_and_end_with_their_input() {
    let person = Person::new();
    for words in [&["coffer-mcp-shim"][..], &["coffer", "mcp", "--agent", "x"]] {
        let mut child = bridge(&person, words);
        let mut input = child.stdin.take().unwrap();
        for line in [HELLO, READY, "", "{nonsense", PING] {
            writeln!(input, "{line}").unwrap();
        }
        drop(input);
        ended_within(&mut child, Duration::from_secs(6));
        let output = child.wait_with_output().unwrap();
        let lines: Vec<serde_json::Value> = output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        assert!(
            lines.iter().any(|line| line["id"] == 1 && line["result"].is_object()),
            "{lines:?}"
        );
        assert!(lines.iter().any(|line| line["error"]["code"] == -32700), "{lines:?}");
        assert!(lines.iter().any(|line| line["id"] == 2), "{lines:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        person.run(&["status"]).fine();
        person.run(&["stop"]).fine();
    }
}

#[test]
fn a_bridge_ends_when_nobody_reads_it() {
    let person = Person::new();
    let mut child = bridge(&person, &["coffer-mcp-shim"]);
    let input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    ended_within(&mut child, Duration::from_secs(6));
    drop(input);
}

#[test]
fn a_bridge_ends_its_session_when_it_is_told_to_end() {
    let server = TestServer::start();
    let mut shim = server.command("coffer-mcp-shim");
    let mut shim = shim.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = shim.stdin.take().unwrap();
    writeln!(input, "{HELLO}\n{READY}\n{PING}").unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(shim.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    output.read_line(&mut line).unwrap();
    let term = Command::new("kill").arg(shim.id().to_string()).status().unwrap();
    assert!(term.success());
    ended_within(&mut shim, Duration::from_secs(6));
    assert_eq!(shim.wait().unwrap().code(), Some(0));
}

#[test]
fn a_bridge_ends_with_the_agent_that_started_it() {
    let person = Person::new();
    let shim = person.program("coffer-mcp-shim");
    let mut agent = Command::new("sh");
    // The pipes stay open at our end, as they do when another process has inherited them.
    agent.args(["-c", "exec 3<&0; \"$0\" <&3 & echo $! >&2; wait"]).arg(shim.get_program());
    agent.envs(shim.get_envs().filter_map(|(name, value)| Some((name, value?))));
    agent.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut agent = agent.spawn().unwrap();
    let mut said = BufReader::new(agent.stderr.take().unwrap());
    let mut pid = String::new();
    said.read_line(&mut pid).unwrap();
    let mut input = agent.stdin.take().unwrap();
    let mut output = BufReader::new(agent.stdout.take().unwrap());
    writeln!(input, "{HELLO}").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"result\""), "{line}");
    agent.kill().unwrap();
    agent.wait().unwrap();
    line.clear();
    assert_eq!(output.read_line(&mut line).unwrap(), 0, "{line}");
    // Its output closes a moment before it is gone.
    eventually("the bridge ends", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.map_or(true, |stat| stat.contains(") Z"))
    });
}
