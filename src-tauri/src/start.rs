//! Becoming the server of a home: at once, or in place of a headless server, which hands over.

use std::thread;
use std::time::{Duration, Instant};

use coffer_api::routes;
use coffer_client::{Versions, find};
use coffer_env::{Home, ServerFile};
use coffer_server::{Options, Owner, Server, StartError};

/// How long another server may take to end.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often one tries to take its place: faster than an agent's shim, which would start the next
/// headless server.
const PAUSE: Duration = Duration::from_millis(10);

/// Takes the owner's lock and starts the server.
///
/// # Errors
///
/// When a window owns the home, when the owner does not end in time, or when folders, engine or
/// port cannot be had.
pub(crate) fn server(home: &Home) -> Result<Server, StartError> {
    let deadline = Instant::now() + PATIENCE;
    let mut asked = None;
    loop {
        let options = Options { home: home.clone(), port: None, owner: Owner::Desktop };
        match Server::bind(options) {
            Err(StartError::AlreadyRunning(owner))
                if makes_way(owner.as_deref()) && Instant::now() < deadline =>
            {
                // Each server is asked once; one that is just starting or ending tells nothing.
                if let Some(ServerFile { instance, .. }) = owner.map(|owner| *owner)
                    && asked.as_ref() != Some(&instance)
                {
                    ask_to_stop(home);
                    asked = Some(instance);
                }
                thread::sleep(PAUSE);
            }
            outcome => return outcome,
        }
    }
}

fn makes_way(owner: Option<&ServerFile>) -> bool {
    owner.is_none_or(|owner| owner.owner == Owner::Headless)
}

/// A server that cannot be asked keeps the lock, and that is what is reported in the end.
fn ask_to_stop(home: &Home) {
    let asked = find(home, Versions::Any).and_then(|client| client.post::<()>(routes::SHUTDOWN));
    if let Err(error) = asked {
        tracing::warn!(%error, "the headless server could not be asked to hand over");
    }
}
