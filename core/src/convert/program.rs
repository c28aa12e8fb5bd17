//! Starting the child, and what becomes of it: an answer in time, or its end and the reason for that.
#![expect(
    clippy::disallowed_methods,
    reason = "this module is the only one that starts converters"
)]

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
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
    let (out, words) = running.pipes();
    let out = collect(out, limits.output + 1);
    let words = collect(words, MOST_WORDS);
    running.wait(limits.wall, cancelled)?;
    // Nobody may hold the pipes open for longer.
    let status = running.end()?;
    let (out, words) = (out.join().unwrap_or_default(), words.join().unwrap_or_default());
    if out.len() as u64 > limits.output {
        let most = limits.output >> 20;
        return Err(Rejected::TooLarge(format!("it gives more than {most} MiB of text")));
    }
    if status.success() { Ok(out) } else { Err(reason(status, &String::from_utf8_lossy(&words))) }
}

/// The child and all that it may have started, until they were ended; at the latest when this is dropped.
struct Running(Option<Child>);

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
        let started = command.spawn().map(|child| Self(Some(child)));
        started.map_err(|error| Rejected::Unavailable(format!("no converter starts: {error}")))
    }

    fn pipes(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        self.0.as_mut().map(|child| (child.stdout.take(), child.stderr.take())).unwrap_or_default()
    }

    /// Waits until the child ended by itself. It is not reaped yet.
    fn wait(&mut self, patience: Duration, cancelled: &dyn Fn() -> bool) -> Result<(), Rejected> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let ended = self.0.as_mut().map_or(Ok(true), has_ended);
            if ended.map_err(|error| Rejected::Unavailable(error.to_string()))? {
                return Ok(());
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

    /// Ends the whole group, then sees the child off: until then its number is nobody else's. Once.
    fn end(&mut self) -> Result<ExitStatus, Rejected> {
        let gone = || Rejected::Unavailable("the converter was ended".to_owned());
        let mut child = self.0.take().ok_or_else(gone)?;
        #[cfg(unix)]
        if let Some(group) = number(&child) {
            _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        _ = child.kill();
        child.wait().map_err(|error| Rejected::Unavailable(error.to_string()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.end();
    }
}

#[cfg(unix)]
fn number(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// Whether a child ended; it keeps its number, and with it that of its group, until it is reaped.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> std::io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let Some(number) = number(child) else { return Ok(true) };
    match waitid(WaitId::Pid(number), options) {
        Err(rustix::io::Errno::INTR) => Ok(false),
        ended => Ok(ended?.is_some()),
    }
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> std::io::Result<bool> {
    child.try_wait().map(|status| status.is_some())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that does what a shell is told, whatever its arguments.
    fn asked(script: &str, wall: Duration, cancelled: bool) -> Result<String, Rejected> {
        let temp = tempfile::tempdir().unwrap();
        let program = temp.path().join("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(&program, mode).unwrap();
        let limits = Limits { wall, ..Limits::default() };
        let out = ask(&program, &[], Stdio::null(), &limits, &|| cancelled)?;
        Ok(String::from_utf8(out).unwrap())
    }

    const LONG: Duration = Duration::from_secs(30);

    fn is_running(number: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn what_a_child_leaves_behind_ends_with_it_and_holds_nobody_up() {
        let began = Instant::now();
        let left = asked("/bin/sleep 60 & echo $!", LONG, false).unwrap();
        assert!(began.elapsed() < LONG, "{:?}", began.elapsed());
        while is_running(&left) {
            assert!(began.elapsed() < LONG, "{left} runs on");
            thread::sleep(PAUSE);
        }
    }

    #[test]
    fn the_end_of_a_child_is_its_own() {
        assert_eq!(asked("echo yes", LONG, false).unwrap(), "yes\n");
        let short = Duration::from_millis(50);
        for (script, wall, is_cancelled, wanted) in [
            ("exit 3", LONG, false, Rejected::Crashed("exit status: 3".to_owned())),
            ("kill -SEGV $$", LONG, false, Rejected::Crashed("signal 11".to_owned())),
            ("kill -XCPU $$", LONG, false, Rejected::TimedOut),
            ("kill -KILL $$", LONG, false, Rejected::OutOfMemory),
            ("exec /bin/sleep 60", short, false, Rejected::TimedOut),
            ("exec /bin/sleep 60", LONG, true, Rejected::Cancelled),
        ] {
            assert_eq!(asked(script, wall, is_cancelled), Err(wanted), "{script}");
        }
    }

    #[test]
    fn a_child_is_reaped_once_and_only_after_its_group_was_ended() {
        let command = Command::new("/bin/sh").arg("-c").arg("exit 7").spawn();
        let mut running = Running(Some(command.unwrap()));
        running.wait(LONG, &|| false).unwrap();
        // Looked at, and still there to be seen off.
        running.wait(LONG, &|| false).unwrap();
        assert_eq!(running.end().unwrap().code(), Some(7));
        assert!(matches!(running.end(), Err(Rejected::Unavailable(_))));
    }
}
