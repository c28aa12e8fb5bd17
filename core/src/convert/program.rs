//! Starting the child, and what becomes of it: an answer in time, or its end and the reason for that.
#![expect(
    clippy::disallowed_methods,
    reason = "this module is the only one that starts converters"
)]

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Limits, Rejected, child};

/// How often a working child is looked at, at most.
const PAUSE: Duration = Duration::from_millis(20);
/// So much of what it says about its trouble is kept.
const MOST_WORDS: u64 = 16 << 10;

/// What the child printed. It is gone afterwards, whatever happened.
pub(super) fn ask(
    program: &Path,
    options: &[String],
    input: Stdio,
    limits: &Limits,
    cancelled: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Rejected> {
    let mut running = Running::start(program, options, input, limits)?;
    let out = collect(running.0.stdout.take(), limits.output + 1);
    let words = collect(running.0.stderr.take(), MOST_WORDS);
    let status = running.wait(limits.wall, cancelled)?;
    // Nobody may hold the pipes open for longer.
    running.end();
    let (out, words) = (out.join().unwrap_or_default(), words.join().unwrap_or_default());
    if out.len() as u64 > limits.output {
        let most = limits.output >> 20;
        return Err(Rejected::TooLarge(format!("it gives more than {most} MiB of text")));
    }
    if status.success() { Ok(out) } else { Err(reason(status, &String::from_utf8_lossy(&words))) }
}

/// The child and all that it may have started; ended when this is dropped.
struct Running(Child);

impl Running {
    fn start(
        program: &Path,
        options: &[String],
        input: Stdio,
        limits: &Limits,
    ) -> Result<Self, Rejected> {
        let mut command = Command::new(program);
        command.arg(child::MODE).args(limits.arguments()).args(options);
        // Elsewhere a program needs some of it to start at all.
        if cfg!(unix) {
            command.env_clear();
        }
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let started = command.spawn().map(Self);
        started.map_err(|error| Rejected::Unavailable(format!("no converter starts: {error}")))
    }

    fn wait(
        &mut self,
        patience: Duration,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<ExitStatus, Rejected> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let ended = self.0.try_wait();
            let ended = ended.map_err(|error| Rejected::Unavailable(error.to_string()))?;
            if let Some(status) = ended {
                return Ok(status);
            }
            if cancelled() {
                return Err(Rejected::Cancelled);
            }
            if start.elapsed() > patience {
                return Err(Rejected::TimedOut);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }

    /// Ends the whole group, and sees the child off.
    fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) =
            i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads a pipe to its end, or up to so many bytes.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before a failure is what there is.
            _ = pipe.take(most).read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Why a child ended without an answer.
fn reason(status: ExitStatus, words: &str) -> Rejected {
    if words.contains("memory allocation of") {
        return Rejected::OutOfMemory;
    }
    if words.contains("overflowed its stack") {
        return Rejected::Crashed("its parts are nested too deeply".to_owned());
    }
    match signal(status) {
        Some(SIGXCPU) => Rejected::TimedOut,
        // Not by us: the system was short of memory.
        Some(SIGKILL) => Rejected::OutOfMemory,
        Some(signal) => Rejected::Crashed(format!("signal {signal}")),
        None => Rejected::Crashed(status.to_string()),
    }
}

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// A file as the input of a child.
pub(super) fn input(file: File) -> Stdio {
    file.into()
}
