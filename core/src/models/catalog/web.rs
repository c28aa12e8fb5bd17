//! A server that offers a model's files below one address, with their list.
//!
//! The address is the person's. It is `https`, or `http` of this very machine; a redirect is not
//! followed, so that nothing but that server is asked.

use std::io::{self, Read};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use ureq::http::Uri;
use ureq::{Agent, Body};

use super::manifest::{MANIFEST, MANIFEST_BYTES, Manifest};
use crate::error::{Error, Result};

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(20);
/// The longest address.
const LONGEST: usize = 2_000;

/// A server, and where on it the files are.
pub(super) struct Web {
    agent: Agent,
    base: String,
}

impl Web {
    /// The files below an address.
    pub(super) fn at(base: &str) -> Result<Self> {
        check(base)
            .map_err(|reason| Error::Invalid { field: "from", reason: reason.to_owned() })?;
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
        Ok(Self { agent: config.into(), base: base.trim_end_matches('/').to_owned() })
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

/// What is wrong with an address.
fn check(base: &str) -> Result<(), &'static str> {
    let unusable = "must be an address such as `https://example.org/models/minilm`";
    let uri: Uri = base.parse().map_err(|_| unusable)?;
    let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else { return Err(unusable) };
    let is_plain = uri.query().is_none() && !base.contains(['@', '#']) && base.len() <= LONGEST;
    let is_here = is_this_machine(host);
    match scheme {
        _ if !is_plain => Err("must be without `?`, `#` and `@`, and shorter than 2000 characters"),
        "https" if is_linked(host) => Err("must not be an address of the local link"),
        "https" => Ok(()),
        "http" if is_here => Ok(()),
        "http" => Err("must begin with `https:`; `http:` is for servers of this machine only"),
        _ => Err(unusable),
    }
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || address(host).is_some_and(|ip| ip.is_loopback())
}

/// Where clouds keep the keys of a machine.
fn is_linked(host: &str) -> bool {
    match address(host) {
        Some(IpAddr::V4(ip)) => ip.is_link_local(),
        Some(IpAddr::V6(ip)) => {
            ip.is_unicast_link_local() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_link_local())
        }
        None => false,
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
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "minilm",
            "/srv/models",
            "file:///srv/models",
            "ftp://example.org/x",
            "http://example.org/x",
            "http://192.168.1.2/x",
            "http://localhost.example.org/x",
            "https://user:word@example.org/x",
            "https://example.org/x?token=1",
            "https://example.org/x#a",
            "https://169.254.169.254/latest",
            "https://[fe80::1]/x",
            "https://[::ffff:169.254.169.254]/x",
            "https://",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert!(check(&format!("https://example.org/{}", "x".repeat(2_000))).is_err());
    }
}
