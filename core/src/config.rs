//! The person's settings: preferences, with embedded defaults and `config.toml` over them, and the
//! models that the file names.
//!
//! The file belongs to the person: what is wrong in it is a warning that names line and key, a
//! change touches only its own keys, and a file that does not parse is never written. The embedded
//! `config/defaults.toml` is the documentation of every key.

mod edit;
mod endpoint;
mod keys;
mod model;
mod model_tables;
mod preferences;
mod provider;
mod read;
mod secrets;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use coffer_env::{Home, clock};

use crate::error::{Error, Result};
use crate::secrets::Custom;
use crate::vault::{Dir, Expect, Stat, on_fresh_text};
use edit::Refused;

pub use endpoint::Endpoint;
pub use model::{EmbeddingConfig, EngineConfig, ModelSource};
pub use preferences::{
    AutoOrganize, AutoOrganizePatch, Distill, DistillPatch, Preferences, PreferencesPatch,
};
pub use provider::Provider;

const NAME: &str = "config.toml";
/// A file that was changed so shortly before it was read may change once more without a trace in
/// its times, so that it is read again.
const RACY_NS: i64 = 1_000_000_000;

/// The preferences of one home. Cheap to clone and to ask.
#[derive(Clone)]
pub struct Settings {
    shared: Arc<Shared>,
}

struct Shared {
    home: Home,
    state: Mutex<State>,
    on_change: Box<dyn Fn() + Send + Sync>,
}

/// What the file said when it was last read.
struct State {
    /// The file's stat, `None` where there is no file; absent before the first reading.
    seen: Option<Option<Stat>>,
    /// Whether the file may have changed since without a trace.
    is_racy: bool,
    values: Values,
    warnings: Vec<String>,
}

/// All that the file decides.
#[derive(Clone, Default, PartialEq)]
struct Values {
    preferences: Preferences,
    embedding: Option<EmbeddingConfig>,
    engine: Option<EngineConfig>,
    secrets: Arc<Custom>,
}

impl Settings {
    /// Reads the preferences of a home. `on_change` is called after each change of a value, made
    /// here or noticed in the file; it may ask for the new values.
    pub fn open(home: &Home, on_change: impl Fn() + Send + Sync + 'static) -> Self {
        let state =
            State { seen: None, is_racy: false, values: Values::default(), warnings: Vec::new() };
        let shared =
            Shared { home: home.clone(), state: Mutex::new(state), on_change: Box::new(on_change) };
        shared.lock().refresh(&shared.home);
        Self { shared: Arc::new(shared) }
    }

    /// The preferences as the file says now.
    pub fn get(&self) -> Preferences {
        self.values().preferences
    }

    /// The model that embeds, if one is set.
    pub fn embedding(&self) -> Option<EmbeddingConfig> {
        self.values().embedding
    }

    /// As `embedding`, with the engine's key where it needs one, names none, and is asked at the
    /// engine's own host.
    pub fn embedding_with_key(&self) -> Option<EmbeddingConfig> {
        let Values { embedding, engine, .. } = self.values();
        Some(embedding?.or_key_of(engine.as_ref()))
    }

    /// The name of the model that embeds, if it is one of this machine.
    pub fn local_model(&self) -> Option<String> {
        let source = self.embedding()?.source;
        (source.provider == Provider::Local).then_some(source.model)
    }

    /// The model that writes, if one is set.
    pub fn engine(&self) -> Option<EngineConfig> {
        self.values().engine
    }

    /// What the file names as secrets, beside those that are always found.
    pub fn secrets(&self) -> Arc<Custom> {
        self.look(|state| Arc::clone(&state.values.secrets))
    }

    /// What is wrong with the file, one fragment a key.
    pub fn warnings(&self) -> Vec<String> {
        self.look(|state| state.warnings.clone())
    }

