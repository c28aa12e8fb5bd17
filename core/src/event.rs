//! What changes, for those who watch: live views and the tray.

use coffer_domain::id::Id;
use coffer_domain::store::StoreName;

use crate::jobs::Job;
use crate::memory::MemoryEvent;

/// Something that live views want to know.
#[derive(Debug, Clone)]
pub enum Event {
    /// A store was made, configured or deleted, or one of its lanes changed.
    StoreChanged(StoreName),
    /// A fact was written, changed or deleted.
    DocumentChanged(StoreName, Id),
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
