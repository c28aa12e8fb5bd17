//! The protocol itself: greetings, revisions, odd messages, sessions and their end.

use serde_json::json;

use crate::support::TestServer;
use crate::support::http::connect;
use crate::support::mcp::{Mcp, SESSIONS, greeting};

use super::{RECALL, TOOLS};

#[test]
fn the_server_says_who_it_is_and_what_it_can() {
    let server = TestServer::start();
    for version in ["2024-11-05", "2025-03-26", SESSIONS, "2025-11-25"] {
        let hello = greeting(&server, version);
        assert_eq!(hello["protocolVersion"], version);
        assert_eq!(hello["serverInfo"]["name"], "coffer");
        assert_eq!(hello["serverInfo"]["version"], server.info.version);
        assert!(hello["instructions"].as_str().unwrap().len() < 700);
    }
    assert_ne!(greeting(&server, "1999-01-01")["protocolVersion"], "1999-01-01");

    let list = Mcp::connect(&server, None).call("tools/list", &json!({}));
    assert!(list.to_string().len() <= 8 << 10);
    let tools = list["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{tool}");
    }
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], false);
    let at_hand = tools.iter().filter(|tool| tool["_meta"]["anthropic/alwaysLoad"] == true);
    let at_hand: Vec<_> = at_hand.map(|tool| tool["name"].as_str().unwrap()).collect();
    let memory = ["recall", "remember", "set_handoff", "resume"];
    assert_eq!(at_hand, memory.map(|name| format!("coffer__{name}")));
}

#[test]
fn bodies_that_are_no_message_have_the_protocols_error() {
    let server = TestServer::start();
    let send = |body: &str| {
        let request = server.request("POST", "/mcp").header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        request.body(body).send(&server.port())
    };
    let deep = "[".repeat(10_000);
    for (body, code) in [
        ("{", -32700),
        ("nonsense", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("7", -32600),
    ] {
        let reply = send(body);
        assert_eq!(
            (reply.status, reply.json()["error"]["code"].as_i64()),
            (400, Some(code)),
            "{body:.20}"
        );
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (field, value) in
        [("id", json!(null)), ("id", json!({})), ("id", json!(1.5)), ("jsonrpc", json!("1.0"))]
    {
        let mut call = call.clone();
        call[field] = value;
        let reply = send(&call.to_string());
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32600)), "{call}");
    }
    let homeless = send(&call.to_string());
    assert_eq!((homeless.status, &homeless.json()["error"]["code"]), (400, &json!(-32600)));
}

#[test]
fn calls_of_every_odd_shape_are_answered() {
    let server = TestServer::start();
    let mut agent = Mcp::connect(&server, None);
    for id in [json!(1_u64 << 60), json!("text"), json!(-1)] {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        let reply = agent.send(&call);
        assert!(reply.text().contains(&format!("\"id\":{id}")), "{}", reply.text());
    }
    for arguments in [json!(["x"]), json!("x"), json!(7)] {
        let answer = agent.ask("tools/call", &json!({"name": RECALL, "arguments": arguments}));
        assert_eq!(answer["error"]["code"], -32602, "{arguments}");
    }
    assert_eq!(agent.ask("tools/call", &json!({}))["error"]["code"], -32602);
    for method in ["resources/list", "prompts/list", "nothing"] {
        assert_eq!(agent.ask(method, &json!({}))["error"]["code"], -32601, "{method}");
    }
    let stray = json!({"jsonrpc": "2.0", "id": 77, "result": {}});
    assert_eq!(agent.send(&stray).status, 202);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/nothing"});
    assert_eq!(agent.send(&note).status, 202);
    assert_eq!(agent.done(RECALL, &json!({"query": "x"}))["hits"], json!([]));
}

#[test]
fn a_restart_does_not_strand_a_client() {
    let mut server = TestServer::start();
    let agent = Mcp::connect(&server, None);
    let session = agent.session().to_owned();
    server.kill();
    server.start_again();
    let mut agent = Mcp::connect(&server, None).with_session(&session);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let reply = agent.send(&call);
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (404, &json!(-32001)));
}

#[test]
fn an_open_stream_does_not_hold_up_the_end() {
    use std::io::{Read as _, Write as _};
    let mut server = TestServer::start();
    let agent = Mcp::connect(&server, None);
    let listen = server
        .request("GET", "/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-session-id", agent.session());
    let mut stream = connect(&server.port());
    stream.write_all(&listen.bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let started = std::time::Instant::now();
    server.signal("TERM");
    assert!(server.ended().success());
    assert!(started.elapsed() < std::time::Duration::from_secs(2));
    stream.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn old_silent_sessions_make_room_for_new_ones() {
    let server = TestServer::start();
    let mut first = Mcp::connect(&server, None);
    let mut second = Mcp::connect(&server, None);
    for _ in 0..254 {
        greeting(&server, SESSIONS);
    }
    first.call("ping", &json!({}));
    greeting(&server, SESSIONS);
    first.call("ping", &json!({}));
    let gone = second.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    assert_eq!(gone.status, 404);
}
