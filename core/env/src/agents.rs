//! Where coding agents keep their files, and Coffer's own programs that they are told to start.

use std::path::{Path, PathBuf};

use crate::vars;

/// What is around this process: the person's folders and the variables that move those of agents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The person's home directory.
    pub home: Option<PathBuf>,
    /// Claude Code's folder, where a variable names one.
    pub claude: Option<PathBuf>,
    /// Codex' folder.
    pub codex: Option<PathBuf>,
    /// The folder for settings of programs.
    pub settings: Option<PathBuf>,
    /// The folder for data of programs.
    pub data: Option<PathBuf>,
    /// OpenCode's further folder.
    pub opencode: Option<PathBuf>,
    /// What stands for the home directory in Gemini CLI's eyes.
    pub gemini: Option<PathBuf>,
    /// Copilot CLI's folder.
    pub copilot: Option<PathBuf>,
    /// Where programs are looked for.
    pub path: Vec<PathBuf>,
    /// The folder of Coffer's own programs.
    pub programs: Option<PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    pub fn discover() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self {
            home: crate::landmarks::user_home(),
            claude: vars::path(vars::CLAUDE_CONFIG_DIR),
            codex: vars::path(vars::CODEX_HOME),
            settings: vars::path(vars::XDG_CONFIG_HOME),
            data: vars::path(vars::XDG_DATA_HOME),
            opencode: vars::path(vars::OPENCODE_CONFIG_DIR),
            gemini: vars::path(vars::GEMINI_CLI_HOME),
            copilot: vars::path(vars::COPILOT_HOME),
            path: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect(),
            programs: crate::program::own().parent().map(Path::to_owned),
        }
    }

    /// A folder below the home directory.
    pub fn in_home(&self, name: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(name))
    }

    /// A program's folder of settings.
    pub fn in_settings(&self, name: &str) -> Option<PathBuf> {
        let settings = self.settings.clone().or_else(|| self.in_home(".config"));
        settings.map(|settings| settings.join(name))
    }

    /// A program's folder of data, for programs that have the same one on every system.
    pub fn in_data(&self, name: &str) -> Option<PathBuf> {
        let data = self.data.clone().or_else(|| self.in_home(".local/share"));
        data.map(|data| data.join(name))
    }

    /// Gemini CLI's folder.
    pub fn gemini_folder(&self) -> Option<PathBuf> {
        self.gemini.clone().or_else(|| self.home.clone()).map(|home| home.join(".gemini"))
    }

    /// Whether a program can be started by its name.
    pub fn has_program(&self, name: &str) -> bool {
        self.found(name).is_some()
    }

    /// One of Coffer's programs: by the name that the person's shell finds it at, which stays the
    /// same when Coffer is renewed, else beside the running one. `None` where there is none.
    pub fn own_program(&self, name: &str) -> Option<PathBuf> {
        let own = self.programs.as_ref()?.join(file_name(name));
        let real = own.canonicalize().ok()?;
        let by_name =
            self.found(name).filter(|found| found.canonicalize().is_ok_and(|it| it == real));
        Some(by_name.unwrap_or(own))
    }

    fn found(&self, name: &str) -> Option<PathBuf> {
        let name = file_name(name);
        self.path.iter().map(|folder| folder.join(&name)).find(|program| program.is_file())
    }
}

fn file_name(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}

/// The folder of an agent's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFolder(PathBuf);

impl AgentFolder {
    /// A given folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Whether it is there.
    pub fn is_there(&self) -> bool {
        self.0.is_dir()
    }

    /// A file in it, `/` between the parts of its name.
    pub fn file(&self, name: &str) -> PathBuf {
        name.split('/').fold(self.0.clone(), |path, part| path.join(part))
    }

    /// The first of several files that is there.
    pub fn first(&self, names: &[&str]) -> Option<PathBuf> {
        names.iter().map(|name| self.file(name)).find(|file| file.exists())
    }

    /// A file beside the folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.0.with_file_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_by_the_name_that_stays() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        for folder in ["own", "bin", "other"] {
            std::fs::create_dir(at(folder)).unwrap();
        }
        std::fs::write(at("own/coffer-hook"), "").unwrap();
        std::fs::write(at("other/coffer-hook"), "").unwrap();
        let mut around = Surroundings {
            programs: Some(at("own")),
            path: vec![at("none"), at("other")],
            ..Surroundings::default()
        };
        assert_eq!(around.own_program("coffer-hook"), Some(at("own/coffer-hook")));
        assert_eq!(around.own_program("coffer-mcp-shim"), None);
        std::os::unix::fs::symlink(at("own/coffer-hook"), at("bin/coffer-hook")).unwrap();
        around.path = vec![at("bin")];
        assert_eq!(around.own_program("coffer-hook"), Some(at("bin/coffer-hook")));
        assert!(around.has_program("coffer-hook") && !around.has_program("codex"));
    }

    #[test]
    fn folders_follow_their_variables() {
        let mut around = Surroundings { home: Some("/h".into()), ..Surroundings::default() };
        assert_eq!(around.in_settings("opencode"), Some("/h/.config/opencode".into()));
        assert_eq!(around.in_data("opencode"), Some("/h/.local/share/opencode".into()));
        assert_eq!(around.gemini_folder(), Some("/h/.gemini".into()));
        around.data = Some("/d".into());
        around.settings = Some("/x".into());
        around.gemini = Some("/g".into());
        assert_eq!(around.in_settings("opencode"), Some("/x/opencode".into()));
        assert_eq!(around.in_data("opencode"), Some("/d/opencode".into()));
        assert_eq!(around.gemini_folder(), Some("/g/.gemini".into()));
        let folder = AgentFolder::at("/h/.copilot");
        assert_eq!(
            folder.file("hooks/coffer.json"),
            PathBuf::from("/h/.copilot/hooks/coffer.json")
        );
        assert_eq!(folder.beside(".claude.json"), PathBuf::from("/h/.claude.json"));
    }
}
