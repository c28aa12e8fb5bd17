//! What a running server asks of the system, watched and disturbed by strace.
//!
//! strace attaches once a server is quiet, so that its counts begin with the operation under test.
//! It counts calls per thread; an operation runs on one thread, and [`Trace::points`] counts the same
//! way, so that what happened once can be met again at the very same call.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::TestServer;

/// Calls that change what is on disk.
pub const WRITING: &str = "openat,mkdir,mkdirat,write,pwrite64,pwritev,writev,ftruncate,fallocate,\
    fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat";
/// Calls by which replies leave.
pub const SENDING: &str = "sendto,sendmsg";

/// A running strace.
pub struct Strace {
    process: Child,
    server: u32,
    log: PathBuf,
}

/// All that was seen, in order.
pub struct Trace {
    /// The calls in the order in which they began.
    pub calls: Vec<Call>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The thread.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// What stands in the parentheses; descriptors carry the path they are open on.
    pub arguments: String,
    /// What came back, with a remark where strace put it there; empty when nothing did.
    pub result: String,
    /// Lines of the log: where it began, and where it ended.
    pub lines: (usize, usize),
}

/// A call that can be met again: the `nth` of its name on its thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The call's name.
    pub name: String,
    /// From 1.
    pub nth: usize,
    /// What it was about.
    pub call: Call,
}

