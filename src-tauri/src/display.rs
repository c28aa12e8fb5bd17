//! Whether there is anything to show a window on. The window toolkit panics where there is not.

/// Whether a window can be shown.
#[cfg(target_os = "linux")]
pub(crate) fn is_there() -> bool {
    gtk::init().is_ok()
}

/// Whether a window can be shown.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_there() -> bool {
    true
}
