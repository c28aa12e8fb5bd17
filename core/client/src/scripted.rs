//! A tiny HTTP server for the tests: it records what it receives and does what it is told.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// What to do with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Answer with a status, further headers, and a body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Send these bytes as they are and close.
    Raw(Vec<u8>),
    /// Close without an answer.
    Close,
    /// Answer after a while.
    Later(Duration, Box<Self>),
}

impl Act {
    pub(crate) fn json(status: u16, body: &str) -> Self {
        Self::Answer(status, vec![("Content-Type", "application/json".to_owned())], body.to_owned())
    }

    pub(crate) fn events(data: &[&str]) -> Self {
        let body: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
        Self::Answer(200, vec![("Content-Type", "text/event-stream".to_owned())], body)
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Answer(_, headers, _) = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }
}

/// A running server.
pub(crate) struct Scripted {
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
    pub(crate) bytes: Arc<Mutex<Vec<u8>>>,
    pub(crate) port: u16,
    stopped: Arc<AtomicBool>,
    socket: Option<PathBuf>,
}

/// What decides about each request.
pub(crate) type Script = dyn Fn(&Seen) -> Act + Send + Sync;

trait Duplex: Read + Write + Send {}
impl<S: Read + Write + Send> Duplex for S {}

impl Scripted {
    /// Listens on a socket, whose folder is made.
    pub(crate) fn unix(path: &Path, script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(path);
        let listener = UnixListener::bind(path).unwrap();
        let server = Self::new(0, Some(path.to_owned()));
        server.run(script, move || listener.accept().map(|(s, _)| Box::new(s) as Box<dyn Duplex>));
        server
    }

    /// Listens on a free loopback port.
    pub(crate) fn tcp(script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let server = Self::new(listener.local_addr().unwrap().port(), None);
        server.run(script, move || listener.accept().map(|(s, _)| Box::new(s) as Box<dyn Duplex>));
        server
    }

    fn new(port: u16, socket: Option<PathBuf>) -> Self {
        Self { seen: Arc::default(), bytes: Arc::default(), port, stopped: Arc::default(), socket }
    }

    fn run(
        &self,
        script: impl Fn(&Seen) -> Act + Send + Sync + 'static,
        accept: impl Fn() -> std::io::Result<Box<dyn Duplex>> + Send + 'static,
    ) {
        let script: Arc<Script> = Arc::new(script);
        let (seen, bytes, stopped) = (self.seen.clone(), self.bytes.clone(), self.stopped.clone());
        thread::spawn(move || {
            while let Ok(stream) = accept() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (script, seen, bytes) = (script.clone(), seen.clone(), bytes.clone());
                thread::spawn(move || converse(stream, &*script, &seen, &bytes));
            }
        });
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Stops listening; a socket's file stays, as after a crash.
    pub(crate) fn stop(self) {
        drop(self);
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        match &self.socket {
            Some(path) => drop(UnixStream::connect(path)),
            None => drop(TcpStream::connect(("127.0.0.1", self.port))),
        }
        // The listener closes with its thread.
        thread::sleep(Duration::from_millis(20));
    }
}

fn converse(
    mut stream: Box<dyn Duplex>,
    script: &Script,
    all: &Mutex<Vec<Seen>>,
    bytes: &Mutex<Vec<u8>>,
) {
    let mut buffer = Vec::new();
    loop {
        let seen = loop {
            if let Some((seen, used)) = parse(&buffer) {
                buffer.drain(..used);
                break seen;
            }
            let mut more = [0; 4096];
            match stream.read(&mut more) {
                Ok(0) | Err(_) => return,
                Ok(count) => {
                    bytes.lock().unwrap().extend_from_slice(&more[..count]);
                    buffer.extend_from_slice(&more[..count]);
                }
            }
        };
        all.lock().unwrap().push(seen.clone());
        if !act(&mut *stream, script(&seen)) {
            return;
        }
    }
}

fn act(stream: &mut dyn Duplex, act: Act) -> bool {
    match act {
        Act::Close => false,
        Act::Raw(bytes) => {
            let _ = stream.write_all(&bytes);
            false
        }
        Act::Later(pause, then) => {
            thread::sleep(pause);
            self::act(stream, *then)
        }
        Act::Answer(status, headers, body) => {
            let mut reply = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
            for (name, value) in headers {
                reply = reply + name + ": " + &value + "\r\n";
            }
            stream.write_all((reply + "\r\n" + &body).as_bytes()).is_ok()
        }
    }
}

fn parse(bytes: &[u8]) -> Option<(Seen, usize)> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = request.parse(bytes).ok()? else { return None };
    let mut seen = Seen {
        method: request.method?.to_owned(),
        path: request.path?.to_owned(),
        ..Seen::default()
    };
    for header in request.headers {
        let value = String::from_utf8_lossy(header.value).into_owned();
        seen.headers.push((header.name.to_owned(), value));
    }
    let length = seen.header("content-length").map_or(0, |length| length.parse().unwrap());
    seen.body = String::from_utf8_lossy(bytes.get(head..head + length)?).into_owned();
    Some((seen, head + length))
}
