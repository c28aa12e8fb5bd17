//! The way of ureq's bytes: the owner-only socket, or loopback TCP once the peer proved itself.
//!
//! One connection per request. A connection that cannot be made is then a request that was
//! certainly not sent, which is what callers may repeat.

use std::io::{self, Read as _, Write as _};
#[cfg(unix)]
use std::path::PathBuf;
use std::time::Duration;

use coffer_env::ServerFile;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
};

use crate::error::Unreachable;
use crate::prove;
use crate::stream::{Stream, is_timeout};

/// How long a connect may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the server listens. Its debug form never shows the token.
#[derive(Debug, Clone)]
pub(crate) enum Endpoint {
    /// The owner-only socket.
    #[cfg(unix)]
    Socket(PathBuf),
    /// A loopback port, as `run/server.json` names it.
    Tcp(ServerFile),
}

impl Endpoint {
    fn open(&self) -> Result<Stream, ureq::Error> {
        match self {
            #[cfg(unix)]
            Self::Socket(path) => Stream::unix(path, PATIENCE).map_err(unreachable),
            Self::Tcp(server) => {
                let mut stream = Stream::tcp(server.port, PATIENCE).map_err(unreachable)?;
                if prove::holds_token(&mut stream, server) {
                    Ok(stream)
                } else {
                    Err(ureq::Error::Other(Box::new(Unreachable::NotCoffer(server.port))))
                }
            }
        }
    }
}

/// Tells "nothing is there" from what a person must look into.
fn unreachable(error: io::Error) -> ureq::Error {
    match error.kind() {
        io::ErrorKind::NotFound
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::ConnectionRefused
        | io::ErrorKind::InvalidFilename => ureq::Error::Other(Box::new(Unreachable::NotRunning)),
        _ if is_timeout(&error) => ureq::Error::Timeout(ureq::Timeout::Connect),
        _ => ureq::Error::Io(error),
    }
}

impl Connector for Endpoint {
    type Out = Wire;

    fn connect(
        &self,
        details: &ConnectionDetails,
        _chained: Option<()>,
    ) -> Result<Option<Wire>, ureq::Error> {
        let buffers = LazyBuffers::new(
            details.config.input_buffer_size(),
            details.config.output_buffer_size(),
        );
        Ok(Some(Wire { stream: self.open()?, buffers }))
    }
}

/// One connection with its buffers.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: Stream,
    buffers: LazyBuffers,
}

impl Transport for Wire {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        let timeout = timeout.for_write();
        self.stream.set_write_timeout(timeout.not_zero().map(|patience| *patience))?;
        self.stream
            .write_all(&self.buffers.output()[..amount])
            .map_err(|error| timed_out(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        let timeout = timeout.for_read();
        self.stream.set_read_timeout(timeout.not_zero().map(|patience| *patience))?;
        let into = self.buffers.input_append_buf();
        let count = loop {
            match self.stream.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read.map_err(|error| timed_out(error, timeout))?,
            }
        };
        self.buffers.input_appended(count);
        Ok(count > 0)
    }

    /// Never kept for another request.
    fn is_open(&mut self) -> bool {
        false
    }
}

fn timed_out(error: io::Error, timeout: NextTimeout) -> ureq::Error {
    if is_timeout(&error) { ureq::Error::Timeout(timeout.reason) } else { ureq::Error::Io(error) }
}

/// Looks nothing up: the endpoint knows where it is.
#[derive(Debug)]
pub(crate) struct NoLookup;

impl Resolver for NoLookup {
    fn resolve(
        &self,
        _uri: &Uri,
        _config: &ureq::config::Config,
        _timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        Ok(self.empty())
    }
}
