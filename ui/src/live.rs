//! What changed on the server, as signals that reads depend on.
//!
//! Changes come in bursts when an agent works, so they are gathered for a moment and told at once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use leptos::prelude::*;

use crate::events::told::{Kind, Told};

/// How long changes are gathered: short enough to look immediate.
const GATHER: Duration = Duration::from_millis(60);

/// How the stream of events stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// Not there yet.
    Connecting,
    /// Events arrive.
    Live,
    /// It broke; another try follows.
    Retrying,
}

/// Counters that rise when something changed.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    pub(crate) connection: RwSignal<Connection>,
    everything: RwSignal<u64>,
    any_store: RwSignal<u64>,
    stores: RwSignal<BTreeMap<String, u64>>,
    any_base: RwSignal<u64>,
    bases: RwSignal<BTreeMap<String, u64>>,
    jobs: RwSignal<u64>,
    settings: RwSignal<u64>,
    /// How often the person came back to the page.
    returns: RwSignal<u64>,
    gathered: StoredValue<Gathered>,
}

/// The changes of one thing.
#[derive(Clone, Copy)]
pub(crate) struct Changes(Memo<(u64, u64)>);

impl Changes {
    /// Makes the effect that calls this run again after each change. A memo has to be read for
    /// that: one that is only tracked never starts to follow its sources.
    pub(crate) fn follow(self) {
        self.0.with(|_| ());
    }
}

/// An address that is read again after each of these changes.
pub(crate) fn follows(changes: Changes, address: impl Into<String>) -> impl Fn() -> String {
    let address = address.into();
    move || {
        changes.follow();
        address.clone()
    }
}

#[derive(Default)]
struct Gathered {
    everything: bool,
    settings: bool,
    stores: BTreeSet<String>,
    bases: BTreeSet<String>,
    jobs: bool,
    is_due: bool,
}

/// The live changes, anywhere below the root of the page.
pub(crate) fn use_live() -> Live {
    expect_context()
}

impl Live {
    pub(crate) fn new() -> Self {
        let returns = RwSignal::new(0);
        let listener = window_event_listener(leptos::ev::focus, move |_| returns.update(raise));
        on_cleanup(move || listener.remove());
        Self {
            connection: RwSignal::new(Connection::Connecting),
            everything: RwSignal::new(0),
            any_store: RwSignal::new(0),
            stores: RwSignal::default(),
            any_base: RwSignal::new(0),
            bases: RwSignal::default(),
            jobs: RwSignal::new(0),
            settings: RwSignal::new(0),
            returns,
            gathered: StoredValue::default(),
        }
    }

    /// Changes with every change of this store.
    pub(crate) fn of_store(self, name: String) -> Changes {
        let own = move || self.stores.with(|stores| stores.get(&name).copied().unwrap_or(0));
        Changes(Memo::new(move |_| (self.everything.get(), own())))
    }

    /// Changes with every change of any store.
    pub(crate) fn of_any_store(self) -> Changes {
        Changes(Memo::new(move |_| (self.everything.get(), self.any_store.get())))
    }

    /// Changes with every change of this knowledge base.
    pub(crate) fn of_base(self, name: String) -> Changes {
        let own = move || self.bases.with(|bases| bases.get(&name).copied().unwrap_or(0));
        Changes(Memo::new(move |_| (self.everything.get(), own())))
    }

    /// Changes with every change of any knowledge base.
    pub(crate) fn of_any_base(self) -> Changes {
        Changes(Memo::new(move |_| (self.everything.get(), self.any_base.get())))
    }

    /// Changes with every step of background work.
    pub(crate) fn of_jobs(self) -> Changes {
        Changes(Memo::new(move |_| (self.everything.get(), self.jobs.get())))
    }

    /// Changes with every change of a preference.
    pub(crate) fn of_settings(self) -> Changes {
        Changes(Memo::new(move |_| (self.everything.get(), self.settings.get())))
    }

    /// Changes with every change of an agent by Coffer. Of what others do to its files nobody tells:
    /// they are looked at again when the person comes back to the page.
    pub(crate) fn of_agents(self) -> Changes {
        let of_files = move || self.everything.get() + self.returns.get();
        Changes(Memo::new(move |_| (of_files(), self.settings.get())))
    }

    /// Takes note of an event.
    pub(crate) fn note(self, event: &Told) {
        self.gather(|gathered| match (event.kind, &event.store) {
            (Kind::StoreChanged | Kind::DocumentChanged, Some(store)) => {
                match store.strip_prefix("knowledge_base:") {
                    Some(base) => gathered.bases.insert(base.to_owned()),
                    None => gathered.stores.insert(store.clone()),
                };
            }
            (Kind::StoreChanged | Kind::DocumentChanged, None) => gathered.everything = true,
            (Kind::SettingsChanged, _) => gathered.settings = true,
            (Kind::Job, _) => gathered.jobs = true,
        });
    }

    /// Treats everything as changed: events may have been missed.
    pub(crate) fn note_everything(self) {
        self.gather(|gathered| gathered.everything = true);
    }

    fn gather(self, add: impl FnOnce(&mut Gathered)) {
        self.gathered.update_value(|gathered| {
            add(gathered);
            if !std::mem::replace(&mut gathered.is_due, true) {
                set_timeout(move || self.tell(), GATHER);
            }
        });
    }

    fn tell(self) {
        let Some(gathered) = self.gathered.try_update_value(std::mem::take) else { return };
        if gathered.everything {
            self.everything.update(raise);
        }
        if gathered.settings {
            self.settings.update(raise);
        }
        if gathered.jobs {
            self.jobs.update(raise);
        }
        if !gathered.bases.is_empty() {
            self.any_base.update(raise);
            self.bases.update(|bases| {
                gathered.bases.into_iter().for_each(|name| raise(bases.entry(name).or_default()));
            });
        }
        if !gathered.stores.is_empty() {
            self.any_store.update(raise);
            self.stores.update(|stores| {
                gathered.stores.into_iter().for_each(|name| raise(stores.entry(name).or_default()));
            });
        }
    }
}

fn raise(version: &mut u64) {
    *version += 1;
}
