//! `kb.yaml`: description and settings of a knowledge base, so that no database is needed for them.

use coffer_domain::credential::CredentialRef;
use coffer_domain::kb::KbName;
use coffer_domain::store::Mode;
use coffer_domain::time::Timestamp;
use coffer_env::KbPaths;
use serde::{Deserialize, Serialize};

use super::config::{CHUNKS, DOCUMENT_BYTES, KnowledgeBaseConfig};
use super::{KnowledgeBases, locked};
use crate::config::{EmbeddingConfig, ModelSource, Provider};
use crate::error::{Error, Result};
use crate::knowledge::{SettingsFile, StoreRef};
use crate::vault::{Dir, Expect, Stat};

/// The file, as it is written. Every key is optional; unknown ones are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KbFile {
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether search uses it; absent: yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// RFC 3339: the last change of this file by Coffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
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
    /// Modes that search may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled_modes: Option<Vec<String>>,
    /// The mode of search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_mode: Option<String>,
    /// The most tokens of a passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_size: Option<u32>,
    /// How many of them two passages of one long block share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_overlap: Option<u32>,
    /// The most bytes of an original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_document_bytes: Option<u64>,
    /// Its own model; absent: the one of Coffer's settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<EmbeddingFile>,
    /// Whether looking at the sources takes in what changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_update_sources: Option<bool>,
    /// What a newer program or a person wrote.
    #[serde(flatten)]
    pub others: serde_yaml::Mapping,
}

/// A model that embeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EmbeddingFile {
    provider: String,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credential_ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dimensions: Option<u32>,
}

impl SettingsFile for KbFile {}

impl ConfigFile {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The mode that the person chose.
    pub(super) fn default_mode(&self) -> Option<Mode> {
        self.default_mode.as_deref().and_then(Mode::parse)
    }

    /// The settings, defaults where the file says nothing or something that cannot be.
    pub(super) fn settings(&self) -> KnowledgeBaseConfig {
        let default = KnowledgeBaseConfig::default();
        let modes = self
            .enabled_modes
            .as_ref()
            .map(|words| words.iter().filter_map(|word| Mode::parse(word)).collect::<Vec<Mode>>());
        let enabled_modes =
            modes.filter(|modes| !modes.is_empty()).unwrap_or(default.enabled_modes);
        let chunk_size =
            self.chunk_size.filter(|it| CHUNKS.contains(it)).unwrap_or(default.chunk_size);
        let chunk_overlap = self.chunk_overlap.unwrap_or(default.chunk_overlap);
        let default_mode = self.default_mode().filter(|mode| enabled_modes.contains(mode));
        KnowledgeBaseConfig {
            default_mode: default_mode.unwrap_or_else(|| preferred(&enabled_modes)),
            enabled_modes,
            chunk_size,
            chunk_overlap: chunk_overlap.min(chunk_size / 2),
            max_document_bytes: self
                .max_document_bytes
                .filter(|bytes| DOCUMENT_BYTES.contains(bytes))
                .unwrap_or(default.max_document_bytes),
            embedding: self.embedding.as_ref().and_then(EmbeddingFile::config),
            auto_update_sources: self.auto_update_sources.unwrap_or(default.auto_update_sources),
        }
    }
}

/// The mode of those who chose none.
pub(super) fn preferred(modes: &[Mode]) -> Mode {
    let known = [Mode::Hybrid, Mode::Keyword, Mode::Vector, Mode::Grep];
    known.into_iter().find(|mode| modes.contains(mode)).unwrap_or(Mode::Keyword)
}

impl EmbeddingFile {
    /// How a model is written.
    pub(super) fn of(config: &EmbeddingConfig) -> Self {
        let EmbeddingConfig { source, dimensions } = config;
        let ModelSource { provider, model, base_url, credential_ref } = source;
        Self {
            provider: provider.name().to_owned(),
            model: model.clone(),
            base_url: base_url.clone(),
            credential_ref: credential_ref.as_ref().map(ToString::to_string),
            dimensions: *dimensions,
        }
    }

    /// The model; `None` for one that cannot be used.
    fn config(&self) -> Option<EmbeddingConfig> {
        let credential_ref = match &self.credential_ref {
            Some(name) => Some(CredentialRef::parse(name)?),
            None => None,
        };
        let source = ModelSource {
            provider: Provider::parse(&self.provider)?,
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            credential_ref,
        };
        let config = EmbeddingConfig { source, dimensions: self.dimensions };
        config.check().is_ok().then_some(config)
    }
}

