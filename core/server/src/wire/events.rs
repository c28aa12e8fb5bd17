//! Live events.

use coffer_api::events::EventOut;
use coffer_core::Event;
use coffer_core::kb::reference;

use super::jobs::job;

/// An event.
pub(crate) fn event(event: Event) -> EventOut {
    match event {
        Event::StoreChanged(store) => EventOut::StoreChanged { store: store.to_string() },
        Event::DocumentChanged(store, id) => {
            EventOut::DocumentChanged { store: store.to_string(), id: id.to_string() }
        }
        Event::BaseChanged(name) => EventOut::StoreChanged { store: reference(&name) },
        Event::BaseDocumentChanged(name, id) => {
            EventOut::DocumentChanged { store: reference(&name), id: id.to_string() }
        }
        Event::JobChanged(moved) => EventOut::Job { job: Box::new(job(*moved)) },
        Event::SettingsChanged => EventOut::SettingsChanged,
    }
}
