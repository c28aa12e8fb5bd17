//! A client that sends exactly what a test says, over either transport, one request a connection.
//!
//! No library, since libraries refuse to send what the guard has to refuse.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Where to connect.
#[derive(Debug, Clone)]
pub enum Place {
    /// A loopback port.
    Port(u16),
    /// The owner's socket.
    Socket(PathBuf),
}

/// A request under construction.
#[derive(Debug, Clone)]
pub struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status; 0 when the connection was closed without one.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it came, chunks joined.
    pub body: Vec<u8>,
}

impl Request {
    /// A request without headers.
    pub fn new(method: &str, target: &str) -> Self {
        Self { method: method.into(), target: target.into(), headers: Vec::new(), body: None }
    }

    /// Adds a header; nothing is replaced.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Takes headers of a name away.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Adds a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string().into_bytes())
    }

    /// Adds a body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// The bytes that travel.
    pub fn bytes(&self) -> Vec<u8> {
        let first = format!("{} {} HTTP/1.1", self.method, self.target);
        let mut lines = vec![first, "connection: close".to_owned()];
        lines.extend(self.headers.iter().map(|(name, value)| format!("{name}: {value}")));
        lines.extend(self.body.as_ref().map(|body| format!("content-length: {}", body.len())));
        let head = lines.join("\r\n") + "\r\n";
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend(self.body.iter().flatten());
        bytes
    }

    /// Sends it.
    pub fn send(&self, place: &Place) -> Reply {
        Reply::read(&exchange(place, &self.bytes()))
    }

    /// Sends it to a server that keeps connections open whatever one says: reads as much of the
    /// answer as it announces.
    pub fn send_to_keeper(&self, place: &Place) -> Reply {
        let mut stream = connect(place);
        stream.write_all(&self.bytes()).unwrap();
        let (mut answer, mut part) = (Vec::new(), [0; 16 << 10]);
        loop {
            let length = stream.read(&mut part).unwrap();
            answer.extend_from_slice(&part[..length]);
            let reply = Reply::read(&answer);
            let announced = reply.header("content-length").and_then(|length| length.parse().ok());
            if length == 0 || announced == Some(reply.body.len()) {
                return reply;
            }
        }
    }
}

/// Sends bytes and reads until the other side closes.
pub fn exchange(place: &Place, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(place);
    // A server that refuses a large body may close before all of it is sent.
    _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer);
    answer
}

/// A stream of either transport.
pub trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

/// Opens a connection that gives up after 30 seconds of silence.
pub fn connect(place: &Place) -> Box<dyn Stream> {
    let patience = Some(Duration::from_secs(30));
    match place {
        Place::Port(port) => {
            let stream = TcpStream::connect(("127.0.0.1", *port)).unwrap();
            stream.set_read_timeout(patience).unwrap();
            Box::new(stream)
        }
        Place::Socket(path) => {
            let stream = std::os::unix::net::UnixStream::connect(path).unwrap();
            stream.set_read_timeout(patience).unwrap();
            Box::new(stream)
        }
    }
}

impl Reply {
    /// Takes an answer apart.
    pub fn read(bytes: &[u8]) -> Self {
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            return Self { status: 0, headers: Vec::new(), body: bytes.to_vec() };
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let chunked = headers.iter().any(|(name, value)| {
            name == "transfer-encoding" && value.eq_ignore_ascii_case("chunked")
        });
        let body = &bytes[end + 4..];
        let body = if chunked { joined(body) } else { body.to_vec() };
        Self { status: status.unwrap_or(0), headers, body }
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body of a success as a type of the API.
    #[track_caller]
    pub fn read_as<T: DeserializeOwned>(&self) -> T {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Status and error code, as in `(404, "MEMORY_NOT_FOUND")`.
    pub fn refusal(&self) -> (u16, String) {
        let code = self.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
        (self.status, code)
    }

    /// The names of the fields that a validation error names.
    pub fn fields(&self) -> Vec<String> {
        let fields = &self.json()["error"]["details"]["fields"];
        fields.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default()
    }
}

fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&chunks[..end]).unwrap_or("0");
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let Some(chunk) = chunks.get(end + 2..end + 2 + size).filter(|_| size > 0) else { break };
        body.extend_from_slice(chunk);
        chunks = chunks.get(end + 4 + size..).unwrap_or_default();
    }
    body
}
