//! The settings of a knowledge base: what they may be, and changing them.

use coffer_domain::fact::checked_label;
use coffer_domain::store::Mode;

use super::file::{ConfigFile, EmbeddingFile, KbFile, preferred};
use crate::config::EmbeddingConfig;
use crate::error::{Error, Result};

/// The limits of `chunk_size`, in tokens.
pub(super) const CHUNKS: std::ops::RangeInclusive<u32> = 64..=2_048;
/// The limits of `max_document_bytes`.
pub(super) const DOCUMENT_BYTES: std::ops::RangeInclusive<u64> = (1 << 10)..=(100 << 20);

/// The settings of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeBaseConfig {
    /// Modes that search may use.
    pub enabled_modes: Vec<Mode>,
    /// The mode of search.
    pub default_mode: Mode,
    /// The most tokens of a passage.
    pub chunk_size: u32,
    /// How many of them two passages of one long block share.
    pub chunk_overlap: u32,
    /// The most bytes of an original.
    pub max_document_bytes: u64,
    /// Its own model; absent: the one of Coffer's settings.
    pub embedding: Option<EmbeddingConfig>,
    /// Whether looking at the sources takes in what changed.
    pub auto_update_sources: bool,
}

impl Default for KnowledgeBaseConfig {
    fn default() -> Self {
        Self {
            enabled_modes: vec![Mode::Keyword, Mode::Grep],
            default_mode: Mode::Keyword,
            chunk_size: 512,
            chunk_overlap: 64,
            max_document_bytes: 25 << 20,
            embedding: None,
            auto_update_sources: false,
        }
    }
}

impl KnowledgeBaseConfig {
    /// Whether passages get vectors.
    pub(super) fn has_vectors(&self) -> bool {
        self.enabled_modes.contains(&Mode::Vector)
    }
}

/// A change of description and settings; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct BasePatch {
    /// What it is for; empty takes it away.
    pub description: Option<String>,
    /// Modes that search may use.
    pub enabled_modes: Option<Vec<Mode>>,
    /// The mode of search.
    pub default_mode: Option<Mode>,
    /// The most tokens of a passage.
    pub chunk_size: Option<u32>,
    /// How many of them two passages of one long block share.
    pub chunk_overlap: Option<u32>,
    /// The most bytes of an original.
    pub max_document_bytes: Option<u64>,
    /// Its own model; `Some(None)`: none any more.
    pub embedding: Option<Option<EmbeddingConfig>>,
    /// Whether looking at the sources takes in what changed.
    pub auto_update_sources: Option<bool>,
}

impl BasePatch {
    /// Makes the change, or says which value cannot be; `has_model`: Coffer's settings name a model
    /// that embeds.
    pub(super) fn apply(&self, file: &mut KbFile, has_model: bool) -> Result<()> {
        if let Some(text) = self.description.as_deref().map(str::trim) {
            let text = (!text.is_empty()).then(|| checked_label("description", text));
            file.description = text.transpose()?;
        }
        let config = &mut file.config;
        if let Some(embedding) = &self.embedding {
            embedding.as_ref().map_or(Ok(()), EmbeddingConfig::check)?;
            config.embedding = embedding.as_ref().map(EmbeddingFile::of);
        }
        self.set_modes(config, has_model)?;
        self.set_chunks(config)?;
        if let Some(bytes) = self.max_document_bytes {
            if !DOCUMENT_BYTES.contains(&bytes) {
                return invalid("max_document_bytes", "must be 1024 to 104857600");
            }
            config.max_document_bytes = Some(bytes);
        }
        config.auto_update_sources = self.auto_update_sources.or(config.auto_update_sources);
        Ok(())
    }

