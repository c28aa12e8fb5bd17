//! How many sessions there may be: agents open them and seldom close them, so that the one which
//! was silent longest makes room for a new one. Its client, should it come back, is told that the
//! session is gone and starts another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderMap;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::caller::SESSION;

/// How long a session may be silent: longer than a night, so that an agent left open goes on.
const SILENCE: Duration = Duration::from_secs(24 * 3600);
/// How many sessions are kept; each takes about 60 KiB.
const KEPT: usize = 256;

/// The library's sessions, and when each was last used.
#[derive(Debug, Clone)]
pub(super) struct Sessions {
    /// The library's own.
    pub(super) local: Arc<LocalSessionManager>,
    used: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Sessions {
    /// None yet.
    pub(super) fn new() -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(SILENCE);
        Self { local: Arc::new(local), used: Arc::default() }
    }

    /// Notes that a request names its session.
    pub(super) fn note_use(&self, asked: &HeaderMap, now: Instant) {
        let mut known = self.used();
        if let Some(used) = id(asked).and_then(|id| known.get_mut(id)) {
            *used = now;
        }
    }

    /// Notes that a reply opens a session, and makes room for it.
    pub(super) async fn note_opening(&self, answered: &HeaderMap, now: Instant) {
        let Some(opened) = id(answered) else { return };
        let silent = keep(&mut self.used(), opened, now);
        if let Some(silent) = silent
            && let Err(error) = self.local.close_session(&silent.into()).await
        {
            tracing::warn!("a silent MCP session did not close: {error}");
        }
    }

    fn used(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

/// Keeps a session; gives the one that has to go for it.
fn keep(used: &mut HashMap<String, Instant>, opened: &str, now: Instant) -> Option<String> {
    used.insert(opened.to_owned(), now);
    if used.len() <= KEPT {
        return None;
    }
    let silent = used.iter().min_by_key(|(_, used)| **used).map(|(id, _)| id.clone())?;
    used.remove(&silent);
    Some(silent)
}

#[cfg(test)]
mod tests {
    use coffer_env::clock;

    use super::*;

    #[test]
    fn the_session_that_was_silent_longest_makes_room() {
        let (mut used, start) = (HashMap::new(), clock::instant());
        let at = |second: u64| start + Duration::from_secs(second);
        for number in 0..KEPT as u64 {
            assert_eq!(keep(&mut used, &number.to_string(), at(number)), None);
        }
        used.insert("0".to_owned(), at(999));
        assert_eq!(keep(&mut used, "new", at(1000)).as_deref(), Some("1"));
        assert_eq!(keep(&mut used, "newer", at(1001)).as_deref(), Some("2"));
        assert!(used.contains_key("0") && used.len() == KEPT);
    }
}
