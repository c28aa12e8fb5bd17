//! Trying a model: whether it answers, with what it is set to. Nothing is stored, so that a key is
//! bound to no place either; one that was used nowhere yet goes only where it is known to belong.

use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use coffer_env::{Home, clock};

use super::{ModelFailure, Role, open_by, remote};
use crate::config::{EmbeddingConfig, EngineConfig, ModelSource, Settings};
use crate::credentials::Credentials;
use crate::error::{Error, Result};

/// How long a trial takes at most.
const LONGEST: Duration = Duration::from_secs(20);

/// How a trial went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Whether the model answered as it should.
    pub is_ok: bool,
    /// What happened, a sentence for people.
    pub message: String,
    /// Width of the vectors of a model that embeds.
    pub dimensions: Option<usize>,
}

/// Tries the models that settings name, with the keys that they need.
#[derive(Clone)]
pub struct Trials {
    home: Home,
    settings: Settings,
    credentials: Credentials,
}

impl Trials {
    /// Those of one home.
    pub(crate) const fn new(home: Home, settings: Settings, credentials: Credentials) -> Self {
        Self { home, settings, credentials }
    }

    /// Tries a model that embeds: the given one, else the one that is set. Takes 20 seconds at most.
    ///
    /// # Errors
    ///
    /// `NoModelConfigured` when neither is; `Invalid` for one that could not be set.
    pub fn of_embedding(&self, config: Option<EmbeddingConfig>) -> Result<Trial> {
        let config = config.or_else(|| self.settings.embedding());
        let config = config.ok_or(Error::NoModelConfigured("embedding"))?;
        config.check()?;
        let config = config.or_key_of(self.settings.engine().as_ref());
        let (home, credentials) = (self.home.clone(), self.keys_for(&config.source));
        let settings = self.settings.clone();
        Ok(in_time(move |deadline| {
            let embedder = open_by(&config, (&credentials, &settings), &home, deadline)?;
            embedder.embed(&["Does this work?".to_owned()], Role::Query, deadline)?;
            let width = embedder.dimensions();
            let message = format!("`{}` answers vectors of {width} numbers", config.source.model);
            Ok(Trial { is_ok: true, message, dimensions: Some(width) })
        }))
    }

    /// Tries a model that writes: the given one, else the one that is set. Takes 20 seconds at most.
    ///
    /// # Errors
    ///
    /// As `of_embedding`.
    pub fn of_engine(&self, config: Option<EngineConfig>) -> Result<Trial> {
        let config = config.or_else(|| self.settings.engine());
        let config = config.ok_or(Error::NoModelConfigured("the engine"))?;
        config.check()?;
        let credentials = self.keys_for(&config.source);
        Ok(in_time(move |deadline| {
            remote::ping(&config, &credentials, deadline)?;
            let message = format!("`{}` answers", config.source.model);
            Ok(Trial { is_ok: true, message, dimensions: None })
        }))
    }

    /// The credentials for a trial of a model.
    fn keys_for(&self, tried: &ModelSource) -> Credentials {
        let embedding = self.settings.embedding_with_key().map(|config| config.source);
        let engine = self.settings.engine().map(|config| config.source);
        let saved: Vec<ModelSource> = embedding.into_iter().chain(engine).collect();
        self.credentials.for_trial(is_known(tried, &saved))
    }
}

/// Whether a model is asked at its provider's own address, or where settings use the same key.
fn is_known(tried: &ModelSource, saved: &[ModelSource]) -> bool {
    let own = ModelSource { base_url: None, ..tried.clone() };
    let is_saved = |saved: &ModelSource| {
        saved.credential_ref == tried.credential_ref && saved.is_asked_where(tried)
    };
    own.is_asked_where(tried) || saved.iter().any(is_saved)
}

/// Runs a trial on a thread of its own: a keyring may ask a person first, and a model may load.
fn in_time(trial: impl FnOnce(Instant) -> Result<Trial, ModelFailure> + Send + 'static) -> Trial {
    let (done, result) = sync_channel(1);
    let deadline = clock::instant() + LONGEST;
    // Without a thread, and without a result, the sender is gone.
    let _ = std::thread::Builder::new().name("trial".to_owned()).spawn(move || {
        let _ = done.send(trial(deadline));
    });
    let failure = match result.recv_timeout(LONGEST + Duration::from_millis(100)) {
        Ok(Ok(trial)) => return trial,
        Ok(Err(ModelFailure::Unavailable(reason) | ModelFailure::Refused(reason))) => reason,
        Ok(Err(ModelFailure::Late)) | Err(_) => {
            format!("it did not answer within {} seconds", LONGEST.as_secs())
        }
    };
    Trial { is_ok: false, message: failure, dimensions: None }
}

#[cfg(test)]
mod tests {
    use coffer_domain::credential::CredentialRef;

    use super::*;
    use crate::config::Provider;

    fn source(provider: Provider, base_url: Option<&str>, key: &str) -> ModelSource {
        let base_url = base_url.map(str::to_owned);
        let credential_ref = CredentialRef::parse(key);
        ModelSource { provider, model: "m".to_owned(), base_url, credential_ref }
    }

    #[test]
    fn a_place_is_known_by_its_provider_or_by_saved_settings_of_the_same_key() {
        let mine = source(Provider::OpenAi, Some("https://models.example.com/v1"), "key");
        let saved = [source(Provider::Voyage, None, "voyage"), mine.clone()];
        assert!(is_known(&source(Provider::OpenAi, None, "key"), &[]));
        let spelled = Some("https://api.openai.com:443/v2");
        assert!(is_known(&source(Provider::OpenAi, spelled, "key"), &[]));
        assert!(!is_known(&mine, &[]));
        assert!(!is_known(&mine, &saved[..1]));
        assert!(is_known(&mine, &saved));
        let other_key = source(Provider::OpenAi, mine.base_url.as_deref(), "voyage");
        assert!(!is_known(&other_key, &saved), "it belongs elsewhere");
        let typo = source(Provider::OpenAi, Some("https://models.example.org/v1"), "key");
        assert!(!is_known(&typo, &saved));
        assert!(!is_known(&source(Provider::Azure, None, "key"), &saved));
    }
}
