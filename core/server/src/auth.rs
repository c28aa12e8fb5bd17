//! Who may talk: the token of `run/server.json`, session tokens of the viewer, one-time codes.
//!
//! Sessions and codes live in memory only and die with the server or a rotation. Every comparison
//! takes the same time whether it matches or not.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use coffer_env::ServerFile;
use coffer_env::server_file::new_token;
use subtle::ConstantTimeEq as _;
use tokio_util::sync::CancellationToken;

/// How long a one-time code may be exchanged.
const CODE_LIFE: Duration = Duration::from_secs(60);
/// How many sessions or codes are kept; the oldest goes first.
const KEPT: usize = 64;

/// The keys of a running server.
#[derive(Debug)]
pub(crate) struct Auth(Mutex<Keys>);

struct Keys {
    file: ServerFile,
    sessions: Vec<String>,
    codes: Vec<(String, Instant)>,
    /// Ends what was opened under the present keys.
    generation: CancellationToken,
}

/// Never shows a key.
impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("sessions", &self.sessions.len()).finish_non_exhaustive()
    }
}

impl Auth {
    /// The keys that `server.json` announces.
    pub(crate) fn new(file: ServerFile) -> Self {
        let generation = CancellationToken::new();
        Self(Mutex::new(Keys { file, sessions: Vec::new(), codes: Vec::new(), generation }))
    }

    /// Whether a caller's token is the server's or a session's.
    pub(crate) fn admits(&self, token: &str) -> bool {
        let keys = self.keys();
        let known = std::iter::once(&keys.file.token).chain(&keys.sessions);
        known.fold(false, |admitted, key| admitted | same(key, token))
    }

    /// Whether a caller's token is the server's own, which no page has.
    pub(crate) fn admits_owner(&self, token: &str) -> bool {
        same(&self.keys().file.token, token)
    }

    /// A one-time code, good for 60 seconds from `now`.
    pub(crate) fn code(&self, now: Instant) -> String {
        let code = new_token();
        push(&mut self.keys().codes, (code.clone(), now + CODE_LIFE));
        code
    }

    /// Exchanges a code for a session token; `None` for one that is unknown, used or too old.
    pub(crate) fn exchange(&self, code: &str, now: Instant) -> Option<String> {
        let mut keys = self.keys();
        keys.codes.retain(|(_, until)| now < *until);
        let at = keys.codes.iter().position(|(known, _)| same(known, code))?;
        keys.codes.swap_remove(at);
        drop(keys);
        Some(self.session())
    }

    /// A new session token.
    pub(crate) fn session(&self) -> String {
        let token = new_token();
        push(&mut self.keys().sessions, token.clone());
        token
    }

    /// A copy of the file under a new token. It counts only once it is given to [`Self::adopt`],
    /// so that a file that cannot be written leaves the old token in force.
    pub(crate) fn renewed(&self) -> ServerFile {
        ServerFile { token: new_token(), ..self.keys().file.clone() }
    }

    /// Puts new keys in force: the old token and all sessions and codes are dead at once.
    pub(crate) fn adopt(&self, file: ServerFile) {
        let mut keys = self.keys();
        keys.file = file;
        keys.sessions.clear();
        keys.codes.clear();
        std::mem::take(&mut keys.generation).cancel();
    }

    /// Cancelled when the keys in force now are replaced.
    pub(crate) fn generation(&self) -> CancellationToken {
        self.keys().generation.clone()
    }

    /// The answer to a challenge, and the server's instance id.
    pub(crate) fn proof(&self, nonce: &[u8]) -> (String, String) {
        let keys = self.keys();
        (keys.file.proof(nonce), keys.file.instance.clone())
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same(known: &str, given: &str) -> bool {
    known.as_bytes().ct_eq(given.as_bytes()).into()
}

fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= KEPT {
        list.remove(0);
    }
    list.push(item);
}

#[cfg(test)]
pub(crate) mod tests {
    use coffer_env::clock;
    use coffer_env::server_file::Owner;

    use super::*;

    pub(crate) fn auth(token: &str) -> Auth {
        Auth::new(ServerFile {
            pid: 1,
            port: 27411,
            token: token.into(),
            instance: "i".into(),
            version: "0".into(),
            owner: Owner::Headless,
        })
    }

    #[test]
    fn only_known_tokens_are_admitted() {
        let auth = auth("token");
        let session = auth.session();
        assert!(auth.admits("token") && auth.admits(&session));
        assert!(auth.admits_owner("token") && !auth.admits_owner(&session));
        for wrong in ["", "toke", "tokenn", "TOKEN", &session[1..]] {
            assert!(!auth.admits(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_code_works_once_and_not_for_long() {
        let auth = auth("token");
        let now = clock::instant();
        let code = auth.code(now);
        assert!(!auth.admits(&code));
        assert!(auth.admits(&auth.exchange(&code, now).unwrap()));
        assert_eq!(auth.exchange(&code, now), None);

        let late = auth.code(now);
        assert_eq!(auth.exchange(&late, now + CODE_LIFE), None);
        assert_eq!(auth.exchange("", now), None);
    }

    #[test]
    fn rotation_kills_everything_old() {
        let auth = auth("token");
        let now = clock::instant();
        let (session, code, streams) = (auth.session(), auth.code(now), auth.generation());
        let renewed = auth.renewed();
        assert!(auth.admits("token") && !streams.is_cancelled());
        let token = renewed.token.clone();
        auth.adopt(renewed);
        assert!(auth.admits(&token) && streams.is_cancelled());
        assert!(!auth.admits("token") && !auth.admits(&session));
        assert_eq!(auth.exchange(&code, now), None);
        assert!(!auth.generation().is_cancelled());
    }

    #[test]
    fn the_oldest_session_makes_room() {
        let auth = auth("token");
        let first = auth.session();
        let last = (0..KEPT).map(|_| auth.session()).last().unwrap();
        assert!(!auth.admits(&first) && auth.admits(&last));
    }
}
