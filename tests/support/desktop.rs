//! A desktop in a box: a display, a session bus, a window manager, and a file manager and editor
//! that only take notes. All of it is private to one test and ends with it.

mod app;
mod bus;
mod drag;
mod tray;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use coffer_env::Home;
use tempfile::TempDir;

pub use super::page::Page;
pub use super::process::{PATIENCE, Process, bound, eventually, processes_of};
pub use app::App;
pub use bus::{Bus, Shown};

/// A desktop. Fields end in this order: programs first, then what they talk to, then their files.
pub struct Desktop {
    _window_manager: Process,
    /// The session bus and who is on it.
    pub bus: Bus,
    _display: Process,
    display_name: String,
    theme: &'static str,
    folder: TempDir,
}

impl Desktop {
    /// A light desktop.
    pub fn start() -> Self {
        Self::with_theme("Adwaita")
    }

    /// A desktop that is drawn in a theme of GTK's.
    pub fn with_theme(theme: &'static str) -> Self {
        let folder = tempfile::Builder::new().prefix("coffer-it").tempdir().unwrap();
        for name in ["person", "bin", "run"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let private = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder.path().join("run"), private).unwrap();
        for program in ["xdg-open", "fake-editor"] {
            note_taker(folder.path(), program);
        }
        let (display, display_name) = display();
        let bus = Bus::start(folder.path());
        let mut openbox = bound("openbox");
        openbox.env("DISPLAY", &display_name).env("DBUS_SESSION_BUS_ADDRESS", bus.address());
        let window_manager = Process::start(&mut openbox);
        Self {
            _window_manager: window_manager,
            bus,
            _display: display,
            display_name,
            theme,
            folder,
        }
    }

    /// Coffer's folder.
    pub fn home(&self) -> Home {
        Home::at(self.folder.path().join("home"))
    }

    /// The person's home directory.
    pub fn person(&self) -> PathBuf {
        self.folder.path().join("person")
    }

    /// A folder beside it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The environment of every program on this desktop.
    pub fn environment(&self) -> BTreeMap<&'static str, String> {
        let path = |path: PathBuf| path.display().to_string();
        let programs = std::env::var("PATH").unwrap_or_default();
        BTreeMap::from([
            ("DISPLAY", self.display_name.clone()),
            ("DBUS_SESSION_BUS_ADDRESS", self.bus.address().to_owned()),
            ("HOME", path(self.person())),
            ("XDG_RUNTIME_DIR", path(self.folder.path().join("run"))),
            ("XDG_CONFIG_HOME", path(self.person().join(".config"))),
            ("XDG_DATA_HOME", path(self.person().join(".local/share"))),
            ("XDG_CACHE_HOME", path(self.person().join(".cache"))),
            ("PATH", format!("{}:{programs}", path(self.folder.path().join("bin")))),
            ("COFFER_HOME", path(self.home().root().to_owned())),
            ("COFFER_PORT", "0".to_owned()),
            ("COFFER_EDITOR", "fake-editor".to_owned()),
            ("GDK_BACKEND", "x11".to_owned()),
            ("GTK_THEME", self.theme.to_owned()),
            ("GTK_A11Y", "none".to_owned()),
            ("NO_AT_BRIDGE", "1".to_owned()),
            ("LIBGL_ALWAYS_SOFTWARE", "1".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
        ])
    }

    /// A program of ours on this desktop.
    pub fn command(&self, program: &str) -> Command {
        let mut command = bound(built(program));
        command.envs(self.environment()).current_dir(self.folder.path());
        command
    }

    /// The titles of the windows that can be seen.
    pub fn windows(&self) -> Vec<String> {
        let output = Command::new("wmctrl").arg("-l").envs(self.environment()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // Identifier, desktop, machine, title.
        text.lines()
            .map(|line| line.split_whitespace().skip(3).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Closes a window as its title bar does.
    pub fn close_window(&self, title: &str) {
        let closed =
            Command::new("wmctrl").args(["-F", "-c", title]).envs(self.environment()).status();
        assert!(closed.unwrap().success());
    }

    /// Drops files and folders into the middle of a window, as a file manager does.
    #[track_caller]
    pub fn drop_onto(&self, title: &str, paths: &[&Path]) {
        drag::drop_onto(&self.display_name, title, paths);
    }

    /// What a note-taking program was started with, one argument a line.
    pub fn notes(&self, program: &str) -> Vec<String> {
        let notes = self.folder.path().join(format!("{program}.notes"));
        let text = std::fs::read_to_string(notes).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits until something is drawn in the middle of the screen, and keeps a picture of all of it
    /// in `screenshots/`, for a person to look at.
    #[track_caller]
    pub fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("window-{name}.png"));
        eventually("the window is drawn", PATIENCE, || {
            let drawn = bound("import")
                .args(["-window", "root"])
                .arg(&file)
                .env("DISPLAY", &self.display_name)
                .status();
            assert!(drawn.unwrap().success(), "`cargo xtask setup` installs ImageMagick");
            (colors(&file, "400x200+440+340") > 16).then_some(())
        });
    }
}

/// How many colors a part of a picture has.
fn colors(picture: &Path, part: &str) -> usize {
    let mut identify = bound("convert");
    identify.arg(picture).args(["-crop", part, "-format", "%k", "info:"]);
    let output = identify.output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
}

/// A program of ours, which something else than this test builds.
#[track_caller]
pub fn built(program: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_coffer")).with_file_name(program);
    assert!(
        path.is_file(),
        "`{}` is not built; run `cargo xtask test`, which builds all programs first",
        path.display()
    );
    path
}

/// Xvfb, on a display number that it picks itself.
fn display() -> (Process, String) {
    let mut xvfb = bound("Xvfb");
    xvfb.args(["-displayfd", "1", "-screen", "0", "1280x860x24", "-nolisten", "tcp", "-noreset"]);
    let mut display = Process::start(xvfb.stdout(Stdio::piped()));
    let number = display.first_line();
    (display, format!(":{number}"))
}

/// A program that writes its arguments down.
fn note_taker(folder: &Path, name: &str) {
    let program = folder.join("bin").join(name);
    let notes = folder.join(format!("{name}.notes"));
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{}'\n", notes.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}
