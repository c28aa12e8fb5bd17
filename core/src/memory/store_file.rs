//! `store.yaml`: identity, label and settings of a store, so that no database is needed for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use coffer_domain::store::{Fusion, Mode, StoreName};
use coffer_domain::time::Timestamp;
use coffer_env::host_name;
use serde::{Deserialize, Serialize};

use super::{Memory, locked};
use crate::error::{Error, Result};
use crate::knowledge::SettingsFile;
use crate::vault::{Dir, Expect, File};

/// The limits of `max_fact_chars`.
pub(super) const FACT_CHARS: std::ops::RangeInclusive<u32> = 64..=32_768;
/// The limits of `embedding_dimensions`.
pub(super) const DIMENSIONS: std::ops::RangeInclusive<u32> = 1..=8_192;

/// A store's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreConfig {
    /// Modes that recall may use.
    pub retrieval_modes: Vec<Mode>,
    /// The mode of a recall that names none.
    pub default_mode: Mode,
    /// The most characters of a fact.
    pub max_fact_chars: u32,
    /// How keyword and vector lists are merged.
    pub fusion: Fusion,
    /// Project ids merged into this store.
    pub merged_identities: Vec<String>,
    /// Kept for older clients: provider, model, base URL, credential.
    pub embedding: [Option<String>; 4],
    /// Kept for older clients.
    pub embedding_dimensions: u32,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            retrieval_modes: vec![Mode::Grep, Mode::Keyword],
            default_mode: Mode::Keyword,
            max_fact_chars: 8_192,
            fusion: Fusion::Mix,
            merged_identities: Vec::new(),
            embedding: [const { None }; 4],
            embedding_dimensions: 768,
        }
    }
}

/// The file, as it is written. Every key is optional; unknown ones are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct StoreFile {
    /// The project's ULID, for people who look.
    pub project_id: Option<String>,
    /// The name that the person gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether recall, search and injection use it; absent: yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// RFC 3339.
    pub created_at: Option<String>,
    /// RFC 3339: the last change of this file by Coffer.
    pub updated_at: Option<String>,
    /// The project's main folders, by host name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub project_roots: BTreeMap<String, Vec<PathBuf>>,
    /// Normalized URL of `origin`, without credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// The project's first commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_commit: Option<String>,
    /// Project ids merged into this store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merged_identities: Vec<String>,
    /// Settings that differ from the defaults.
    #[serde(skip_serializing_if = "ConfigFile::is_empty")]
    pub config: ConfigFile,
    /// What a newer program or a person wrote.
    #[serde(flatten)]
    pub others: serde_yaml::Mapping,
}

/// The `config` part: only what was set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ConfigFile {
    /// Modes that recall may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retrieval_modes: Option<Vec<String>>,
    /// The mode of a recall that names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_mode: Option<String>,
    /// The most characters of a fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_fact_chars: Option<u32>,
    /// `mix` or `rrf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<String>,
    /// Kept for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_provider: Option<String>,
    /// Kept for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    /// Kept for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_base_url: Option<String>,
    /// Kept for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_credential_ref: Option<String>,
    /// Kept for older clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_dimensions: Option<u32>,
    /// What a newer program or a person wrote.
    #[serde(flatten)]
    pub others: serde_yaml::Mapping,
}

impl ConfigFile {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl SettingsFile for StoreFile {}

impl StoreFile {
    /// The settings, defaults where the file says nothing or something that cannot be.
    pub(super) fn settings(&self) -> StoreConfig {
        let default = StoreConfig::default();
        let config = &self.config;
        StoreConfig {
            retrieval_modes: self.retrieval_modes().unwrap_or(default.retrieval_modes),
            default_mode: self.default_mode().unwrap_or(default.default_mode),
            max_fact_chars: config
                .max_fact_chars
                .filter(|chars| FACT_CHARS.contains(chars))
                .unwrap_or(default.max_fact_chars),
            fusion: self.fusion().unwrap_or(default.fusion),
            merged_identities: self.merged_identities.clone(),
            embedding: [
                config.embedding_provider.clone(),
                config.embedding_model.clone(),
                config.embedding_base_url.clone(),
                config.embedding_credential_ref.clone(),
            ],
            embedding_dimensions: config
                .embedding_dimensions
                .filter(|dimensions| DIMENSIONS.contains(dimensions))
                .unwrap_or(default.embedding_dimensions),
        }
    }

