//! Git projects for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository on branch `main` with one commit.
pub fn repository(parent: &Path, name: &str) -> PathBuf {
    let folder = parent.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    git(&folder, &["init", "-q", "-b", "main"]);
    std::fs::write(folder.join("a.txt"), name).unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "one"]);
    folder
}

/// A linked worktree of a repository, on a branch of its own.
pub fn worktree(repository: &Path, name: &str) -> PathBuf {
    let folder = repository.with_file_name(name);
    git(repository, &["worktree", "add", "-q", "-b", name, folder.to_str().unwrap()]);
    folder
}

/// Runs git, untouched by whoever runs the tests.
pub fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .status()
        .unwrap();
    assert!(status.success(), "git {arguments:?}");
}
