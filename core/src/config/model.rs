//! Which models are used: one that embeds texts, one that writes them. Both are optional.

use coffer_domain::credential::CredentialRef;

use super::endpoint::Endpoint;
use super::provider::Provider;
use crate::error::{Error, Result};

const MODEL_CHARS: usize = 200;
const DIMENSIONS: std::ops::RangeInclusive<u32> = 1..=8192;

/// A model, where it is asked, and with which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSource {
    /// Who serves it.
    pub provider: Provider,
    /// Its name: up to 200 characters. Azure's is the deployment's.
    pub model: String,
    /// Another address than the provider's own.
    pub base_url: Option<String>,
    /// The credential that holds the key.
    pub credential_ref: Option<CredentialRef>,
}

/// The model that embeds texts, for all stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingConfig {
    /// The model.
    pub source: ModelSource,
    /// Width of its vectors, 1 to 8,192; `None`: what the model answers.
    pub dimensions: Option<u32>,
}

/// The model that writes texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// The model; it is not `Provider::Local`.
    pub source: ModelSource,
}

/// Why a model cannot be set: which field, and what is wrong with it.
pub(super) type Wrong = (&'static str, String);

impl ModelSource {
    /// Where it is asked; `None` for a model in this process.
    ///
    /// # Errors
    ///
    /// `Invalid` for an address that is refused, or none where the provider has no own one.
    pub fn endpoint(&self) -> Result<Option<Endpoint>> {
        self.place().map_err(invalid)
    }

    /// Whether both are asked over the network at the same scheme, host and port.
    pub(crate) fn is_asked_where(&self, other: &Self) -> bool {
        let origin = |source: &Self| {
            let endpoint = source.place().ok().flatten();
            endpoint.map(|endpoint| endpoint.origin().to_owned())
        };
        origin(self).is_some_and(|own| origin(other) == Some(own))
    }

    fn place(&self) -> Result<Option<Endpoint>, Wrong> {
        let text = match (self.provider, self.base_url.as_deref()) {
            (Provider::Local, None) => return Ok(None),
            (Provider::Local, Some(_)) => {
                return Err(("base_url", "must be left out: the model runs here".to_owned()));
            }
            (provider, given) => given.or(provider.base_url()),
        };
        let text = text.ok_or_else(|| {
            let reason = "must name your own resource, as in `https://NAME.openai.azure.com`";
            ("base_url", reason.to_owned())
        })?;
        Endpoint::parse(text).map(Some).map_err(|reason| ("base_url", reason))
    }

    fn check(&self) -> Result<(), Wrong> {
        let length = self.model.chars().count();
        let is_plain = !self.model.contains(char::is_control) && self.model.trim() == self.model;
        if length == 0 || length > MODEL_CHARS || !is_plain {
            let reason = format!("must be the model's name, 1 to {MODEL_CHARS} characters");
            return Err(("model", reason));
        }
        if self.provider == Provider::Local && self.credential_ref.is_some() {
            return Err(("credential_ref", "must be left out: the model runs here".to_owned()));
        }
        self.place().map(drop)
    }
}

impl EmbeddingConfig {
    /// The same with the engine's key where it has none of its own, its provider needs one, and both
    /// are asked at the same place: a key is of one company.
    #[must_use]
    pub fn or_key_of(mut self, engine: Option<&EngineConfig>) -> Self {
        let source = &mut self.source;
        if source.provider.needs_key() && source.credential_ref.is_none() {
            let engine = engine.map(|engine| &engine.source);
            let engine = engine.filter(|engine| engine.is_asked_where(source));
            source.credential_ref = engine.and_then(|engine| engine.credential_ref.clone());
        }
        self
    }

    /// Whether it may be set.
    ///
    /// # Errors
    ///
    /// `Invalid`, naming the field.
    pub fn check(&self) -> Result<()> {
        self.judge().map_err(invalid)
    }

    pub(super) fn judge(&self) -> Result<(), Wrong> {
        self.source.check()?;
        match self.dimensions {
            Some(width) if !DIMENSIONS.contains(&width) => {
                Err(("dimensions", "must be a whole number, 1 to 8192".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

impl EngineConfig {
    /// Whether it may be set.
    ///
    /// # Errors
    ///
    /// `Invalid`, naming the field.
    pub fn check(&self) -> Result<()> {
        self.judge().map_err(invalid)
    }

    pub(super) fn judge(&self) -> Result<(), Wrong> {
        if self.source.provider == Provider::Local {
            let reason = "must be one that writes texts; `local` models only embed".to_owned();
            return Err(("provider", reason));
        }
        self.source.check()
    }
}

fn invalid((field, reason): Wrong) -> Error {
    Error::Invalid { field, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(provider: Provider, base_url: Option<&str>) -> ModelSource {
        let base_url = base_url.map(str::to_owned);
        ModelSource { provider, model: "m".to_owned(), base_url, credential_ref: None }
    }

    #[track_caller]
    fn check(source: ModelSource, dimensions: Option<u32>, field: Option<&str>) {
        let wrong = EmbeddingConfig { source, dimensions }.judge().err();
        assert_eq!(wrong.map(|(field, _)| field), field);
    }

    #[test]
    fn what_is_refused_names_its_field() {
        let named =
            |model: &str| ModelSource { model: model.to_owned(), ..source(Provider::OpenAi, None) };
        check(named("text-embedding-3-small"), None, None);
        check(named(&"x".repeat(200)), Some(8192), None);
        for model in ["", " a", "a\n", &"x".repeat(201)] {
            check(named(model), None, Some("model"));
        }
        for dimensions in [0, 8193] {
            check(named("a"), Some(dimensions), Some("dimensions"));
        }
        check(source(Provider::Azure, None), None, Some("base_url"));
        check(source(Provider::Azure, Some("https://x.openai.azure.com")), None, None);
        check(source(Provider::OpenAi, Some("http://169.254.169.254")), None, Some("base_url"));
        check(source(Provider::Local, None), None, None);
        check(source(Provider::Local, Some("http://localhost")), None, Some("base_url"));
        let credential_ref = CredentialRef::parse("x");
        let keyed = ModelSource { credential_ref, ..source(Provider::Local, None) };
        check(keyed, None, Some("credential_ref"));
        let engine = EngineConfig { source: source(Provider::Local, None) };
        assert_eq!(engine.judge().unwrap_err().0, "provider");
    }

    #[test]
    fn the_engines_key_stands_in_only_where_one_is_needed_and_at_its_own_place() {
        let key = CredentialRef::parse("engine");
        let with = |engine: ModelSource, source| {
            let source_of_engine = ModelSource { credential_ref: key.clone(), ..engine };
            let engine = EngineConfig { source: source_of_engine };
            let config = EmbeddingConfig { source, dimensions: None };
            config.or_key_of(Some(&engine)).source.credential_ref
        };
        let openai = || source(Provider::OpenAi, None);
        assert_eq!(with(openai(), openai()), key);
        let spelled = source(Provider::OpenAi, Some("https://API.openai.com:443/v2/"));
        assert_eq!(with(openai(), spelled), key);
        // Another company, another port, another scheme.
        assert_eq!(with(openai(), source(Provider::Voyage, None)), None);
        let mine = |url| source(Provider::OpenAi, Some(url));
        assert_eq!(with(mine("https://10.0.0.1"), mine("https://10.0.0.1:8443")), None);
        assert_eq!(with(mine("https://10.0.0.1"), mine("http://10.0.0.1")), None);
        assert_eq!(with(openai(), source(Provider::Azure, None)), None, "it has no place");
        let ollama = || source(Provider::Ollama, None);
        assert_eq!(with(ollama(), ollama()), None, "it needs none");
        assert_eq!(with(openai(), source(Provider::Local, None)), None);
        let own = CredentialRef::parse("own");
        let keyed = ModelSource { credential_ref: own.clone(), ..openai() };
        assert_eq!(with(openai(), keyed), own);
    }
}
