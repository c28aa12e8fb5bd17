//! The way to the agent: whole lines, one at a time.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Where JSON-RPC lines go, and nothing else.
pub(super) struct Output {
    to: Mutex<Box<dyn Write + Send>>,
}

impl Output {
    pub(super) fn new(to: impl Write + Send + 'static) -> Self {
        Self { to: Mutex::new(Box::new(to)) }
    }

    /// Writes a message on a line of its own. An agent that no longer reads misses it.
    pub(super) fn line(&self, message: &str) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        let line = [message.as_bytes(), b"\n"].concat();
        let _ = to.write_all(&line).and_then(|()| to.flush());
    }
}

/// A stream without which there is nothing left to do: the process ends when it breaks.
pub(super) struct OrExit<W>(pub(super) W);

impl<W: Write> Write for OrExit<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => std::process::exit(0),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
