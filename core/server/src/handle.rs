//! A hold on a running server, for the program around it.

use std::sync::Arc;

use coffer_api::events::EventOut;
use coffer_core::Coffer;
use coffer_env::clock;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::app::App;
use crate::auth::Auth;
use crate::feed::Feed;

/// A hold on a server; it does not keep it running.
#[derive(Clone)]
pub struct Handle {
    pub(crate) coffer: Arc<Coffer>,
    pub(crate) feed: Feed,
    pub(crate) auth: Arc<Auth>,
    pub(crate) about: Arc<About>,
    pub(crate) stop: CancellationToken,
}

impl Handle {
    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.about.port
    }

    /// The address of the viewer, such as `http://127.0.0.1:27411`.
    pub fn address(&self) -> String {
        self.about.address()
    }

    /// An address that signs a browser in once, within a minute.
    pub fn session_url(&self) -> String {
        self.about.code_url(&self.auth.code(clock::instant()))
    }

    /// A session token for a window of this process; it dies with a rotation.
    pub fn session_token(&self) -> String {
        self.auth.session()
    }

    /// Whether a token is good now.
    pub fn admits(&self, token: &str) -> bool {
        self.auth.admits(token)
    }

    /// The engine that the server serves.
    pub fn coffer(&self) -> Arc<Coffer> {
        Arc::clone(&self.coffer)
    }

    /// What happens from now on. A listener that lags misses events and is told how many.
    pub fn events(&self) -> broadcast::Receiver<EventOut> {
        self.feed.listen()
    }

    /// Stops the server gracefully; returns at once.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// The state of the routes.
    pub(crate) fn app(&self) -> App {
        let Coffer {
            memory,
            kb,
            history,
            jobs,
            settings,
            credentials,
            agents,
            engine,
            organizer,
            hooks,
            trials,
            files,
            doctor,
            models,
            sessions,
            distill,
            purge,
            ..
        } = (*self.coffer).clone();
        App {
            memory,
            kb,
            history,
            jobs,
            settings,
            credentials,
            agents,
            engine,
            organizer,
            hooks,
            trials,
            files,
            doctor,
            models,
            sessions,
            distill,
            purge,
            feed: self.feed.clone(),
            auth: Arc::clone(&self.auth),
            about: Arc::clone(&self.about),
            stop: self.stop.clone(),
        }
    }
}
