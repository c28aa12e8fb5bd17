//! `coffer serve --detach`: starts this program again, in a session of its own and with its output
//! in `logs/`, and waits until the server answers.
//!
//! Who becomes the server is the owner's lock to decide; a start that loses is none that failed.

#![expect(
    clippy::disallowed_methods,
    reason = "starts this program again, with its output in a file"
)]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use coffer_api::routes;
use coffer_api::status::StatusOut;
use coffer_client::{Client, ClientError, Versions, find};
use coffer_env::{Home, vars};
use coffer_server::StartError;

use crate::cli::Cli;
use crate::failure::Failure;

/// How long the server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often one asks.
const PAUSE: Duration = Duration::from_millis(30);
/// How long to wait before another attempt at the lock.
const LOST_PAUSE: Duration = Duration::from_millis(150);
/// How much of what earlier servers printed is kept, in bytes.
const KEPT: u64 = 256 * 1024;
/// How `serve` ends when another process has the lock.
const LOST: i32 = 3;

/// Starts the server in the background, unless one runs already.
pub(super) fn start(cli: &mut Cli, port: Option<u16>) -> Result<(), Failure> {
    let (client, news) = match find(&cli.home, Versions::Any) {
        Ok(client) => (client, "runs already"),
        Err(ClientError::NotRunning | ClientError::NotCoffer { .. }) => {
            (start_and_wait(&cli.home, port)?, "runs in the background")
        }
        Err(error) => return Err(error.into()),
    };
    let status: StatusOut = client.get(routes::STATUS)?;
    cli.screen.show(&status, |page| {
        let address = format!("http://127.0.0.1:{}", status.port);
        page.heading(format!("Coffer {} {news} at {address}", status.version));
        page.line("`coffer open` opens the viewer, `coffer stop` stops the server.");
    })
}

/// A server that was started, and where in the output its own begins.
struct Attempt {
    child: Child,
    from: u64,
}

fn spawn(home: &Home, port: Option<u16>) -> Result<Attempt, Failure> {
    let output = output(home)?;
    let from = output.metadata()?.len();
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["serve", "--session"]);
    if let Some(port) = port {
        command.args(["--port", &port.to_string()]);
    }
    command.env(vars::HOME, home.root()).current_dir(home.root());
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, DETACHED);
    Ok(Attempt { child: command.spawn()?, from })
}

/// No console, and no Ctrl-C of ours.
#[cfg(windows)]
const DETACHED: u32 = 0x0000_0008 | 0x0000_0200;

fn start_and_wait(home: &Home, port: Option<u16>) -> Result<Client, Failure> {
    let deadline = Instant::now() + PATIENCE;
    let mut attempt = spawn(home, port)?;
    loop {
        match find(home, Versions::Any) {
            Err(ClientError::NotRunning | ClientError::NotCoffer { .. }) => {}
            found => return Ok(found?),
        }
        match attempt.child.try_wait()? {
            None => {}
            // Whoever has the lock either answers soon or is about to end.
            Some(status) if status.code() == Some(LOST) => {
                thread::sleep(LOST_PAUSE);
                attempt = spawn(home, port)?;
            }
            Some(status) => {
                let words = last_words(&output_file(home), attempt.from, &status.to_string());
                return Err(Failure::from(ClientError::Start(words)));
            }
        }
        if Instant::now() >= deadline {
            let words = format!("it does not answer; see `{}`", home.logs().display());
            return Err(Failure::from(ClientError::Start(words)));
        }
        thread::sleep(PAUSE);
    }
}

/// The error of a server that ended, as it printed it.
fn last_words(log: &Path, from: u64, status: &str) -> String {
    let text = fs::read(log).unwrap_or_default();
    let own = usize::try_from(from).ok().and_then(|from| text.get(from..)).unwrap_or_default();
    let text = String::from_utf8_lossy(own);
    let line = text.lines().rev().find_map(|line| line.strip_prefix("error: "));
    line.map_or_else(|| format!("it ended with {status}; see `{}`", log.display()), str::to_owned)
}

/// What a server in the background prints: nothing but warnings and its last words.
fn output(home: &Home) -> Result<File, Failure> {
    make_folder(&home.logs())?;
    let path = output_file(home);
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path).map_err(|error| at(&path, error))?;
    if file.metadata()?.len() > KEPT {
        file.set_len(0)?;
    }
    Ok(file)
}

fn output_file(home: &Home) -> PathBuf {
    home.logs().join("serve.txt")
}

/// Makes a folder that only its owner can enter.
fn make_folder(path: &Path) -> Result<(), Failure> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    Ok(builder.create(path).map_err(|error| at(path, error))?)
}

fn at(path: &Path, source: io::Error) -> StartError {
    StartError::Folder { path: path.to_owned(), source }
}
