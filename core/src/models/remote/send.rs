//! Sending one request: to addresses that may be asked, without detours, within bounds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use coffer_env::clock;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::SecretString;

use super::failure;
use crate::config::Endpoint;
use crate::models::ModelFailure;

/// The largest answer: 64 vectors of 8,192 numbers take some 12 MB.
const LARGEST_ANSWER: usize = 32 << 20;
/// So much of an error's body is read.
const LARGEST_ERROR: usize = 64 << 10;
/// How often a busy provider is asked again.
const RETRIES: u32 = 4;
/// How long the first wait is when the provider does not say.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const CONNECT: Duration = Duration::from_secs(10);

/// How one request is sent.
#[derive(Clone)]
pub(super) struct Sending {
    pub(super) http: Client,
    pub(super) origin: String,
    pub(super) key: SecretString,
    pub(super) deadline: Instant,
}

/// A client that asks one place only.
pub(super) fn client(endpoint: &Endpoint) -> reqwest::Result<Client> {
    client_by(Judged(endpoint.clone()), endpoint.is_encrypted())
}

fn client_by(resolver: impl Resolve + 'static, is_encrypted: bool) -> reqwest::Result<Client> {
    // Another one may be installed already, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder();
    // A machine without any certificates may ask a model of its own all the same.
    let builder = if is_encrypted { builder } else { builder.tls_certs_only([]) };
    builder
        .user_agent(concat!("coffer/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .dns_resolver(Arc::new(resolver))
        .build()
}

impl Sending {
    /// Sends a request, again while the provider is busy and time is left, and reads the answer.
    pub(super) async fn send(self, request: HttpRequestFactory) -> Result<Response, OpenAIError> {
        let mut attempt = 0;
        loop {
            let response = self.once(&request).await?;
            match self.wait(&response, attempt) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return self.whole(response).await,
            }
            attempt += 1;
        }
    }

    async fn once(&self, request: &HttpRequestFactory) -> Result<Response, OpenAIError> {
        let request = request.build().await?;
        let sent = RequestBuilder::from_parts(self.http.clone(), request).send().await;
        sent.map_err(|error| boxed(failure::unanswered(&self.origin, &error)))
    }

    /// How long to wait before asking again; `None` for an answer that counts.
    fn wait(&self, response: &Response, attempt: u32) -> Option<Duration> {
        if response.status() != StatusCode::TOO_MANY_REQUESTS || attempt == RETRIES {
            return None;
        }
        let said = response.headers().get(RETRY_AFTER);
        let said = said.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let pause = said.map_or(FIRST_WAIT * 2_u32.pow(attempt), Duration::from_secs);
        let left = self.deadline.saturating_duration_since(clock::instant());
        (pause < left).then_some(pause)
    }

    /// The whole answer, or what it means that it is none.
    async fn whole(self, mut response: Response) -> Result<Response, OpenAIError> {
        let status = response.status();
        let largest = if status.is_success() { LARGEST_ANSWER } else { LARGEST_ERROR };
        let mut body = Vec::new();
        loop {
            let chunk = response.chunk().await;
            let chunk = chunk.map_err(|error| boxed(failure::unanswered(&self.origin, &error)))?;
            let Some(chunk) = chunk else { break };
            body.extend_from_slice(&chunk[..chunk.len().min(largest - body.len())]);
            if body.len() == largest {
                break;
            }
        }
        if !status.is_success() {
            return Err(boxed(failure::answered(&self.origin, status, &body, &self.key)));
        }
        if body.len() == largest {
            let reason = format!("`{}` answers more than a model does", self.origin);
            return Err(boxed(ModelFailure::Refused(reason)));
        }
        Ok(http::Response::new(body).into())
    }
}

fn boxed(failure: ModelFailure) -> OpenAIError {
    OpenAIError::Boxed(Box::new(failure))
}

/// A name stands for an address that is not asked.
#[derive(Debug, thiserror::Error)]
#[error("its name stands for `{address}`, which {reason}")]
pub(super) struct NotAdmitted {
    address: std::net::IpAddr,
    reason: &'static str,
}

/// Names as the system resolves them, if all that they stand for may be asked.
struct Judged(Endpoint);

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let endpoint = self.0.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(judged(&endpoint, found)?)
        })
    }
}

fn judged(endpoint: &Endpoint, found: Vec<SocketAddr>) -> Result<Addrs, NotAdmitted> {
    for address in found.iter().map(SocketAddr::ip) {
        endpoint.admits(address).map_err(|reason| NotAdmitted { address, reason })?;
    }
    Ok(Box::new(found.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stands for a name server that answers what a person did not expect.
    struct Evil;

    impl Resolve for Evil {
        fn resolve(&self, _name: Name) -> Resolving {
            Box::pin(async {
                let endpoint = Endpoint::parse("https://example.com")?;
                let fine = SocketAddr::from(([93, 184, 216, 34], 0));
                let keys = SocketAddr::from(([169, 254, 169, 254], 0));
                Ok(judged(&endpoint, vec![fine, keys])?)
            })
        }
    }

    #[tokio::test]
    async fn a_name_that_stands_for_a_refused_address_is_not_asked() {
        let endpoint = Endpoint::parse("https://example.com").unwrap();
        let named = Judged(endpoint.clone()).resolve("169.254.169.254".parse().unwrap()).await;
        assert!(named.map(drop).unwrap_err().is::<NotAdmitted>());
        let here = Judged(endpoint).resolve("localhost".parse().unwrap()).await.unwrap();
        assert!(here.map(|address| address.ip()).all(|address| address.is_loopback()));
        let http = client_by(Evil, true).unwrap();
        let error = http.get("http://example.com").send().await.unwrap_err();
        let failure = failure::unanswered("https://example.com", &error);
        let said = failure.to_string();
        assert!(matches!(failure, ModelFailure::Refused(_)), "{said}");
        assert!(said.contains("`169.254.169.254`, which is a link-local address"), "{said}");
    }
}
