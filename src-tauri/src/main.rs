//! Coffer's desktop application: the window, the tray icon and the server, in one process.
//!
//! Deliberately absent: commands and capabilities for the page, which asks the server as a browser
//! does; any rule about memory.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod arguments;
mod display;
mod dropped;
mod failure;
mod follow;
mod instance;
mod login;
mod message;
mod session;
mod shell;
mod start;
mod tools;
mod tray;
mod window;

use std::process::ExitCode;

use coffer_env::Home;
use tauri::{AppHandle, RunEvent};

use failure::Failure;

fn main() -> ExitCode {
    coffer_core::convert::enter_if_asked();
    run().unwrap_or_else(|failure| failure.report())
}

/// Runs until the server has ended, whatever ended it.
fn run() -> Result<ExitCode, Failure> {
    if !display::is_there() {
        return Err(Failure::NoDisplay);
    }
    let home = Home::discover()?;
    // Who clicks an icon cannot be asked to type better, and where no file can be had the server
    // will say why.
    _ = coffer_server::logging::start(&home);
    let app = tauri::Builder::default()
        // First, so that nothing has begun when it finds another instance and ends this one.
        .plugin(instance::plugin(&home))
        .plugin(tauri_plugin_shell::init())
        .plugin(login::plugin())
        .on_window_event(window::on_event)
        .setup(move |app| {
            start(app.handle(), &home);
            Ok(())
        })
        .build(tauri::generate_context!())?;
    let code = app.run_return(|app, event| {
        // The last window is gone, but the server has to end before the process does.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
            shell::quit(app);
        }
    });
    Ok(u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Starts the shell. Who clicked an icon sees no stderr, so that a failure is also shown.
fn start(app: &AppHandle, home: &Home) {
    let Err(failure) = shell::start(app, home, arguments::is_minimized(std::env::args())) else {
        return;
    };
    failure.say();
    let (app, code) = (app.clone(), failure.exit_code());
    tauri::async_runtime::spawn(async move {
        message::trouble("Coffer cannot start", &failure.to_string(), failure.hint()).await;
        app.exit(code.into());
    });
}
