//! What stands on disk: every file and its bytes, and what must never be left there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use coffer_env::Home;

/// Files by their path below a folder, `/` between parts.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Every regular file below a folder. Links are listed with where they lead, never followed.
pub fn files(root: &Path) -> Files {
    let mut files = Files::new();
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            let bytes = if kind.is_dir() {
                pending.push(path);
                continue;
            } else if kind.is_symlink() {
                std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if kind.is_file() {
                std::fs::read(&path).unwrap_or_default()
            } else {
                Vec::new()
            };
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            files.insert(name, bytes);
        }
    }
    files
}

/// The text behind a file's frontmatter, as Coffer writes it.
pub fn body(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let rest = text.strip_prefix("---\n")?;
    let (_, body) = rest.split_once("\n---\n")?;
    body.strip_prefix('\n')?.strip_suffix('\n')
}

/// What a dead writer leaves and a start has to take away: temporary files anywhere, records of
/// moves under way, empty files.
pub fn residue(home: &Home) -> Vec<String> {
    let is_residue = |path: &str, bytes: &[u8]| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.starts_with(".coffer-tmp-")
            || name.starts_with(".tmp")
            || path.starts_with("run/intents/")
            || (name.ends_with(".md") && bytes.is_empty())
    };
    let all = files(home.root());
    all.into_iter().filter(|(path, bytes)| is_residue(path, bytes)).map(|(path, _)| path).collect()
}

/// Copies a folder with the times of its files.
pub fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

/// Waits until a condition holds.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(15);
    while !holds() {
        assert!(std::time::Instant::now() < until, "never: {what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
