//! Open one of Coffer's files in the editor, or show it in the file manager.
//!
//! The viewer asks for paths, so that an allow-list decides: Coffer's texts, logs and settings, by
//! their canonical paths. Deliberately absent: reading the files.
#![expect(
    clippy::disallowed_methods,
    reason = "this module starts programs of the desktop and resolves the paths that they get"
)]

mod allowed;
mod editor;
mod launch;
mod show;
#[cfg(target_os = "linux")]
mod uri;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use coffer_env::{Home, vars};

use crate::config::Settings;
use crate::error::{Error, Result};

/// Opens and shows files of one home.
#[derive(Clone)]
pub struct Files {
    home: Home,
    settings: Settings,
    shown: Arc<dyn Fn() -> Vec<PathBuf> + Send + Sync>,
}

impl Files {
    /// The files of a home; the settings name the editor. `shown` are files and folders of other
    /// programs: they are shown, with all that is below them, and never opened.
    pub fn new(
        home: Home,
        settings: Settings,
        shown: impl Fn() -> Vec<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        Self { home, settings, shown: Arc::new(shown) }
    }

    /// Opens a file or folder: with `COFFER_EDITOR`, else the preferred editor, else what the
    /// system has for it. Returns when the program has started.
    ///
    /// # Errors
    ///
    /// `PathNotAllowed` for what is none of Coffer's texts, logs or settings; `Unavailable` where
    /// nothing is; `Launch` when the program cannot be started.
    pub fn open(&self, path: &Path) -> Result<()> {
        self.open_with(path, vars::get(vars::EDITOR))
    }

    fn open_with(&self, path: &Path, editor: Option<String>) -> Result<()> {
        let allowed = allowed::allowed(&self.home, path, "open")?;
        match editor.or_else(|| self.settings.get().preferred_editor) {
            Some(command_line) => editor::open(&command_line, &allowed.path),
            None if allowed.is_harmless => launch::by_system(&allowed.path),
            None => Err(Error::PathNotAllowed(path.to_owned())),
        }
    }

    /// Shows a file or folder in the file manager, selected in its folder where the system can.
    ///
    /// # Errors
    ///
    /// As for `open`.
    pub fn reveal(&self, path: &Path) -> Result<()> {
        show::show(&self.to_show(path)?)
    }

    fn to_show(&self, path: &Path) -> Result<PathBuf> {
        match allowed::allowed(&self.home, path, "reveal") {
            Ok(allowed) => Ok(allowed.path),
            Err(Error::PathNotAllowed(_)) => allowed::elsewhere(&(self.shown)(), path, "reveal"),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PreferencesPatch;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::{Duration, Instant};

    struct Ground {
        temp: tempfile::TempDir,
        files: Files,
        note: PathBuf,
    }

    impl Ground {
        fn new() -> Self {
            let temp = tempfile::tempdir().unwrap();
            let home = Home::at(temp.path().join("home"));
            fs::create_dir_all(home.memory()).unwrap();
            let note = home.memory().join("a b.md");
            fs::write(&note, "x").unwrap();
            let settings = Settings::open(&home, || {});
            Self { temp, files: Files::new(home, settings, Vec::new), note }
        }

        /// A program that writes its arguments into a file.
        fn editor(&self, name: &str) -> (String, PathBuf) {
            let (program, said) = (self.temp.path().join(name), self.temp.path().join("said"));
            let script = format!(
                "#!/bin/sh\nprintf '[%s]' \"$@\" > '{0}.new'\nmv '{0}.new' '{0}'\n",
                said.display()
            );
            fs::write(&program, script).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            (format!("'{}' -n {{}}", program.display()), said)
        }
    }

    fn wait_for(said: &Path) -> String {
        let started = Instant::now();
        loop {
            match fs::read_to_string(said) {
                Ok(text) => return text,
                Err(error) if started.elapsed() > Duration::from_secs(10) => panic!("{error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    #[test]
    fn the_variable_wins_over_the_preferred_editor() {
        let ground = Ground::new();
        let expected = format!("[-n][{}]", fs::canonicalize(&ground.note).unwrap().display());
        let (command_line, said) = ground.editor("my editor");
        let patch = PreferencesPatch { preferred_editor: Some(command_line), ..Default::default() };
        ground.files.settings.change(&patch).unwrap();
        ground.files.open_with(&ground.note, None).unwrap();
        assert_eq!(wait_for(&said), expected);
        fs::remove_file(&said).unwrap();

        let patch = PreferencesPatch {
            preferred_editor: Some("no-such-program".to_owned()),
            ..Default::default()
        };
        ground.files.settings.change(&patch).unwrap();
        let failed = ground.files.open_with(&ground.note, None);
        assert!(
            matches!(&failed, Err(Error::Launch { program, .. }) if program == "no-such-program"),
            "{failed:?}"
        );
        let (command_line, said) = ground.editor("other");
        ground.files.open_with(&ground.note, Some(command_line)).unwrap();
        assert_eq!(wait_for(&said), expected);
    }

    #[test]
    fn what_is_not_allowed_starts_nothing() {
        let ground = Ground::new();
        let (command_line, said) = ground.editor("editor");
        let outside = ground.temp.path().join("outside.md");
        fs::write(&outside, "x").unwrap();
        for path in [outside, ground.files.home.root().join("coffer.db")] {
            let refused = ground.files.open_with(&path, Some(command_line.clone()));
            assert!(matches!(&refused, Err(Error::PathNotAllowed(_))), "{refused:?}");
            assert!(matches!(ground.files.reveal(&path), Err(Error::PathNotAllowed(_))));
        }
        let program = ground.files.home.memory().join("run-me.sh");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        let refused = ground.files.open_with(&program, None);
        assert!(matches!(&refused, Err(Error::PathNotAllowed(_))), "{refused:?}");
        let gone = ground.files.open_with(&ground.files.home.memory().join("gone.md"), None);
        assert!(matches!(&gone, Err(Error::Unavailable { .. })), "{gone:?}");
        assert!(!said.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn programs_that_ended_are_buried() {
        let children = || {
            let tasks = fs::read_dir("/proc/self/task").unwrap();
            let lists = tasks
                .filter_map(|task| fs::read_to_string(task.unwrap().path().join("children")).ok());
            lists.collect::<String>()
        };
        let ground = Ground::new();
        let go = ground.temp.path().join("go");
        let wait = format!("sh -c 'until [ -e {} ]; do sleep 0.01; done'", go.display());
        ground.files.open_with(&ground.note, Some(wait)).unwrap();
        assert!(!children().is_empty());
        fs::write(&go, "").unwrap();
        let started = Instant::now();
        while !children().is_empty() {
            assert!(started.elapsed() < Duration::from_secs(10), "{}", children());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
