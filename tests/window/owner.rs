//! One owner a home: a headless server hands over, another window does not.

use serde_json::json;

use crate::support::desktop::{App, Desktop, PATIENCE, Process, eventually};
use coffer_env::ServerFile;

#[test]
fn a_headless_server_hands_over() {
    let desktop = Desktop::start();
    let mut headless =
        Process::start(desktop.command("coffer").arg("serve").stdout(std::process::Stdio::null()));
    let before = eventually("the headless server is announced", PATIENCE, || {
        ServerFile::read(&desktop.home().server_file())
    });
    assert_eq!(before.pid, headless.id());
    let remembered = desktop
        .command("coffer")
        .args(["memory", "add", "--global", "Kept over the change."])
        .output()
        .unwrap();
    assert!(remembered.status.success(), "{remembered:?}");

    let app = App::start(&desktop, &[]);
    assert_eq!(headless.ended().code(), Some(0));
    assert_ne!(app.info.instance, before.instance);
    assert_eq!(app.info.owner, coffer_env::server_file::Owner::Desktop);
    let recalled =
        app.post("/api/v1/memory_stores/global/recall", &json!({"query": "kept over the change"}));
    assert!(recalled.text().contains("Kept over the change."), "{}", recalled.text());
    app.is_shown();
}

#[test]
fn without_a_session_bus_the_lock_still_decides() {
    let desktop = Desktop::start();
    let nowhere = ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
    let mut first = Process::start(desktop.command("coffer-desktop").env(nowhere.0, nowhere.1));
    let info =
        eventually("it serves", PATIENCE, || ServerFile::read(&desktop.home().server_file()));
    assert_eq!(info.pid, first.id());

    let log = std::fs::File::create(desktop.folder().join("second.log")).unwrap();
    let mut command = desktop.command("coffer-desktop");
    let mut second = Process::start(command.env(nowhere.0, nowhere.1).stderr(log));
    let said = eventually("it says why", PATIENCE, || {
        let text = std::fs::read_to_string(desktop.folder().join("second.log")).unwrap();
        text.contains("error: another Coffer is running").then_some(text)
    });
    assert!(said.contains(&format!("process {}", info.pid)), "{said}");
    assert!(first.runs() && second.runs());
    second.signal("TERM");
}
