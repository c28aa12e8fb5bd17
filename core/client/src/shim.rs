//! `coffer mcp`: the bridge between an agent that spawns its MCP servers (JSON-RPC lines on stdin
//! and stdout) and the one server of this home (`POST /mcp`).
//!
//! Messages pass through as they are, in both protocol generations: the older one with its
//! handshake and sessions, and the stateless one. What the bridge adds is that a restart of the
//! server does not strand the agent. Nothing but JSON-RPC lines ever goes to stdout.

mod bridge;
mod input;
mod link;
mod listen;
mod output;
mod pending;
mod post;
mod reply;
#[cfg(test)]
#[cfg(unix)]
mod tests;
#[cfg(unix)]
mod watch;
mod wire;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use coffer_env::Home;

use crate::start::Starter;
use bridge::Bridge;
use input::{Line, Lines};

/// What the bridge needs to know.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whose server.
    pub home: Home,
    /// What starts it when none runs.
    pub starter: Starter,
    /// The directory that the agent works in: it decides which project is meant.
    pub cwd: Option<PathBuf>,
    /// The agent's name, when the one that it gives itself is not wanted.
    pub agent: Option<String>,
}

/// Bridges this process's stdin and stdout until the agent is done with it, or gone.
pub fn serve(options: Options) {
    let bridge = Bridge::new(options, output::OrExit(std::io::stdout()));
    #[cfg(unix)]
    for end in [watch::until_alone, watch::until_told] {
        let bridge = Arc::clone(&bridge);
        std::thread::spawn(move || {
            end();
            bridge.leave();
            std::process::exit(0);
        });
    }
    pump(&bridge, std::io::stdin());
}

/// Bridges any two streams until `input` ends.
pub fn run(options: Options, input: impl Read, output: impl Write + Send + 'static) {
    pump(&Bridge::new(options, output), input);
}

fn pump(bridge: &Arc<Bridge>, input: impl Read) {
    for line in Lines::of(input) {
        match line {
            Line::Text(text) => bridge.take(text),
            Line::TooLong => bridge.refuse(&wire::too_long()),
            Line::NotText => bridge.refuse(&wire::not_text()),
        }
    }
    bridge.finish();
}
