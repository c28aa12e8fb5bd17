//! What the server asks of its process: which signals end it, which do not, and its limits.

use tokio_util::sync::CancellationToken;

/// Ends the server on the usual signals. A file-size limit must not end it: the write fails and is
/// reported like a full disk.
#[cfg(unix)]
pub(crate) fn stop_on_signals(stop: &CancellationToken) -> std::io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    // A registered signal no longer does what it does by default, which is all that is wanted.
    drop(signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?);
    let ends = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    for kind in ends {
        let mut signals = signal(kind)?;
        let stop = stop.clone();
        tokio::spawn(async move {
            tokio::select! {
                Some(()) = signals.recv() => stop.cancel(),
                () = stop.cancelled() => {}
            }
        });
    }
    Ok(())
}

/// Ends the server on Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn stop_on_signals(stop: &CancellationToken) -> std::io::Result<()> {
    let stop = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    Ok(())
}

/// No memory image of ours, which holds the token, is ever written; and as many open files as the
/// system allows, since each connection is one.
pub(crate) fn set_limits() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let image = getrlimit(Resource::Core);
        _ = setrlimit(Resource::Core, Rlimit { current: Some(0), ..image });
        let files = getrlimit(Resource::Nofile);
        _ = setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files });
    }
}
