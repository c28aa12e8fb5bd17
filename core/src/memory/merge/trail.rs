//! What a merge did to files so far, so that a failure can take it back.

use std::collections::BTreeSet;

use coffer_domain::id::sha256;

use crate::error::Result;
use crate::vault::{Dir, Expect, File, split};

/// The two folders of a merge, and the steps that were done.
pub(super) struct Trail<'a> {
    source: &'a Dir,
    target: &'a Dir,
    steps: Vec<Step>,
}

enum Step {
    /// From the source into the target.
    Taken { from: String, to: String },
    /// Within the target.
    Moved { from: String, to: String },
    /// A file of the target: what stood there, and the hash of what stands there now.
    Wrote { path: String, before: Option<Vec<u8>>, after: String },
}

impl<'a> Trail<'a> {
    /// Nothing is done yet.
    pub(super) fn new(source: &'a Dir, target: &'a Dir) -> Self {
        Self { source, target, steps: Vec::new() }
    }

    /// The store that goes.
    pub(super) fn source(&self) -> &'a Dir {
        self.source
    }

    /// The store that stays.
    pub(super) fn target(&self) -> &'a Dir {
        self.target
    }

    /// Moves a file from the source into the target, where nothing may stand.
    pub(super) fn take(&mut self, from: &str, to: &str) -> Result<()> {
        shift((self.source, from), (self.target, to))?;
        self.steps.push(Step::Taken { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// Moves a file within the target.
    pub(super) fn move_within(&mut self, from: &str, to: &str) -> Result<()> {
        shift((self.target, from), (self.target, to))?;
        self.steps.push(Step::Moved { from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    /// Writes a file of the target over the version that was read.
    pub(super) fn write(&mut self, path: &str, before: Option<File>, bytes: &[u8]) -> Result<()> {
        let (folder, name) = split(path);
        let folder = self.target.make_at(folder)?;
        let written = folder.write(name, bytes, Expect::as_read(before.as_ref()));
        // Of a write that fails, too: it may have put the new version in place.
        let (before, after) = (before.map(|file| file.bytes), sha256(bytes));
        self.steps.push(Step::Wrote { path: path.to_owned(), before, after });
        written.map(|_| ())
    }

    /// Flushes all folders that files were moved in.
    pub(super) fn flush(&self) -> Result<()> {
        let mut touched = [BTreeSet::new(), BTreeSet::new()];
        for step in &self.steps {
            match step {
                Step::Taken { from, to } => {
                    touched[0].insert(split(from).0);
                    touched[1].insert(split(to).0);
                }
                Step::Moved { from, to } => touched[1].extend([split(from).0, split(to).0]),
                Step::Wrote { .. } => {}
            }
        }
        for (root, folders) in [self.source, self.target].into_iter().zip(touched) {
            folders.into_iter().try_for_each(|folder| root.at(folder)?.sync())?;
        }
        Ok(())
    }

    /// Takes all steps back, the last one first.
    pub(super) fn undo(&self) -> Result<()> {
        for step in self.steps.iter().rev() {
            match step {
                Step::Taken { from, to } => shift((self.target, to), (self.source, from))?,
                Step::Moved { from, to } => shift((self.target, to), (self.target, from))?,
                Step::Wrote { path, before, after } => {
                    self.unwrite(path, before.as_deref(), after)?;
                }
            }
        }
        self.flush()
    }

    fn unwrite(&self, path: &str, before: Option<&[u8]>, after: &str) -> Result<()> {
        let (folder, name) = split(path);
        let folder = self.target.at(folder)?;
        let written = folder.read(name)?.filter(|file| file.sha256() == after);
        match (written, before) {
            (None, _) => Ok(()),
            (Some(file), Some(before)) => {
                folder.write(name, before, Expect::as_read(Some(&file))).map(|_| ())
            }
            (Some(_), None) => folder.remove(name.as_ref()),
        }
    }
}

fn shift((from_root, from): (&Dir, &str), (to_root, to): (&Dir, &str)) -> Result<()> {
    let ((from_folder, from_name), (to_folder, to_name)) = (split(from), split(to));
    let to_folder = to_root.make_at(to_folder)?;
    from_root.at(from_folder)?.shift(from_name, &to_folder, to_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_taken_back() {
        let temp = tempfile::tempdir().unwrap();
        let [source, target] =
            ["source", "target"].map(|name| Dir::make(&temp.path().join(name)).unwrap());
        source.make_at("knowledge").unwrap().write("a.md", b"a", Expect::Absent).unwrap();
        target.make_at("handoff").unwrap().write("m.md", b"m", Expect::Absent).unwrap();
        target.write("log.md", b"old", Expect::Absent).unwrap();
        let mut trail = Trail::new(&source, &target);
        trail.take("knowledge/a.md", "knowledge/b.md").unwrap();
        trail.move_within("handoff/m.md", "superseded/m.md").unwrap();
        trail.write("log.md", target.read("log.md").unwrap(), b"new").unwrap();
        trail.write("store.yaml", None, b"label: x").unwrap();
        trail.flush().unwrap();
        assert!(trail.take("knowledge/a.md", "knowledge/c.md").is_err());
        assert_eq!(target.read_at("log.md").unwrap().unwrap().bytes, b"new");
        trail.undo().unwrap();
        let read = |dir: &Dir, path: &str| dir.read_at(path).unwrap().map(|file| file.bytes);
        assert_eq!(read(&source, "knowledge/a.md").unwrap(), b"a");
        assert_eq!(read(&target, "handoff/m.md").unwrap(), b"m");
        assert_eq!(read(&target, "log.md").unwrap(), b"old");
        for path in ["knowledge/b.md", "superseded/m.md", "store.yaml"] {
            assert_eq!(read(&target, path), None, "{path}");
        }
    }
}