    /// The modes that the person allowed, if they said so.
    fn retrieval_modes(&self) -> Option<Vec<Mode>> {
        let words = self.config.retrieval_modes.as_ref()?;
        let modes: Vec<Mode> = words.iter().filter_map(|word| Mode::parse(word)).collect();
        (!modes.is_empty()).then_some(modes)
    }

    /// The mode of a recall that names none, if the person chose one.
    pub(super) fn default_mode(&self) -> Option<Mode> {
        self.config.default_mode.as_deref().and_then(Mode::parse)
    }

    /// How keyword and vector lists are merged, if the person chose.
    pub(super) fn fusion(&self) -> Option<Fusion> {
        match self.config.fusion.as_deref()? {
            "rrf" => Some(Fusion::Rrf),
            "mix" => Some(Fusion::Mix),
            _ => None,
        }
    }

    /// Whether recall may use a mode. Vectors, once turned on, may be used unless the person's list
    /// leaves them out.
    pub(super) fn allows(&self, mode: Mode) -> bool {
        let meaning = [Mode::Vector, Mode::Hybrid];
        match self.retrieval_modes() {
            Some(modes) if meaning.contains(&mode) => meaning.iter().any(|it| modes.contains(it)),
            Some(modes) => modes.contains(&mode),
            None => true,
        }
    }

    /// Whether recall, search and injection use the store.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// The project's folders on this machine, the latest last.
    pub(super) fn roots_here(&self) -> &[PathBuf] {
        self.project_roots.get(&host_name()).map_or(&[], Vec::as_slice)
    }

    /// When the store was made.
    pub(super) fn created_at(&self) -> Option<Timestamp> {
        self.created_at.as_deref().and_then(Timestamp::parse)
    }
}

/// A store's file as it is to be written.
pub(super) struct Changed {
    /// What stands there, if anything.
    pub before: Option<File>,
    /// The new text.
    pub text: String,
    /// What it says.
    pub file: StoreFile,
}

impl Memory {
    /// What a store's file says; `None` for a store without a folder. A folder without the file,
    /// or with one that cannot be read, has all defaults: its texts count all the same.
    pub(super) fn store_file(&self, store: &StoreName) -> Result<Option<StoreFile>> {
        let Some(dir) = self.store_ref(store).found()? else { return Ok(None) };
        let Some(stat) = dir.stat("store.yaml")? else { return Ok(Some(StoreFile::default())) };
        if let Some((seen, file)) = locked(&self.0.files).get(store)
            && *seen == stat
        {
            return Ok(Some(file.clone()));
        }
        let Some(file) = dir.read("store.yaml")? else { return Ok(Some(StoreFile::default())) };
        let (parsed, problem) = StoreFile::read(&String::from_utf8_lossy(&file.bytes));
        if let Some(problem) = problem {
            tracing::warn!(%store, problem, "store.yaml cannot be read fully");
        }
        locked(&self.0.files).insert(store.clone(), (file.stat, parsed.clone()));
        Ok(Some(parsed))
    }

