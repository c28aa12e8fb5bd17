//! The lanes beside knowledge, read as they stand on disk.

use std::path::PathBuf;

use coffer_domain::handoff::Scene;
use coffer_domain::store::{Lane, StoreName};

use super::Memory;
use crate::error::Result;
use crate::vault::{File, walk};

/// A file of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneFile {
    /// The path below the lane's folder.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file, absolute.
    pub path: PathBuf,
}

/// A scene of the handoff lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneFile {
    /// What it says.
    pub scene: Scene,
    /// The file, absolute.
    pub path: PathBuf,
}

/// The consolidation log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogText {
    /// Its text, if there is one.
    pub text: Option<String>,
    /// The file, absolute.
    pub path: PathBuf,
}

impl Memory {
    /// The files of the rules lane, in name order, nested folders included.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn rules(&self, store: &StoreName) -> Result<Vec<LaneFile>> {
        let files = self.lane(store, Lane::Rules, |path| path.ends_with(".md"))?;
        Ok(files
            .into_iter()
            .map(|(name, file)| self.lane_file(store, Lane::Rules, name, &file))
            .collect())
    }

    /// The days of the journal, newest first.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn journal(&self, store: &StoreName) -> Result<Vec<LaneFile>> {
        let mut files = self.lane(store, Lane::Journal, coffer_domain::store::is_indexed)?;
        files.sort_by(|a, b| b.0.cmp(&a.0));
        Ok(files
            .into_iter()
            .map(|(name, file)| self.lane_file(store, Lane::Journal, name, &file))
            .collect())
    }

    /// The scenes of the handoff lane, newest first.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn handoffs(&self, store: &StoreName) -> Result<Vec<SceneFile>> {
        let files = self.lane(store, Lane::Handoff, Self::is_scene)?;
        let mut scenes: Vec<SceneFile> = files
            .into_iter()
            .map(|(name, file)| {
                let text = String::from_utf8_lossy(&file.bytes);
                let stem = name.strip_suffix(".md").unwrap_or(&name);
                let scene = Scene::read(&text, stem, file.stat.modified());
                SceneFile { scene, path: self.absolute(store, &format!("handoff/{name}")) }
            })
            .collect();
        scenes.sort_by(|a, b| {
            let newer = b.scene.updated_at.cmp(&a.scene.updated_at);
            newer.then_with(|| a.scene.branch.cmp(&b.scene.branch))
        });
        Ok(scenes)
    }

    /// The log of what was retired and organized.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn consolidation_log(&self, store: &StoreName) -> Result<LogText> {
        let path = self.paths(store).consolidation_log();
        let text = match self.store_ref(store).found()? {
            Some(dir) => dir.read("consolidation-log.md")?,
            None => None,
        };
        let text = text.map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
        Ok(LogText { text, path })
    }

    /// The files of a lane, by their path below it, in name order. A lane that is not there is
    /// empty; a file that cannot be read is left out, and the doctor's list has it.
    pub(super) fn lane(
        &self,
        store: &StoreName,
        lane: Lane,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, File)>> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(Vec::new()) };
        let found = walk(&dir, &[lane.as_str()], wanted);
        let mut files = Vec::with_capacity(found.files.len());
        for found in found.files {
            match self.read_file(store, &found.path) {
                Ok(Some(file)) => {
                    let name = found.path[lane.as_str().len() + 1..].to_owned();
                    files.push((name, file));
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%store, %error, "a lane's file is left out"),
            }
        }
        Ok(files)
    }

    pub(super) fn lane_file(
        &self,
        store: &StoreName,
        lane: Lane,
        name: String,
        file: &File,
    ) -> LaneFile {
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        let path = self.absolute(store, &format!("{}/{name}", lane.as_str()));
        LaneFile { name, text, path }
    }
}
