//! A hold on a running server, for the program around it.

use std::sync::Arc;

use coffer_env::clock;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::app::App;
use crate::auth::Auth;

/// A hold on a server; it does not keep it running.
#[derive(Clone)]
pub struct Handle {
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

    /// Stops the server gracefully; returns at once.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}

impl From<&Handle> for App {
    fn from(handle: &Handle) -> Self {
        Self {
            auth: Arc::clone(&handle.auth),
            about: Arc::clone(&handle.about),
            stop: handle.stop.clone(),
        }
    }
}
