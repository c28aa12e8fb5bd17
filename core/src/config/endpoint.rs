//! Addresses of model servers: which ones a person may name, and what such a name may turn out to be.
//!
//! Texts and keys go to these addresses, so that an address of the machine's own network that hands
//! out secrets is refused, however it is spelled. What a name resolves to is judged when a connection
//! is made, by [`Endpoint::admits`].

mod address;

use std::net::IpAddr;

use url::{Host, Url};

/// The longest address, in bytes.
const LONGEST: usize = 2048;
/// Names of services that hand out the keys of a cloud machine.
const METADATA: [&str; 5] = [
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
];

/// Where models are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    base: String,
    origin: String,
    is_encrypted: bool,
}

impl Endpoint {
    /// Judges an address, without asking for what its name stands.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as in "must begin with …".
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err(format!("must be an address of at most {LONGEST} bytes, without spaces"));
        }
        let url = Url::parse(text).map_err(|error| format!("is no address: {error}"))?;
        let is_encrypted = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err("must begin with `https://` or `http://`".to_owned()),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must hold no user and no password; set a credential".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must hold no `?` and no `#`".to_owned());
        }
        let base = url.as_str().trim_end_matches('/').to_owned();
        let endpoint = Self { base, origin: url.origin().ascii_serialization(), is_encrypted };
        endpoint.judge(url.host().as_ref())?;
        Ok(endpoint)
    }

    /// The address, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Scheme, host and port: what a key is bound to.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether it is asked by `https`.
    #[must_use]
    pub const fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether a connection may be made to an address that the host stands for.
    ///
    /// # Errors
    ///
    /// Why not, as in "is …".
    pub fn admits(&self, address: IpAddr) -> Result<(), &'static str> {
        if let Some(reason) = address::refused(address) {
            return Err(reason);
        }
        if self.is_encrypted || address::is_near(address) {
            return Ok(());
        }
        Err("is neither this machine nor in a private network, which `http` is for; use `https`")
    }

    fn judge(&self, host: Option<&Host<&str>>) -> Result<(), String> {
        let address = match host {
            Some(Host::Ipv4(address)) => IpAddr::V4(*address),
            Some(Host::Ipv6(address)) => IpAddr::V6(*address),
            Some(Host::Domain(name)) => return self.judge_name(name),
            None => return Err("must name a host".to_owned()),
        };
        self.admits(address).map_err(str::to_owned)
    }

    fn judge_name(&self, name: &str) -> Result<(), String> {
        let name = name.trim_end_matches('.');
        if name.is_empty() || METADATA.contains(&name) {
            return Err("is the metadata service of a cloud".to_owned());
        }
        let is_here = name == "localhost" || name.ends_with(".localhost");
        if self.is_encrypted || is_here {
            return Ok(());
        }
        Err("must begin with `https://`; `http://` is for this machine and private addresses"
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_may_be_named() {
        for (text, base, origin) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1", "https://api.openai.com"),
            (
                "https://API.OpenAI.com:443/v1/",
                "https://api.openai.com/v1",
                "https://api.openai.com",
            ),
            ("http://localhost:11434/v1", "http://localhost:11434/v1", "http://localhost:11434"),
            ("http://models.localhost", "http://models.localhost", "http://models.localhost"),
            ("http://127.0.0.1:1234", "http://127.0.0.1:1234", "http://127.0.0.1:1234"),
            ("http://2130706433:1234", "http://127.0.0.1:1234", "http://127.0.0.1:1234"),
            ("http://[::1]:8080/a", "http://[::1]:8080/a", "http://[::1]:8080"),
            ("http://192.168.1.7", "http://192.168.1.7", "http://192.168.1.7"),
            ("http://10.1.2.3", "http://10.1.2.3", "http://10.1.2.3"),
            ("http://172.16.0.1", "http://172.16.0.1", "http://172.16.0.1"),
            ("http://[fd12::1]", "http://[fd12::1]", "http://[fd12::1]"),
            ("https://10.1.2.3", "https://10.1.2.3", "https://10.1.2.3"),
            ("https://8.8.8.8:8443", "https://8.8.8.8:8443", "https://8.8.8.8:8443"),
        ] {
            let endpoint = Endpoint::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!((endpoint.base(), endpoint.origin()), (base, origin), "{text}");
        }
    }

    #[test]
    fn addresses_that_may_not() {
        let long = format!("https://a/{}", "x".repeat(LONGEST));
        for (text, reason) in [
            ("", "no address"),
            ("api.openai.com", "no address"),
            ("ftp://example.com", "must begin with"),
            ("file:///etc/passwd", "must begin with"),
            ("unix:/run/x", "must begin with"),
            ("https://", "no address"),
            ("https:// example.com", "without spaces"),
            ("https://example.com\n", "without spaces"),
            (long.as_str(), "at most"),
            ("https://u:p@example.com", "no user"),
            ("https://u@example.com", "no user"),
            ("https://example.com?x=1", "no `?`"),
            ("https://example.com/#x", "no `?`"),
            ("http://example.com", "must begin with `https"),
            ("http://8.8.8.8", "use `https`"),
            ("http://localhost.example.com", "must begin with `https"),
            ("http://127.0.0.1.example.com", "must begin with `https"),
            ("http://[2001:4860:4860::8888]", "use `https`"),
            ("http://169.254.169.254", "link-local"),
            ("https://169.254.169.254/latest", "link-local"),
            ("http://2852039166", "link-local"),
            ("http://0xa9fea9fe", "link-local"),
            ("http://0251.0376.0251.0376", "link-local"),
            ("http://169.254.43518", "link-local"),
            ("http://169.254.169.254.", "link-local"),
            ("http://１６９.254.169.254", "link-local"),
            ("http://[::ffff:169.254.169.254]", "link-local"),
            ("http://[::ffff:a9fe:a9fe]", "link-local"),
            ("http://[::a9fe:a9fe]", "link-local"),
            ("https://[64:ff9b::a9fe:a9fe]", "link-local"),
            ("https://[2002:a9fe:a9fe::1]", "link-local"),
            ("http://[fe80::1]", "link-local"),
            ("https://[febf::1]", "link-local"),
            ("https://[fd00:ec2::254]", "metadata"),
            ("https://100.100.100.200", "metadata"),
            ("https://metadata.google.internal", "metadata"),
            ("https://Metadata.Google.Internal./x", "metadata"),
            ("http://metadata", "metadata"),
            ("http://0.0.0.0:11434", "no host"),
            ("http://0", "no host"),
            ("http://[::]", "no host"),
            ("http://[::ffff:0.0.0.0]", "no host"),
            ("https://255.255.255.255", "no host"),
            ("https://224.0.0.1", "many hosts"),
            ("https://[ff02::1]", "many hosts"),
        ] {
            let refused = Endpoint::parse(text).expect_err(text);
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn what_a_name_resolves_to_is_judged_too() {
        let far = Endpoint::parse("https://example.com").unwrap();
        let here = Endpoint::parse("http://localhost:1234").unwrap();
        for (address, is_far_fine, is_here_fine) in [
            ("93.184.216.34", true, false),
            ("10.0.0.1", true, true),
            ("127.0.0.1", true, true),
            ("::1", true, true),
            ("169.254.169.254", false, false),
            ("::ffff:169.254.169.254", false, false),
            ("fd00:ec2::254", false, false),
            ("0.0.0.0", false, false),
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(far.admits(address).is_ok(), is_far_fine, "{address}");
            assert_eq!(here.admits(address).is_ok(), is_here_fine, "{address}");
        }
    }
}
