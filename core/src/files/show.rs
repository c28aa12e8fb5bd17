//! Showing a file in the file manager: each system has its own way.

use std::path::Path;

use crate::error::Result;

/// Asks the file manager by D-Bus, and opens the folder when none answers in time.
#[cfg(not(any(target_os = "macos", windows)))]
pub(super) fn show(path: &Path) -> Result<()> {
    #[cfg(target_os = "linux")]
    if bus::show(path) {
        return Ok(());
    }
    super::launch::by_system(path.parent().unwrap_or(path))
}

/// Asks the Finder.
#[cfg(target_os = "macos")]
pub(super) fn show(path: &Path) -> Result<()> {
    let mut command = std::process::Command::new("open");
    command.arg("-R").arg(path);
    super::launch::start(command)
}

/// Asks the Explorer, whose argument is one word that holds the quotes.
#[cfg(windows)]
pub(super) fn show(path: &Path) -> Result<()> {
    // Canonical paths begin with `\\?\`, which the Explorer does not take.
    let plain = path.to_string_lossy().trim_start_matches(r"\\?\").to_owned();
    let mut command = std::process::Command::new("explorer");
    std::os::windows::process::CommandExt::raw_arg(&mut command, format!("/select,\"{plain}\""));
    super::launch::start(command)
}

/// The interface that file managers share.
#[cfg(target_os = "linux")]
mod bus {
    use std::path::Path;
    use std::sync::mpsc;
    use std::time::Duration;

    use zbus::blocking::Connection;
    use zbus::blocking::connection::Builder;

    use crate::files::uri::file_uri;

    const NAME: &str = "org.freedesktop.FileManager1";
    const PATH: &str = "/org/freedesktop/FileManager1";
    /// How long a file manager may take to start and answer.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// Whether a file manager said that it shows the path.
    pub(super) fn show(path: &Path) -> bool {
        let uri = file_uri(path);
        let asked = within(PATIENCE, move || {
            let connection = Builder::session()?.method_timeout(PATIENCE).build()?;
            show_items(&connection, &uri)
        });
        match asked {
            Some(Ok(())) => return true,
            Some(Err(error)) => tracing::debug!(%error, "no file manager answers on the bus"),
            None => tracing::debug!("the file manager did not answer in time"),
        }
        false
    }

    /// Connecting has no deadline of its own, so that the work is left behind when it is late.
    fn within<T: Send + 'static>(
        patience: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = mpsc::channel();
        std::thread::Builder::new()
            .name("file-manager".to_owned())
            .spawn(move || sender.send(work()))
            .ok()?;
        receiver.recv_timeout(patience).ok()
    }

    fn show_items(connection: &Connection, uri: &str) -> zbus::Result<()> {
        let arguments = (vec![uri], "");
        connection.call_method(Some(NAME), PATH, Some(NAME), "ShowItems", &arguments).map(drop)
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::os::unix::net::UnixStream;
        use std::time::Instant;

        struct FileManager(mpsc::Sender<(Vec<String>, String)>);

        #[zbus::interface(name = "org.freedesktop.FileManager1")]
        impl FileManager {
            fn show_items(&self, uris: Vec<String>, startup_id: String) {
                self.0.send((uris, startup_id)).unwrap();
            }
        }

        #[test]
        #[expect(deprecated, reason = "the other constructor takes a type of another crate")]
        fn a_file_manager_is_asked_for_the_one_file() {
            let (ours, theirs) = UnixStream::pair().unwrap();
            let (sender, asked) = mpsc::channel();
            let guid = zbus::Guid::generate();
            let serving = std::thread::spawn(move || {
                let builder = Builder::unix_stream(theirs).server(guid).unwrap().p2p();
                builder.serve_at(PATH, FileManager(sender)).unwrap().build().unwrap()
            });
            let connection = Builder::unix_stream(ours).p2p().build().unwrap();
            let _server = serving.join().unwrap();
            show_items(&connection, "file:///a%20b").unwrap();
            let question = asked.recv_timeout(PATIENCE).unwrap();
            assert_eq!(question, (vec!["file:///a%20b".to_owned()], String::new()));
        }

        #[test]
        fn nobody_waits_longer_than_allowed() {
            let started = Instant::now();
            let late = within(Duration::from_millis(50), || {
                std::thread::sleep(Duration::from_secs(5));
            });
            assert_eq!(late, None);
            assert!(started.elapsed() < Duration::from_secs(20));
            assert_eq!(within(PATIENCE, || 7), Some(7));
        }
    }
}
