//! The files of a folder that a person names, as their tools see them: what is hidden, what `.gitignore`
//! and its like leave out, and the packages of Node are passed over; links are not followed.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

/// What a folder holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Files, relative to the folder, `/` between parts, in order.
    pub files: Vec<String>,
    /// What was not taken, and why.
    pub left_out: Vec<(String, String)>,
}

/// Walks a folder. `go_on` is asked between two files.
pub(crate) fn tree(root: &Path, go_on: impl Fn() -> bool) -> Tree {
    let mut walk = WalkBuilder::new(root);
    walk.follow_links(false)
        .require_git(false)
        .sort_by_file_name(std::cmp::Ord::cmp)
        .filter_entry(|entry| entry.file_name() != "node_modules");
    let mut tree = Tree::default();
    for entry in walk.build().take_while(|_| go_on()) {
        match entry {
            Ok(entry) => take(root, &entry, &mut tree),
            Err(error) => tree.left_out.push((String::new(), error.to_string())),
        }
    }
    tree
}

fn take(root: &Path, entry: &DirEntry, tree: &mut Tree) {
    let Ok(below) = entry.path().strip_prefix(root) else { return };
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { return };
    let shown = || below.to_string_lossy().into_owned();
    match parts {
        None => tree.left_out.push((shown(), "its name is not UTF-8".to_owned())),
        Some(_) if kind.is_symlink() => {
            tree.left_out.push((shown(), "it is a link, which is never followed".to_owned()));
        }
        Some(parts) if kind.is_file() => tree.files.push(parts.join("/")),
        Some(_) => {
            tree.left_out.push((shown(), "it is a device, a socket or a pipe".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_seen_as_a_persons_tools_see_it() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        for file in
            ["b.md", "a/x.md", "a/skip.log", "a/build/y.md", ".git/z.md", "node_modules/n/n.md"]
        {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "*.log\n").unwrap();
        std::fs::write(root.join("a/.gitignore"), "build/\n").unwrap();
        std::os::unix::fs::symlink(root.join("b.md"), root.join("link.md")).unwrap();
        let found = tree(root, || true);
        assert_eq!(found.files, ["a/x.md", "b.md"]);
        assert_eq!(found.left_out.len(), 1, "{found:?}");
        assert_eq!(tree(root, || false), Tree::default());
    }
}
