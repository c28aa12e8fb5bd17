//! Live events: from whatever thread the engine speaks on, to whoever listens.

use coffer_api::events::EventOut;
use coffer_core::Event;
use tokio::sync::broadcast;

use crate::wire::events::event;

/// How many events a slow listener may be behind before it is told to look at everything anew.
const KEPT: usize = 256;

/// Where events go.
#[derive(Debug, Clone)]
pub(crate) struct Feed(broadcast::Sender<EventOut>);

impl Feed {
    /// A feed without listeners.
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(KEPT))
    }

    /// Passes an event of the engine on; nobody has to listen.
    pub(crate) fn tell(&self, told: Event) {
        _ = self.0.send(event(told));
    }

    /// What happens from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<EventOut> {
        self.0.subscribe()
    }
}
