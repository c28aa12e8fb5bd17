//! "Install command-line tools": links to the programs that ship beside this one, in
//! `~/.local/bin`. A link follows every update; a file of somebody else is never replaced.

#![expect(
    clippy::disallowed_methods,
    reason = "makes links in the person's own folder of programs"
)]

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use coffer_env::{landmarks, vars};
use tauri::AppHandle;
use tauri_plugin_shell::ShellExt as _;

use crate::message;

/// What is linked.
const TOOLS: [&str; 3] = ["coffer", "coffer-hook", "coffer-mcp-shim"];

/// Why the tools were not linked.
#[derive(Debug, thiserror::Error)]
enum ToolsError {
    /// A tool is missing or broken.
    #[error("`{tool}` does not run, so it was not installed: {reason}")]
    Broken { tool: &'static str, reason: String },
    /// The system does not say where the person's folder is.
    #[error("there is no home directory to install into")]
    NoHome,
    /// Something else has the name.
    #[error("`{}` exists and is not Coffer's; move it away first", .0.display())]
    Taken(PathBuf),
    /// A folder or link cannot be made.
    #[error("cannot make `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Links the tools and says what became of it.
pub(crate) async fn install(app: AppHandle) {
    match try_install(&app).await {
        Ok(folder) => {
            message::news("The command-line tools are installed", &installed(&folder)).await;
        }
        Err(error) => {
            message::trouble("The command-line tools are not installed", &error.to_string(), None)
                .await;
        }
    }
}

async fn try_install(app: &AppHandle) -> Result<PathBuf, ToolsError> {
    for tool in TOOLS {
        try_out(app, tool).await?;
    }
    let folder = landmarks::user_home().ok_or(ToolsError::NoHome)?.join(".local/bin");
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| ToolsError::Io { path, source }
    };
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let own = env::current_exe().and_then(fs::canonicalize).map_err(at(&folder))?;
    for tool in TOOLS {
        let place = folder.join(tool);
        link(&own.with_file_name(tool), &place)?;
    }
    Ok(folder)
}

/// A link to something that does not run would hide a tool that does.
async fn try_out(app: &AppHandle, tool: &'static str) -> Result<(), ToolsError> {
    let broken = |reason: String| ToolsError::Broken { tool, reason };
    let sidecar = app.shell().sidecar(tool).map_err(|error| broken(error.to_string()))?;
    let output = sidecar.arg("--version").output().await;
    let output = output.map_err(|error| broken(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(broken(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}

fn installed(folder: &Path) -> String {
    let is_found =
        vars::get("PATH").is_some_and(|path| env::split_paths(&path).any(|entry| entry == folder));
    let hint = if is_found { "" } else { " Add this folder to your PATH to use them." };
    format!("{} are linked into {}.{hint}", TOOLS.join(" and "), folder.display())
}

/// Puts a link in place at once, over nothing but an older link of the same kind.
#[cfg(unix)]
fn link(target: &Path, place: &Path) -> Result<(), ToolsError> {
    let failed = |source| ToolsError::Io { path: place.to_owned(), source };
    match fs::symlink_metadata(place) {
        Ok(_) if !is_ours(place) => return Err(ToolsError::Taken(place.to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let new = place.with_extension(format!("{}.new", std::process::id()));
    std::os::unix::fs::symlink(target, &new).map_err(failed)?;
    fs::rename(&new, place).map_err(|error| {
        _ = fs::remove_file(&new);
        failed(error)
    })
}

/// No item leads here.
#[cfg(not(unix))]
fn link(_: &Path, place: &Path) -> Result<(), ToolsError> {
    Err(ToolsError::Io { path: place.to_owned(), source: io::ErrorKind::Unsupported.into() })
}

/// Whether a link leads to a program of the same name beside a Coffer, present or removed.
#[cfg(unix)]
fn is_ours(place: &Path) -> bool {
    let Ok(target) = fs::read_link(place) else { return false };
    let is_namesake = target.file_name() == place.file_name();
    is_namesake && (!target.exists() || target.with_file_name("coffer-desktop").exists())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// An installation with all programs in a folder of its own.
    fn installation(root: &Path, name: &str) -> PathBuf {
        let folder = root.join(name);
        fs::create_dir(&folder).unwrap();
        for program in ["coffer", "coffer-hook", "coffer-mcp-shim", "coffer-desktop"] {
            fs::write(folder.join(program), "").unwrap();
        }
        folder.join("coffer")
    }

    #[test]
    fn a_link_is_made_kept_and_moved_with_the_program() {
        let root = tempfile::tempdir().unwrap();
        let (old, new) = (installation(root.path(), "old"), installation(root.path(), "new"));
        let place = root.path().join("coffer");
        for target in [&old, &old, &new] {
            link(target, &place).unwrap();
            assert_eq!(&fs::read_link(&place).unwrap(), target);
        }
        fs::remove_dir_all(root.path().join("new")).unwrap();
        link(&old, &place).unwrap();
        assert_eq!(fs::read_link(&place).unwrap(), old);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "no leftovers");
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let target = installation(root.path(), "app");
        let place = root.path().join("coffer");
        fs::write(&place, "a script of mine").unwrap();
        assert!(matches!(link(&target, &place), Err(ToolsError::Taken(path)) if path == place));
        assert_eq!(fs::read_to_string(&place).unwrap(), "a script of mine");

        let other = root.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("coffer"), "").unwrap();
        fs::remove_file(&place).unwrap();
        std::os::unix::fs::symlink(other.join("coffer"), &place).unwrap();
        assert!(matches!(link(&target, &place), Err(ToolsError::Taken(_))));
        assert_eq!(fs::read_link(&place).unwrap(), other.join("coffer"));
    }
}
