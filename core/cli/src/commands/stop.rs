//! `coffer stop`: ends the running server, and nothing else.

use std::thread;
use std::time::{Duration, Instant};

use coffer_api::routes;
use coffer_client::{ClientError, Versions, find};
use coffer_env::{Home, ServerFile};

use crate::cli::Cli;
use crate::failure::Failure;

/// How long it may take to finish what is under way.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often one looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Stops the server and waits until it is gone. Nothing to stop is no failure.
pub(crate) fn run(cli: &mut Cli) -> Result<(), Failure> {
    let client = match cli.running() {
        Ok(client) => client,
        Err(Failure::Client(ClientError::NotRunning)) => {
            return cli.screen.show(&false, |page| page.line("Coffer was not running."));
        }
        Err(failure) => return Err(failure),
    };
    let stopped = ServerFile::read(&cli.home.server_file());
    client.post::<()>(routes::SHUTDOWN)?;
    let deadline = Instant::now() + PATIENCE;
    while !is_gone(&cli.home, stopped.as_ref()) {
        if Instant::now() >= deadline {
            return Err(Failure::Failed("Coffer is still finishing its work".to_owned()));
        }
        thread::sleep(PAUSE);
    }
    cli.screen.show(&true, |page| page.line("Coffer has stopped."))
}

/// A server that no longer answers may still finish what is under way; it takes its file away
/// last. One that was started meanwhile is another.
fn is_gone(home: &Home, stopped: Option<&ServerFile>) -> bool {
    match ServerFile::read(&home.server_file()) {
        Some(now) => stopped.is_some_and(|stopped| stopped.instance != now.instance),
        None => matches!(find(home, Versions::Any), Err(ClientError::NotRunning)),
    }
}
