//! What is shipped must not tell where it was built: panic messages name source files, and those lie
//! in somebody's home folder. The compiler is told to write other names; a check looks for leftovers.

use crate::workspace;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders of this machine and what stands for them; of two that fit, the compiler takes the later.
fn folders() -> Result<Vec<(PathBuf, &'static str)>> {
    let home = env::home_dir().context("no home folder")?;
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let mut folders = vec![(home, "~"), (cargo_home.clone(), "/cargo")];
    for registry in fs::read_dir(cargo_home.join("registry/src")).into_iter().flatten() {
        folders.push((registry?.path(), "/crates"));
    }
    folders.push((workspace::root().to_owned(), "/coffer"));
    // A home folder of `/`, as some containers have it, tells nothing and would match everything.
    folders.retain(|(folder, _)| folder.parent().is_some());
    Ok(folders)
}

/// The compiler's flags that replace the folders.
pub(crate) fn remap_flags() -> Result<Vec<String>> {
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    Ok(folders()?.into_iter().map(flag).collect())
}

/// A folder of this machine that `bytes` name, if any.
pub(crate) fn find(bytes: &[u8]) -> Result<Option<PathBuf>> {
    let folders = folders()?.into_iter().map(|(folder, _)| folder);
    Ok(folders.into_iter().find(|folder| names(bytes, folder)))
}

/// Whether `bytes` name something inside of `folder`.
fn names(bytes: &[u8], folder: &Path) -> bool {
    let mut needle = folder.as_os_str().as_encoded_bytes().to_vec();
    needle.push(std::path::MAIN_SEPARATOR as u8);
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_found_only_as_a_folder() {
        let home = Path::new("/home/ada");
        assert!(names(b"panicked at /home/ada/src/lib.rs", home));
        assert!(!names(b"see /home/adam/src/lib.rs or ~/src", home));
    }

    #[test]
    fn the_repository_is_replaced_and_found() {
        let root = workspace::root();
        let flags = remap_flags().unwrap();
        assert!(flags.contains(&format!("--remap-path-prefix={}=/coffer", root.display())));
        let message = format!("panicked at {}/ui/src/main.rs", root.display());
        assert!(find(message.as_bytes()).unwrap().is_some());
        assert_eq!(find(b"panicked at /coffer/ui/src/main.rs").unwrap(), None);
    }
}
