//! Noticing the end otherwise than by stdin's: by a signal, or because the agent is gone although
//! stdin stays open, as when another process has inherited its other end.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Returns when nobody reads stdout any more, or when the process that started this one has
/// ended. Sleeps until then.
pub(super) fn until_alone() {
    let stdout = io::stdout();
    let parent = parent();
    let mut ends = vec![PollFd::new(&stdout, PollFlags::empty())];
    ends.extend(parent.as_ref().map(|parent| PollFd::new(parent, PollFlags::IN)));
    while let Err(rustix::io::Errno::INTR) | Ok(0) = poll(&mut ends, None) {}
}

/// Returns when a signal asks this process to end; the session is ended first that way. Without
/// signals the system's own way stays, and this never returns.
pub(super) fn until_told() {
    if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT, SIGHUP]) {
        signals.forever().next();
    } else {
        loop {
            std::thread::park();
        }
    }
}

/// A handle that becomes readable when the parent ends, where the system has such a thing.
fn parent() -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{PidfdFlags, getppid, pidfd_open};
        pidfd_open(getppid()?, PidfdFlags::empty()).ok()
    }
    #[cfg(not(target_os = "linux"))]
    None
}
