//! Who this page is to the server: a token that comes in the address's fragment.
//!
//! It is taken out of the address at once and kept in memory only: no storage, no cookie, so
//! another page or a later visitor of this browser has nothing to find. Reloading forgets it.

use coffer_api::routes;
use coffer_api::session::{SessionIn, SessionOut};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;

use crate::api::Api;
use crate::failure::Failure;

/// Whether the page may read.
#[derive(Clone, PartialEq)]
pub(crate) enum Session {
    /// A one-time code is being exchanged.
    Opening,
    /// With this token.
    Open(String),
    /// It may not.
    Closed(Closed),
}

/// Why the page may not read.
#[derive(Clone, PartialEq)]
pub(crate) enum Closed {
    /// The address brought nothing.
    NoToken,
    /// The code was used before or is too old.
    CodeRefused,
    /// The server that gave the token is gone, or the token was replaced.
    Ended,
    /// The server does not answer.
    Unreachable,
}

/// Reads the address now, and again whenever its fragment changes: the desktop app brings a new
/// token that way.
pub(crate) fn begin() -> RwSignal<Session> {
    let session = RwSignal::new(Session::Closed(Closed::NoToken));
    take_credential(session);
    let listener = window_event_listener(leptos::ev::hashchange, move |_| take_credential(session));
    on_cleanup(move || listener.remove());
    session
}

fn take_credential(session: RwSignal<Session>) {
    let fragment = window().location().hash().unwrap_or_default();
    let Some(credential) = credential(&fragment) else { return };
    forget_fragment();
    match credential {
        Credential::Token(token) => session.set(Session::Open(token)),
        Credential::Code(code) => {
            session.set(Session::Opening);
            spawn_local(exchange(session, code));
        }
    }
}

async fn exchange(session: RwSignal<Session>, code: String) {
    let reply = Api::new(session).post(routes::SESSION, &SessionIn { code }).await;
    session.set(match reply {
        Ok(SessionOut { token }) => Session::Open(token),
        Err(Failure::Unreachable) => Session::Closed(Closed::Unreachable),
        Err(_) => Session::Closed(Closed::CodeRefused),
    });
}

/// Takes the fragment out of the address bar and the history.
fn forget_fragment() {
    let location = window().location();
    let path = location.pathname().unwrap_or_default();
    let query = location.search().unwrap_or_default();
    if let Ok(history) = window().history() {
        let bare = format!("{path}{query}");
        // Refused only for addresses of another origin, which this is not.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&bare));
    }
}

#[derive(Debug, PartialEq)]
enum Credential {
    Token(String),
    Code(String),
}

fn credential(fragment: &str) -> Option<Credential> {
    let pairs = fragment.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(_, value)| !value.is_empty()).find_map(|(name, value)| match name {
        "token" => Some(Credential::Token(value.to_owned())),
        "code" => Some(Credential::Code(value.to_owned())),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_may_hold_a_token_or_a_code() {
        let token = |value: &str| Some(Credential::Token(value.to_owned()));
        assert_eq!(credential("#token=ab12"), token("ab12"));
        assert_eq!(credential("#x=1&token=a=b"), token("a=b"));
        assert_eq!(credential("#code=77"), Some(Credential::Code("77".to_owned())));
        for nothing in ["", "#", "#token", "#token=", "#section-2", "#tokens=a"] {
            assert_eq!(credential(nothing), None, "{nothing}");
        }
    }
}
