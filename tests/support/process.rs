//! Programs that end with the test, and waiting for what they do.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to do what it is there for.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A program that is killed when the test lets go of it.
pub struct Process(Child);

/// A command for a program that the system ends with this test, even where the test is killed.
pub fn bound(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]).arg(program).stdin(Stdio::null());
    command
}

impl Process {
    /// Starts a [`bound`] command.
    pub fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// The first line that it prints, where the command pipes that.
    #[track_caller]
    pub fn first_line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_ne!(line, "", "a program is missing; `cargo xtask setup` installs it");
        line.trim().to_owned()
    }

    /// Gives it all its input, where the command pipes that, and waits for its end.
    #[track_caller]
    pub fn fed(mut self, input: &[u8]) -> ExitStatus {
        self.0.stdin.take().unwrap().write_all(input).unwrap();
        self.ended()
    }

    /// Sends a signal by its name, as in `TERM`.
    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for its end.
    #[track_caller]
    pub fn ended(&mut self) -> ExitStatus {
        eventually("the program ends", PATIENCE, || self.0.try_wait().unwrap())
    }

    /// Whether it goes on.
    pub fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Asks until there is an answer.
#[track_caller]
pub fn eventually<T>(what: &str, patience: Duration, ask: impl FnMut() -> Option<T>) -> T {
    let answer = answer_within(patience, ask);
    answer.unwrap_or_else(|| panic!("not within {patience:?}: {what}"))
}

/// Asks until there is an answer, or it takes too long.
pub fn answer_within<T>(patience: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        let answer = ask();
        if answer.is_some() || Instant::now() >= deadline {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The names of the running programs that were started for a Coffer's folder.
pub fn processes_of(home: &Path) -> Vec<String> {
    let wanted = format!("COFFER_HOME={}\0", home.display()).into_bytes();
    let mut names = Vec::new();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        if environment.windows(wanted.len()).any(|part| part == wanted) {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            names.push(name.trim().to_owned());
        }
    }
    names.sort();
    names
}
