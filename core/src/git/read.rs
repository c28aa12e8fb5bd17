//! Reading git's small files without trusting them: only regular files, and only so much of them.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// Enough for `HEAD`, `.git`, `commondir` and a loose ref: they hold one line.
const LINE_BYTES: u64 = 64 << 10;

/// The one line of a small file, trimmed; `None` for what is missing, empty, larger than a line
/// may be, or no regular file. Bytes that are not UTF-8 are replaced.
pub(super) fn line(path: &Path) -> Option<String> {
    let text = text(path, LINE_BYTES)?;
    let text = text.trim_end_matches(['\n', '\r', ' ', '\t']);
    (!text.is_empty() && !text.contains(['\n', '\0'])).then(|| text.to_owned())
}

/// A text file of at most `most` bytes.
pub(super) fn text(path: &Path, most: u64) -> Option<String> {
    let mut bytes = Vec::new();
    let file = regular(path).ok()?;
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    let fits = u64::try_from(bytes.len()).is_ok_and(|length| length <= most);
    fits.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a regular file; a FIFO in its place neither blocks nor is read.
pub(super) fn regular(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NONBLOCK.bits();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}
