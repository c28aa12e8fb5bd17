//! What holds the program together: the server in this process, the tray icon, and their end.
//!
//! The server's end is the program's end, whoever asked for it: the tray, a signal, `coffer stop`.

use coffer_env::Home;
use coffer_server::{Handle, Server};
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager as _};

use crate::failure::Failure;
use crate::session::Session;
use crate::tray::Tray;
use crate::{follow, window};

/// What the parts of the program share.
pub(crate) struct Shell {
    /// Coffer's folder.
    pub(crate) home: Home,
    /// The server.
    pub(crate) server: Handle,
    /// The window's key to it.
    pub(crate) session: Session,
    /// The icon, where there is one.
    pub(crate) tray: Option<Tray>,
}

impl Shell {
    /// Whether the program stays in the tray when its window is closed.
    pub(crate) fn stays_in_tray(&self) -> bool {
        self.tray.is_some() && self.server.coffer().settings.get().close_to_tray
    }
}

/// Starts the server and shows it: as an icon, and as a window unless `is_minimized`.
pub(crate) fn start(app: &AppHandle, home: &Home, is_minimized: bool) -> Result<(), Failure> {
    let server = crate::start::server(home)?;
    let shell = Shell {
        home: home.clone(),
        session: Session::with(server.handle())?,
        server: server.handle(),
        tray: Tray::make(app, home),
    };
    // Without an icon a window is the only way to reach the program.
    let has_window = !is_minimized || shell.tray.is_none();
    app.manage(shell);
    spawn(serve(app.clone(), server));
    if has_window {
        window::open(app);
    }
    Ok(())
}

/// Serves, and ends the program after it.
async fn serve(app: AppHandle, server: Server) {
    let follower = spawn(follow::follow(app.clone()));
    let code = match server.run().await {
        Ok(()) => 0,
        Err(error) => {
            tracing::error!(%error, "the server could not go on");
            Failure::from(error).exit_code()
        }
    };
    // Whoever holds the icon at the very end would leave its file behind.
    follower.abort();
    _ = follower.await;
    app.exit(code.into());
}

/// Ends the program: the window goes at once, the rest when the server has finished its work.
pub(crate) fn quit(app: &AppHandle) {
    window::hide(app);
    match app.try_state::<Shell>() {
        Some(shell) => shell.server.stop(),
        None => app.exit(0),
    }
}
