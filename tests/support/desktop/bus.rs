//! A session bus that starts nothing by itself, with a tray and a file manager that take notes.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;
use zbus::interface;
use zbus::message::Header;

use super::PATIENCE;
use super::tray::Tray;
use crate::support::process::{Process, bound, eventually};

/// The bus and what happened on it.
pub struct Bus {
    connection: Connection,
    address: String,
    shown: Arc<Mutex<Vec<Shown>>>,
    icons: Arc<Mutex<Vec<(String, String)>>>,
    _daemon: Process,
}

/// What the file manager was asked to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Files, selected in their folder.
    Items(Vec<String>),
    /// Folders, opened.
    Folders(Vec<String>),
}

impl Bus {
    /// Starts the bus in a folder whose part `run` is its own.
    pub(super) fn start(folder: &Path) -> Self {
        let (daemon, address) = daemon(folder);
        let shown = Arc::<Mutex<Vec<Shown>>>::default();
        let icons = Arc::<Mutex<Vec<(String, String)>>>::default();
        let connection = Builder::address(address.as_str())
            .and_then(|bus| bus.serve_at("/StatusNotifierWatcher", Watcher(Arc::clone(&icons))))
            .and_then(|bus| {
                bus.serve_at("/org/freedesktop/FileManager1", FileManager(Arc::clone(&shown)))
            })
            .and_then(|bus| bus.name("org.kde.StatusNotifierWatcher"))
            .and_then(|bus| bus.name("org.freedesktop.FileManager1"))
            // A bus that does not answer fails the test instead of stopping it.
            .map(|bus| bus.method_timeout(PATIENCE))
            .and_then(Builder::build)
            .unwrap();
        Self { connection, address, shown, icons, _daemon: daemon }
    }

    /// Where programs find it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What the file manager was asked to show so far.
    pub fn shown(&self) -> Vec<Shown> {
        self.shown.lock().unwrap().clone()
    }

    /// The newest icon in the tray.
    #[track_caller]
    pub fn tray(&self) -> Tray<'_> {
        let (name, path) =
            eventually("a tray icon", PATIENCE, || self.icons.lock().unwrap().last().cloned());
        Tray::new(&self.connection, name, path)
    }

    /// Whether an icon was ever put into the tray.
    pub fn has_icon(&self) -> bool {
        !self.icons.lock().unwrap().is_empty()
    }
}

/// No folders of services: nothing is started because somebody asks for it.
const CONFIGURATION: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=RUN</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"#;

fn daemon(folder: &Path) -> (Process, String) {
    let run = folder.join("run");
    let file = folder.join("bus.conf");
    std::fs::write(&file, CONFIGURATION.replace("RUN", run.to_str().unwrap())).unwrap();
    let mut command = bound("dbus-daemon");
    command.arg(format!("--config-file={}", file.display()));
    command.args(["--nofork", "--nopidfile", "--print-address=1"]).stdout(Stdio::piped());
    let mut daemon = Process::start(&mut command);
    let address = daemon.first_line();
    (daemon, address)
}

/// Where icons announce themselves.
struct Watcher(Arc<Mutex<Vec<(String, String)>>>);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    #[expect(clippy::needless_pass_by_value, reason = "the macro hands it over")]
    fn register_status_notifier_item(&self, service: &str, #[zbus(header)] header: Header<'_>) {
        // Icons give either a path on their own connection, or the name of another one.
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let icon = if service.starts_with('/') {
            (sender, service.to_owned())
        } else {
            (service.to_owned(), "/StatusNotifierItem".to_owned())
        };
        self.0.lock().unwrap().push(icon);
    }

    fn register_status_notifier_host(&self, _service: &str) {}

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|(name, path)| format!("{name}{path}")).collect()
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

struct FileManager(Arc<Mutex<Vec<Shown>>>);

#[interface(name = "org.freedesktop.FileManager1")]
impl FileManager {
    fn show_items(&self, uris: Vec<String>, _startup: &str) {
        self.0.lock().unwrap().push(Shown::Items(uris));
    }

    fn show_folders(&self, uris: Vec<String>, _startup: &str) {
        self.0.lock().unwrap().push(Shown::Folders(uris));
    }
}