    /// Why a store's file cannot be read fully, if so.
    pub(crate) fn store_file_problem(&self, store: &StoreName) -> Option<String> {
        match self
            .store_ref(store)
            .found()
            .and_then(|dir| dir.map_or(Ok(None), |dir| dir.read("store.yaml")))
        {
            Ok(Some(file)) => StoreFile::read(&String::from_utf8_lossy(&file.bytes)).1,
            Ok(None) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    /// Changes a store's file. One that does not parse is left as it is.
    pub(super) fn change_store_file(
        &self,
        store: &StoreName,
        now: Timestamp,
        change: impl FnOnce(&mut StoreFile),
    ) -> Result<StoreFile> {
        let at = self.store_ref(store);
        self.knowledge().exclusively(&at, || {
            let dir = at.dir()?;
            let changed = self.changed_store_file(store, &dir, now, change)?;
            let expect = Expect::as_read(changed.before.as_ref());
            dir.write("store.yaml", changed.text.as_bytes(), expect)?;
            Ok(changed.file)
        })
    }

    /// What a change makes of a store's file, which the caller writes.
    pub(super) fn changed_store_file(
        &self,
        store: &StoreName,
        dir: &Dir,
        now: Timestamp,
        change: impl FnOnce(&mut StoreFile),
    ) -> Result<Changed> {
        let before = dir.read("store.yaml")?;
        let text = before.as_ref().map(|file| String::from_utf8_lossy(&file.bytes));
        let text = text.as_deref().unwrap_or_default();
        let read = StoreFile::parse(text).map_err(|problem| {
            let path = self.paths(store).store_file();
            Error::NotEditable { path, reason: format!("it does not parse: {problem}") }
        })?;
        let mut file = read.clone();
        change(&mut file);
        file.updated_at = Some(now.whole_second().to_string());
        let text = StoreFile::spliced(text, &read, &file)?;
        Ok(Changed { before, text, file })
    }

    /// A store's settings; the defaults for one that does not exist.
    pub(super) fn config_of(&self, store: &StoreName) -> Result<StoreConfig> {
        Ok(self.store_file(store)?.unwrap_or_default().settings())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_odd_value_spoils_no_other() {
        let (file, problem) =
            StoreFile::read("label: [x]\nenabled: false\nconfig: {max_fact_chars: 99}\n");
        assert!(problem.is_some());
        assert!(!file.is_enabled() && file.settings().max_fact_chars == 99);
        let (file, problem) = StoreFile::read("enabled: [");
        assert!(problem.is_some() && file == StoreFile::default());
    }

    #[test]
    fn unknown_keys_and_odd_words_survive() {
        let text = "label: 'no'\ncustom: {a: [1, 2]}\nconfig:\n  max_fact_chars: 100\n  later: x\n";
        let file = StoreFile::parse(text).unwrap();
        assert_eq!(file.label.as_deref(), Some("no"));
        assert_eq!(file.settings().max_fact_chars, 100);
        let again = StoreFile::parse(&file.render().unwrap()).unwrap();
        assert_eq!(again, file);
        assert!(again.others.contains_key("custom") && again.config.others.contains_key("later"));
    }

    #[test]
    fn bad_values_fall_back_and_hostile_files_are_refused() {
        let file = StoreFile::parse("config: {max_fact_chars: 5, default_mode: magic}").unwrap();
        assert_eq!(file.settings(), StoreConfig::default());
        assert!(StoreFile::parse("label: [").is_err());
        assert!(StoreFile::parse(&"[".repeat(20_000)).is_err());
        assert_eq!(StoreFile::parse("").unwrap(), StoreFile::default());
    }

    #[test]
    fn a_change_leaves_the_rest_of_the_file_as_it_was_written() {
        let text = "# mine\nlabel: 'Old' # why\nconfig:\n  # long notes\n  max_fact_chars: 100\n\
                    # the end\nenabled:   true\nmerged_identities:\n- a\n- b";
        let before = StoreFile::parse(text).unwrap();
        let mut after = before.clone();
        after.label = Some("New".into());
        after.description = Some("more".into());
        assert_eq!(
            StoreFile::spliced(text, &before, &after).unwrap(),
            "# mine\nlabel: New\nconfig:\n  # long notes\n  max_fact_chars: 100\n# the end\n\
             enabled:   true\nmerged_identities:\n- a\n- b\ndescription: more\n"
        );
        after.label = None;
        after.enabled = None;
        let less = StoreFile::spliced(text, &before, &after).unwrap();
        assert!(!less.contains("label") && !less.contains("enabled") && less.contains("# the end"));
        let flow = "{label: a, config: {later: x}}";
        let before = StoreFile::parse(flow).unwrap();
        let after = StoreFile { label: Some("b".into()), ..before.clone() };
        let whole = StoreFile::spliced(flow, &before, &after).unwrap();
        assert_eq!(StoreFile::parse(&whole).unwrap(), after);
    }
}
