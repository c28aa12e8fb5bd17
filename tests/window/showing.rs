//! When there is a window, and when there is none.

use crate::support::desktop::{App, Desktop, PATIENCE, eventually, processes_of};

#[test]
fn closing_hides_and_a_second_start_shows_again() {
    let desktop = Desktop::start();
    let mut app = App::start(&desktop, &[]);
    app.is_shown();
    desktop.close_window("Coffer");
    app.is_hidden();
    assert_eq!(app.get("/health").status, 200, "the server goes on");

    let second = desktop.command("coffer-desktop").output().unwrap();
    assert_eq!(second.status.code(), Some(0), "{second:?}");
    app.is_shown();
    assert!(app.process.as_mut().unwrap().runs());

    // A second start at login asks for no window.
    desktop.close_window("Coffer");
    app.is_hidden();
    let quiet = desktop.command("coffer-desktop").arg("--minimized").output().unwrap();
    assert_eq!(quiet.status.code(), Some(0), "{quiet:?}");
    assert!(!app.has_window());
    app.tray().choose("Open Coffer");
    app.is_shown();
}

#[test]
fn without_the_tray_closing_the_window_ends_the_program() {
    let desktop = Desktop::start();
    let mut app = App::start(&desktop, &[]);
    app.is_shown();
    app.put("/api/v1/settings", &serde_json::json!({"close_to_tray": false}));
    desktop.close_window("Coffer");
    let status = app.process.as_mut().unwrap().ended();
    assert_eq!(status.code(), Some(0));
    assert!(!desktop.home().server_file().exists());
}

#[test]
fn a_start_in_the_tray_runs_no_web_engine_until_the_window_is_opened() {
    let desktop = Desktop::start();
    let app = App::start(&desktop, &["--minimized"]);
    let tray = app.tray();
    assert_eq!(app.get("/health").status, 200);
    assert!(!app.has_window());
    assert_eq!(processes_of(desktop.home().root()), ["coffer-desktop"]);
    tray.choose("Open Coffer");
    app.is_shown();
    eventually("the web engine runs", PATIENCE, || {
        let processes = processes_of(desktop.home().root());
        processes.iter().any(|name| name.starts_with("WebKit")).then_some(())
    });
}

#[test]
fn another_home_is_another_coffer() {
    let desktop = Desktop::start();
    let app = App::start(&desktop, &["--minimized"]);
    let other = desktop.folder().join("other");
    let mut command = desktop.command("coffer-desktop");
    command.arg("--minimized").env("COFFER_HOME", &other);
    let mut second = crate::support::desktop::Process::start(&mut command);
    let info = eventually("the other one serves", PATIENCE, || {
        coffer_env::ServerFile::read(&coffer_env::Home::at(&other).server_file())
    });
    assert_ne!(info.port, app.info.port);
    assert!(second.runs());
}

#[test]
fn the_window_is_dark_where_the_desktop_is() {
    for (theme, is_dark) in [("Adwaita", false), ("Adwaita:dark", true)] {
        let desktop = Desktop::with_theme(theme);
        let (_app, page) = App::start_with_page(&desktop, &[]);
        page.see("[data-testid=first-run]");
        assert_eq!(page.value("matchMedia('(prefers-color-scheme: dark)').matches"), is_dark);
        desktop.picture(if is_dark { "dark" } else { "light" });
    }
}
