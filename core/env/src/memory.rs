//! Freed memory, given back to the system.

/// Gives back what was freed. The allocator of glibc keeps freed memory for each of its threads, so
/// that work of many megabytes, done by one thread and then by another, would be held many times.
///
/// Takes a few milliseconds; does nothing where the system's allocator needs no telling.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "a function of C")]
pub fn give_back() {
    // SAFETY: `malloc_trim` takes a number of bytes to keep and may be called by any thread at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Gives back what was freed; this system's allocator does so by itself.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub const fn give_back() {}
