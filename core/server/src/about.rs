//! What a running server knows of itself.

use coffer_domain::time::Timestamp;
use coffer_env::Home;

/// What a running server knows of itself.
#[derive(Debug)]
pub(crate) struct About {
    /// Coffer's folder.
    pub(crate) home: Home,
    /// The loopback port.
    pub(crate) port: u16,
    /// When it started.
    pub(crate) started_at: Timestamp,
    /// What it had to start without, a sentence each.
    pub(crate) lacks: Vec<String>,
}

/// The version of this server and everything built with it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

impl About {
    /// The address of the viewer.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address that signs a browser in: the code travels in the fragment, which is never sent.
    pub(crate) fn code_url(&self, code: &str) -> String {
        format!("{}/#code={code}", self.address())
    }
}
