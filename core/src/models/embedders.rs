//! The embedding models in use: the one that the settings name, and one whose vectors still answer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use coffer_env::{Home, clock};

use super::{Embedder, ModelFailure, ModelRef, local, open};
use crate::config::{EmbeddingConfig, Provider, Settings};
use crate::credentials::Credentials;
use crate::secrets::Custom;

/// So many models are kept open: the one before answers until the new one's vectors are complete.
const OPEN: usize = 2;

type Configured = dyn Fn() -> Option<ModelRef> + Send + Sync;
type Open = dyn Fn(&ModelRef) -> Result<Arc<dyn Embedder>, ModelFailure> + Send + Sync;

/// The models, opened when they are needed. Opening may take long, since a model is read from disk, a
/// provider asked how wide its vectors are, or a person for a keyring's password: a thread does it, and
/// who asks waits no longer than it may.
pub(crate) struct Embedders {
    configured: Box<Configured>,
    named: Option<(Home, Settings)>,
    shared: Arc<Shared>,
}

struct Shared {
    open: Box<Open>,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    /// The newest first.
    opened: Vec<(ModelRef, Arc<dyn Embedder>)>,
    opening: Vec<ModelRef>,
    /// Why a model could not be opened when it was last tried.
    failed: Vec<(ModelRef, ModelFailure)>,
    /// Models that single stores name, by identity.
    own: Vec<String>,
}

impl Embedders {
    /// `configured` says which model the settings name now; `open` opens one.
    pub(crate) fn new(
        configured: impl Fn() -> Option<ModelRef> + Send + Sync + 'static,
        open: impl Fn(&ModelRef) -> Result<Arc<dyn Embedder>, ModelFailure> + Send + Sync + 'static,
    ) -> Self {
        let shared =
            Shared { open: Box::new(open), state: Mutex::default(), moved: Condvar::new() };
        Self { configured: Box::new(configured), named: None, shared: Arc::new(shared) }
    }

    /// The model that the settings name.
    pub(crate) fn of(home: &Home, settings: &Settings, credentials: &Credentials) -> Self {
        let (home, settings, credentials) = (home.clone(), settings.clone(), credentials.clone());
        let configured = {
            let (home, settings) = (home.clone(), settings.clone());
            move || {
                let config = settings.embedding_with_key()?;
                Some(ModelRef::of(&config, weights(&home, &config)))
            }
        };
        let named = Some((home.clone(), settings.clone()));
        let open = move |model: &ModelRef| {
            let (config, kept) = model.config()?;
            if kept != weights(&home, &config) {
                let reason = format!("the files of `{}` are others by now", config.source.model);
                return Err(ModelFailure::Refused(reason));
            }
            open(&config, &credentials, &home, &settings)
        };
        Self { named, ..Self::new(configured, open) }
    }

    /// No model: vectors are off.
    pub(crate) fn off() -> Self {
        let none = || ModelFailure::Unavailable("no embedding model is configured".to_owned());
        Self::new(|| None, move |_| Err(none()))
    }

    /// The model of the settings; `None`: vectors are off, and no model stays open but those of
    /// single stores.
    pub(crate) fn configured(&self) -> Option<ModelRef> {
        let configured = (self.configured)();
        if configured.is_none() {
            self.shared.lock().close_others();
        }
        configured
    }

    /// The model that a store names for itself.
    pub(crate) fn own(&self, config: &EmbeddingConfig) -> Option<ModelRef> {
        let (home, settings) = self.named.as_ref()?;
        let config = config.clone().or_key_of(settings.engine().as_ref());
        let model = ModelRef::of(&config, weights(home, &config));
        let mut state = self.shared.lock();
        if !state.own.contains(&model.identity) {
            state.own.push(model.identity.clone());
        }
        Some(model)
    }

    /// The secrets that only the person knows of.
    pub(crate) fn secrets(&self) -> Arc<Custom> {
        self.named.as_ref().map(|(_, settings)| settings.secrets()).unwrap_or_default()
    }

    /// A model, opened by then.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub(crate) fn get(
        &self,
        model: &ModelRef,
        deadline: Instant,
    ) -> Result<Arc<dyn Embedder>, ModelFailure> {
        let mut state = self.shared.lock();
        if let Some(embedder) = state.opened(model) {
            return Ok(embedder);
        }
        if !state.opening.contains(model) {
            state.failed.retain(|(failed, _)| failed != model);
            state.opening.push(model.clone());
            drop(state);
            self.shared.start(model)?;
            state = self.shared.lock();
        }
        let left = deadline.saturating_duration_since(clock::instant());
        let waited = self
            .shared
            .moved
            .wait_timeout_while(state, left, |state| state.opening.contains(model));
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.opened(model).ok_or_else(|| state.failure(model))
    }

    /// Closes a model that failed: its key or its files may be others by now.
    pub(crate) fn close(&self, model: &ModelRef) {
        self.shared.lock().opened.retain(|(open, _)| open != model);
    }
}

