//! Knowledge bases: making, listing, changing them.

use std::path::PathBuf;

use coffer_domain::fact::Author;
use coffer_domain::kb::KbName;
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;

use super::config::{BasePatch, KnowledgeBaseConfig};
use super::file::KbFile;
use super::{KnowledgeBases, Opened, audit_row};
use crate::error::{Error, Result};
use crate::index::{Tally, page, tally};
use crate::knowledge::SettingsFile as _;
use crate::vault::{Dir, Expect};

/// The lane of the documents, as the index knows it.
pub(super) const LANE: &str = "docs/";

/// A knowledge base as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeBase {
    /// Its name.
    pub name: KbName,
    /// What it is for.
    pub description: Option<String>,
    /// Its folder, absolute.
    pub dir: PathBuf,
    /// Its documents, from the index.
    pub document_count: u64,
    /// Its settings.
    pub config: KnowledgeBaseConfig,
    /// Whether search uses it.
    pub enabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// The last change of a document or of the settings.
    pub updated_at: Timestamp,
}

impl KnowledgeBases {
    /// Makes a knowledge base.
    ///
    /// # Errors
    ///
    /// One of this name is there already; a value that cannot be; a folder that cannot be made.
    pub fn create(
        &self,
        name: &KbName,
        patch: &BasePatch,
        author: &Author,
        now: Timestamp,
    ) -> Result<KnowledgeBase> {
        let stamp = now.whole_second().to_string();
        let mut file = KbFile {
            created_at: Some(stamp.clone()),
            updated_at: Some(stamp),
            ..KbFile::default()
        };
        patch.apply(&mut file, self.0.settings.embedding().is_some())?;
        let exists = || Error::BaseExists(name.to_string());
        let root = Dir::make(&self.0.home.knowledge())?;
        if root.holds(name.as_str())? && !self.is_bare(name) {
            return Err(exists());
        }
        let dir = root.make_at(name.as_str())?;
        match dir.write(KbPaths::FILE, file.render()?.as_bytes(), Expect::Absent) {
            // Somebody else made it in the same moment.
            Err(_) if dir.stat(KbPaths::FILE)?.is_some() => return Err(exists()),
            other => other?,
        };
        let made = self.base(name)?;
        self.audit(&audit_row("resource_created", author, name, &[], now));
        self.changed(name);
        Ok(made)
    }

    /// All knowledge bases, by name. One that cannot be read is left out; the doctor lists it.
    ///
    /// # Errors
    ///
    /// A folder or an index that cannot be read.
    pub fn all(&self) -> Result<Vec<KnowledgeBase>> {
        let mut all = Vec::new();
        for name in self.names()? {
            match self.base(&name) {
                Ok(base) => all.push(base),
                Err(Error::BaseNotFound(_)) => {}
                Err(error) => tracing::warn!(kb = %name, %error, "a knowledge base is left out"),
            }
        }
        Ok(all)
    }

    /// One knowledge base.
    ///
    /// # Errors
    ///
    /// None of this name; a file or an index that cannot be read.
    pub fn base(&self, name: &KbName) -> Result<KnowledgeBase> {
        let Opened { at, is_enabled, config } = self.open(name)?;
        let (file, _) = self.read_file(name, &at.dir()?)?;
        let (Tally { documents, .. }, last) = self.knowledge().read(|db| {
            Ok((tally(db, &at.scope, LANE)?, page(db, &at.scope, LANE, (1, 0))?.pop()))
        })?;
        let created_at = file.created_at().unwrap_or(Timestamp::from_micros(0));
        let changed_at = file.updated_at().unwrap_or(created_at);
        Ok(KnowledgeBase {
            name: name.clone(),
            description: file.description,
            dir: at.root,
            document_count: documents,
            config,
            enabled: is_enabled,
            created_at,
            updated_at: last.map_or(changed_at, |last| last.updated_at.max(changed_at)),
        })
    }

    /// Changes description and settings. Other sizes of passages have all documents cut again by the
    /// next reading or reindexing; whether that is so.
    ///
    /// # Errors
    ///
    /// None of this name; a value that cannot be; a `kb.yaml` that does not parse.
    pub fn change(
        &self,
        name: &KbName,
        patch: &BasePatch,
        now: Timestamp,
    ) -> Result<(KnowledgeBase, bool)> {
        let before = self.open(name)?;
        let has_model = self.0.settings.embedding().is_some();
        let mut refused = Ok(());
        self.change_file(&before.at, now, |file| {
            let mut wanted = file.clone();
            refused = patch.apply(&mut wanted, has_model);
            if refused.is_ok() {
                *file = wanted;
            }
        })?;
        refused?;
        let after = self.base(name)?;
        self.knowledge().bell().ring_for_change();
        self.changed(name);
        let sizes = |config: &KnowledgeBaseConfig| (config.chunk_size, config.chunk_overlap);
        let is_cut_again = sizes(&before.config) != sizes(&after.config);
        Ok((after, is_cut_again))
    }

    /// Lets search use a knowledge base, or leave it out.
    ///
    /// # Errors
    ///
    /// None of this name; a `kb.yaml` that does not parse.
    pub fn set_enabled(
        &self,
        name: &KbName,
        enabled: bool,
        author: &Author,
        now: Timestamp,
    ) -> Result<KnowledgeBase> {
        let Opened { at, .. } = self.open(name)?;
        self.change_file(&at, now, |file| file.enabled = (!enabled).then_some(false))?;
        let changed = self.base(name)?;
        let event = if enabled { "resource_enabled" } else { "resource_disabled" };
        self.audit(&audit_row(event, author, name, &[], now));
        self.changed(name);
        Ok(changed)
    }
}
