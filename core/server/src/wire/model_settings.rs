//! Which models are used, and how a trial of one went.

use coffer_api::model_settings::{EmbeddingSettings, EngineSettings, Provider, TrialOut};
use coffer_core::config::{EmbeddingConfig, EngineConfig, ModelSource, Provider as Known};
use coffer_core::models::Trial;
use coffer_domain::credential::{self, CredentialRef};

use crate::error::Failure;

/// The model that embeds, as it is shown.
pub(crate) fn embedding(config: EmbeddingConfig) -> EmbeddingSettings {
    let EmbeddingConfig { source, dimensions } = config;
    let ModelSource { provider, model, base_url, credential_ref } = source;
    let credential_ref = credential_ref.map(|name| name.to_string());
    EmbeddingSettings { provider: shown(provider), model, base_url, credential_ref, dimensions }
}

/// The model that embeds, as it is to be.
pub(crate) fn embedding_in(settings: EmbeddingSettings) -> Result<EmbeddingConfig, Failure> {
    let EmbeddingSettings { provider, model, base_url, credential_ref, dimensions } = settings;
    let source = source(provider, model, base_url, credential_ref)?;
    Ok(EmbeddingConfig { source, dimensions })
}

/// The model that writes, as it is shown.
pub(crate) fn engine(config: EngineConfig) -> EngineSettings {
    let EngineConfig { source } = config;
    let ModelSource { provider, model, base_url, credential_ref } = source;
    let credential_ref = credential_ref.map(|name| name.to_string());
    EngineSettings { provider: shown(provider), model, base_url, credential_ref }
}

/// The model that writes, as it is to be.
pub(crate) fn engine_in(settings: EngineSettings) -> Result<EngineConfig, Failure> {
    let EngineSettings { provider, model, base_url, credential_ref } = settings;
    Ok(EngineConfig { source: source(provider, model, base_url, credential_ref)? })
}

/// How a trial went.
pub(crate) fn trial(trial: Trial) -> TrialOut {
    let Trial { is_ok, message, dimensions } = trial;
    let dimension = dimensions.and_then(|width| u32::try_from(width).ok());
    TrialOut { ok: is_ok, message, dimension }
}

fn source(
    provider: Provider,
    model: String,
    base_url: Option<String>,
    credential_ref: Option<String>,
) -> Result<ModelSource, Failure> {
    let named = credential_ref.map(|name| {
        let wrong = || Failure::field("credential_ref", credential::FORM);
        CredentialRef::parse(&name).ok_or_else(wrong)
    });
    Ok(ModelSource {
        provider: meant(provider),
        model,
        base_url,
        credential_ref: named.transpose()?,
    })
}

const fn shown(provider: Known) -> Provider {
    match provider {
        Known::OpenAi => Provider::Openai,
        Known::OpenRouter => Provider::Openrouter,
        Known::Voyage => Provider::Voyage,
        Known::Jina => Provider::Jina,
        Known::Gemini => Provider::Gemini,
        Known::Azure => Provider::Azure,
        Known::DashScope => Provider::Dashscope,
        Known::Ollama => Provider::Ollama,
        Known::LmStudio => Provider::Lmstudio,
        Known::Local => Provider::Local,
    }
}

const fn meant(provider: Provider) -> Known {
    match provider {
        Provider::Openai => Known::OpenAi,
        Provider::Openrouter => Known::OpenRouter,
        Provider::Voyage => Known::Voyage,
        Provider::Jina => Known::Jina,
        Provider::Gemini => Known::Gemini,
        Provider::Azure => Known::Azure,
        Provider::Dashscope => Known::DashScope,
        Provider::Ollama => Known::Ollama,
        Provider::Lmstudio => Known::LmStudio,
        Provider::Local => Known::Local,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_has_one_name_on_the_wire_and_in_the_file() {
        for provider in Provider::ALL {
            let word = serde_json::to_string(&provider).unwrap();
            assert_eq!(word.trim_matches('"'), meant(provider).name());
            assert_eq!(shown(meant(provider)), provider);
        }
        assert_eq!(Known::all().count(), Provider::ALL.len());
    }
}
