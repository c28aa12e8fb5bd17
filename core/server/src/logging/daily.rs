//! One log file a day, of which seven are kept.
//!
//! Our own, because the usual library makes its files readable by others unless the whole process
//! makes all its files private; and what a person opens from here, an editor, would inherit that.

#![expect(clippy::disallowed_methods, reason = "the owner of the log's files")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use coffer_env::clock;

use crate::private;

/// How many files are kept, the one of the day among them.
const KEPT: usize = 7;

/// Writes to the file of the day.
pub(super) struct Daily {
    folder: PathBuf,
    day: String,
    file: File,
}

impl Daily {
    /// Opens today's file; makes the folder where there is none.
    pub(super) fn open(folder: PathBuf) -> io::Result<Self> {
        private::folder(&folder)?;
        let day = clock::now().day();
        let file = private::file(&folder.join(name(&day)))?;
        let daily = Self { folder, day, file };
        daily.sweep();
        Ok(daily)
    }

    /// Goes on in another file when the day is over.
    fn turn(&mut self, day: String) -> io::Result<()> {
        if day != self.day {
            self.file = private::file(&self.folder.join(name(&day)))?;
            self.day = day;
            self.sweep();
        }
        Ok(())
    }

    /// Removes the oldest files; their names sort by day. What cannot be removed stays.
    fn sweep(&self) {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut logs: Vec<PathBuf> = names
            .filter(|entry| is_log(&entry.file_name().to_string_lossy()))
            .map(|entry| entry.path())
            // Also the oldest, where the clock was set back.
            .filter(|path| *path != self.folder.join(name(&self.day)))
            .collect();
        logs.sort();
        for old in logs.iter().rev().skip(KEPT - 1) {
            let _ = fs::remove_file(old);
        }
    }
}

impl Write for Daily {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn(clock::now().day())?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn name(day: &str) -> String {
    format!("coffer.{day}.log")
}

fn is_log(name: &str) -> bool {
    let day = name.strip_prefix("coffer.").and_then(|rest| rest.strip_suffix(".log"));
    day.is_some_and(|day| day.len() == 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_day_has_a_private_file_and_seven_are_kept() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("logs");
        let mut log = Daily::open(folder.clone()).unwrap();
        for other in ["serve.txt", "coffer.log", "coffer.notes.log"] {
            fs::write(folder.join(other), "").unwrap();
        }
        for day in 10..20 {
            log.turn(format!("2999-01-{day}")).unwrap();
            log.file.write_all(day.to_string().as_bytes()).unwrap();
        }
        log.turn("2999-01-19".to_owned()).unwrap();
        log.file.write_all(b" more").unwrap();
        let mut names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut expected: Vec<String> =
            (13..20).map(|day| name(&format!("2999-01-{day}"))).collect();
        expected.extend(["coffer.log", "coffer.notes.log", "serve.txt"].map(str::to_owned));
        assert_eq!(names, expected);
        assert_eq!(fs::read_to_string(folder.join(name("2999-01-19"))).unwrap(), "19 more");
        log.write_all(b"today").unwrap();
        assert_eq!(fs::read_to_string(folder.join(name(&clock::now().day()))).unwrap(), "today");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let temp = tempfile::tempdir().unwrap();
        let mut log = Daily::open(temp.path().join("logs")).unwrap();
        log.turn("2999-01-01".to_owned()).unwrap();
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&log.folder), 0o700);
        for entry in fs::read_dir(&log.folder).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    }
}
