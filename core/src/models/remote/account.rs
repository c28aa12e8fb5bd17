//! Whom requests go to and with which key: the part of a request that its content does not change.

use async_openai::config::Config;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

use crate::config::{ModelSource, Provider};

/// The version of Azure's interface.
const AZURE_VERSION: &str = "2024-10-21";

/// A provider's account.
#[derive(Clone)]
pub(super) struct Account {
    base: String,
    query: Vec<(&'static str, &'static str)>,
    headers: HeaderMap,
    key: SecretString,
}

impl Account {
    /// An account at an address; `None` for a key that no header can carry.
    pub(super) fn new(source: &ModelSource, base: &str, key: Option<SecretString>) -> Option<Self> {
        let mut account = Self {
            base: base.to_owned(),
            query: Vec::new(),
            headers: HeaderMap::new(),
            key: key.clone().unwrap_or_default(),
        };
        let mut header = (AUTHORIZATION, "Bearer ");
        if source.provider == Provider::Azure {
            let deployment = utf8_percent_encode(&source.model, NON_ALPHANUMERIC);
            account.base = format!("{base}/openai/deployments/{deployment}");
            account.query.push(("api-version", AZURE_VERSION));
            header = (HeaderName::from_static("api-key"), "");
        }
        if let Some(key) = key {
            let text = Zeroizing::new(format!("{}{}", header.1, key.expose_secret()));
            let mut value = HeaderValue::from_str(&text).ok()?;
            value.set_sensitive(true);
            account.headers.insert(header.0, value);
        }
        Some(account)
    }
}

impl Config for Account {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        self.query.clone()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}
