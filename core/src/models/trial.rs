//! Trying a model: whether it answers, with what it is set to. Nothing is stored.

use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use coffer_env::{Home, clock};

use super::{EmbedFailure, Role, open_by, remote};
use crate::config::{EmbeddingConfig, EngineConfig, Settings};
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
        let (home, credentials) = (self.home.clone(), self.credentials.clone());
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
        let credentials = self.credentials.clone();
        Ok(in_time(move |deadline| {
            remote::ping(&config, &credentials, deadline)?;
            let message = format!("`{}` answers", config.source.model);
            Ok(Trial { is_ok: true, message, dimensions: None })
        }))
    }
}

/// Runs a trial on a thread of its own: a keyring may ask a person first, and a model may load.
fn in_time(trial: impl FnOnce(Instant) -> Result<Trial, EmbedFailure> + Send + 'static) -> Trial {
    let (done, result) = sync_channel(1);
    let deadline = clock::instant() + LONGEST;
    // Without a thread, and without a result, the sender is gone.
    let _ = std::thread::Builder::new().name("trial".to_owned()).spawn(move || {
        let _ = done.send(trial(deadline));
    });
    let failure = match result.recv_timeout(LONGEST + Duration::from_millis(100)) {
        Ok(Ok(trial)) => return trial,
        Ok(Err(EmbedFailure::Unavailable(reason) | EmbedFailure::Refused(reason))) => reason,
        Ok(Err(EmbedFailure::Late)) | Err(_) => {
            format!("it did not answer within {} seconds", LONGEST.as_secs())
        }
    };
    Trial { is_ok: false, message: failure, dimensions: None }
}
