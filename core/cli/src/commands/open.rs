//! `coffer open`: the viewer, in its own window where that is installed, else in the browser.

#![expect(clippy::disallowed_methods, reason = "starts the window's program")]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use coffer_api::routes;
use coffer_api::session::SessionCodeOut;
use coffer_client::Starter;
use coffer_env::vars;

use crate::cli::Cli;
use crate::failure::Failure;

/// How to open it.
#[derive(Debug, Args)]
pub(crate) struct Open {
    /// In the browser, even where the window is installed
    #[arg(long)]
    browser: bool,
    /// Only print the address, which works once and for a minute
    #[arg(long)]
    print: bool,
}

impl Open {
    /// Opens the viewer, or prints its address where nothing can be shown.
    pub(crate) fn run(&self, cli: &mut Cli) -> Result<(), Failure> {
        let shown = has_display() && !self.print;
        if shown && !self.browser && open_window(cli)? {
            return Ok(());
        }
        let code: SessionCodeOut = cli.client()?.post(routes::SESSION_CODE)?;
        if shown && open::that_detached(&code.url).is_ok() {
            // The address is in nobody's scrollback this way.
            return cli.screen.show(&code, |page| page.line("The viewer opens in your browser."));
        }
        cli.screen.show(&code, |page| page.line(&code.url))
    }
}

/// Starts the window's program, which shows the window of the one that runs already.
fn open_window(cli: &Cli) -> Result<bool, Failure> {
    let program = window()?;
    if !program.is_file() {
        return Ok(false);
    }
    let mut command = Command::new(program);
    command.env(vars::HOME, cli.home.root());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.spawn().is_ok())
}

fn window() -> Result<PathBuf, Failure> {
    let name = format!("coffer-desktop{}", std::env::consts::EXE_SUFFIX);
    Ok(Starter::sibling()?.program().with_file_name(name))
}

/// Whether this session can show anything.
fn has_display() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || [vars::WAYLAND_DISPLAY, vars::DISPLAY].iter().any(|name| vars::get(name).is_some())
}
