//! Whether a part is installed in an agent's files, and whether anybody else changed it.

use std::path::PathBuf;

use super::ledger::Ledger;
use crate::agent_files::{Part, Standing, Target, Untouched, present};

/// How a part stands in an agent's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// Whether all of it is there as Coffer writes it.
    pub installed: bool,
    /// File by file.
    pub files: Vec<InstalledFile>,
    /// Whether something is there that is not as Coffer wrote it, or no more there.
    pub drift: bool,
}

/// A file that a part is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledFile {
    /// The file.
    pub path: PathBuf,
    /// How it stands there.
    pub state: FileState,
}

/// How a part stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// It is not there.
    Absent,
    /// It is there.
    Installed,
    /// It is there, and says something else than Coffer would write.
    Changed,
    /// Coffer put it there, and it is gone, all or some of it.
    Missing,
    /// The file cannot be read or understood.
    Unreadable,
}

/// How a part stands.
pub(super) fn installation(targets: &[Target], part: Part, ledger: &Ledger) -> Installation {
    let files: Vec<InstalledFile> = targets
        .iter()
        .filter(|target| target.has(&[part]))
        .map(|target| InstalledFile {
            path: target.path.clone(),
            state: state(target, part, ledger),
        })
        .collect();
    let is = |wanted: FileState| move |file: &InstalledFile| file.state == wanted;
    let drift =
        files.iter().any(is(FileState::Changed)) || files.iter().any(is(FileState::Missing));
    let installed = !files.is_empty() && files.iter().all(is(FileState::Installed));
    Installation { installed, files, drift }
}

fn state(target: &Target, part: Part, ledger: &Ledger) -> FileState {
    let standing = present(&target.path)
        .and_then(|text| target.standing(part, text.as_deref()).map_err(Untouched::from));
    let Ok(standing) = standing else { return FileState::Unreadable };
    let has = |wanted| standing.contains(&wanted);
    let is_noted = ledger.of(&target.path).is_some_and(|record| record.parts.contains(&part));
    match (has(Standing::Present), has(Standing::Other), has(Standing::Absent)) {
        (true, false, false) => FileState::Installed,
        (_, true, _) => FileState::Changed,
        (_, false, _) if is_noted => FileState::Missing,
        (true, false, true) => FileState::Changed,
        (false, false, _) => FileState::Absent,
    }
}
