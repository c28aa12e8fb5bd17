//! Room on the disk of a folder.

use std::path::Path;

/// Bytes that this user may still write there; `None` where the system does not say.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}
