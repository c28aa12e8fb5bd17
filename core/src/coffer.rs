//! The composition root: opens everything, holds the capability handles, has no logic.

use std::sync::Arc;

use coffer_domain::time::Timestamp;
use coffer_env::{Home, Surroundings, program};

use crate::agents::Agents;
use crate::config::Settings;
use crate::convert::Converters;
use crate::credentials::Credentials;
use crate::distill::Distill;
use crate::doctor::Doctor;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::files::Files;
use crate::history::History;
use crate::hooks::Hooks;
use crate::index::Index;
use crate::jobs::{
    Capabilities, Desk, Distilling, Embedding, Idle, IdleWatch, JobRequest, Jobs, Progress,
    carry_out,
};
use crate::kb::{KbEvent, KnowledgeBases};
use crate::knowledge::{Bell, Knowledge};
use crate::memory::Memory;
use crate::models::{Embedders, Models, Trials};
use crate::organize::Organizer;
use crate::purge::Purge;
use crate::sessions::Sessions;
use crate::vault::{Dir, Intents, sweep_leftovers};

/// The whole engine over one home. The caller holds the owner lock.
#[derive(Clone)]
pub struct Coffer {
    /// Stores, lanes, facts.
    pub memory: Memory,
    /// Knowledge bases and their documents.
    pub kb: KnowledgeBases,
    /// Audit trail, calls, counts.
    pub history: History,
    /// Background work.
    pub jobs: Jobs,
    /// Preferences, and which models are used.
    pub settings: Settings,
    /// Keys of models.
    pub credentials: Credentials,
    /// The model that writes.
    pub engine: Engine,
    /// Coding agents, connected and not.
    pub agents: Agents,
    /// What hooks of agents mean.
    pub hooks: Hooks,
    /// Putting stores in order by the engine.
    pub organizer: Organizer,
    /// Trying models.
    pub trials: Trials,
    /// Open and reveal.
    pub files: Files,
    /// Health.
    pub doctor: Doctor,
    /// Embedding models.
    pub models: Models,
    /// What agents keep of their sessions.
    pub sessions: Sessions,
    /// What they taught.
    pub distill: Distill,
    /// Taking a text out of everything.
    pub purge: Purge,
    index: Arc<Index>,
    _embedding: Arc<Embedding>,
    _idle: Arc<IdleWatch>,
    distilling: Arc<Distilling>,
}

impl Coffer {
    /// Opens a home, making it (0700) as needed: leftovers of dead writers are swept, moves that
    /// were begun are finished, a database that cannot be used is replaced.
    ///
    /// # Errors
    ///
    /// Folders that cannot be made, or a place where no database can be.
    pub fn open(home: &Home, on_event: impl Fn(Event) + Send + Sync + 'static) -> Result<Self> {
        let now = coffer_env::clock::now();
        let index = prepared(home, now)?;
        let (idle, writes) = Idle::new();
        let on_event = Arc::new(hearing(idle, on_event));
        let (bell, ended) = (Arc::new(Bell::default()), Arc::new(Bell::default()));
        let changed = settings_changed(&on_event, [&bell, &ended]);
        let settings = Settings::open(home, changed.clone());
        let credentials = Credentials::open(home, Arc::clone(&index), changed.clone());
        let agents = Agents::open(home, Surroundings::discover(), Arc::clone(&index), changed);
        let embedders = Embedders::of(home, &settings, &credentials);
        let knowledge = Arc::new(Knowledge::new(Arc::clone(&index), embedders, bell));
        let (memory, kb) = faces(home, &knowledge, &settings, &on_event);
        memory.finish_begun();
        kb.take_up()?;
        let named = settings.clone();
        let models = Models::new(home.clone(), move || named.local_model());
        let faces = (&memory, &kb);
        let purge = Purge::new(home.clone(), settings.clone(), Arc::clone(&knowledge), faces);
        let engine = Engine::new(&settings, &credentials, Arc::clone(&index));
        let organizer = Organizer::new(&memory, &engine);
        let sessions = Sessions::new(home, Arc::clone(&index), settings.clone());
        let distill = Distill::new(&engine, (&sessions, &memory), &settings, Arc::clone(&index));
        let read = (&agents, &distill);
        let with = Capabilities::of(faces, &models, &purge, &organizer, read);
        let jobs = begun(with, &index, &on_event, now)?;
        let keys = (&credentials, &agents);
        Ok(Self {
            organizer,
            hooks: Hooks::new((&agents, &memory, &settings), &index, (&sessions, &distill), &ended),
            distilling: Desk::of(read, &sessions, &settings, &jobs).watch(&ended)?,
            _idle: Arc::new(writes.watch(&jobs, &settings, &engine)?),
            engine,
            _embedding: Arc::new(Embedding::start(&memory, &kb, &jobs)?),
            history: History::open(Arc::clone(&index)),
            files: Files::new(home.clone(), settings.clone(), {
                let agents = agents.clone();
                move || agents.places()
            }),
            doctor: Doctor::new(home, knowledge, (&memory, &kb), &settings, keys),
            trials: Trials::new(home.clone(), settings.clone(), credentials.clone()),
            memory,
            kb,
            purge,
            jobs,
            settings,
            credentials,
            agents,
            models,
            sessions,
            distill,
            index,
        })
    }