    /// Writes a change into the file.
    ///
    /// # Errors
    ///
    /// `Invalid` for a value that is refused; `NotEditable` for a file that does not parse;
    /// otherwise what the file system says. The file is untouched then.
    pub fn change(&self, patch: &PreferencesPatch) -> Result<Preferences> {
        edit::check(patch)?;
        Ok(self.write(|text| edit::edit(text, patch))?.preferences)
    }

    /// Sets the model that embeds, or none; gives what is set then.
    ///
    /// # Errors
    ///
    /// As `change`.
    pub fn set_embedding(
        &self,
        config: Option<&EmbeddingConfig>,
    ) -> Result<Option<EmbeddingConfig>> {
        config.map_or(Ok(()), EmbeddingConfig::check)?;
        Ok(self.write(|text| model_tables::edit_embedding(text, config))?.embedding)
    }

    /// Sets the model that writes, or none; gives what is set then.
    ///
    /// # Errors
    ///
    /// As `change`.
    pub fn set_engine(&self, config: Option<&EngineConfig>) -> Result<Option<EngineConfig>> {
        config.map_or(Ok(()), EngineConfig::check)?;
        Ok(self.write(|text| model_tables::edit_engine(text, config))?.engine)
    }

    fn values(&self) -> Values {
        self.look(|state| state.values.clone())
    }

    fn look<T>(&self, take: impl FnOnce(&State) -> T) -> T {
        let (taken, is_changed) = {
            let mut state = self.shared.lock();
            let is_changed = state.refresh(&self.shared.home);
            (take(&state), is_changed)
        };
        self.tell(is_changed);
        taken
    }

    fn write(&self, edit: impl Fn(&str) -> Edited) -> Result<Values> {
        let (values, is_changed) = {
            let mut state = self.shared.lock();
            let before = state.values.clone();
            write(&self.shared.home, edit)?;
            state.seen = None;
            state.refresh(&self.shared.home);
            let is_changed = state.values != before;
            (state.values.clone(), is_changed)
        };
        self.tell(is_changed);
        Ok(values)
    }

