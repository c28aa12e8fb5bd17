//! Files as they are at a moment, and which of them are others at a later one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The bytes of files, by their paths below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Those below a folder, but what is left out.
    pub fn below(folder: &Path, left_out: &[&Path]) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for path in fs::read_dir(&next).into_iter().flatten().flatten().map(|it| it.path()) {
                if left_out.contains(&path.as_path()) {
                    continue;
                }
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    // One that went meanwhile, or a socket, is there without any bytes.
                    files.insert(name, fs::read(&path).unwrap_or_default());
                }
            }
        }
        Self(files)
    }

    /// A file's bytes.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// A file's text.
    #[track_caller]
    pub fn text(&self, name: &str) -> &str {
        let bytes = self.get(name).unwrap_or_else(|| panic!("`{name}` is not there"));
        std::str::from_utf8(bytes).unwrap()
    }

    /// The files that came, went or changed until a later moment.
    pub fn changed<'f>(&'f self, later: &'f Self) -> Vec<&'f str> {
        let mut names: Vec<&str> =
            self.0.keys().chain(later.0.keys()).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| self.get(name) != later.get(name));
        names
    }
}
