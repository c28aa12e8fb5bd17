//! The window's key to the server: one token, renewed when a rotation has killed it.

use std::sync::{Mutex, PoisonError};

use coffer_server::Handle;
use tauri::Url;

/// The window's session.
pub(crate) struct Session {
    server: Handle,
    /// The server's address.
    origin: Url,
    token: Mutex<String>,
}

impl Session {
    /// A session with a server of this process.
    pub(crate) fn with(server: Handle) -> Result<Self, tauri::Error> {
        let origin = Url::parse(&server.address()).map_err(tauri::Error::InvalidUrl)?;
        let token = Mutex::new(server.session_token());
        Ok(Self { server, origin, token })
    }

    /// The signed address of a page.
    pub(crate) fn page(&self, path: &str) -> Url {
        let mut page = self.origin.clone();
        page.set_path(path);
        self.sign(page)
    }

    /// An address with a token that is good now.
    pub(crate) fn sign(&self, mut page: Url) -> Url {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.server.admits(&token) {
            *token = self.server.session_token();
        }
        page.set_fragment(Some(&format!("token={token}")));
        page
    }

    /// Whether the window's token was killed.
    pub(crate) fn is_over(&self) -> bool {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        !self.server.admits(&token)
    }
}
