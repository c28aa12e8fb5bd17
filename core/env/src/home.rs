//! Coffer's own folder and what stands at its top.

use std::path::{Path, PathBuf};

use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;

use crate::kb_paths::KbPaths;
use crate::paths::StorePaths;
use crate::vars;

/// Coffer's folder, absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

/// No folder could be named.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither `COFFER_HOME` nor a home directory.
    #[error("no home directory found; set `COFFER_HOME` to the folder that Coffer may use")]
    NoHome,
    /// `COFFER_HOME` is not absolute, and the working directory is unknown.
    #[error("`COFFER_HOME` is `{0}`, which is no absolute path")]
    NotAbsolute(PathBuf),
}

impl Home {
    /// `COFFER_HOME`, else `~/.coffer`.
    ///
    /// # Errors
    ///
    /// When there is no home directory, or the variable cannot be made absolute.
    pub fn discover() -> Result<Self, HomeError> {
        let root = match vars::path(vars::HOME) {
            Some(path) => std::path::absolute(&path).map_err(|_| HomeError::NotAbsolute(path))?,
            None => etcetera::home_dir().map_err(|_| HomeError::NoHome)?.join(".coffer"),
        };
        Ok(Self { root })
    }

    /// A given folder, for tests and tools.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The absolute path of one below this folder, `/` between its parts; see `StorePaths::resolve`.
    pub fn below(&self, relative: &str) -> Option<PathBuf> {
        StorePaths::at(self.root.clone()).resolve(relative)
    }

    /// The person's settings.
    pub fn config_file(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The credentials, encrypted, and where others are kept.
    pub fn credentials_file(&self) -> PathBuf {
        self.root.join("credentials.toml")
    }

    /// The key that the credentials are encrypted under.
    pub fn master_key(&self) -> PathBuf {
        self.root.join("master.key")
    }

    /// The agents that were registered.
    pub fn agents_file(&self) -> PathBuf {
        self.root.join("agents.toml")
    }

    /// How to undo what was changed in files of agents.
    pub fn installs(&self) -> PathBuf {
        self.root.join("installs")
    }

    /// The derived index.
    pub fn database(&self) -> PathBuf {
        self.root.join("coffer.db")
    }

    /// What belongs to a running server only.
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// The file by which clients find the server.
    pub fn server_file(&self) -> PathBuf {
        self.run().join("server.json")
    }

    /// The owner-only socket.
    pub fn socket(&self) -> PathBuf {
        self.run().join("coffer.sock")
    }

    /// The owner's lock.
    pub fn lock(&self) -> PathBuf {
        self.run().join("lock")
    }

    /// Records of multi-file operations under way.
    pub fn intents(&self) -> PathBuf {
        self.run().join("intents")
    }

    /// Records of merges of stores under way.
    pub fn merges(&self) -> PathBuf {
        self.intents().join("merges")
    }

    /// Records of topics that take an item in, under way.
    pub fn curating(&self) -> PathBuf {
        self.intents().join("curating")
    }

    /// Records of purges under way.
    pub fn purges(&self) -> PathBuf {
        self.intents().join("purges")
    }

    /// An index that is made to be compared with the other one, by a name that a start sweeps.
    pub fn second_database(&self) -> PathBuf {
        self.run().join(".coffer-tmp-second.db")
    }

    /// Log files.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The embedding models that were installed.
    pub fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    /// The stores' folder.
    pub fn memory(&self) -> PathBuf {
        self.root.join("memory")
    }

    /// The folder of the project stores.
    pub fn projects(&self) -> PathBuf {
        self.memory().join("projects")
    }

    /// The folder of the knowledge bases.
    pub fn knowledge(&self) -> PathBuf {
        self.root.join("knowledge")
    }

    /// One knowledge base's paths.
    pub fn kb(&self, name: &KbName) -> KbPaths {
        KbPaths::at(self.knowledge().join(name.as_str()))
    }

    /// Records of what is done to knowledge bases right now.
    pub fn kb_records(&self) -> PathBuf {
        self.intents().join("kb")
    }

    /// Deleted stores, where the system has no trash.
    pub fn trash(&self) -> PathBuf {
        self.root.join("trash")
    }

    /// One store's paths.
    pub fn store(&self, name: &StoreName) -> StorePaths {
        StorePaths::at(match name {
            StoreName::Global => self.memory().join("global"),
            StoreName::Project(id) => self.projects().join(id.as_str()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_below_the_root() {
        let home = Home::at("/tmp/coffer-home");
        let project = StoreName::parse("project-01JXYZ01JXYZ01JXYZ01JXYZ01").unwrap();
        for path in [
            home.config_file(),
            home.credentials_file(),
            home.master_key(),
            home.agents_file(),
            home.installs(),
            home.database(),
            home.server_file(),
            home.socket(),
            home.lock(),
            home.logs(),
            home.models(),
            home.trash(),
            home.store(&StoreName::Global).root().to_owned(),
            home.store(&project).inbox(),
            home.kb(&KbName::parse("docs").unwrap()).file(),
        ] {
            assert!(path.starts_with(home.root()), "{}", path.display());
        }
        assert!(home.store(&project).root().ends_with("projects/01JXYZ01JXYZ01JXYZ01JXYZ01"));
    }
}