    /// Outside of the lock, so that the listener may ask.
    fn tell(&self, is_changed: bool) {
        if is_changed {
            (self.shared.on_change)();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Reads the file if it is another one than before; whether a value changed.
    fn refresh(&mut self, home: &Home) -> bool {
        let stat = Dir::open(home.root()).and_then(|dir| dir.stat(NAME));
        if let Ok(stat) = &stat
            && self.seen == Some(*stat)
            && !self.is_racy
        {
            return false;
        }
        let now = clock::now().micros().saturating_mul(1_000);
        match stat.and_then(|_| text(home)) {
            Ok((text, stat)) => {
                self.seen = Some(stat);
                self.is_racy = stat.is_some_and(|stat| stat.ctime_ns > now - RACY_NS);
                self.adopt(&text)
            }
            Err(error) => {
                self.seen = None;
                self.warnings = vec![error.to_string()];
                false
            }
        }
    }

    /// Takes over what a text says; one that does not parse changes nothing.
    fn adopt(&mut self, text: &str) -> bool {
        let read = match read::read(text) {
            Ok(read) => read,
            Err(read::Unparsable(reason)) => {
                self.warnings =
                    vec![format!("`{NAME}` does not parse and is left aside, {reason}")];
                return false;
            }
        };
        self.warnings = read.warnings.iter().map(|warning| format!("`{NAME}` {warning}")).collect();
        let now = Values {
            preferences: Preferences::default().with(read.patch),
            embedding: read.embedding,
            engine: read.engine,
            secrets: Arc::new(read.secrets),
        };
        let is_changed = now != self.values;
        self.values = now;
        is_changed
    }
}

/// The file's text, empty where there is no file, and its stat.
fn text(home: &Home) -> Result<(String, Option<Stat>)> {
    let Some(file) = Dir::open(home.root())?.read(NAME)? else { return Ok(Default::default()) };
    match String::from_utf8(file.bytes) {
        Ok(text) => Ok((text, Some(file.stat))),
        Err(_) => Err(not_editable(home, "it is not UTF-8".to_owned())),
    }
}

/// The text after a change; `None` if it says all of it already.
type Edited = Result<Option<String>, Refused>;

/// Writes a change over the version that it was made from.
fn write(home: &Home, edit: impl Fn(&str) -> Edited) -> Result<()> {
    on_fresh_text(|| {
        let (text, stat) = text(home)?;
        let edited = edit(&text).map_err(|refused| match refused {
            Refused::Invalid { field, reason } => Error::Invalid { field, reason },
            Refused::Form(reason) => not_editable(home, reason),
        })?;
        let Some(edited) = edited else { return Ok(()) };
        let expect = stat.map_or(Expect::Absent, |_| Expect::Version(text.as_bytes()));
        Dir::open(home.root())?.write(NAME, edited.as_bytes(), expect).map(drop)
    })
}

fn not_editable(home: &Home, reason: String) -> Error {
    Error::NotEditable { path: home.config_file(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_domain::store::Fusion;
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Ground {
        _temp: tempfile::TempDir,
        home: Home,
        settings: Settings,
        changes: Arc<AtomicUsize>,
    }

    impl Ground {
        fn new(text: Option<&str>) -> Self {
            let temp = tempfile::tempdir().unwrap();
            let home = Home::at(temp.path());
            if let Some(text) = text {
                fs::write(home.config_file(), text).unwrap();
            }
            let changes = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&changes);
            let settings = Settings::open(&home, move || {
                counter.fetch_add(1, Ordering::SeqCst);
            });
            Self { _temp: temp, home, settings, changes }
        }

        fn put(&self, text: &str) {
            fs::write(self.home.config_file(), text).unwrap();
        }

        fn text(&self) -> String {
            fs::read_to_string(self.home.config_file()).unwrap()
        }

        fn changes(&self) -> usize {
            self.changes.swap(0, Ordering::SeqCst)
        }
    }

    fn editor(text: &str) -> PreferencesPatch {
        PreferencesPatch { preferred_editor: Some(text.to_owned()), ..Default::default() }
    }

    #[test]
    fn defaults_are_whole_documented_and_as_the_design_says() {
        let defaults = Preferences {
            preferred_editor: None,
            serve_agents: true,
            auto_organize: AutoOrganize { enabled: false, idle_seconds: 900 },
            distill: Distill { sweep_enabled: false, on_session_end: false },
            daily_token_cap: 200_000,
            fusion: Fusion::Mix,
            start_at_login: false,
            close_to_tray: true,
        };
        assert_eq!(Preferences::default(), defaults);
        assert_eq!(Ground::new(None).settings.get(), defaults);
        let read = read::read(keys::DEFAULTS_TOML).unwrap();
        assert_eq!(read.warnings, Vec::<String>::new());
        let ground = Ground::new(Some(keys::DEFAULTS_TOML));
        assert_eq!((ground.settings.get(), ground.settings.warnings()), (defaults, vec![]));
    }

    #[test]
    fn each_wrong_key_is_a_warning_and_resets_nothing_else() {
        let ground = Ground::new(Some(
            "serve_agents = false\npreferred_editor = 7\nunknown = 1\nfusion = \"best\"\n\
             daily_token_cap = -1\n[auto_organize]\nenabled = \"yes\"\nidle_seconds = 4\n\
             extra = 1\n[distill]\non_session_end = true\n[other]\nx = 1\n",
        ));
        let expected = Preferences {
            serve_agents: false,
            distill: Distill { sweep_enabled: false, on_session_end: true },
            ..Preferences::default()
        };
        assert_eq!(ground.settings.get(), expected);
        assert_eq!(
            ground.settings.warnings(),
            [
                "`config.toml` line 2: `preferred_editor` must be a text of at most 1024 \
                 characters on one line; the default `\"\"` is used",
                "`config.toml` line 3: `unknown` is no setting",
                "`config.toml` line 4: `fusion` must be \"mix\" or \"rrf\"; the default \
                 `\"mix\"` is used",
                "`config.toml` line 5: `daily_token_cap` must be a whole number, 0 to \
                 9223372036854775807; the default `200000` is used",
                "`config.toml` line 7: `auto_organize.enabled` must be true or false; the \
                 default `false` is used",
                "`config.toml` line 8: `auto_organize.idle_seconds` must be a whole number of \
                 seconds, 5 to 86400; the default `900` is used",
                "`config.toml` line 9: `auto_organize.extra` is no setting",
                "`config.toml` line 12: `other` is no setting",
            ]
        );
        for (text, warning) in [
            ("distill = 3\n", "line 1: `distill` must be a table"),
            ("\n[serve_agents]\n", "line 2: `serve_agents` must be a value, not a table"),
            ("\"distill.sweep_enabled\" = true\n", "line 1: `distill.sweep_enabled` is no setting"),
        ] {
            ground.put(text);
            let warnings = ground.settings.warnings();
            assert!(warnings.len() == 1 && warnings[0].contains(warning), "{warnings:?}");
            assert_eq!(ground.settings.get(), Preferences::default());
        }
    }

    #[test]
    fn secrets_are_named_and_wrong_patterns_passed_over() {
        let ground = Ground::new(Some(
            "[secrets]\npatterns = ['ACME-\\d+', { name = 'badge', pattern = 'B[0-9]{6}' },\n\
             '(', 7, { name = 'x' }, { name = 'Not So', pattern = 'y' }]\nmore = 1\n",
        ));
        let secrets = ground.settings.secrets();
        let scrubbed = secrets.scrub("ACME-12 and B123456").unwrap();
        assert_eq!(scrubbed.text, "[redacted: custom] and [redacted: badge]");
        assert_eq!(
            ground.settings.warnings(),
            [
                "`config.toml` line 2: `secrets.patterns` number 3, `(`, does not parse; it is passed over",
                "`config.toml` line 2: `secrets.patterns` number 4 must be a text, or a table of `name` and `pattern`; it is passed over",
                "`config.toml` line 2: `secrets.patterns` number 5 must be a text, or a table of `name` and `pattern`; it is passed over",
                "`config.toml` line 2: `secrets.patterns` number 6, `y`, must have a name of small letters, digits and hyphens; it is passed over",
                "`config.toml` line 4: `secrets.more` is no setting",
            ]
        );
        ground.changes();
        ground.put("[secrets]\npatterns = 'x'\n");
        assert!(ground.settings.secrets().find("x").is_empty());
        assert_eq!(ground.changes(), 1);
        assert!(ground.settings.warnings()[0].contains("must be a list"));
        ground.settings.change(&editor("vim")).unwrap();
        assert!(
            ground.text().starts_with("[secrets]\npatterns = 'x'\n")
                || ground.text().contains("patterns = 'x'")
        );
    }

    #[test]
    fn a_model_is_set_read_judged_and_cleared() {
        let ground = Ground::new(Some("# mine\nserve_agents = true\n"));
        assert_eq!((ground.settings.embedding(), ground.settings.engine()), (None, None));
        let source = ModelSource {
            provider: Provider::Ollama,
            model: "nomic".to_owned(),
            base_url: None,
            credential_ref: None,
        };
        let embedding = EmbeddingConfig { source: source.clone(), dimensions: Some(768) };
        let engine = EngineConfig { source };
        assert_eq!(
            ground.settings.set_embedding(Some(&embedding)).unwrap().as_ref(),
            Some(&embedding)
        );
        assert_eq!(ground.settings.set_engine(Some(&engine)).unwrap().as_ref(), Some(&engine));
        assert_eq!(ground.changes(), 2);
        ground.settings.set_engine(Some(&engine)).unwrap();
        assert_eq!(ground.changes(), 0);
        let wide = EmbeddingConfig { dimensions: Some(0), ..embedding.clone() };
        let refused = ground.settings.set_embedding(Some(&wide));
        assert!(matches!(refused, Err(Error::Invalid { field: "dimensions", .. })), "{refused:?}");
        assert_eq!(ground.settings.embedding(), Some(embedding));
        assert_eq!(ground.settings.warnings(), Vec::<String>::new());
        assert_eq!(ground.settings.set_embedding(None).unwrap(), None);
        assert_eq!(ground.settings.set_engine(None).unwrap(), None);
        assert_eq!(ground.text(), "# mine\nserve_agents = true\n");
    }

    #[test]
    fn a_wrong_key_of_a_model_is_a_warning_and_no_model() {
        for (text, warning) in [
            ("[embedding]\n", None),
            ("[embedding]\nprovider = \"openai\"\nmodel = \"m\"\n", None),
            ("embedding = 3\n", Some("line 1: `embedding` must be a table")),
            (
                "[embedding]\nprovider = \"openai\"\n\nmodel = 7\n",
                Some("line 4: `embedding.model` must be a text; no model is used"),
            ),
            (
                "\n[embedding]\nmodel = \"m\"\n",
                Some("line 2: `embedding.provider` is missing; no model is used"),
            ),
            (
                "[engine]\nprovider = \"local\"\nmodel = \"m\"\n",
                Some(
                    "line 2: `engine.provider` must be one that writes texts; `local` models only \
                     embed; no model is used",
                ),
            ),
            (
                "[embedding]\nprovider = \"ollama\"\nmodel = \"m\"\nbase_url = \"http://a.b\"\n",
                Some(
                    "line 4: `embedding.base_url` must begin with `https://`; `http://` is for this \
                     machine and private addresses; no model is used",
                ),
            ),
            (
                "[engine]\nprovider = \"ollama\"\nmodel = \"m\"\ndimensions = 3\n",
                Some("line 4: `engine.dimensions` is no setting"),
            ),
            (
                "[embedding]\nprovider = \"ollama\"\nmodel = \"m\"\ndimensions = -1\n",
                Some(
                    "line 4: `embedding.dimensions` must be a whole number, 1 to 8192; no model is \
                     used",
                ),
            ),
            (
                "[embedding]\nprovider = \"ollama\"\nmodel = \"m\"\ncredential_ref = \"A b\"\n",
                Some(
                    "line 4: `embedding.credential_ref` must be 1 to 64 small letters, digits, `-` \
                     and `_`, and begin with a letter or digit; no model is used",
                ),
            ),
        ] {
            let ground = Ground::new(Some(text));
            let expected = warning.map(|warning| format!("`config.toml` {warning}"));
            assert_eq!(ground.settings.warnings(), Vec::from_iter(expected), "{text}");
            let has_model = text.contains("provider")
                && warning.is_none_or(|warning| warning.ends_with("is no setting"));
            let found = ground.settings.embedding().is_some() || ground.settings.engine().is_some();
            assert_eq!(found, has_model, "{text}");
        }
    }

    #[test]
    fn an_edit_by_hand_is_seen_at_once_and_told_once() {
        let ground = Ground::new(None);
        for round in 0..50 {
            // The same length in the same tick of the clock: only reading again can tell.
            ground.put(if round % 2 == 0 {
                "serve_agents = false#"
            } else {
                "serve_agents = true##"
            });
            assert_eq!(ground.settings.get().serve_agents, round % 2 == 1, "{round}");
            assert_eq!(ground.settings.get().serve_agents, round % 2 == 1, "{round}");
        }
        // The first change of all is from the default.
        assert_eq!(ground.changes(), 50);
        fs::remove_file(ground.home.config_file()).unwrap();
        assert!(ground.settings.get().serve_agents);
        assert_eq!(ground.changes(), 0, "the same values as before");
        ground.put("# a comment only\n");
        ground.settings.get();
        assert_eq!(ground.changes(), 0);
    }

    #[test]
    fn a_change_is_written_told_and_read_back() {
        let ground = Ground::new(Some("# mine\nserve_agents = false\nother = 1 # kept\n"));
        let now = ground.settings.change(&editor("code --wait {}")).unwrap();
        assert_eq!(now.preferred_editor.as_deref(), Some("code --wait {}"));
        assert!(!now.serve_agents);
        assert_eq!(
            ground.text(),
            "# mine\nserve_agents = false\nother = 1 # kept\npreferred_editor = \"code --wait {}\"\n"
        );
        assert_eq!(ground.changes(), 1);
        ground.settings.change(&editor("code --wait {}")).unwrap();
        assert_eq!(ground.changes(), 0);
        assert_eq!(ground.settings.change(&editor(" ")).unwrap().preferred_editor, None);
        assert_eq!(ground.changes(), 1);
        let all = PreferencesPatch {
            preferred_editor: Some("vim".to_owned()),
            serve_agents: Some(true),
            auto_organize: AutoOrganizePatch { enabled: Some(true), idle_seconds: Some(5) },
            distill: DistillPatch { sweep_enabled: Some(true), on_session_end: Some(true) },
            daily_token_cap: Some(0),
            fusion: Some(Fusion::Rrf),
            start_at_login: Some(true),
            close_to_tray: Some(false),
        };
        let now = ground.settings.change(&all).unwrap();
        assert_eq!(Some(now.clone()), Preferences::whole(all));
        assert_eq!(Settings::open(&ground.home, || {}).get(), now);
    }

    #[test]
    fn a_file_that_does_not_parse_keeps_the_last_good_values_and_its_bytes() {
        let broken: [&[u8]; 3] = [b"serve_agents = \n[x\n", b"\xff\xfe\n", b"a = 1\na = 2\n"];
        for bytes in broken {
            let ground = Ground::new(Some("serve_agents = false\n"));
            fs::write(ground.home.config_file(), bytes).unwrap();
            assert!(!ground.settings.get().serve_agents);
            let warnings = ground.settings.warnings();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            let refused = ground.settings.change(&editor("vim"));
            assert!(matches!(&refused, Err(Error::NotEditable { .. })), "{refused:?}");
            assert_eq!(fs::read(ground.home.config_file()).unwrap(), bytes);
            assert_eq!(ground.changes(), 0);
            ground.put("preferred_editor = 'vim'\n");
            assert_eq!(ground.settings.warnings(), Vec::<String>::new());
            assert!(ground.settings.get().serve_agents);
        }
        assert!(Ground::new(Some("[[")).settings.get().serve_agents);
    }

    #[test]
    fn a_link_is_neither_read_nor_replaced() {
        let ground = Ground::new(None);
        let elsewhere = tempfile::tempdir().unwrap();
        let target = elsewhere.path().join("config.toml");
        fs::write(&target, "serve_agents = false\n").unwrap();
        std::os::unix::fs::symlink(&target, ground.home.config_file()).unwrap();
        assert!(ground.settings.get().serve_agents);
        assert_eq!(ground.settings.warnings().len(), 1);
        assert!(ground.settings.change(&editor("vim")).is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "serve_agents = false\n");
    }

    #[test]
    fn the_listener_may_ask() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let (sender, receiver) = std::sync::mpsc::channel::<Settings>();
        let receiver = Mutex::new(receiver);
        let settings = Settings::open(&home, move || {
            let settings = receiver.lock().unwrap().recv().unwrap();
            assert_eq!(settings.get().preferred_editor.as_deref(), Some("vim"));
        });
        sender.send(settings.clone()).unwrap();
        settings.change(&editor("vim")).unwrap();
    }
}
