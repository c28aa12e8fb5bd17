//! A text in the person's editor: a file that is there until the server has taken the text.

#![expect(clippy::disallowed_methods, reason = "hands a text to the person's editor and back")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use coffer_api::routes;
use coffer_api::settings::SettingsOut;
use coffer_client::Client;
use coffer_env::{editor, vars};
use tempfile::TempDir;

use crate::failure::Failure;

/// The file, in a folder of its own: editors leave copies beside it.
pub(crate) struct Draft<'a> {
    folder: TempDir,
    file: PathBuf,
    /// The text before.
    text: &'a str,
}

impl<'a> Draft<'a> {
    /// Writes a text into a new file that nobody else can read.
    pub(crate) fn of(text: &'a str) -> Result<Self, Failure> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("coffer-");
        #[cfg(unix)]
        let only_ours = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        #[cfg(unix)]
        builder.permissions(only_ours);
        let folder = builder.tempdir()?;
        let file = folder.path().join("text.md");
        fs::write(&file, text)?;
        Ok(Self { folder, file, text })
    }

    /// The text as the person leaves it in the editor.
    pub(crate) fn edited(&self, editor: &str) -> Result<String, Failure> {
        let failed = |why: String| Failure::Failed(format!("the editor `{editor}`{why}"));
        let (program, arguments) = editor::command(editor, &self.file)
            .ok_or_else(|| failed(" has quotes that do not match".to_owned()))?;
        let ended = Command::new(program).args(arguments).status();
        let ended = ended.map_err(|error| failed(format!(": {error}")))?;
        if !ended.success() {
            return Err(failed(format!(" ended with {ended}")));
        }
        // By its name: many editors put a new file in the old one's place.
        let text = fs::read_to_string(&self.file)?;
        // Many editors end the last line.
        if text.trim_end() == self.text.trim_end() {
            return Err(Failure::Failed("the text was not changed".to_owned()));
        }
        Ok(text)
    }

    /// Keeps what was typed, which was not taken, and says so.
    pub(crate) fn outlives(self, failure: Failure) -> Failure {
        match fs::read(&self.file) {
            Ok(bytes) if bytes.trim_ascii_end() != self.text.as_bytes().trim_ascii_end() => {
                let _ = self.folder.keep();
                Failure::Kept { failure: Box::new(failure), path: self.file }
            }
            _ => failure,
        }
    }
}

/// `COFFER_EDITOR`, the person's setting, what the shell names, what every system has.
pub(crate) fn program(client: &Client) -> Result<String, Failure> {
    if let Some(editor) = vars::get(vars::EDITOR) {
        return Ok(editor);
    }
    let settings: SettingsOut = client.get(routes::SETTINGS)?;
    let own = settings.preferred_editor.filter(|editor| !editor.trim().is_empty());
    let named = || [vars::VISUAL, vars::SHELL_EDITOR].iter().find_map(|name| vars::get(name));
    let usual = if cfg!(windows) { "notepad" } else { "vi" };
    Ok(own.or_else(named).unwrap_or_else(|| usual.to_owned()))
}
