//! A way to one provider with one key: typed requests in, typed answers out.

use std::time::Instant;

use async_openai::Client;
use async_openai::error::OpenAIError;
use secrecy::SecretString;

use super::account::Account;
use super::failure;
use super::line::Line;
use super::send::{self, Sending};
use super::wire::{ChatIn, ChatOut, EmbeddingsIn, EmbeddingsOut};
use crate::config::{Endpoint, ModelSource};
use crate::credentials::{Credentials, Withheld};
use crate::models::ModelFailure;

/// The way. No `Debug`: it holds the key.
pub(super) struct Connection {
    account: Account,
    endpoint: Endpoint,
    key: SecretString,
    http: reqwest::Client,
    line: Line,
}

impl Connection {
    /// Prepares the way; nothing is sent yet.
    pub(super) fn open(
        source: &ModelSource,
        credentials: &Credentials,
    ) -> Result<Self, ModelFailure> {
        let endpoint = source.endpoint().map_err(|error| refused(&error))?;
        let endpoint = endpoint.ok_or_else(|| refused(&"the model is not asked over HTTP"))?;
        let key = source.credential_ref.as_ref();
        let key = key.map(|name| credentials.reveal(name, endpoint.origin())).transpose();
        let key = key.map_err(withheld)?;
        let account = Account::new(source, endpoint.base(), key.clone());
        let account = account.ok_or_else(|| refused(&"the credential holds what no key does"))?;
        let http = send::client(&endpoint).map_err(|error| unavailable(&error))?;
        let line = Line::open().map_err(|error| unavailable(&error))?;
        Ok(Self { account, endpoint, key: key.unwrap_or_default(), http, line })
    }

    /// Asks for vectors.
    pub(super) fn embeddings(
        &self,
        request: EmbeddingsIn,
        deadline: Instant,
    ) -> Result<EmbeddingsOut, ModelFailure> {
        let client = self.client(deadline);
        self.run(deadline, &|| true, async move { client.embeddings().create_byot(request).await })
    }

    /// Asks for a text.
    pub(super) fn chat(
        &self,
        request: ChatIn,
        deadline: Instant,
        go_on: &dyn Fn() -> bool,
    ) -> Result<ChatOut, ModelFailure> {
        let client = self.client(deadline);
        self.run(deadline, go_on, async move { client.chat().create_byot(request).await })
    }

    fn client(&self, deadline: Instant) -> Client<Account> {
        let sending = Sending {
            http: self.http.clone(),
            origin: self.endpoint.origin().to_owned(),
            key: self.key.clone(),
            deadline,
        };
        let service = tower::service_fn(move |request| sending.clone().send(request));
        Client::build(self.http.clone(), self.account.clone()).with_http_service(service)
    }

    fn run<T: Send + 'static>(
        &self,
        deadline: Instant,
        go_on: &dyn Fn() -> bool,
        work: impl Future<Output = Result<T, OpenAIError>> + Send + 'static,
    ) -> Result<T, ModelFailure> {
        let answer = self.line.run(deadline, go_on, work).ok_or(ModelFailure::Late)?;
        answer.map_err(|error| failure::of_client(self.endpoint.origin(), error))
    }
}

fn withheld(withheld: Withheld) -> ModelFailure {
    match withheld {
        Withheld::Missing(_) | Withheld::Bound { .. } | Withheld::Untried { .. } => {
            refused(&withheld)
        }
        Withheld::Failed(error) => unavailable(&error),
    }
}

fn refused(reason: &dyn std::fmt::Display) -> ModelFailure {
    ModelFailure::Refused(reason.to_string())
}

fn unavailable(reason: &dyn std::fmt::Display) -> ModelFailure {
    ModelFailure::Unavailable(reason.to_string())
}
