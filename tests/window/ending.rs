//! However the program ends, it leaves nothing behind.

use crate::support::desktop::{App, Desktop, PATIENCE, eventually, processes_of};

#[test]
fn it_ends_from_the_tray() {
    leaves_nothing(|_, app| app.tray().choose("Quit"));
}

#[test]
fn it_ends_by_a_signal() {
    leaves_nothing(|_, app| app.process.as_ref().unwrap().signal("TERM"));
}

#[test]
fn it_ends_from_the_command_line() {
    leaves_nothing(|desktop, _| {
        let stopped = desktop.command("coffer").arg("stop").output().unwrap();
        assert!(stopped.status.success(), "{stopped:?}");
    });
}

fn leaves_nothing(end: impl Fn(&Desktop, &App<'_>)) {
    let desktop = Desktop::start();
    let mut app = App::start(&desktop, &[]);
    app.is_shown();
    end(&desktop, &app);
    let status = app.process.as_mut().unwrap().ended();
    assert_eq!(status.code(), Some(0));
    assert_eq!(left_in_run(&desktop), ["intents", "lock"]);
    eventually("no process is left", PATIENCE, || {
        processes_of(desktop.home().root()).is_empty().then_some(())
    });
}

/// The lock's file is no lock, that ended with the process; the other is a folder without records.
fn left_in_run(desktop: &Desktop) -> Vec<String> {
    let records = std::fs::read_dir(desktop.home().intents()).unwrap();
    assert_eq!(records.filter(|record| record.as_ref().unwrap().path().is_file()).count(), 0);
    let entries = std::fs::read_dir(desktop.home().run()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}