impl Strace {
    /// Watches a running server; `options` as on the command line.
    pub fn attach(server: &TestServer, options: &[&str]) -> Self {
        let log = server.folder().join("strace.log");
        let mut process = Command::new("strace")
            .args(["-f", "-y", "-s", "64", "-o"])
            .arg(&log)
            .args(options)
            .args(["-p", &server.info.pid.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("strace is installed");
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert!(line.contains("attached"), "strace: {line}");
        // The pipe must stay open and empty, or strace ends.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { process, server: server.info.pid, log }
    }

    /// Lets the server go, if it is still there, and reads what was seen.
    pub fn detach(mut self) -> Trace {
        // While its threads die, strace would wait for them in the wrong order for ever.
        if self.ends_within(|strace| is_dead(strace.server)) {
            let pid = self.process.id().to_string();
            _ = Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status();
            self.ends_within(|_| true);
        }
        _ = self.process.kill();
        _ = self.process.wait();
        let log = std::fs::read(&self.log).unwrap_or_default();
        _ = std::fs::remove_file(&self.log);
        Trace { calls: calls(&String::from_utf8_lossy(&log)) }
    }

    /// Waits for strace's own end as long as there is hope; `true` when it still runs.
    fn ends_within(&mut self, hope: impl Fn(&Self) -> bool) -> bool {
        let until = Instant::now() + Duration::from_secs(3);
        while hope(self) && Instant::now() < until {
            if self.process.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.process.try_wait().unwrap().is_none()
    }
}

/// Whether a process ended, be it that nobody took notice yet.
pub fn is_dead(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.rsplit(") ").next().is_some_and(|state| state.starts_with('Z')))
}

impl Drop for Strace {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

impl Trace {
    /// Every call that touches something below a folder, as a point to be met again. What only
    /// reads is none.
    pub fn points(&self, below: &Path) -> Vec<Point> {
        let below = below.display().to_string();
        let mut counts = std::collections::HashMap::new();
        let mut points = Vec::new();
        for call in &self.calls {
            let nth = counts.entry((call.thread, call.name.clone())).or_insert(0);
            *nth += 1;
            let reads = call.name == "openat" && !call.arguments.contains("O_CREAT");
            if call.arguments.contains(&below) && !reads {
                points.push(Point { name: call.name.clone(), nth: *nth, call: call.clone() });
            }
        }
        points
    }
}

impl Call {
    /// The files and folders that it is about, by their whole paths: both sides of a rename, the one
    /// that is made, removed or opened, or the one that a descriptor is open on.
    pub fn paths(&self) -> Vec<PathBuf> {
        let words = self.words();
        let open = |at: usize| words[..at].iter().rev().find(|(is_open, _)| *is_open);
        let by_descriptor = ["write", "pwrite", "fsync", "fdata", "ftruncate", "fallocate", "send"];
        if by_descriptor.iter().any(|kind| self.name.starts_with(kind)) {
            return words.first().map(|(_, path)| PathBuf::from(path)).into_iter().collect();
        }
        let given = words.iter().enumerate().filter(|(_, (is_open, _))| !is_open);
        given
            .map(|(at, (_, name))| match open(at) {
                Some((_, folder)) => Path::new(folder).join(name),
                None => PathBuf::from(name),
            })
            .collect()
    }

    /// The words of the arguments: `</open/on>` as true, `"given"` as false.
    fn words(&self) -> Vec<(bool, &str)> {
        let mut words = Vec::new();
        let mut rest = self.arguments.as_str();
        while let Some(at) = rest.find(['<', '"']) {
            let is_open = rest[at..].starts_with('<');
            let after = &rest[at + 1..];
            let Some(length) = after.find(if is_open { '>' } else { '"' }) else { break };
            words.push((is_open, &after[..length]));
            rest = &after[length + 1..];
        }
        words
    }

    /// For people.
    pub fn text(&self) -> String {
        format!("{} {}({}) = {}", self.lines.0, self.name, self.arguments, self.result)
    }

    /// Whether it did what was asked.
    pub fn succeeded(&self) -> bool {
        !self.result.is_empty() && !self.result.starts_with(['-', '?'])
    }
}

fn calls(log: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for (number, line) in log.lines().enumerate() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let (Ok(thread), rest) = (thread.parse(), rest.trim_start()) else { continue };
        if let Some(resumed) = rest.strip_prefix("<... ") {
            let open = calls.iter_mut().rev().find(|call| {
                call.thread == thread && call.result.is_empty() && resumed.starts_with(&call.name)
            });
            if let (Some(call), Some((more, result))) = (open, ended(resumed)) {
                call.arguments.push_str(more.split_once('>').map_or("", |(_, more)| more));
                call.result = result.to_owned();
                call.lines.1 = number;
            }
        } else if let Some((name, arguments)) = rest.split_once('(') {
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name || name.is_empty() {
                continue;
            }
            let (arguments, result) = match ended(arguments) {
                Some((arguments, result)) => (arguments, result),
                None => (arguments.trim_end_matches("<unfinished ...>"), ""),
            };
            let (name, arguments) = (name.to_owned(), arguments.to_owned());
            let (result, lines) = (result.to_owned(), (number, number));
            calls.push(Call { thread, name, arguments, result, lines });
        }
    }
    calls
}

/// Arguments and result of a line that has both.
fn ended(text: &str) -> Option<(&str, &str)> {
    let mut equals = text.rmatch_indices(" = ");
    equals.find_map(|(at, _)| {
        let arguments = text[..at].trim_end().strip_suffix(')')?;
        Some((arguments, &text[at + 3..]))
    })
}

#[test]
fn logs_are_taken_apart() {
    let log = "7 openat(3</h/a>, \"x.md\", O_WRONLY|O_CREAT, 0600) = 4</h/a/x.md>\n\
        7 fsync(4</h/a/x.md> <unfinished ...>\n\
        8 write(9</h/log>, \"a) b\", 4) = 4\n\
        7 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)\n\
        7 renameat2(3</h/a>, \"x\", 3</h/a>, \"y\", RENAME_NOREPLACE) = 0\n\
        8 fsync(5</h/b>) = ?\n8 +++ killed by SIGKILL +++\n";
    let trace = Trace { calls: calls(log) };
    let seen: Vec<(u32, &str, bool, (usize, usize))> = trace
        .calls
        .iter()
        .map(|call| (call.thread, call.name.as_str(), call.succeeded(), call.lines))
        .collect();
    let expected = [
        (7, "openat", true, (0, 0)),
        (7, "fsync", false, (1, 3)),
        (8, "write", true, (2, 2)),
        (7, "renameat2", true, (4, 4)),
        (8, "fsync", false, (5, 5)),
    ];
    assert_eq!(seen, expected);
    let paths = |at: usize| -> Vec<String> {
        trace.calls[at].paths().iter().map(|path| path.display().to_string()).collect()
    };
    assert_eq!(paths(0), ["/h/a/x.md"]);
    assert_eq!(paths(1), ["/h/a/x.md"]);
    assert_eq!(paths(2), ["/h/log"]);
    assert_eq!(paths(3), ["/h/a/x", "/h/a/y"]);
    let points = trace.points(Path::new("/h/a"));
    let points: Vec<_> = points.iter().map(|point| (point.name.as_str(), point.nth)).collect();
    assert_eq!(points, [("openat", 1), ("fsync", 1), ("renameat2", 1)]);
}