    /// Compares all stores with the index, checks it, and merges what older identities left apart: for
    /// a thread of its own after the start, so that the first question does not have to.
    pub fn warm_up(&self) {
        if let Err(error) = self.memory.warm_up() {
            tracing::warn!(%error, "stores could not be compared with the index yet");
        }
        if let Err(error) = self.kb.warm_up() {
            tracing::warn!(%error, "knowledge bases could not be compared with the index yet");
        }
        self.memory.ring_for_change();
        self.doctor.check_index();
        if let Err(error) = self.memory.consolidate() {
            tracing::warn!(%error, "stores of older identities could not be looked for");
        }
    }

    /// Brings what waits to disk: for a clean stop.
    pub fn close(&self) {
        self.distilling.stop();
        self.jobs.stop();
        self.history.flush();
        self.index.checkpoint();
    }
}

/// The background work, with what it left undone.
fn begun(
    with: Capabilities,
    index: &Arc<Index>,
    on_event: &Arc<impl Fn(Event) + Send + Sync + 'static>,
    now: Timestamp,
) -> Result<Jobs> {
    let (purge, on_event) = (with.purge.clone(), Arc::clone(on_event));
    let forget = purge.clone();
    let run = move |job: &JobRequest, progress: &Progress| carry_out(&with, job, progress);
    let jobs = Jobs::open(Arc::clone(index), run, move |job| {
        if let (JobRequest::Purge(purge), true) = (&job.request, job.state.has_ended()) {
            forget.forget(purge);
        }
        on_event(Event::JobChanged(Box::new(job)));
    })?;
    jobs.take_up(&purge, now)?;
    Ok(jobs)
}

/// Tells the timer of quiet stores of each write, and everybody of everything.
fn hearing(idle: Idle, on_event: impl Fn(Event) + Send + Sync) -> impl Fn(Event) + Send + Sync {
    move |event| {
        if let Event::DocumentChanged(store, _) = &event {
            idle.wrote(store);
        }
        on_event(event);
    }
}

/// What happens when settings, keys or agents are others.
fn settings_changed(
    on_event: &Arc<impl Fn(Event) + Send + Sync + 'static>,
    bells: [&Arc<Bell>; 2],
) -> impl Fn() + Clone + Send + Sync + 'static {
    let (on_event, bells) = (Arc::clone(on_event), bells.map(Arc::clone));
    move || {
        bells.iter().for_each(|bell| bell.ring_for_change());
        on_event(Event::SettingsChanged);
    }
}

/// The two faces of what is kept.
fn faces(
    home: &Home,
    knowledge: &Arc<Knowledge>,
    settings: &Settings,
    on_event: &Arc<impl Fn(Event) + Send + Sync + 'static>,
) -> (Memory, KnowledgeBases) {
    let parts = || (home.clone(), Arc::clone(knowledge), settings.clone(), Arc::clone(on_event));
    let (home, knowledge, settings, told) = parts();
    let memory = Memory::new(home, knowledge, settings, move |event| told(event.into()));
    let (home, knowledge, settings, told) = parts();
    let converters = Converters::new(program::own());
    let told = move |event: KbEvent| told(event.into());
    (memory, KnowledgeBases::new(home, knowledge, settings, converters, told))
}

/// The folders, swept and settled, and the index.
fn prepared(home: &Home, now: Timestamp) -> Result<Arc<Index>> {
    let root = Dir::make(home.root())?;
    Dir::make(&home.run())?;
    Dir::make(&home.memory())?;
    sweep_leftovers(&root)?;
    Intents::of(home).finish_all()?;
    Index::open(&home.database(), now).map(Arc::new).map_err(Error::index)
}
