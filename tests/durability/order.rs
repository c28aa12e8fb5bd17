//! The order behind an acknowledgement, proven on the system calls themselves, since a kill cannot
//! show what a loss of power would take: temporary file written and flushed, renamed, its folder
//! flushed, the index told, and only then the reply.

use std::path::{Path, PathBuf};

use super::operations::{ALL, Ground, Operation};
use crate::support::attempt::Way;
use crate::support::trace::{Call, SENDING, Strace, Trace, WRITING};

#[test]
fn nothing_is_acknowledged_before_it_is_on_disk() {
    let ground = Ground::new();
    for operation in ALL {
        let (trace, home) = watch(operation, &ground);
        let proof = Proof::new(operation.name, &trace, &home);
        proof.files_are_flushed_before_they_are_renamed();
        proof.folders_are_flushed_before_the_reply();
        proof.the_index_is_told_before_the_reply();
        println!("{}: {} renames in order", operation.name, proof.renames().count());
    }
}

fn watch(operation: &Operation, ground: &Ground) -> (Trace, PathBuf) {
    let server = ground.server();
    let trace = format!("trace={WRITING},{SENDING}");
    let strace = Strace::attach(&server, &["-e", &trace]);
    let reply = operation.act(ground, &Way::port(&server)).expect("nobody disturbs it");
    assert!((200..300).contains(&reply.status), "{}: {}", operation.name, reply.text());
    (strace.detach(), server.home().root().to_owned())
}

struct Proof<'a> {
    name: &'a str,
    trace: &'a Trace,
    home: &'a Path,
    /// The line of the log at which the reply began to leave.
    reply: usize,
}

impl<'a> Proof<'a> {
    fn new(name: &'a str, trace: &'a Trace, home: &'a Path) -> Self {
        let leaves = |call: &&Call| {
            call.arguments.contains("socket:") && call.arguments.contains("HTTP/1.1 2")
        };
        let reply = trace.calls.iter().find(leaves);
        let reply = reply.unwrap_or_else(|| panic!("{name}: no reply was seen")).lines.0;
        Self { name, trace, home, reply }
    }

    fn calls(&self, name: &'a str) -> impl Iterator<Item = &'a Call> {
        self.trace.calls.iter().filter(move |call| call.name == name && call.succeeded())
    }

    /// Renames within what Coffer answers for; what the system's trash does is its own affair.
    fn renames(&self) -> impl Iterator<Item = &'a Call> {
        let trash = self.home.join("trash");
        let ours = move |call: &&Call| !call.paths()[0].starts_with(&trash);
        ["rename", "renameat", "renameat2"]
            .into_iter()
            .flat_map(|name| self.calls(name))
            .filter(ours)
    }

    fn files_are_flushed_before_they_are_renamed(&self) {
        let mut writes = 0;
        for rename in self.renames() {
            let from = &rename.paths()[0];
            let name = from.file_name().unwrap().to_str().unwrap();
            if !name.starts_with(".coffer-tmp-") {
                continue;
            }
            writes += 1;
            let made = self.calls("openat").find(|call| call.paths() == [from.clone()]).unwrap();
            assert!(made.arguments.contains("O_EXCL"), "{}: {made:?}", self.name);
            assert!(made.arguments.ends_with(", 0600"), "{}: {made:?}", self.name);
            let flush = self.flush(from, made.lines.1, rename.lines.0);
            let written = self.calls("write").filter(|call| call.paths() == [from.clone()]);
            let last = written.map(|call| call.lines.1).max().expect("something was written");
            assert!(last < flush.lines.0, "{}: written after the flush", self.name);
        }
        let moves_only = ["delete", "delete a store"].contains(&self.name);
        assert!(writes > 0 || moves_only, "{}: nothing was written", self.name);
    }

    fn folders_are_flushed_before_the_reply(&self) {
        for rename in self.renames() {
            assert!(rename.lines.1 < self.reply, "{}: {rename:?}", self.name);
            for path in rename.paths() {
                self.flush(path.parent().unwrap(), rename.lines.1, self.reply);
            }
        }
        let made = ["mkdir", "mkdirat"].into_iter().flat_map(|name| self.calls(name));
        for made in made.filter(|call| call.lines.0 < self.reply) {
            let path = &made.paths()[0];
            if path.starts_with(self.home) {
                self.flush(path.parent().unwrap(), made.lines.1, self.reply);
            }
        }
    }

    fn the_index_is_told_before_the_reply(&self) {
        let log = self.home.join("coffer.db-wal");
        let told = self
            .calls("pwrite64")
            .any(|call| call.paths() == [log.clone()] && call.lines.1 < self.reply);
        assert!(told || self.name == "settings", "{}: the index was not told", self.name);
    }

    /// The flush of a file or folder that lies between two lines of the log.
    #[track_caller]
    fn flush(&self, path: &Path, after: usize, before: usize) -> &'a Call {
        let flushes = ["fsync", "fdatasync"].into_iter().flat_map(|name| self.calls(name));
        let mut here = flushes.filter(|call| {
            call.paths() == [path.to_owned()] && call.lines.0 > after && call.lines.1 < before
        });
        here.next().unwrap_or_else(|| {
            let lines: Vec<String> = self.trace.calls.iter().map(Call::text).collect();
            let path = path.display();
            panic!("{}: `{path}` is not flushed in time:\n{}", self.name, lines.join("\n"))
        })
    }
}
