//! The bridge against a scripted server: what passes, what is replayed, what is refused.

use std::io::{self, PipeWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use coffer_env::Home;
use serde_json::{Value, json};

use crate::scripted::{Act, Scripted, Seen};
use crate::shim::{Options, run};
use crate::start::Starter;

const WAIT: Duration = Duration::from_secs(10);

struct Lines(mpsc::Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let _ = self.0.send(String::from_utf8(line).unwrap());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An agent with its bridge.
struct Agent {
    to: Option<PipeWriter>,
    from: mpsc::Receiver<String>,
    bridge: Option<JoinHandle<()>>,
    home: Home,
    _dir: tempfile::TempDir,
}

impl Agent {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let (reader, to) = io::pipe().unwrap();
        let (sender, from) = mpsc::channel();
        let options = Options {
            home: home.clone(),
            starter: Starter::at("/nowhere/coffer"),
            cwd: Some(PathBuf::from("/work dir/é")),
            agent: Some("tester".to_owned()),
        };
        let bridge = thread::spawn(move || run(options, reader, Lines(sender, Vec::new())));
        Self { to: Some(to), from, bridge: Some(bridge), home, _dir: dir }
    }

    fn server(&self, script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Scripted {
        Scripted::unix(&self.home.socket(), move |seen| match seen.path.as_str() {
            "/health" => Act::json(200, r#"{"status":"ok","name":"coffer","version":"other"}"#),
            _ => script(seen),
        })
    }

    fn send(&mut self, line: &str) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    fn next(&self) -> Value {
        let line = self.from.recv_timeout(WAIT).expect("an answer");
        serde_json::from_str(&line).expect("only JSON on stdout")
    }

    fn shake_hands(&mut self) {
        self.send(INITIALIZE);
        assert_eq!(self.next()["result"]["protocolVersion"], "2025-11-25");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    /// Ends stdin and waits for the bridge.
    fn end(&mut self) {
        self.to = None;
        self.bridge.take().unwrap().join().unwrap();
    }
}

const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;

fn call(id: u32, tool: &str) -> String {
    json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool}}).to_string()
}

fn answer(seen: &Seen, result: &Value) -> String {
    let request: Value = serde_json::from_str(&seen.body).unwrap();
    json!({"jsonrpc":"2.0","id":request["id"],"result":result}).to_string()
}

/// A server that keeps its sessions: `name` stands for its life.
fn honest(name: &'static str) -> impl Fn(&Seen) -> Act + Send + Sync + 'static {
    move |seen| {
        if seen.method == "GET" {
            return Act::json(405, "");
        }
        if seen.body.contains("\"initialize\"") {
            let body = answer(seen, &json!({"protocolVersion":"2025-11-25"}));
            return Act::events(&["", &body]).with("Mcp-Session-Id", name);
        }
        if seen.header("mcp-session-id") != Some(name) {
            return Act::Answer(404, Vec::new(), "Not Found: Session not found".to_owned());
        }
        if !seen.body.contains("\"id\"") {
            return Act::Answer(202, Vec::new(), String::new());
        }
        Act::events(&[&answer(seen, &json!({"served_by":name}))])
    }
}

#[test]
fn a_session_passes_with_its_headers_and_ends() {
    let mut agent = Agent::new();
    let server = agent.server(honest("one"));
    agent.shake_hands();
    agent.send(&call(1, "coffer__remember"));
    assert_eq!(agent.next(), json!({"jsonrpc":"2.0","id":1,"result":{"served_by":"one"}}));
    agent.end();

    let seen = server.seen();
    let posted = seen.iter().find(|seen| seen.body.contains("tools/call")).unwrap();
    for (name, value) in [
        ("mcp-session-id", "one"),
        ("mcp-protocol-version", "2025-11-25"),
        ("x-coffer-cwd", "%2Fwork%20dir%2F%C3%A9"),
        ("x-coffer-agent", "tester"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "coffer__remember"),
        ("content-type", "application/json"),
    ] {
        assert_eq!(posted.header(name), Some(value), "{name}");
    }
    assert_eq!(posted.body, call(1, "coffer__remember"));
    let shaken = seen.iter().find(|seen| seen.body.contains("\"initialize\"")).unwrap();
    assert_eq!(shaken.header("mcp-session-id"), None);
    let last = seen.last().unwrap();
    assert_eq!((last.method.as_str(), last.header("mcp-session-id")), ("DELETE", Some("one")));
}

#[test]
fn what_is_no_message_is_refused_and_the_rest_goes_on() {
    let mut agent = Agent::new();
    let _server = agent.server(honest("one"));
    agent.send("{nope");
    assert_eq!(agent.next()["error"]["code"], -32700);
    agent.send("");
    agent.send("[1,2]");
    assert_eq!(agent.next()["error"]["code"], -32600);
    agent.shake_hands();
    agent.end();
    assert!(agent.from.try_recv().is_err());
}

#[test]
fn a_slow_call_delays_no_other() {
    let mut agent = Agent::new();
    let _server = agent.server(move |seen| {
        let reply = Act::json(200, &answer(seen, &Value::Null));
        if seen.body.contains("coffer__slow") {
            Act::Later(Duration::from_millis(600), Box::new(reply))
        } else {
            reply
        }
    });
    agent.send(&call(1, "coffer__slow"));
    agent.send(&call(2, "coffer__recall"));
    assert_eq!((agent.next()["id"].clone(), agent.next()["id"].clone()), (json!(2), json!(1)));
    agent.end();
}

#[test]
fn answers_under_way_arrive_after_the_end_of_input() {
    let mut agent = Agent::new();
    let _server = agent.server(move |seen| {
        let reply = Act::json(200, &answer(seen, &Value::Null));
        Act::Later(Duration::from_millis(300), Box::new(reply))
    });
    agent.send(&call(1, "coffer__recall"));
    agent.end();
    assert_eq!(agent.next()["id"], 1);
}

#[test]
fn a_restarted_server_is_shaken_hands_with_again() {
    let mut agent = Agent::new();
    let first = agent.server(honest("one"));
    agent.shake_hands();
    agent.send(&call(1, "coffer__recall"));
    agent.next();
    first.stop();
    let second = agent.server(honest("two"));
    // A write as well: the new server did nothing when it did not know the session.
    agent.send(&call(2, "coffer__remember"));
    assert_eq!(agent.next(), json!({"jsonrpc":"2.0","id":2,"result":{"served_by":"two"}}));
    agent.end();
    assert!(agent.from.try_recv().is_err(), "the second handshake is silent");
    let replayed: Vec<String> = second
        .seen()
        .iter()
        .filter(|seen| seen.method == "POST")
        .map(|seen| seen.header("mcp-method").unwrap_or_default().to_owned())
        .collect();
    assert_eq!(replayed, ["tools/call", "initialize", "notifications/initialized", "tools/call"]);
}

#[test]
fn a_call_cut_off_is_repeated_only_if_it_reads() {
    for (tool, repeated) in [("coffer__recall", true), ("coffer__remember", false)] {
        let mut agent = Agent::new();
        let calls = Arc::new(AtomicUsize::new(0));
        let _server = agent.server({
            let (honest, calls) = (honest("one"), calls.clone());
            move |seen| {
                let first =
                    seen.body.contains("tools/call") && calls.fetch_add(1, Ordering::SeqCst) == 0;
                if first { Act::Close } else { honest(seen) }
            }
        });
        agent.shake_hands();
        agent.send(&call(1, tool));
        let reply = agent.next();
        if repeated {
            assert_eq!(reply["result"]["served_by"], "one");
        } else {
            assert_eq!(reply["error"]["data"]["retryable"], true, "{reply}");
            let message = reply["error"]["message"].as_str().unwrap();
            assert!(message.contains("coffer__remember") && message.contains("try again"));
        }
        assert_eq!(calls.load(Ordering::SeqCst), 1 + usize::from(repeated));
        agent.end();
    }
}

#[test]
fn an_answer_cut_off_in_its_stream_is_lost() {
    let mut agent = Agent::new();
    let _server = agent.server(|seen| {
        if seen.body.contains("tools/call") {
            Act::events(&[r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#])
        } else {
            honest("one")(seen)
        }
    });
    agent.shake_hands();
    agent.send(&call(1, "coffer__remember"));
    assert_eq!(agent.next()["method"], "notifications/progress");
    assert_eq!(agent.next()["error"]["data"]["retryable"], true);
    agent.end();
}

#[test]
fn a_server_that_cannot_be_had_is_said_so() {
    let mut agent = Agent::new();
    agent.send(&call(1, "coffer__recall"));
    let error = agent.next()["error"].clone();
    assert_eq!(error["code"], -32000);
    assert_eq!(error["data"]["retryable"], true);
    agent.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    agent.end();
    assert!(agent.from.try_recv().is_err(), "a notification has no answer");
}

#[test]
fn refusals_of_the_server_become_errors() {
    let mut agent = Agent::new();
    let _server = agent.server(|_| {
        Act::json(
            503,
            r#"{"error":{"code":"PAUSED","message":"serving agents is off","details":{}}}"#,
        )
    });
    agent.send(&call(1, "coffer__recall"));
    let error = agent.next()["error"].clone();
    assert_eq!(error["message"], "serving agents is off");
    assert_eq!(error["data"], json!({"code":"PAUSED","retryable":true}));
    agent.end();
}

#[test]
fn the_stateless_generation_passes_without_a_session() {
    let mut agent = Agent::new();
    let server = agent.server(|seen| {
        if seen.body.contains("tools/none") {
            let id: Value = serde_json::from_str(&seen.body).unwrap();
            let body = json!({"jsonrpc":"2.0","id":id["id"],"error":{"code":-32601,"message":"?"}});
            return Act::json(404, &body.to_string());
        }
        if !seen.body.contains("\"id\"") {
            return Act::Answer(202, Vec::new(), String::new());
        }
        Act::json(200, &answer(seen, &json!({})))
    });
    let ask = |id: u32, method: &str| {
        let meta = json!({"io.modelcontextprotocol/protocolVersion":"2026-07-28"});
        json!({"jsonrpc":"2.0","id":id,"method":method,"params":{"_meta":meta}}).to_string()
    };
    agent.send(&ask(1, "server/discover"));
    assert_eq!(agent.next()["id"], 1);
    agent.send(&ask(2, "tools/none"));
    assert_eq!(agent.next()["error"]["code"], -32601);
    agent.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#);
    agent.end();
    let posted: Vec<Seen> = server.seen().into_iter().filter(|seen| seen.path == "/mcp").collect();
    assert_eq!(posted.len(), 3, "no session to end");
    for seen in &posted {
        assert_eq!(seen.header("mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(seen.header("mcp-session-id"), None);
    }
}

#[test]
fn what_the_server_sends_by_itself_reaches_the_agent() {
    let mut agent = Agent::new();
    let told = Arc::new(Mutex::new(false));
    let server = agent.server(move |seen| {
        if seen.method == "GET" && !std::mem::replace(&mut *told.lock().unwrap(), true) {
            return Act::events(&[r#"{"jsonrpc":"2.0","id":"s","method":"roots/list"}"#]);
        }
        honest("one")(seen)
    });
    agent.shake_hands();
    assert_eq!(agent.next()["method"], "roots/list");
    agent.send(r#"{"jsonrpc":"2.0","id":"s","result":{"roots":[]}}"#);
    agent.end();
    let seen = server.seen();
    let asked = seen.iter().find(|seen| seen.method == "GET" && seen.path == "/mcp").unwrap();
    assert_eq!(asked.header("mcp-session-id"), Some("one"));
    assert!(seen.iter().any(|seen| seen.body.contains("\"roots\":[]")));
}
