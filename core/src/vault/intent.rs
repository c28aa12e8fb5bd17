//! Moves of several files as one: recorded before the first, finished at the next start.

use std::path::{Path, PathBuf};

use coffer_env::Home;
use serde::{Deserialize, Serialize};

use super::dir::{Dir, Expect, split};
use crate::error::Result;

/// Files of one store that are moved together.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Intent {
    /// The store's folder.
    root: PathBuf,
    /// From and to, relative to the store.
    moves: Vec<(String, String)>,
}

/// The folder of records of moves under way.
#[derive(Debug, Clone)]
pub(crate) struct Intents {
    folder: PathBuf,
}

impl Intents {
    /// The records of a home.
    pub(crate) fn of(home: &Home) -> Self {
        Self { folder: home.intents() }
    }

    /// Moves all files or none. After a crash in between `finish_all` moves the rest.
    pub(crate) fn carry_out(
        &self,
        id: &str,
        root: &Path,
        moves: Vec<(String, String)>,
    ) -> Result<()> {
        let intent = Intent { root: root.to_owned(), moves };
        let folder = Dir::make(&self.folder)?;
        let name = format!("{id}.json");
        let record = serde_json::to_vec(&intent).unwrap_or_default();
        if let Err(error) = folder.write(&name, &record, Expect::Absent) {
            // A record that may stand all the same must not be carried out later.
            let _ = folder.remove(name.as_ref());
            return Err(error);
        }
        let moved = intent.finish();
        if moved.is_err() {
            // Where even this fails the record stays, and the next start finishes the moves.
            intent.undo()?;
        }
        folder.remove(name.as_ref())?;
        moved
    }

    /// Finishes what a dead process began; returns how many records there were. One that cannot be
    /// finished now is kept for a later start, and holds up nothing.
    pub(crate) fn finish_all(&self) -> Result<usize> {
        let folder = Dir::make(&self.folder)?;
        // Those in folders are of operations that mean more than moves.
        let is_record = |path: &str| path.ends_with(".json") && !path.contains('/');
        let walk = super::walk(&folder, &[""], is_record);
        for found in &walk.files {
            let Some(file) = folder.read(&found.path)? else { continue };
            let intent = serde_json::from_slice::<Intent>(&file.bytes);
            match intent.map_or(Ok(()), |intent| intent.finish()) {
                Ok(()) => folder.remove(found.path.as_ref())?,
                Err(error) => tracing::warn!(%error, "files that were to be moved together wait"),
            }
        }
        Ok(walk.files.len())
    }
}

impl Intent {
    /// Moves what still stands at its old place. What stands at its new place was moved before.
    fn finish(&self) -> Result<()> {
        let root = Dir::open(&self.root)?;
        self.moves.iter().try_for_each(|(from, to)| move_file(&root, from, to))
    }

    /// Moves back what was moved.
    fn undo(&self) -> Result<()> {
        let root = Dir::open(&self.root)?;
        self.moves.iter().try_for_each(|(from, to)| move_file(&root, to, from))
    }
}

fn move_file(root: &Dir, from: &str, to: &str) -> Result<()> {
    let (from_dir, from_name) = parent(root, from)?;
    if from_dir.stat(from_name)?.is_some() {
        let (to_dir, to_name) = parent(root, to)?;
        if to_dir.stat(to_name)?.is_none() {
            from_dir.rename(from_name, &to_dir, to_name)?;
        }
    }
    Ok(())
}

fn parent<'a>(root: &Dir, path: &'a str) -> Result<(Dir, &'a str)> {
    let (folder, name) = split(path);
    Ok((root.make_at(folder)?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_done_move_is_finished() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let root = Dir::make(&temp.path().join("memory/global")).unwrap();
        let inbox = root.make_at("knowledge/inbox").unwrap();
        for name in ["a.md", "b.md"] {
            inbox.write(name, name.as_bytes(), Expect::Absent).unwrap();
        }
        let moves = ["a.md", "b.md"]
            .map(|name| (format!("knowledge/inbox/{name}"), format!("superseded/{name}")));
        let intent = Intent { root: root.path().to_owned(), moves: moves[..1].to_vec() };
        intent.finish().unwrap();
        let record = Intent { root: root.path().to_owned(), moves: moves.to_vec() };
        Dir::make(&home.intents())
            .unwrap()
            .write("x.json", &serde_json::to_vec(&record).unwrap(), Expect::Absent)
            .unwrap();
        let intents = Intents::of(&home);
        assert_eq!(intents.finish_all().unwrap(), 1);
        assert_eq!(intents.finish_all().unwrap(), 0);
        let superseded = root.at("superseded").unwrap();
        for name in ["a.md", "b.md"] {
            assert_eq!(superseded.read(name).unwrap().unwrap().bytes, name.as_bytes());
            assert!(inbox.read(name).unwrap().is_none());
        }
    }
}
