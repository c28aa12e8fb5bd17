//! Requests to the server: one way in, typed by `coffer-api`, every error a [`Failure`].

use coffer_api::error::ErrorBody;
use gloo_net::http::{Method, Request, RequestBuilder, Response};
use js_sys::JSON;
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use web_sys::{AbortSignal, FormData};

use crate::failure::Failure;
use crate::job::{Begun, Job};
use crate::session::{Closed, Session};

/// The server, as this page's session sees it.
#[derive(Clone, Copy)]
pub(crate) struct Api {
    session: RwSignal<Session>,
}

/// The server, anywhere below the root of the page.
pub(crate) fn use_api() -> Api {
    expect_context()
}

impl Api {
    pub(crate) fn new(session: RwSignal<Session>) -> Self {
        Self { session }
    }

    /// Reads.
    pub(crate) async fn get<T: DeserializeOwned>(self, address: &str) -> Result<T, Failure> {
        parse(&self.text(address).await?)
    }

    /// Reads, and gives the JSON.
    pub(crate) async fn text(self, address: &str) -> Result<String, Failure> {
        let request = self.builder(address, Method::GET).build();
        let request = request.map_err(|_| Failure::Unreachable)?;
        Box::pin(self.answer(request)).await.map(|(_, text)| text)
    }

    /// Does something, or asks with a body.
    pub(crate) async fn post<B: Serialize, T: DeserializeOwned>(
        self,
        address: &str,
        body: &B,
    ) -> Result<T, Failure> {
        self.with_body(Method::POST, address, body).await
    }

    /// Changes.
    pub(crate) async fn with_body<B: Serialize, T: DeserializeOwned>(
        self,
        method: Method,
        address: &str,
        body: &B,
    ) -> Result<T, Failure> {
        self.send(self.with_json(method, address, body)?).await
    }

    /// Starts background work: the reply where that is there at once, else the job.
    pub(crate) async fn start(
        self,
        address: &str,
        body: &impl Serialize,
    ) -> Result<Started, Failure> {
        let request = self.with_json(Method::POST, address, body)?;
        let (status, text) = Box::pin(self.answer(request)).await?;
        if status == 202 {
            parse(&text).map(|begun: Begun| Started::Job(Box::new(begun.job)))
        } else {
            Ok(Started::Done(text))
        }
    }

    /// Starts background work, of which events tell.
    pub(crate) async fn begin(self, address: &str) -> Result<(), Failure> {
        let request = self.builder(address, Method::POST).build();
        let request = request.map_err(|_| Failure::Unreachable)?;
        Box::pin(self.answer(request)).await.map(drop)
    }

    /// Sends a file; whether it was news to the server.
    pub(crate) async fn upload<T: DeserializeOwned>(
        self,
        address: &str,
        form: FormData,
    ) -> Result<(bool, T), Failure> {
        let request = self.builder(address, Method::POST).body(form);
        let request = request.map_err(|_| Failure::Unreadable)?;
        let (status, text) = Box::pin(self.answer(request)).await?;
        Ok((status == 201, parse(&text)?))
    }

    /// Opens the stream of live events, which lasts until the signal ends it.
    pub(crate) async fn stream(
        self,
        address: &str,
        until: &AbortSignal,
    ) -> Result<Response, Failure> {
        let request = self.builder(address, Method::GET).header("Accept", "text/event-stream");
        let request =
            request.abort_signal(Some(until)).build().map_err(|_| Failure::Unreachable)?;
        let token = self.token();
        let response = request.send().await.map_err(|_| Failure::Unreachable)?;
        if response.ok() { Ok(response) } else { Err(self.refusal(&response, token).await) }
    }

    /// The present token; none while the session is not open.
    fn token(self) -> Option<String> {
        self.session.with_untracked(|session| match session {
            Session::Open(token) => Some(token.clone()),
            Session::Opening | Session::Closed(_) => None,
        })
    }

    fn builder(self, address: &str, method: Method) -> RequestBuilder {
        let builder = RequestBuilder::new(address).method(method);
        match self.token() {
            Some(token) => builder.header("Authorization", &format!("Bearer {token}")),
            None => builder,
        }
    }

    fn with_json(
        self,
        method: Method,
        address: &str,
        body: &impl Serialize,
    ) -> Result<Request, Failure> {
        let builder = self.builder(address, method).header("Content-Type", "application/json");
        builder.body(written(body)?).map_err(|_| Failure::Unreadable)
    }

    async fn send<T: DeserializeOwned>(self, request: Request) -> Result<T, Failure> {
        // Boxed, so that only the parsing is compiled once for each type.
        let (_, text) = Box::pin(self.answer(request)).await?;
        parse(&text)
    }

    /// Status and body of a good answer.
    async fn answer(self, request: Request) -> Result<(u16, String), Failure> {
        let token = self.token();
        let response = request.send().await.map_err(|_| Failure::Unreachable)?;
        if !response.ok() {
            return Err(self.refusal(&response, token).await);
        }
        let text = response.text().await.map_err(|_| Failure::Unreachable)?;
        Ok((response.status(), text))
    }

    /// Why a request with `token` was refused. A late answer to an old token says nothing about the
    /// session that is open by now.
    async fn refusal(self, response: &Response, token: Option<String>) -> Failure {
        if response.status() == 401 && token.is_some() {
            if token == self.token() {
                self.session.set(Session::Closed(Closed::Ended));
            }
            return Failure::SignedOut;
        }
        let text = response.text().await.unwrap_or_default();
        match parse::<ErrorBody>(&text) {
            Ok(body) => Failure::Refused(Box::new(body.error)),
            Err(_) => Failure::Unreadable,
        }
    }
}

/// What background work gave, as JSON, or that it goes on.
pub(crate) enum Started {
    Done(String),
    Job(Box<Job>),
}

/// A value for the wire. The browser writes the JSON, and reads it: that keeps another writer and
/// another reader of it out of the program.
fn written(value: &impl Serialize) -> Result<String, Failure> {
    let value = value.serialize(&Serializer::json_compatible()).map_err(|_| Failure::Unreadable)?;
    JSON::stringify(&value).map(String::from).map_err(|_| Failure::Unreadable)
}

/// A value of the wire; 204 has no body, which stands for null.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    let json = if text.is_empty() { "null" } else { text };
    let value = JSON::parse(json).map_err(|_| Failure::Unreadable)?;
    serde_wasm_bindgen::from_value(value).map_err(|_| Failure::Unreadable)
}

/// `path` with the fields of `query` behind it.
pub(crate) fn with_query(path: &str, query: &impl Serialize) -> String {
    let query = serde_urlencoded::to_string(query).unwrap_or_default();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coffer_api::facts::FactsQuery;
    use coffer_api::routes;

    #[test]
    fn a_query_is_encoded_and_left_out_when_empty() {
        let query = FactsQuery { limit: Some(50), offset: None, q: Some("a b&ü".into()) };
        assert_eq!(
            with_query(routes::STORES, &query),
            "/api/v1/memory_stores?limit=50&q=a+b%26%C3%BC"
        );
        assert_eq!(with_query("/x", &FactsQuery::default()), "/x");
    }
}
