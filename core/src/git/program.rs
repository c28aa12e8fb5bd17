//! Asking the `git` program: nothing of the repository's or the caller's may run, prompt, page or
//! reach the network, and all questions of one task share one deadline.
#![expect(clippy::disallowed_methods, reason = "this module is the only one that starts `git`")]

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long all questions of one task may take together.
const PATIENCE: Duration = Duration::from_secs(1);
/// An answer is a count, a hash or a list of changed files.
const MOST_BYTES: u64 = 4 << 20;
/// How often an ending program is looked at.
const PAUSE: Duration = Duration::from_millis(1);

/// Settings that keep git from starting anything else.
const SETTINGS: [&str; 5] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "credential.helper=",
    "gc.auto=0",
];
/// Variables that would make git look at another repository, or write traces.
const FORGOTTEN: [&str; 14] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXTERNAL_DIFF",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
];
/// Variables that keep git quiet, local and free of side effects.
const SET: [(&str, &str); 7] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("LC_ALL", "C"),
];

/// What came of a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Success, and what was printed.
    Said(String),
    /// The program ended with 1, by which git says no.
    Refused,
    /// There is no such program, it failed (git refuses repositories of others), it said too much,
    /// or the time was over.
    None,
}

/// The end of the time that a task has.
#[derive(Debug)]
pub(super) struct Deadline(Instant);

impl Deadline {
    /// One second from now.
    pub(super) fn new() -> Self {
        Self(Instant::now() + PATIENCE)
    }

    /// Runs `git -C <folder> <args>`.
    pub(super) fn git(&self, folder: &Path, args: &[&str]) -> Answer {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(["--no-optional-locks", "--no-pager"]);
        SETTINGS.iter().for_each(|setting| {
            command.args(["-c", setting]);
        });
        FORGOTTEN.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(SET).args(args);
        self.run(command)
    }

    fn run(&self, mut command: Command) -> Answer {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        if self.left().is_zero() {
            return Answer::None;
        }
        let Ok(mut child) = command.spawn() else { return Answer::None };
        let answer = self.listen(&mut child);
        if answer.is_none() {
            end(&mut child);
        }
        answer.unwrap_or(Answer::None)
    }

    /// What the program prints until it ends; `None` when the time was over first.
    fn listen(&self, child: &mut Child) -> Option<Answer> {
        let output = child.stdout.take()?;
        let (sender, receiver) = mpsc::channel();
        std::thread::Builder::new()
            .name("git-output".to_owned())
            .spawn(move || sender.send(collect(output)))
            .ok()?;
        let text = receiver.recv_timeout(self.left()).ok().flatten()?;
        while !self.left().is_zero() {
            match child.try_wait().ok()? {
                Some(status) if status.success() => return Some(Answer::Said(text)),
                Some(status) if status.code() == Some(1) => return Some(Answer::Refused),
                Some(_) => return Some(Answer::None),
                None => std::thread::sleep(PAUSE),
            }
        }
        None
    }

    fn left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

fn collect(output: ChildStdout) -> Option<String> {
    let mut bytes = Vec::new();
    output.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    // Half a list of what must not run is worse than none.
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= MOST_BYTES);
    is_whole.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Ends the program and what it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself just now.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_ended_in_time() {
        let deadline = Deadline(Instant::now() + Duration::from_millis(200));
        let started = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 30 & sleep 30"]);
        assert_eq!(deadline.run(command), Answer::None);
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert_eq!(deadline.run(Command::new("true")), Answer::None, "the time is over");
    }

    #[test]
    fn half_an_answer_is_none() {
        for (length, is_whole) in [(MOST_BYTES, true), (MOST_BYTES + 1, false)] {
            let mut command = Command::new("head");
            command.args(["-c", &length.to_string(), "/dev/zero"]);
            let answer = Deadline(Instant::now() + Duration::from_secs(10)).run(command);
            assert_eq!(matches!(answer, Answer::Said(_)), is_whole, "{length}");
        }
    }

    #[test]
    fn success_failure_and_absence_are_told_apart() {
        let deadline = Deadline::new();
        let mut echo = Command::new("echo");
        echo.arg("hello");
        assert_eq!(deadline.run(echo), Answer::Said("hello\n".to_owned()));
        assert_eq!(deadline.run(Command::new("false")), Answer::Refused);
        let mut fatal = Command::new("sh");
        fatal.args(["-c", "exit 128"]);
        assert_eq!(deadline.run(fatal), Answer::None);
        assert_eq!(deadline.run(Command::new("no-such-program-of-coffer")), Answer::None);
    }
}
