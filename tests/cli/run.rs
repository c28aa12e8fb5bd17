//! Running `coffer` as a person does.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use coffer_env::{Home, ServerFile};
use serde_json::Value;
use tempfile::TempDir;

/// How a command ended and what it said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) err: String,
}

impl Ran {
    /// What it printed, when it must have worked.
    #[track_caller]
    pub(super) fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The same as JSON.
    #[track_caller]
    pub(super) fn json(self) -> Value {
        serde_json::from_str(&self.fine()).unwrap()
    }

    /// What it said on stderr, when it must have ended with `code`.
    #[track_caller]
    pub(super) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, code, "{self:?}");
        self.err
    }
}

/// A home without a server, and a folder to work in. Whatever was started ends with it.
pub(super) struct Person {
    folder: TempDir,
}

impl Person {
    pub(super) fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("coffer-cli").tempdir().unwrap() }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn home(&self) -> Home {
        Home::at(self.folder().join("home"))
    }

    /// The running server, as its file tells.
    #[track_caller]
    pub(super) fn server(&self) -> ServerFile {
        ServerFile::read(&self.home().server_file()).expect("a server runs")
    }

    /// One of our programs for this home.
    pub(super) fn program(&self, name: &str) -> Command {
        let coffer = PathBuf::from(env!("CARGO_BIN_EXE_coffer"));
        let mut command = Command::new(coffer.with_file_name(name));
        command.env("COFFER_HOME", self.home().root()).env("COFFER_PORT", "0");
        // No test asks the keyring of whoever runs it.
        command.env("COFFER_KEYRING", "off");
        command.env("HOME", self.folder()).current_dir(self.folder());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "COFFER_EDITOR", "VISUAL", "EDITOR"] {
            command.env_remove(name);
        }
        // Nor does one look at what agents keep elsewhere.
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs a line of words.
    pub(super) fn run(&self, words: &[&str]) -> Ran {
        self.run_in(self.folder(), words, "")
    }

    /// Runs it in a folder, with something on stdin.
    pub(super) fn run_in(&self, folder: &Path, words: &[&str], stdin: &str) -> Ran {
        let mut command = self.program("coffer");
        command.args(words).current_dir(folder);
        finish(command, stdin)
    }
}

/// Runs a command to its end.
pub(super) fn finish(mut command: Command, stdin: &str) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        if let Some(server) = ServerFile::read(&self.home().server_file()) {
            _ = Command::new("kill").args(["-KILL", &server.pid.to_string()]).status();
        }
    }
}
