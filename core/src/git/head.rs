//! What is checked out: branch and commit, read from git's files.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::find::Layout;
use super::program::{Answer, Deadline};
use super::{config, read};

/// How many symbolic refs may point at each other.
const MOST_HOPS: usize = 5;
/// Larger than the list of a repository with half a million packed refs.
const MOST_PACKED_BYTES: u64 = 64 << 20;
/// What `HEAD` says in repositories whose refs are in no files.
const IN_REFTABLE: &str = "refs/heads/.invalid";

/// What `HEAD` stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The exact name of the branch; `None` when detached.
    pub branch: Option<String>,
    /// The full hash; `None` while the branch has no commit.
    pub commit: Option<String>,
}

/// Reads `HEAD`; `None` if it says nothing that git would understand.
pub(super) fn head(layout: &Layout) -> Option<Head> {
    let line = read::line(&layout.git_dir.join("HEAD"))?;
    let Some(name) = symbolic(&line) else {
        return is_hash(&line).then_some(Head { branch: None, commit: Some(line) });
    };
    if name == IN_REFTABLE && config::read(&layout.common_dir).has_reftable() {
        return Some(asked(layout));
    }
    let branch = is_ref(name).then(|| name.strip_prefix("refs/heads/").map(str::to_owned))?;
    Some(Head { branch, commit: commit(layout, name) })
}

/// The commit of a full ref name such as `refs/heads/main`.
pub(super) fn commit(layout: &Layout, name: &str) -> Option<String> {
    let mut name = name.to_owned();
    for _ in 0..MOST_HOPS {
        if !is_ref(&name) {
            return None;
        }
        let folder = if is_private(&name) { &layout.git_dir } else { &layout.common_dir };
        let Some(line) = read::line(&folder.join(&name)) else {
            return packed(&layout.common_dir, &name);
        };
        match symbolic(&line) {
            Some(next) => next.clone_into(&mut name),
            None => return is_hash(&line).then_some(line),
        }
    }
    None
}

/// Whether a branch of this exact name has a commit.
pub(super) fn has_branch(layout: &Layout, branch: &str, deadline: &Deadline) -> Option<bool> {
    let name = format!("refs/heads/{branch}");
    if !config::read(&layout.common_dir).has_reftable() {
        return Some(commit(layout, &name).is_some());
    }
    match deadline.git(layout.folder(), &["show-ref", "--verify", "--quiet", &name]) {
        Answer::Said(_) => Some(true),
        Answer::Refused => Some(false),
        Answer::None => None,
    }
}

/// Asks the program, for forms that are not read here.
fn asked(layout: &Layout) -> Head {
    let deadline = Deadline::new();
    let line = |args: &[&str]| match deadline.git(layout.folder(), args) {
        Answer::Said(text) => Some(text.trim_end().to_owned()),
        Answer::Refused | Answer::None => None,
    };
    let name = line(&["symbolic-ref", "--quiet", "HEAD"]);
    Head {
        branch: name.and_then(|name| name.strip_prefix("refs/heads/").map(str::to_owned)),
        commit: line(&["rev-parse", "--quiet", "--verify", "HEAD"]).filter(|hash| is_hash(hash)),
    }
}

fn symbolic(line: &str) -> Option<&str> {
    line.strip_prefix("ref:").map(str::trim_start)
}

/// A full hash, of 20 or 32 bytes.
pub(super) fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A ref's full name that is safe as a relative path.
fn is_ref(name: &str) -> bool {
    let safe = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0'])
    };
    name.starts_with("refs/") && name.split('/').all(safe)
}

/// Refs that each worktree has for itself.
fn is_private(name: &str) -> bool {
    ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|head| name.starts_with(head))
}

/// Looks a ref up in `packed-refs`: lines of `<hash> <name>`.
fn packed(common_dir: &Path, name: &str) -> Option<String> {
    let file = read::regular(&common_dir.join("packed-refs")).ok()?;
    let mut lines = BufReader::with_capacity(64 << 10, file.take(MOST_PACKED_BYTES));
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).ok()? > 0 {
        if let Some(hash) = line.trim_ascii_end().strip_suffix(name.as_bytes()) {
            let hash = std::str::from_utf8(hash).ok()?.strip_suffix(' ');
            if let Some(hash) = hash.filter(|hash| is_hash(hash)) {
                return Some(hash.to_owned());
            }
        }
        line.clear();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ref_names_are_never_other_paths() {
        for yes in ["refs/heads/main", "refs/heads/feat/x.y", "refs/heads/日本", "refs/jj/root"] {
            assert!(is_ref(yes), "{yes}");
        }
        for no in [
            "refs/../../etc/passwd",
            "refs/heads/../x",
            "refs//x",
            "refs/heads/.invalid",
            "refs/heads/a\\..\\b",
            "/etc/passwd",
            "HEAD",
            "refs/",
        ] {
            assert!(!is_ref(no), "{no}");
        }
    }
}
