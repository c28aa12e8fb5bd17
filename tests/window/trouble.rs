//! What cannot start says why, also to who clicked an icon.

use crate::support::desktop::{Desktop, PATIENCE, Process, eventually};

#[test]
fn without_a_display_it_says_so_and_ends() {
    let desktop = Desktop::start();
    for display in ["", ":99999"] {
        let output = desktop.command("coffer-desktop").env("DISPLAY", display).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("error: there is no display"), "{said}");
        assert!(said.contains("`coffer serve`") && !said.contains("panicked"), "{said}");
        assert!(!desktop.home().run().exists());
    }
}

#[test]
fn a_start_that_fails_is_shown() {
    let desktop = Desktop::start();
    std::fs::write(desktop.home().root(), "no folder").unwrap();
    let log = std::fs::File::create(desktop.folder().join("app.log")).unwrap();
    let mut app = Process::start(desktop.command("coffer-desktop").stderr(log));
    eventually("a message is shown", PATIENCE, || {
        desktop.windows().contains(&"Coffer cannot start".to_owned()).then_some(())
    });
    desktop.picture("trouble");
    desktop.close_window("Coffer cannot start");
    assert_eq!(app.ended().code(), Some(5));
    let said = std::fs::read_to_string(desktop.folder().join("app.log")).unwrap();
    assert!(said.contains("error: cannot make"), "{said}");
}

#[test]
fn without_the_trays_library_there_is_a_window() {
    let desktop = Desktop::start();
    // What is found first is no library, as where none is installed.
    let broken = desktop.folder().join("lib");
    std::fs::create_dir(&broken).unwrap();
    for name in [
        "libayatana-appindicator3.so.1",
        "libappindicator3.so.1",
        "libayatana-appindicator3.so",
        "libappindicator3.so",
    ] {
        std::fs::write(broken.join(name), "").unwrap();
    }
    let mut command = desktop.command("coffer-desktop");
    let mut app = Process::start(command.arg("--minimized").env("LD_LIBRARY_PATH", &broken));
    eventually("the window is shown", PATIENCE, || {
        desktop.windows().contains(&"Coffer".to_owned()).then_some(())
    });
    assert!(!desktop.bus.has_icon());
    // No icon could bring it back.
    desktop.close_window("Coffer");
    assert_eq!(app.ended().code(), Some(0));
}
