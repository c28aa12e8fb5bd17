//! The tray's menu and the page say the same, whoever changes what they show.

use std::time::Duration;

use serde_json::json;

use crate::support::desktop::{App, Desktop, PATIENCE, Shown, eventually};
use crate::support::process::answer_within;

/// After so long a person chooses again.
const AGAIN: Duration = Duration::from_secs(3);
const SETTINGS: &str = "/api/v1/settings";
/// The title of the box that says so.
const INSTALLED: &str = "The command-line tools are installed";

#[test]
fn agents_are_paused_and_served_from_the_tray_the_page_and_the_api() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    let tray = app.tray();
    let config = || std::fs::read_to_string(desktop.home().config_file()).unwrap_or_default();
    let page_says = |on: bool| {
        eventually("the page shows it", PATIENCE, || {
            let checked = page.value("document.querySelector('#serve-agents')?.checked ?? null");
            (checked == on).then_some(())
        });
    };
    let tray_says = |on: bool| {
        eventually("the tray shows it", PATIENCE, || {
            (tray.is_checked("Serve agents") == on).then_some(())
        });
    };
    page.click("a[href='/settings']");
    page_says(true);
    tray_says(true);
    tray.looks("serving");

    tray.choose("Serve agents");
    page_says(false);
    tray_says(false);
    assert!(config().contains("serve_agents = false"), "{}", config());
    let refused = app.post("/mcp", &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    assert_eq!(refused.refusal(), (503, "PAUSED".to_owned()));
    assert_eq!(app.get("/api/v1/memory_stores").status, 200, "the window goes on");
    tray.looks("paused");
    desktop.picture("paused");

    page.click("#serve-agents");
    page_says(true);
    tray_says(true);
    assert!(config().contains("serve_agents = true"), "{}", config());

    app.put(SETTINGS, &json!({"serve_agents": false}));
    page_says(false);
    tray_says(false);

    // By hand, as everything may be changed.
    std::fs::write(desktop.home().config_file(), "serve_agents = true\n").unwrap();
    tray_says(true);
    page_says(true);
}

#[test]
fn the_start_at_login_is_what_the_preference_says() {
    let desktop = Desktop::start();
    let app = App::start(&desktop, &["--minimized"]);
    let tray = app.tray();
    let entry = desktop.person().join(".config/autostart/Coffer.desktop");
    let wanted = |on: bool| {
        eventually("the system is told", PATIENCE, || (entry.exists() == on).then_some(()));
        let item = || (tray.is_checked("Start at login") == on).then_some(());
        eventually("the tray shows it", PATIENCE, item);
        assert_eq!(app.get(SETTINGS).json()["start_at_login"], on);
    };
    wanted(false);
    tray.choose("Start at login");
    wanted(true);
    let text = std::fs::read_to_string(&entry).unwrap();
    assert!(text.contains("coffer-desktop --minimized"), "{text}");
    app.put(SETTINGS, &json!({"start_at_login": false}));
    wanted(false);
}

#[test]
fn the_menu_leads_to_the_folder_and_to_recent_stores() {
    let desktop = Desktop::start();
    let (app, page) = App::start_with_page(&desktop, &[]);
    let tray = app.tray();
    assert_eq!(
        tray.labels(),
        [
            "Open Coffer",
            "Serve agents",
            "Start at login",
            "Open memory folder",
            "Recent stores",
            "Install command-line tools",
            "Quit"
        ]
    );
    tray.choose("Open memory folder");
    let shown = eventually("the file manager is asked", PATIENCE, || desktop.bus.shown().pop());
    let folder = format!("file://{}", desktop.home().memory().display());
    assert_eq!(shown, Shown::Items(vec![folder]));

    let project = crate::support::project::repository(desktop.folder(), "R&D_tools");
    let mut agent = app.agent_in("codex", &project);
    agent.done("coffer__remember", &json!({"text": "Only here.", "scope": "project"}));
    eventually("the store is offered", PATIENCE, || {
        let recent = tray.item("Recent stores");
        recent.items.iter().any(|item| item.label == "R&D_tools").then_some(())
    });
    // A menu that is brought up to date at this moment loses a choice; a person chooses again.
    eventually("the store's page is shown", PATIENCE, || {
        tray.choose("R&D_tools");
        let title = || page.text("[data-testid=store-title]");
        answer_within(AGAIN, || title().filter(|title| title.contains("R&D_tools")))
    });
    assert!(page.address().contains("/stores/project-"), "{}", page.address());
    assert!(!page.address().contains("token"), "{}", page.address());
}

#[test]
fn command_line_tools_are_linked() {
    let desktop = Desktop::start();
    let app = App::start(&desktop, &["--minimized"]);
    let programs = desktop.person().join(".local/bin");
    app.tray().choose("Install command-line tools");
    eventually("a message says so", PATIENCE, || {
        desktop.windows().contains(&INSTALLED.to_owned()).then_some(())
    });
    desktop.picture("tools");
    for tool in ["coffer", "coffer-hook", "coffer-mcp-shim"] {
        let mut command = std::process::Command::new(programs.join(tool));
        let output = command.arg("--version").output().unwrap();
        assert!(output.status.success(), "{tool}: {output:?}");
    }
    desktop.close_window(INSTALLED);

    // What the person put there is theirs.
    let own = programs.join("coffer");
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, "mine").unwrap();
    app.tray().choose("Install command-line tools");
    eventually("a message says why not", PATIENCE, || {
        let refused = "The command-line tools are not installed".to_owned();
        desktop.windows().contains(&refused).then_some(())
    });
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "mine");
}

#[test]
fn what_does_not_work_shows_in_the_icon() {
    let desktop = Desktop::start();
    std::fs::create_dir(desktop.home().root()).unwrap();
    std::fs::write(desktop.home().database(), "no database").unwrap();
    let app = App::start(&desktop, &["--minimized"]);
    app.tray().looks("attention");
    assert_ne!(app.get("/api/v1/status").json()["degraded"], json!([]));
}
