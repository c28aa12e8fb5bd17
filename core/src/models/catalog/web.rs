//! A server that offers a model's files below one address, with their list.
//!
//! The address is the person's, and judged as a model server's is: as it is named, and as its name
//! resolves. A redirect is not followed, so that nothing but that server is asked.

use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use super::manifest::{MANIFEST, MANIFEST_BYTES, Manifest};
use crate::config::Endpoint;
use crate::error::{Error, Result};

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(20);

/// A server, and where on it the files are.
pub(super) struct Web {
    agent: Agent,
    base: String,
}

impl Web {
    /// The files below an address.
    pub(super) fn at(base: &str) -> Result<Self> {
        let endpoint =
            Endpoint::parse(base).map_err(|reason| Error::Invalid { field: "from", reason })?;
        Ok(Self::with(endpoint, DefaultResolver::default()))
    }

    fn with(endpoint: Endpoint, names: impl Resolver) -> Self {
        let base = endpoint.base().to_owned();
        let config = Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_resolve(Some(SILENCE))
            .timeout_connect(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .timeout_per_write(Some(SILENCE))
            .user_agent(concat!("coffer/", env!("CARGO_PKG_VERSION")))
            .build();
        let names = Judged { endpoint, names };
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), names), base }
    }

    /// The address.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// The list of the model's files.
    pub(super) fn manifest(&self) -> Result<Manifest> {
        let mut body = self.get(MANIFEST)?;
        let read = body.with_config().limit(MANIFEST_BYTES).read_to_vec();
        let bytes = read.map_err(|error| self.broken(MANIFEST, error))?;
        Manifest::parse(&bytes)
            .map_err(|reason| Error::BadModel { from: self.base.clone(), reason })
    }

    /// A file of the model.
    pub(super) fn file(&self, name: &str) -> Result<Box<dyn Read>> {
        // How much is read is bounded by the list.
        Ok(Box::new(self.get(name)?.into_with_config().limit(u64::MAX).reader()))
    }

    /// A file that broke off.
    pub(super) fn failed(&self, name: &str, error: &io::Error) -> Error {
        Error::file("fetch", &self.place(name), error)
    }

    fn get(&self, name: &str) -> Result<Body> {
        let asked = self.agent.get(format!("{}/{name}", self.base)).call();
        let answer = asked.map_err(|error| self.broken(name, error))?;
        let status = answer.status();
        if status.is_redirection() {
            let reason = "the server points elsewhere, which is not followed; name that address";
            return Err(self.unreached(name, reason));
        }
        if !status.is_success() {
            return Err(self.unreached(name, &format!("the server answered {status}")));
        }
        Ok(answer.into_body())
    }

    fn broken(&self, name: &str, error: ureq::Error) -> Error {
        match error {
            ureq::Error::Io(error) => self.failed(name, &error),
            other => self.unreached(name, &other.to_string()),
        }
    }

    fn unreached(&self, name: &str, reason: &str) -> Error {
        Error::Unavailable { action: "fetch", path: self.place(name), reason: reason.to_owned() }
    }

    fn place(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("{}/{name}", self.base))
    }
}

/// Names as they resolve, if all that they stand for may be asked.
#[derive(Debug)]
struct Judged<R> {
    endpoint: Endpoint,
    names: R,
}

impl<R: Resolver> Resolver for Judged<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        for address in found.iter().map(|socket| socket.ip()) {
            self.endpoint.admits(address).map_err(|reason| {
                let said = format!("its name stands for `{address}`, which {reason}");
                ureq::Error::Io(io::Error::other(said))
            })?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_servers_that_may_be_asked_are() {
        for good in [
            "https://example.org/models/minilm",
            "https://example.org:8443",
            "http://127.0.0.1:8000/x/",
            "http://localhost/x",
            "http://[::1]:9/x",
            "http://192.168.1.2/x",
        ] {
            assert!(Web::at(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "minilm",
            "/srv/models",
            "file:///srv/models",
            "http://example.org/x",
            "http://localhost.example.org/x",
            "https://user:word@example.org/x",
            "https://example.org/x?token=1",
            "https://169.254.169.254/latest",
            "https://[::ffff:169.254.169.254]/x",
            "https://[64:ff9b::a9fe:a9fe]/x",
            "https://[2002:a9fe:a9fe::1]/x",
            "https://[fd00:ec2::254]/x",
            "https://100.100.100.200/x",
            "https://metadata.google.internal/x",
        ] {
            let refused = Web::at(bad).map(drop);
            assert!(matches!(refused, Err(Error::Invalid { field: "from", .. })), "{bad}");
        }
    }

    /// Stands for a name server that answers what a person did not expect.
    #[derive(Debug)]
    struct Evil;

    impl Resolver for Evil {
        fn resolve(
            &self,
            _uri: &Uri,
            _config: &Config,
            _timeout: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut found = self.empty();
            found.push(([93, 184, 216, 34], 443).into());
            found.push(([169, 254, 169, 254], 443).into());
            Ok(found)
        }
    }

    #[test]
    fn a_name_that_stands_for_a_refused_address_is_not_asked() {
        let endpoint = Endpoint::parse("https://example.org/x").unwrap();
        let web = Web::with(endpoint, Evil);
        let said = web.manifest().map(drop).unwrap_err().to_string();
        assert!(said.contains("`169.254.169.254`, which is a link-local address"), "{said}");
    }
}