    /// Vectors need a model, and bring the mode that uses them beside the terms.
    fn set_modes(&self, config: &mut ConfigFile, has_model: bool) -> Result<()> {
        let asked = self.enabled_modes.clone();
        let mut modes = asked.unwrap_or_else(|| config.settings().enabled_modes);
        if modes.is_empty() {
            return invalid("enabled_modes", "must name at least one mode");
        }
        let meaning = [Mode::Vector, Mode::Hybrid];
        if modes.iter().any(|mode| meaning.contains(mode)) {
            if !has_model && config.embedding.is_none() {
                let reason = "with `vector` needs `embedding`, or a model in Coffer's settings";
                return invalid("enabled_modes", reason);
            }
            modes.extend(meaning);
        }
        let mut seen = std::collections::HashSet::new();
        modes.retain(|mode| seen.insert(*mode));
        let chosen = self.default_mode.or(config.default_mode());
        if let Some(mode) = chosen.filter(|mode| !modes.contains(mode)) {
            let reason = format!("`{}` must be one of `enabled_modes`", mode.as_str());
            return invalid("default_mode", reason);
        }
        if self.enabled_modes.is_some() {
            let words = modes.iter().map(|mode| mode.as_str().to_owned());
            config.enabled_modes = Some(words.collect());
        }
        debug_assert!(modes.contains(&chosen.unwrap_or_else(|| preferred(&modes))));
        config.default_mode = chosen.map(|mode| mode.as_str().to_owned());
        Ok(())
    }

    fn set_chunks(&self, config: &mut ConfigFile) -> Result<()> {
        config.chunk_size = self.chunk_size.or(config.chunk_size);
        config.chunk_overlap = self.chunk_overlap.or(config.chunk_overlap);
        let default = KnowledgeBaseConfig::default();
        let size = config.chunk_size.unwrap_or(default.chunk_size);
        if !CHUNKS.contains(&size) {
            return invalid("chunk_size", "must be 64 to 2048");
        }
        match config.chunk_overlap {
            Some(overlap) if overlap > size / 2 => {
                let reason = format!("must be 0 to {}, half of `chunk_size`", size / 2);
                invalid("chunk_overlap", reason)
            }
            _ => Ok(()),
        }
    }
}

fn invalid<T>(field: &'static str, reason: impl Into<String>) -> Result<T> {
    Err(Error::Invalid { field, reason: reason.into() })
}

#[cfg(test)]
mod tests {
    use crate::config::{ModelSource, Provider};

    use super::*;

    fn refused(patch: &BasePatch) -> &'static str {
        match patch.apply(&mut KbFile::default(), false) {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_that_cannot_be_are_named() {
        let none = BasePatch::default();
        let cases = [
            (BasePatch { chunk_size: Some(63), ..none.clone() }, "chunk_size"),
            (BasePatch { chunk_overlap: Some(257), ..none.clone() }, "chunk_overlap"),
            (BasePatch { max_document_bytes: Some(1), ..none.clone() }, "max_document_bytes"),
            (BasePatch { enabled_modes: Some(vec![]), ..none.clone() }, "enabled_modes"),
            (
                BasePatch { enabled_modes: Some(vec![Mode::Vector]), ..none.clone() },
                "enabled_modes",
            ),
            (BasePatch { default_mode: Some(Mode::Hybrid), ..none }, "default_mode"),
        ];
        for (patch, field) in cases {
            assert_eq!(refused(&patch), field, "{patch:?}");
        }
    }

    #[test]
    fn vectors_bring_hybrid_which_becomes_the_default_unless_one_was_set() {
        let source = ModelSource {
            provider: Provider::Ollama,
            model: "m".to_owned(),
            base_url: None,
            credential_ref: None,
        };
        let embedding = Some(Some(EmbeddingConfig { source, dimensions: None }));
        let on = BasePatch {
            enabled_modes: Some(vec![Mode::Keyword, Mode::Vector]),
            embedding,
            ..BasePatch::default()
        };
        let mut file = KbFile::default();
        on.apply(&mut file, false).unwrap();
        let settings = file.config.settings();
        assert_eq!(settings.enabled_modes, [Mode::Keyword, Mode::Vector, Mode::Hybrid]);
        assert_eq!(settings.default_mode, Mode::Hybrid);
        let mut file = KbFile::default();
        let grep = BasePatch { default_mode: Some(Mode::Keyword), ..BasePatch::default() };
        grep.apply(&mut file, true).unwrap();
        on.apply(&mut file, true).unwrap();
        assert_eq!(file.config.settings().default_mode, Mode::Keyword);
        let off = BasePatch { embedding: Some(None), ..BasePatch::default() };
        assert!(off.apply(&mut file.clone(), false).is_err() && off.apply(&mut file, true).is_ok());
    }
}