impl KbFile {
    /// Whether search uses it.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled != Some(false)
    }

    /// When it was made.
    pub(super) fn created_at(&self) -> Option<Timestamp> {
        self.created_at.as_deref().and_then(Timestamp::parse)
    }

    /// When Coffer last changed it.
    pub(super) fn updated_at(&self) -> Option<Timestamp> {
        self.updated_at.as_deref().and_then(Timestamp::parse)
    }
}

/// The file as it was read: with its stat, if there is one.
pub(super) type Read = (Option<Stat>, KbFile);

impl KnowledgeBases {
    /// What a file says, if its stat is another one than when it was last read; else what it said.
    pub(super) fn read_file(&self, name: &KbName, dir: &Dir) -> Result<(KbFile, bool)> {
        let stat = dir.stat(KbPaths::FILE)?;
        if let Some((seen, file)) = locked(&self.0.files).get(name)
            && *seen == stat
        {
            return Ok((file.clone(), false));
        }
        let (stat, file) = match dir.read(KbPaths::FILE)? {
            None => (None, KbFile::default()),
            Some(found) => {
                let (file, problem) = KbFile::read(&String::from_utf8_lossy(&found.bytes));
                if let Some(problem) = problem {
                    tracing::warn!(kb = %name, problem, "kb.yaml cannot be read fully");
                }
                (Some(found.stat), file)
            }
        };
        locked(&self.0.files).insert(name.clone(), (stat, file.clone()));
        Ok((file, true))
    }

    /// Why a file cannot be read fully, if so.
    pub(crate) fn file_problem(&self, name: &KbName) -> Option<String> {
        let dir = Dir::find(self.paths(name).root());
        match dir.and_then(|dir| dir.map_or(Ok(None), |dir| dir.read(KbPaths::FILE))) {
            Ok(Some(file)) => KbFile::read(&String::from_utf8_lossy(&file.bytes)).1,
            Ok(None) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    /// Changes a file. One that does not parse is left as it is.
    pub(super) fn change_file(
        &self,
        at: &StoreRef,
        now: Timestamp,
        change: impl FnOnce(&mut KbFile),
    ) -> Result<()> {
        self.0.knowledge.exclusively(at, || {
            let dir = at.dir()?;
            let before = dir.read(KbPaths::FILE)?;
            let text = before.as_ref().map(|file| String::from_utf8_lossy(&file.bytes));
            let text = text.as_deref().unwrap_or_default();
            let read = KbFile::parse(text).map_err(|problem| Error::NotEditable {
                path: KbPaths::at(at.root.clone()).file(),
                reason: format!("it does not parse: {problem}"),
            })?;
            let mut file = read.clone();
            change(&mut file);
            if file == read {
                return Ok(());
            }
            file.updated_at = Some(now.whole_second().to_string());
            let text = KbFile::spliced(text, &read, &file)?;
            dir.write(KbPaths::FILE, text.as_bytes(), Expect::as_read(before.as_ref())).map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> KnowledgeBaseConfig {
        KbFile::parse(text).unwrap().config.settings()
    }

    #[test]
    fn what_a_file_leaves_out_or_gets_wrong_is_the_default() {
        let default = KnowledgeBaseConfig::default();
        for text in [
            "",
            "config: {chunk_size: 9, max_document_bytes: 1, default_mode: magic}",
            "config: {enabled_modes: [], default_mode: hybrid}",
            "config: {embedding: {provider: nobody, model: x}}",
        ] {
            assert_eq!(settings(text), default, "{text}");
        }
    }

    #[test]
    fn settings_fit_each_other() {
        let small = settings("config: {chunk_size: 64, chunk_overlap: 64}");
        assert_eq!((small.chunk_size, small.chunk_overlap), (64, 32));
        let grep = settings("config: {enabled_modes: [grep]}");
        assert_eq!(grep.default_mode, Mode::Grep);
        let own = settings("config: {embedding: {provider: ollama, model: m, dimensions: 8}}");
        assert_eq!(own.embedding.unwrap().dimensions, Some(8));
    }

    #[test]
    fn a_file_is_written_as_it_is_read() {
        let text = "description: 'no'\nlater: [1]\nconfig:\n  chunk_size: 100\n  more: x\n";
        let file = KbFile::parse(text).unwrap();
        assert_eq!(KbFile::parse(&file.render().unwrap()).unwrap(), file);
        assert!(file.others.contains_key("later") && file.config.others.contains_key("more"));
    }
}
