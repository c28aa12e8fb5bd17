//! Starting the headless server when nothing runs.
//!
//! Who becomes the server is decided by the owner's lock alone: several clients may start one at
//! the same time, and all but one of those servers end at once.

#![expect(clippy::disallowed_methods, reason = "this module starts the server's program")]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use coffer_env::{Home, clock, vars};

use crate::client::Client;
use crate::error::ClientError;
use crate::find::{Versions, find};

/// How long a started server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often one asks meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// The program that starts the headless server by `serve --detach`.
#[derive(Debug, Clone)]
pub struct Starter {
    program: PathBuf,
}

impl Starter {
    /// The program `coffer` beside the running one.
    ///
    /// # Errors
    ///
    /// When the system does not say where the running program is.
    pub fn sibling() -> Result<Self, ClientError> {
        let own = std::env::current_exe()
            .map_err(|error| ClientError::Start(format!("this program is nowhere: {error}")))?;
        let name = format!("coffer{}", std::env::consts::EXE_SUFFIX);
        Ok(Self { program: own.with_file_name(name) })
    }

    /// A given program.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into() }
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    fn start(&self, home: &Home) -> Result<Child, ClientError> {
        Command::new(&self.program)
            .args(["serve", "--detach"])
            .env(vars::HOME, home.root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| ClientError::Start(format!("`{}`: {error}", self.program.display())))
    }
}

/// Connects to the running server, or starts the headless one and waits at most three seconds.
///
/// # Errors
///
/// When it cannot be started, when it is of another version, or when it does not answer.
pub fn find_or_start(
    home: &Home,
    starter: &Starter,
    versions: Versions,
) -> Result<Client, ClientError> {
    match find(home, versions) {
        Err(ClientError::NotRunning | ClientError::NotCoffer { .. }) => {}
        found => return found,
    }
    let mut child = starter.start(home)?;
    let found = wait(home, versions, &mut child);
    // Somebody must take its exit status, and a shim lives too long to leave that to the system.
    thread::spawn(move || child.wait());
    found
}

fn wait(home: &Home, versions: Versions, child: &mut Child) -> Result<Client, ClientError> {
    let deadline = clock::instant() + PATIENCE;
    loop {
        match find(home, versions) {
            Err(ClientError::NotRunning | ClientError::NotCoffer { .. }) => {}
            found => return found,
        }
        if let Ok(Some(status)) = child.try_wait()
            && !status.success()
        {
            return Err(ClientError::Start(last_words(child, &status.to_string())));
        }
        if clock::instant() >= deadline {
            let seconds = PATIENCE.as_secs();
            return Err(ClientError::Start(format!("no answer within {seconds} seconds")));
        }
        thread::sleep(PAUSE);
    }
}

/// What a program that ended had to say, without its label.
fn last_words(child: &mut Child, status: &str) -> String {
    let mut text = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        // A bounded read, so that whoever else holds the pipe cannot keep us.
        let _ = stderr.take(4096).read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find_map(|line| line.strip_prefix("error: "));
    line.or_else(|| text.lines().next()).map_or_else(|| status.to_owned(), str::to_owned)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::scripted::{Act, Scripted};

    fn script(dir: &Path, body: &str) -> Starter {
        let program = dir.join("coffer-script");
        std::fs::write(&program, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Starter::at(program)
    }

    #[test]
    fn a_start_that_fails_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        let cases = [
            (script(dir.path(), "echo 'error: the disk is full' >&2; exit 5"), "the disk is full"),
            (Starter::at("/nowhere/coffer"), "/nowhere/coffer"),
        ];
        for (starter, wanted) in cases {
            let error = find_or_start(&home, &starter, Versions::Any).unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
            assert_eq!(error.exit_code(), 5);
        }
    }

    #[test]
    fn a_started_server_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        let starter = script(dir.path(), "echo \"$@\" > \"$COFFER_HOME.started\"");
        let started = dir.path().join("home.started");
        let socket = home.socket();
        let server = thread::spawn(move || {
            while !std::fs::read_to_string(&started).is_ok_and(|arguments| !arguments.is_empty()) {
                thread::sleep(PAUSE);
            }
            let arguments = std::fs::read_to_string(&started).unwrap();
            assert_eq!(arguments.trim(), "serve --detach");
            Scripted::unix(&socket, |_| {
                Act::json(200, r#"{"status":"ok","name":"coffer","version":"1"}"#)
            })
        });
        let client = find_or_start(&home, &starter, Versions::Any).unwrap();
        assert_eq!(client.version(), "1");
        drop(server.join().unwrap());
    }

    #[test]
    fn a_server_that_never_answers_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        let begun = clock::instant();
        let error = find_or_start(&home, &script(dir.path(), "exit 0"), Versions::Any).unwrap_err();
        assert!(error.to_string().contains("3 seconds"), "{error}");
        assert!(begun.elapsed() < PATIENCE + Duration::from_secs(2));
    }
}
