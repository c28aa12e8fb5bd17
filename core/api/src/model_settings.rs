//! Which models are used: one that embeds texts, one that writes them.

use crate::{reply, words};

words! {
    /// Who serves a model.
    pub enum Provider {
        /// OpenAI, and whatever speaks as it does at another address.
        Openai,
        /// OpenRouter.
        Openrouter,
        /// Voyage AI.
        Voyage,
        /// Jina AI.
        Jina,
        /// Google's Gemini.
        Gemini,
        /// Azure OpenAI; the model is the deployment's name.
        Azure,
        /// Alibaba's DashScope.
        Dashscope,
        /// Ollama.
        Ollama,
        /// LM Studio.
        Lmstudio,
        /// A model in Coffer's own process; it only embeds.
        Local,
    }
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 10] = [
        Self::Openai,
        Self::Openrouter,
        Self::Voyage,
        Self::Jina,
        Self::Gemini,
        Self::Azure,
        Self::Dashscope,
        Self::Ollama,
        Self::Lmstudio,
        Self::Local,
    ];
}

/// The model that embeds texts, as it is set and shown.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EmbeddingSettings {
    /// Who serves it.
    pub provider: Provider,
    /// Its name, up to 200 characters.
    pub model: String,
    /// Another address than the provider's own; `http` only for this machine and private networks.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The credential that holds the key; null: the engine's, where one is needed and the host is
    /// the same.
    #[serde(default)]
    pub credential_ref: Option<String>,
    /// Width of its vectors, 1 to 8,192; null: what the model answers.
    #[serde(default)]
    pub dimensions: Option<u32>,
}

/// The model that writes texts, as it is set and shown.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    /// Who serves it; not `local`.
    pub provider: Provider,
    /// Its name, up to 200 characters.
    pub model: String,
    /// Another address than the provider's own; `http` only for this machine and private networks.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The credential that holds the key.
    #[serde(default)]
    pub credential_ref: Option<String>,
}

reply! {
    /// How it went to try a model.
    pub struct TrialOut {
        /// Whether it answered as it should.
        pub ok: bool,
        /// What happened.
        pub message: String,
        /// Width of the vectors of a model that embeds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub dimension: Option<u32>,
    }
}
