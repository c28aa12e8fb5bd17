//! Where npm put the programs. Each is in a package for this system's kind, whose name ends as npm
//! thinks fit; no script of a package is run to link them to one place.

use std::path::{Path, PathBuf};

/// The program of the package whose name begins so, somewhere below it.
#[track_caller]
pub fn find(scope: &str, package: &str, program: &str) -> PathBuf {
    let modules = target().join("vendors/node_modules").join(scope);
    let mut packages: Vec<PathBuf> = inside(&modules);
    packages.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with(package));
    // The shortest name is the usual one; others are for old processors or another libc.
    packages.sort_by_key(|path| path.as_os_str().len());
    let found = packages.iter().find_map(|package| below(package, Path::new(program), 4));
    found.unwrap_or_else(|| {
        panic!("no `{program}` in {}; `cargo xtask test --long` installs it", modules.display())
    })
}

/// Cargo's folder, which is above that of the program under test.
fn target() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_coffer")).ancestors().nth(2).unwrap().to_owned()
}

fn below(folder: &Path, program: &Path, depth: usize) -> Option<PathBuf> {
    let here = folder.join(program);
    if here.is_file() {
        return Some(here);
    }
    let folders = inside(folder).into_iter().filter(|path| path.is_dir() && depth > 0);
    folders.into_iter().find_map(|folder| below(&folder, program, depth - 1))
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
