//! The real `coffer serve` on a home of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use coffer_env::{Home, ServerFile};
use serde_json::Value;
use tempfile::TempDir;

use super::http::{Place, Reply, Request};

/// How long a server may take to come up or go.
const PATIENCE: Duration = Duration::from_secs(20);

/// What moves agents' folders: no test reaches those of whoever runs it.
pub const AGENT_FOLDERS: [&str; 7] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "OPENCODE_CONFIG_DIR",
    "GEMINI_CLI_HOME",
    "COPILOT_HOME",
];

/// A server and its home; both go when it is dropped.
pub struct TestServer {
    folder: TempDir,
    home: Home,
    process: Option<Child>,
    /// What the server says of itself.
    pub info: ServerFile,
    is_single: bool,
}

impl TestServer {
    /// A server on an empty home.
    pub fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// A server on a home that was prepared.
    pub fn start_with(prepare: impl FnOnce(&Home)) -> Self {
        Self::start_as("home", prepare, false)
    }

    /// A server on an empty home that programs find without any variable but `HOME`.
    pub fn start_where_it_usually_is() -> Self {
        Self::start_as(".coffer", |_| {}, false)
    }

    /// As `start_with`, with a single thread for connections, which then never wakes another one:
    /// for tests that let a certain call of the system fail.
    pub fn start_single(prepare: impl FnOnce(&Home)) -> Self {
        Self::start_as("home", prepare, true)
    }

    fn start_as(name: &str, prepare: impl FnOnce(&Home), is_single: bool) -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-it").tempdir().unwrap();
        let home = Home::at(folder.path().join(name));
        prepare(&home);
        let (process, info) = spawn(folder.path(), &home, is_single);
        Self { folder, home, process: Some(process), info, is_single }
    }

    /// Coffer's folder.
    pub fn home(&self) -> Home {
        self.home.clone()
    }

    /// A folder beside it, which goes with the server.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The loopback port.
    pub fn port(&self) -> Place {
        Place::Port(self.info.port)
    }

    /// The owner's socket.
    pub fn socket(&self) -> Place {
        Place::Socket(self.home().socket())
    }

    /// A good request to the port: right host, right token.
    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(method, path)
            .header("host", &format!("127.0.0.1:{}", self.info.port))
            .header("authorization", &format!("Bearer {}", self.info.token))
    }

    /// GET.
    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send(&self.port())
    }

    /// POST with a body.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.request("POST", path).json(body).send(&self.port())
    }

    /// POST without a body.
    pub fn trigger(&self, path: &str) -> Reply {
        self.request("POST", path).send(&self.port())
    }

    /// PUT.
    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.request("PUT", path).json(body).send(&self.port())
    }

    /// PATCH.
    pub fn patch(&self, path: &str, body: &Value) -> Reply {
        self.request("PATCH", path).json(body).send(&self.port())
    }

    /// DELETE.
    pub fn delete(&self, path: &str) -> Reply {
        self.request("DELETE", path).send(&self.port())
    }

    /// A program of ours, set up for this home.
    pub fn command(&self, program: &str) -> Command {
        command(program, self.folder.path(), &self.home())
    }

    /// All that the server said: its log files and its output.
    pub fn said(&self) -> String {
        let logs = std::fs::read_dir(self.home().logs()).into_iter().flatten().flatten();
        let mut all = said(self.folder.path());
        for log in logs {
            all.push_str(&std::fs::read_to_string(log.path()).unwrap_or_default());
        }
        all
    }

    /// Sends a signal by its name, as in `TERM`.
    pub fn signal(&self, name: &str) {
        let pid = self.info.pid.to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the server's end.
    pub fn ended(&mut self) -> ExitStatus {
        let mut process = self.process.take().unwrap();
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(status) = process.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        process.kill().unwrap();
        process.wait().unwrap();
        panic!("the server did not end in {PATIENCE:?}");
    }

    /// Ends it as a crash would, without any chance to tidy up.
    pub fn kill(&mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// Starts it again on the same home.
    pub fn start_again(&mut self) {
        let (process, info) = spawn(self.folder.path(), &self.home(), self.is_single);
        (self.process, self.info) = (Some(process), info);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            _ = process.kill();
            _ = process.wait();
        }
    }
}

fn command(program: &str, folder: &Path, home: &Home) -> Command {
    let mut command = Command::new(built(program));
    command
        .env("COFFER_HOME", home.root())
        .env("COFFER_PORT", "0")
        // No test asks the keyring of whoever runs it.
        .env("COFFER_KEYRING", "off")
        .env("HOME", folder)
        .env("NO_COLOR", "1")
        .current_dir(folder);
    for name in AGENT_FOLDERS {
        command.env_remove(name);
    }
    command
}

/// A program of ours, beside the one that Cargo names.
pub fn built(program: &str) -> PathBuf {
    let coffer = PathBuf::from(env!("CARGO_BIN_EXE_coffer"));
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    coffer.with_file_name(name)
}

fn spawn(folder: &Path, home: &Home, is_single: bool) -> (Child, ServerFile) {
    let log =
        std::fs::File::options().create(true).append(true).open(folder.join("server.log")).unwrap();
    let mut serve = command("coffer", folder, home);
    if is_single {
        serve.env("TOKIO_WORKER_THREADS", "1");
    }
    let mut process = serve
        .arg("serve")
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        let info = ServerFile::read(&home.server_file());
        if let Some(info) = info.filter(|info| info.pid == process.id()) {
            return (process, info);
        }
        assert!(process.try_wait().unwrap().is_none(), "{}", said(folder));
        std::thread::sleep(Duration::from_millis(2));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    panic!("the server did not come up in {PATIENCE:?}: {}", said(folder));
}

fn said(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("server.log")).unwrap_or_default()
}
