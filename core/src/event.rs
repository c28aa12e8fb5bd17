//! What changes, for those who watch: live views and the tray.

use coffer_domain::id::Id;
use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;

use crate::jobs::Job;
use crate::kb::KbEvent;
use crate::memory::MemoryEvent;

/// Something that live views want to know.
#[derive(Debug, Clone)]
pub enum Event {
    /// A store was made, configured or deleted, or one of its lanes changed.
    StoreChanged(StoreName),
    /// A fact was written, changed or deleted.
    DocumentChanged(StoreName, Id),
    /// A knowledge base was made, configured or deleted, or its documents changed.
    BaseChanged(KbName),
    /// A document of a knowledge base was written, changed or deleted.
    BaseDocumentChanged(KbName, Id),
    /// A job moved.
    JobChanged(Box<Job>),
    /// A preference, a model or a credential changed.
    SettingsChanged,
}

impl From<MemoryEvent> for Event {
    fn from(event: MemoryEvent) -> Self {
        match event {
            MemoryEvent::Store(store) => Self::StoreChanged(store),
            MemoryEvent::Document(store, id) => Self::DocumentChanged(store, id),
        }
    }
}

impl From<KbEvent> for Event {
    fn from(event: KbEvent) -> Self {
        match event {
            KbEvent::Base(name) => Self::BaseChanged(name),
            KbEvent::Document(name, id) => Self::BaseDocumentChanged(name, id),
        }
    }
}
