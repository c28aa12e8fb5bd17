//! What may stand where Coffer's server is expected: programs that hold its socket or its port, or
//! what is left of one that died.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use coffer_env::Home;
use serde_json::json;
use tempfile::TempDir;

use crate::support::server::built;

/// What nobody but Coffer may hear.
pub const TOKEN: &str = "0123456789abcdef-the-token";

/// Where it listens.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Socket,
    Port,
}

/// What it does with whoever connects.
#[derive(Clone)]
enum Act {
    /// Reads, and never answers.
    Hang,
    /// Answers these bytes, and closes.
    Say(Vec<u8>),
    /// Answers without an end.
    Pour,
    /// Closes at once.
    Close,
}

/// A stand-in, with a home that points to it.
pub struct Imposter {
    /// What it is called in messages.
    pub name: &'static str,
    home: TempDir,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Imposter {
    /// All there are.
    pub fn all() -> impl Iterator<Item = Self> {
        cases().into_iter().map(|(name, place, act)| Self::start(name, place, act))
    }

    /// The one of a name.
    pub fn named(wanted: &str) -> Self {
        let (name, place, act) = cases().into_iter().find(|(name, ..)| *name == wanted).unwrap();
        Self::start(name, place, act)
    }

    /// The hook, pointed to it.
    pub fn hook(&self, agent: &str) -> Command {
        let mut command = Command::new(built("coffer-hook"));
        command.args(["--agent", agent]).env("COFFER_HOME", self.home.path());
        command
    }

    /// All that it was told.
    pub fn heard(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap()).into_owned()
    }

    fn start(name: &'static str, place: Place, act: Act) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        std::fs::create_dir_all(home.run()).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = json!({
            "pid": 1, "port": tcp.local_addr().unwrap().port(), "token": TOKEN,
            "instance": "first", "version": "1.0.0", "owner": "headless",
        });
        std::fs::write(home.server_file(), server.to_string()).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let serve = {
            let heard = Arc::clone(&heard);
            move |stream: Box<dyn Stream>| serve(stream, &act, &heard)
        };
        let serve = Arc::new(serve);
        match place {
            Place::Port => drop(thread::spawn(move || {
                for stream in tcp.incoming().flatten() {
                    let serve = Arc::clone(&serve);
                    thread::spawn(move || serve(Box::new(stream)));
                }
            })),
            Place::Socket => {
                let unix = UnixListener::bind(home.socket()).unwrap();
                thread::spawn(move || {
                    for stream in unix.incoming().flatten() {
                        let serve = Arc::clone(&serve);
                        thread::spawn(move || serve(Box::new(stream)));
                    }
                });
            }
        }
        Self { name, home: folder, heard }
    }
}

trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

fn serve(mut stream: Box<dyn Stream>, act: &Act, heard: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 4096];
    if matches!(act, Act::Close) {
        return;
    }
    let count = stream.read(&mut bytes).unwrap_or(0);
    heard.lock().unwrap().extend_from_slice(&bytes[..count]);
    // Whoever asked may be gone.
    match act {
        Act::Hang => thread::sleep(Duration::from_secs(60)),
        Act::Say(answer) => drop(stream.write_all(answer)),
        Act::Pour => while stream.write_all(&[b'x'; 65_536]).is_ok() {},
        Act::Close => {}
    }
}

fn json_reply(status: u16, body: &str) -> Act {
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    Act::Say(format!("{head}{body}").into_bytes())
}

fn cases() -> Vec<(&'static str, Place, Act)> {
    let said = |text: &str| Act::Say(text.as_bytes().to_vec());
    let told = r#"{"additional_context":"evil","type":"codex"}"#;
    let health = r#"{"status":"ok","name":"coffer","version":"1.0.0"}"#;
    vec![
        ("hung", Place::Socket, Act::Hang),
        ("a hung port", Place::Port, Act::Hang),
        ("foreign", Place::Port, json_reply(200, told)),
        ("foreign and healthy", Place::Port, json_reply(200, health)),
        ("a false proof", Place::Port, json_reply(200, r#"{"proof":"00","instance":"first"}"#)),
        ("ssh", Place::Port, said("SSH-2.0-OpenSSH_9\r\n")),
        ("a port that closes", Place::Port, Act::Close),
        ("a port that pours", Place::Port, Act::Pour),
        ("garbage", Place::Socket, Act::Say(vec![0xff; 3_000])),
        ("a socket that pours", Place::Socket, Act::Pour),
        ("a socket that closes", Place::Socket, Act::Close),
        (
            "half a reply",
            Place::Socket,
            said("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"additional"),
        ),
        (
            "another type",
            Place::Socket,
            json_reply(200, r#"{"additional_context":"x","type":"robot"}"#),
        ),
        ("no type", Place::Socket, json_reply(200, r#"{"additional_context":"x"}"#)),
        ("another shape", Place::Socket, json_reply(200, "[1,2]")),
        ("an empty reply", Place::Socket, json_reply(200, "")),
        ("an error", Place::Socket, json_reply(500, told)),
        (
            "a redirect",
            Place::Socket,
            said("HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
        ),
        (
            "a promise of much",
            Place::Socket,
            said("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{"),
        ),
    ]
}
