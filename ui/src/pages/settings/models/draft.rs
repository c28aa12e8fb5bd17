//! A model as it is typed, and its way to the server and back.

use std::num::ParseIntError;

use coffer_api::model_settings::{EmbeddingSettings, EngineSettings, Provider, TrialOut};
use coffer_api::routes;
use gloo_net::http::Method;

use crate::api::Api;
use crate::failure::Failure;

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Embedding,
    Engine,
}

/// A model as it is typed; empty where nothing is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) provider: Provider,
    pub(super) model: String,
    pub(super) base_url: String,
    pub(super) credential: String,
    pub(super) dimensions: String,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            provider: Provider::Openai,
            model: String::new(),
            base_url: String::new(),
            credential: String::new(),
            dimensions: String::new(),
        }
    }
}

impl Role {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Embedding => "embedding-model",
            Self::Engine => "engine-model",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Embedding => "Embedding model",
            Self::Engine => "Language model",
        }
    }

    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::Embedding => {
                "Finds what is meant, not only what is written. Optional: recall works by words. \
                 Texts go to this model, without keys and passwords."
            }
            Self::Engine => {
                "Sorts and sums up. Optional. Texts go to this model, without keys and passwords."
            }
        }
    }

    /// Whom it may be served by.
    pub(super) fn providers(self) -> impl Iterator<Item = Provider> {
        let takes_local = self == Self::Embedding;
        let all = Provider::ALL.into_iter();
        all.filter(move |provider| takes_local || *provider != Provider::Local)
    }

    /// What is set.
    pub(super) async fn read(self, api: Api) -> Result<Option<Draft>, Failure> {
        Ok(match self {
            Self::Embedding => {
                let set: Option<EmbeddingSettings> = api.get(routes::SETTINGS_EMBEDDING).await?;
                set.map(Draft::from)
            }
            Self::Engine => {
                let set: Option<EngineSettings> = api.get(routes::SETTINGS_ENGINE).await?;
                set.map(Draft::from)
            }
        })
    }

    /// Sets it, or none; gives what is set then.
    pub(super) async fn set(self, api: Api, to: Option<Draft>) -> Result<Option<Draft>, Failure> {
        Ok(match self {
            Self::Embedding => {
                let (route, body) = (routes::SETTINGS_EMBEDDING, to.map(Draft::embedding));
                let set: Option<EmbeddingSettings> =
                    api.with_body(Method::PUT, route, &body).await?;
                set.map(Draft::from)
            }
            Self::Engine => {
                let (route, body) = (routes::SETTINGS_ENGINE, to.map(Draft::engine));
                let set: Option<EngineSettings> = api.with_body(Method::PUT, route, &body).await?;
                set.map(Draft::from)
            }
        })
    }

    /// What of a draft no model can be set to, before anybody is asked.
    pub(super) fn wrong(self, draft: &Draft) -> Option<&'static str> {
        let is_wrong = self == Self::Embedding && draft.width().is_err();
        is_wrong.then_some("Dimensions must be a whole number, 1 to 8192, or nothing.")
    }

    /// Tries what is typed.
    pub(super) async fn test(self, api: Api, draft: Draft) -> Result<TrialOut, Failure> {
        match self {
            Self::Embedding => api.post(routes::EMBEDDING_TEST, &draft.embedding()).await,
            Self::Engine => api.post(routes::ENGINE_TEST, &draft.engine()).await,
        }
    }
}

impl Draft {
    /// The width that is typed, if one is.
    fn width(&self) -> Result<Option<u32>, ParseIntError> {
        given(&self.dimensions).map(|text| text.parse()).transpose()
    }

    fn embedding(self) -> EmbeddingSettings {
        // What cannot be read is none that the server takes.
        let width = self.width().unwrap_or(Some(0));
        let Self { provider, model, base_url, credential, dimensions: _ } = self;
        EmbeddingSettings {
            provider,
            model: model.trim().to_owned(),
            base_url: given(&base_url),
            credential_ref: given(&credential),
            dimensions: width,
        }
    }

    fn engine(self) -> EngineSettings {
        let Self { provider, model, base_url, credential, dimensions: _ } = self;
        EngineSettings {
            provider,
            model: model.trim().to_owned(),
            base_url: given(&base_url),
            credential_ref: given(&credential),
        }
    }
}

impl From<EmbeddingSettings> for Draft {
    fn from(settings: EmbeddingSettings) -> Self {
        let EmbeddingSettings { provider, model, base_url, credential_ref, dimensions } = settings;
        Self {
            provider,
            model,
            base_url: base_url.unwrap_or_default(),
            credential: credential_ref.unwrap_or_default(),
            dimensions: dimensions.map(|width| width.to_string()).unwrap_or_default(),
        }
    }
}

impl From<EngineSettings> for Draft {
    fn from(settings: EngineSettings) -> Self {
        let EngineSettings { provider, model, base_url, credential_ref } = settings;
        Self {
            provider,
            model,
            base_url: base_url.unwrap_or_default(),
            credential: credential_ref.unwrap_or_default(),
            dimensions: String::new(),
        }
    }
}

fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// How a provider is called.
pub(super) const fn called(provider: Provider) -> &'static str {
    match provider {
        Provider::Openai => "OpenAI, or compatible",
        Provider::Openrouter => "OpenRouter",
        Provider::Voyage => "Voyage AI",
        Provider::Jina => "Jina AI",
        Provider::Gemini => "Gemini",
        Provider::Azure => "Azure OpenAI",
        Provider::Dashscope => "DashScope",
        Provider::Ollama => "Ollama",
        Provider::Lmstudio => "LM Studio",
        Provider::Local => "Installed in Coffer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_comes_back_as_it_was_meant() {
        let draft = Draft {
            provider: Provider::Jina,
            model: " jina ".into(),
            base_url: " ".into(),
            credential: "key".into(),
            dimensions: "64".into(),
        };
        let sent = draft.clone().embedding();
        assert_eq!((sent.model.as_str(), sent.base_url.as_deref()), ("jina", None));
        assert_eq!((sent.credential_ref.as_deref(), sent.dimensions), (Some("key"), Some(64)));
        let back = Draft::from(sent);
        let expected = Draft { model: "jina".into(), base_url: String::new(), ..draft.clone() };
        assert_eq!(back, expected);
        assert_eq!(Draft::from(draft.engine()).dimensions, "");
    }

    #[test]
    fn a_width_that_is_none_is_refused_and_not_left_out() {
        let typed = |text: &str| Draft { dimensions: text.into(), ..Draft::default() };
        for (text, width) in [("", None), (" ", None), ("768", Some(768)), (" 64 ", Some(64))] {
            assert_eq!(Role::Embedding.wrong(&typed(text)), None, "{text}");
            assert_eq!(typed(text).embedding().dimensions, width, "{text}");
        }
        for text in ["3e2", "3.5", "-1", "many", "99999999999"] {
            let wrong = Role::Embedding.wrong(&typed(text)).unwrap();
            assert!(wrong.starts_with("Dimensions must be"), "{text}");
            assert_eq!(typed(text).embedding().dimensions, Some(0), "{text}");
            assert_eq!(Role::Engine.wrong(&typed(text)), None, "it has none");
        }
    }

    #[test]
    fn a_local_model_only_embeds() {
        assert!(Role::Embedding.providers().any(|provider| provider == Provider::Local));
        assert!(Role::Engine.providers().all(|provider| provider != Provider::Local));
    }
}
