//! `coffer-mcp-shim`: the bridge for agents that spawn their MCP servers, as a program of its own,
//! so that an agent's configuration names nothing else. The same as `coffer mcp`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use coffer_client::Starter;
use coffer_client::shim::{self, Options};
use coffer_env::Home;

/// MCP over stdin and stdout, bridged to the one Coffer of this home.
#[derive(Debug, Parser)]
#[command(name = "coffer-mcp-shim", version)]
struct Arguments {
    /// The agent's name, instead of the one that it gives itself
    #[arg(long)]
    agent: Option<String>,
    /// Coffer's folder, instead of `COFFER_HOME` or `~/.coffer`
    #[arg(long, value_name = "FOLDER")]
    home: Option<PathBuf>,
}

fn main() -> ExitCode {
    match options(Arguments::parse()) {
        Ok(options) => {
            shim::serve(options);
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the directory decides which project is meant")]
fn options(arguments: Arguments) -> Result<Options, Box<dyn std::error::Error>> {
    Ok(Options {
        home: arguments.home.map_or_else(Home::discover, |home| Ok(Home::at(home)))?,
        starter: Starter::sibling()?,
        cwd: std::env::current_dir().ok(),
        agent: arguments.agent,
    })
}
