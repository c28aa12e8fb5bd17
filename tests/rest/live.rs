//! Live events.

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use super::{fact, remember};
use crate::support::http::{Stream, connect};
use crate::support::{Request, TestServer};

/// An open stream of events.
struct Live {
    stream: Box<dyn Stream>,
    read: String,
}

impl Live {
    fn open(server: &TestServer, request: &Request) -> Self {
        let mut stream = connect(&server.port());
        stream.write_all(&request.bytes()).unwrap();
        let mut live = Self { stream, read: String::new() };
        live.until("\r\n\r\n");
        assert!(live.read.contains("text/event-stream"), "{}", live.read);
        live
    }

    /// Reads until a text shows up.
    #[track_caller]
    fn until(&mut self, text: &str) {
        while !self.read.contains(text) {
            let mut buffer = [0; 4096];
            let length = self.stream.read(&mut buffer).unwrap();
            assert_ne!(length, 0, "the stream ended before {text:?}: {}", self.read);
            self.read.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
    }

    /// Whether the server ends the stream.
    fn ends(&mut self) -> bool {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).is_ok()
    }
}

#[test]
fn changes_are_told_as_they_happen() {
    let server = TestServer::start();
    let mut live = Live::open(&server, &server.request("GET", "/api/v1/events"));
    let added = remember(&server, "walnut");
    let id = added["id"].as_str().unwrap();
    live.until(id);
    let told: Value = live
        .read
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .find(|told: &Value| told["id"] == id)
        .unwrap();
    assert_eq!(told, json!({"type": "document_changed", "store": "global", "id": id}));
    assert!(live.read.contains("event: document_changed"));
    assert!(!live.read.contains("walnut"));

    server.put("/api/v1/settings", &json!({"close_to_tray": false}));
    live.until("event: settings_changed");
    server.trigger("/api/v1/reindex");
    live.until("\"state\":\"done\"");
    server.delete(&fact(&added));
}

#[test]
fn a_stream_ends_with_the_server() {
    let mut server = TestServer::start();
    let mut live = Live::open(&server, &server.request("GET", "/api/v1/events"));
    let started = std::time::Instant::now();
    server.signal("TERM");
    assert!(live.ends());
    assert!(server.ended().success());
    assert!(started.elapsed() < std::time::Duration::from_secs(3));
}

#[test]
fn a_stream_ends_with_its_token() {
    let server = TestServer::start();
    let mut live = Live::open(&server, &server.request("GET", "/api/v1/events"));
    server.trigger("/api/v1/auth/rotate");
    assert!(live.ends());
}
