//! A server from its start to its end.

use std::sync::Arc;
use std::time::Duration;

use coffer_core::Coffer;
use coffer_env::server_file::{Owner, new_token};
use coffer_env::{Home, ServerFile, clock, vars};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::about::{About, VERSION};
use crate::auth::Auth;
use crate::connections::Serving;
use crate::feed::Feed;
use crate::guard::Guard;
use crate::handle::Handle;
use crate::listen::Bound;
use crate::run_folder::{self, RunFolder};
use crate::start::StartError;
use crate::{process, router};

/// How long requests under way may take once the server stops.
const GRACE: Duration = Duration::from_secs(3);

/// How a server is started.
#[derive(Debug)]
pub struct Options {
    /// Coffer's folder.
    pub home: Home,
    /// The preferred port, 0 for any free one; absent: `COFFER_PORT`, else 27411.
    pub port: Option<u16>,
    /// Which program runs it.
    pub owner: Owner,
}

/// A server that is bound and announced, but does not answer until it is run.
pub struct Server {
    handle: Handle,
    bound: Bound,
    run: RunFolder,
}

impl Server {
    /// Takes the owner's lock, opens the engine, binds the port and the socket, and only then
    /// tells clients where it is.
    ///
    /// # Errors
    ///
    /// When another process owns the home, or folders, engine or port cannot be had.
    pub fn bind(options: Options) -> Result<Self, StartError> {
        let Options { home, port, owner } = options;
        process::set_limits();
        let port = preferred_port(port)?;
        let run = RunFolder::take(&home)?;
        let feed = Feed::new();
        let coffer = Coffer::open(&home, {
            let feed = feed.clone();
            move |event| feed.tell(event)
        })?;
        let bound = Bound::new(&home, port)?;
        let file = ServerFile {
            pid: std::process::id(),
            port: bound.port,
            token: new_token(),
            instance: new_token(),
            version: VERSION.to_owned(),
            owner,
        };
        let announced = run_folder::announce(&home, &file);
        announced.map_err(|source| StartError::Folder { path: home.server_file(), source })?;
        let about =
            About { port: bound.port, started_at: clock::now(), lacks: bound.lacks(), home };
        let handle = Handle {
            coffer: Arc::new(coffer),
            feed,
            auth: Arc::new(Auth::new(file)),
            about: Arc::new(about),
            stop: CancellationToken::new(),
        };
        Ok(Self { handle, bound, run })
    }

    /// For whoever shows, asks or stops this server.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Serves until a signal, a request or the handle stops it; then finishes what is under way
    /// and leaves nothing behind.
    ///
    /// # Errors
    ///
    /// When the runtime cannot take over what was bound.
    pub async fn run(self) -> Result<(), StartError> {
        let Self { handle, bound, run } = self;
        process::stop_on_signals(&handle.stop).map_err(StartError::Runtime)?;
        let open = TaskTracker::new();
        let serving = Serving {
            guard: Guard { port: bound.port, auth: Arc::clone(&handle.auth) },
            router: router::build(handle.app()),
            stop: handle.stop.clone(),
            open: open.clone(),
        };
        for listener in bound.listeners().map_err(StartError::Runtime)? {
            open.spawn(serving.clone().accept(listener));
        }
        let coffer = handle.coffer();
        let warm = Arc::clone(&coffer);
        tokio::task::spawn_blocking(move || warm.warm_up());
        handle.stop.cancelled().await;
        open.close();
        if tokio::time::timeout(GRACE, open.wait()).await.is_err() {
            tracing::warn!("{} connections did not end in time", open.len());
        }
        if let Err(stopped) = tokio::task::spawn_blocking(move || coffer.close()).await {
            tracing::error!("the engine did not close: {stopped}");
        }
        drop(run);
        Ok(())
    }
}

fn preferred_port(given: Option<u16>) -> Result<Option<u16>, StartError> {
    match (given, vars::get(vars::PORT)) {
        (Some(port), _) => Ok(Some(port)),
        (None, Some(text)) => text.parse().map(Some).map_err(|_| StartError::BadPort(text)),
        (None, None) => Ok(None),
    }
}
