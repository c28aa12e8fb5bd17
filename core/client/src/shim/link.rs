//! The connection to the server over its restarts: which server, which session, and the handshake
//! that opens the session again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use coffer_api::routes;
use ureq::http::Method;

use super::Options;
use super::post::{Posted, Session, post, session_headers};
use super::reply::Broken;
use super::wire::{Message, settled_version};
use crate::client::Client;
use crate::error::ClientError;
use crate::find::Versions;
use crate::start::find_or_start;

/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_millis(500);

/// The way to the server as it is now.
#[derive(Debug, Clone)]
pub(super) struct Route {
    pub(super) client: Client,
    pub(super) session: Option<Session>,
    /// Rises whenever the way is made anew.
    pub(super) generation: u64,
}

/// The connection over its restarts.
pub(super) struct Link {
    options: Options,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    client: Option<Client>,
    session: Option<Session>,
    generation: u64,
    initialize: Option<Message>,
    initialized: Option<Message>,
}

impl Link {
    pub(super) fn new(options: Options) -> Self {
        Self { options, state: Mutex::default() }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// The way to the server; starts one when none runs.
    pub(super) fn route(&self) -> Result<Route, ClientError> {
        let mut state = self.lock();
        let client = self.client(&mut state)?;
        Ok(Route { client, session: state.session.clone(), generation: state.generation })
    }

    /// The handshake was answered: further messages belong to this session.
    pub(super) fn opened(&self, initialize: &Message, answer: &str, session: Option<String>) {
        let Some(version) = settled_version(answer) else { return };
        let mut state = self.lock();
        state.session = Some(Session { id: session, version });
        state.initialize = Some(initialize.clone());
        state.initialized = None;
    }

    /// The agent speaks the stateless generation: what does not name its version has this one.
    pub(super) fn stateless(&self, version: &str) {
        let mut state = self.lock();
        if state.session.is_none() {
            state.session = Some(Session { id: None, version: version.to_owned() });
        }
    }

    /// The agent said that it is ready; a new session will be told so as well.
    pub(super) fn ready(&self, initialized: &Message) {
        self.lock().initialized = Some(initialized.clone());
    }

    /// Makes the way anew, unless somebody did so since `stale`: finds or starts a server and
    /// replays the handshake, silently. Tells whether there is a new session.
    pub(super) fn renew(&self, stale: u64) -> Result<bool, ClientError> {
        let mut state = self.lock();
        if state.generation != stale {
            return Ok(false);
        }
        state.client = None;
        let client = self.client(&mut state)?;
        state.generation += 1;
        let Some(initialize) = state.initialize.clone() else { return Ok(false) };
        let posted = self.silently(&client, None, &initialize)?;
        let version = posted.answer.as_deref().and_then(settled_version);
        let Some(version) = version else { return Ok(false) };
        let session = Session { id: posted.session, version };
        if let Some(initialized) = &state.initialized {
            self.silently(&client, Some(&session), initialized)?;
        }
        state.session = Some(session);
        Ok(true)
    }

    /// Ends the session. A server that is gone is not started for that.
    pub(super) fn close(&self) {
        let (client, session) = {
            let mut state = self.lock();
            (state.client.take(), state.session.take())
        };
        if let (Some(client), Some(session)) = (client, session)
            && session.id.is_some()
        {
            let headers = session_headers(&self.options, Some(&session));
            let _ = client.exchange(Method::DELETE, routes::MCP, &headers, "", GOODBYE);
        }
    }

    /// Sends a message of the handshake whose answer the agent has seen already.
    fn silently(
        &self,
        client: &Client,
        session: Option<&Session>,
        message: &Message,
    ) -> Result<Posted, ClientError> {
        post(client, &self.options, session, message, &mut |_| {}).map_err(Broken::into_error)
    }

    fn client(&self, state: &mut State) -> Result<Client, ClientError> {
        if let Some(client) = &state.client {
            return Ok(client.clone());
        }
        let client = find_or_start(&self.options.home, &self.options.starter, Versions::Any)?;
        Ok(state.client.insert(client).clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