/// What tells the weights of a model of this machine from others of its name.
fn weights(home: &Home, config: &EmbeddingConfig) -> Option<String> {
    let source = &config.source;
    let is_local = source.provider == Provider::Local;
    is_local.then(|| local::weights(&home.models(), &source.model)).flatten()
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a model on a thread of its own.
    fn start(self: &Arc<Self>, model: &ModelRef) -> Result<(), ModelFailure> {
        let (shared, wanted) = (Arc::clone(self), model.clone());
        let started = std::thread::Builder::new().name("model".to_owned()).spawn(move || {
            let opened = (shared.open)(&wanted);
            shared.lock().end(&wanted, opened);
            shared.moved.notify_all();
        });
        started.map(drop).map_err(|error| {
            let failure = ModelFailure::Unavailable(format!("no thread for the model: {error}"));
            self.lock().end(model, Err(failure.clone()));
            failure
        })
    }
}

impl State {
    fn opened(&self, model: &ModelRef) -> Option<Arc<dyn Embedder>> {
        self.opened.iter().find(|(open, _)| open == model).map(|(_, it)| Arc::clone(it))
    }

    fn close_others(&mut self) {
        let own = &self.own;
        self.opened.retain(|(open, _)| own.contains(&open.identity));
    }

    fn failure(&self, model: &ModelRef) -> ModelFailure {
        let failed = self.failed.iter().find(|(failed, _)| failed == model);
        failed.map_or(ModelFailure::Late, |(_, failure)| failure.clone())
    }

    fn end(&mut self, model: &ModelRef, opened: Result<Arc<dyn Embedder>, ModelFailure>) {
        self.opening.retain(|opening| opening != model);
        match opened {
            Ok(embedder) => {
                self.opened.retain(|(open, _)| open.identity != model.identity);
                self.opened.truncate(OPEN - 1);
                self.opened.insert(0, (model.clone(), embedder));
            }
            Err(failure) => {
                self.failed.truncate(OPEN - 1);
                self.failed.insert(0, (model.clone(), failure));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::index::Index;
    use crate::models::Role;

    struct Nothing;

    impl Embedder for Nothing {
        fn dimensions(&self) -> usize {
            1
        }

        fn embed(
            &self,
            texts: &[String],
            _: Role,
            _: Instant,
        ) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
            Ok(vec![None; texts.len()])
        }
    }

    fn named(name: &str) -> ModelRef {
        ModelRef { identity: name.to_owned(), settings: String::new() }
    }

    fn in_ms(ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(ms)
    }

    #[test]
    fn nobody_waits_longer_than_it_may_and_one_opens_for_all() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let embedders = Arc::new(Embedders::new(
            || Some(named("slow")),
            move |_| {
                counted.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(400));
                Ok(Arc::new(Nothing))
            },
        ));
        let late = embedders.get(&named("slow"), in_ms(20)).map(drop);
        assert_eq!(late, Err(ModelFailure::Late));
        let all: Vec<_> = (0..4)
            .map(|_| {
                let embedders = Arc::clone(&embedders);
                std::thread::spawn(move || embedders.get(&named("slow"), in_ms(10_000)).is_ok())
            })
            .collect();
        assert!(all.into_iter().all(|thread| thread.join().unwrap()));
        assert_eq!(count.load(Ordering::SeqCst), 1);
        embedders.close(&named("slow"));
        assert!(embedders.get(&named("slow"), in_ms(10_000)).is_ok());
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn other_weights_under_one_name_are_another_model() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let index = Index::open(&home.database(), clock::now()).unwrap();
        let credentials = Credentials::without_keyring(&home, Arc::new(index));
        let folder = home.models().join("tiny");
        std::fs::create_dir_all(&folder).unwrap();
        coffer_corpus::models::write_table(&folder).unwrap();
        std::fs::write(home.config_file(), "[embedding]\nprovider = \"local\"\nmodel = \"tiny\"\n")
            .unwrap();
        let embedders = Embedders::of(&home, &Settings::open(&home, || {}), &credentials);
        let one = embedders.configured().unwrap();
        assert!(embedders.get(&one, in_ms(10_000)).is_ok());
        embedders.close(&one);
        let weights = std::fs::File::options().write(true).open(folder.join("model.safetensors"));
        let later = std::time::SystemTime::now() + Duration::from_secs(60);
        weights.unwrap().set_modified(later).unwrap();
        let two = embedders.configured().unwrap();
        assert_ne!(one.identity, two.identity);
        let old = embedders.get(&one, in_ms(10_000)).map(drop);
        assert!(matches!(old, Err(ModelFailure::Refused(_))), "{old:?}");
        assert!(embedders.get(&two, in_ms(10_000)).is_ok());
    }

    #[test]
    fn a_failure_is_said_and_tried_again() {
        let count = AtomicUsize::new(0);
        let embedders = Embedders::new(
            || Some(named("odd")),
            move |_| match count.fetch_add(1, Ordering::SeqCst) {
                0 => Err(ModelFailure::Refused("no".to_owned())),
                _ => Ok(Arc::new(Nothing)),
            },
        );
        let failed = embedders.get(&named("odd"), in_ms(10_000)).map(drop);
        assert_eq!(failed, Err(ModelFailure::Refused("no".to_owned())));
        assert!(embedders.get(&named("odd"), in_ms(10_000)).is_ok());
    }
}
