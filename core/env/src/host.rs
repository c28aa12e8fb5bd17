//! The name of this machine, under which a store keeps its project's folders.

/// The host's name; `localhost` where the system gives none.
#[cfg(unix)]
pub fn host_name() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() { "localhost".to_owned() } else { name }
}

/// The host's name; `localhost` where the system gives none.
#[cfg(not(unix))]
pub fn host_name() -> String {
    crate::vars::get("COMPUTERNAME").unwrap_or_else(|| "localhost".to_owned())
}
