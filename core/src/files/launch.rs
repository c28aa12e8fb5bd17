//! Starting programs of the desktop and letting go of them.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::{Error, Result};

/// Starts a program that outlives us, with none of our streams, and buries it when it ends.
pub(super) fn start(mut command: Command) -> Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A group of its own: Ctrl-C in our terminal is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let program = command.get_program().to_string_lossy().into_owned();
    let failed =
        |error: std::io::Error| Error::Launch { program: program.clone(), reason: plain(&error) };
    let mut child = command.spawn().map_err(failed)?;
    std::thread::Builder::new()
        .name("wait-for-program".to_owned())
        .spawn(move || child.wait())
        .map_err(failed)?;
    Ok(())
}

/// Opens a path with whatever the system opens such paths with.
pub(super) fn by_system(path: &Path) -> Result<()> {
    open::that_detached(path).map_err(|error| Error::Launch {
        program: "the system's program for this file".to_owned(),
        reason: match error.kind() {
            std::io::ErrorKind::NotFound => "none is installed".to_owned(),
            std::io::ErrorKind::Other => "it reported a failure".to_owned(),
            _ => plain(&error),
        },
    })
}

fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
