//! Starting the headless server when nothing runs.
//!
//! Who becomes the server is decided by the owner's lock alone: several clients may start one at
//! the same time, and all but one of those servers end at once.

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
            .map_err(|error| {
                ClientError::Start(format!("`{}`: {error}", self.program.display()))
            })
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
