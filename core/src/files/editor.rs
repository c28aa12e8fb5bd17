//! Starting the person's editor and letting go of it.

use std::path::Path;
use std::process::Command;

use coffer_env::editor;

use super::launch;
use crate::error::{Error, Result};

/// Starts the editor with a file.
pub(super) fn open(command_line: &str, path: &Path) -> Result<()> {
    let (program, arguments) =
        editor::command(command_line, path).ok_or_else(|| Error::Launch {
            program: command_line.to_owned(),
            reason: "its quotes do not match".to_owned(),
        })?;
    let mut command = Command::new(&program);
    command.args(arguments);
    launch::start(command)
}
