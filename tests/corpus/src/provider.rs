//! A provider of models that answers by a script: real HTTP on loopback, without any of the product.
//!
//! It keeps every byte that arrives, so that a test can look for what must not leave.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A request as it arrived.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Method, path and query, as in `POST /v1/embeddings`.
    pub line: String,
    /// Names in small letters, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Asked {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Everything that arrived, as one text.
    #[must_use]
    pub fn whole(&self) -> String {
        let headers: Vec<String> =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("{}\n{}\n\n{}", self.line, headers.join("\n"), self.body)
    }
}

/// An answer: bytes as they go out, after which the connection ends.
#[derive(Debug, Clone)]
pub struct Answer(Vec<u8>);

impl Answer {
    /// A status with a JSON body.
    #[must_use]
    pub fn json(status: u16, body: &str) -> Self {
        Self::with(status, &[("content-type", "application/json")], body)
    }

    /// A status with headers and a body.
    #[must_use]
    pub fn with(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let mut text = format!("HTTP/1.1 {status} As Scripted\r\nconnection: close\r\n");
        for (name, value) in headers {
            text.extend([name, ": ", value, "\r\n"]);
        }
        let length = body.len().to_string();
        text.extend(["content-length: ", &length, "\r\n\r\n", body]);
        Self(text.into_bytes())
    }

    /// The same without its last bytes.
    #[must_use]
    pub fn cut(mut self, bytes: usize) -> Self {
        self.0.truncate(self.0.len() - bytes);
        self
    }
}

type Script = dyn Fn(usize, &Asked) -> Answer + Send + Sync;

/// The provider. It answers until the test ends.
pub struct Provider {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Provider {
    /// Starts one; the script is told which request it is, from 0, and what it says.
    ///
    /// # Panics
    ///
    /// Where loopback has no port left.
    #[expect(clippy::expect_used, reason = "a test without a port cannot go on")]
    pub fn start(script: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound port has an address");
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let (script, log): (Arc<Script>, _) = (Arc::new(script), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, log) = (Arc::clone(&script), Arc::clone(&log));
                // Whoever asked may go before it is answered.
                thread::spawn(move || drop(answer(&stream, &*script, &log)));
            }
        });
        Self { address, asked }
    }

    /// Where it is, as in `http://127.0.0.1:4711/v1`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: &TcpStream, script: &Script, log: &Mutex<Vec<Asked>>) -> std::io::Result<()> {
    let asked = read(&mut BufReader::new(stream))?;
    let number = {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push(asked.clone());
        log.len() - 1
    };
    stream.write_all(&script(number, &asked).0)?;
    stream.shutdown(Shutdown::Write)
}

fn read(stream: &mut BufReader<&TcpStream>) -> std::io::Result<Asked> {
    let line = line_of(stream)?.trim_end_matches(" HTTP/1.1").to_owned();
    let mut asked = Asked { line, ..Asked::default() };
    while let Some((name, value)) = line_of(stream)?.split_once(": ") {
        asked.headers.push((name.to_lowercase(), value.to_owned()));
    }
    let length = asked.header("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    asked.body = String::from_utf8_lossy(&body).into_owned();
    Ok(asked)
}

/// A line without its end. Whoever was killed while it asked has asked nothing.
fn line_of(stream: &mut BufReader<&TcpStream>) -> std::io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}
