//! `coffer stop`: ends the running server, and nothing else.

use std::thread;
use std::time::{Duration, Instant};

use coffer_api::routes;
use coffer_client::{ClientError, Versions, find};

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
    client.post::<()>(routes::SHUTDOWN)?;
    let deadline = Instant::now() + PATIENCE;
    while !matches!(find(&cli.home, Versions::Any), Err(ClientError::NotRunning)) {
        if Instant::now() >= deadline {
            return Err(Failure::Failed("Coffer is still finishing its work".to_owned()));
        }
        thread::sleep(PAUSE);
    }
    cli.screen.show(&true, |page| page.line("Coffer has stopped."))
}
