//! `coffer serve`: the server, in the foreground, or started again in a session of its own.

mod detach;

use std::time::Duration;

use clap::Args;
use coffer_env::server_file::Owner;
use coffer_server::{Options, Server, StartError, logging};

use crate::cli::Cli;
use crate::failure::Failure;

/// How long background threads may take to end after the server did.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// How to serve.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The preferred port, 0 for any free one
    #[arg(long)]
    port: Option<u16>,
    /// Run in the background; returns once it answers
    #[arg(long)]
    detach: bool,
    /// What `--detach` starts: leaves the terminal's session.
    #[arg(long, hide = true, conflicts_with = "detach")]
    session: bool,
}

impl Serve {
    /// Serves until stopped, or starts what does.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        if self.detach {
            return detach::start(cli, self.port);
        }
        if self.session {
            leave_session();
        }
        let home = cli.home.clone();
        logging::start(&home)?;
        let server = Server::bind(Options { home, port: self.port, owner: Owner::Headless })?;
        let address = server.handle().address();
        tracing::info!("version {} serves at {address}", env!("CARGO_PKG_VERSION"));
        if !self.session {
            cli.screen.show(&address, |page| {
                page.heading(format!("Coffer {} serves at {address}", env!("CARGO_PKG_VERSION")));
                page.line("`coffer open` opens the viewer; Ctrl-C stops the server.");
            })?;
        }
        let runtime = tokio::runtime::Runtime::new().map_err(StartError::Runtime)?;
        let served = runtime.block_on(server.run());
        // What still runs does so without anybody to answer to.
        runtime.shutdown_timeout(LEFTOVERS);
        tracing::info!("has stopped");
        Ok(served?)
    }
}

/// A server in the background does not end with the terminal.
fn leave_session() {
    // Fails only for a process that leads a group already, as one started by a person.
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}
