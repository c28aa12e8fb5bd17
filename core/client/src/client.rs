//! Typed calls to one server.

use std::time::Duration;

use coffer_api::error::{ErrorBody, ErrorCode, ErrorDetails, ErrorOut};
use coffer_api::jobs::{JobOut, JobStarted};
use coffer_api::routes;
use coffer_api::status::HealthOut;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::{Method, Request, Response, StatusCode, header};
use ureq::{Agent, AsSendBody, Body};

use crate::error::ClientError;
use crate::transport::{Endpoint, NoLookup};

/// How long an ordinary call may take when nobody says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the first question, whether this is Coffer, may take.
const GREETING: Duration = Duration::from_secs(2);
/// The largest reply that is read: 200 facts of the largest size, escaped.
const LIMIT: u64 = 64 * 1024 * 1024;

/// A connection to a server that said that it is Coffer. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    base: String,
    token: Option<String>,
    version: String,
    patience: Duration,
}

/// The outcome of a call that may go on as a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Work<T> {
    /// It is finished.
    Done(T),
    /// It goes on; ask for the job.
    Started(Box<JobOut>),
}

impl Client {
    /// Asks who is there.
    pub(crate) fn greeted(mut self) -> Result<Self, ClientError> {
        let request = self.request(Method::GET, routes::HEALTH).body(())?;
        let health: HealthOut = read(self.send(request, Some(GREETING))?)?;
        if health.name != "coffer" {
            return Err(ClientError::Transport(format!("`{}` answers", health.name)));
        }
        self.version = health.version;
        Ok(self)
    }

    /// Speaks to a server that it did not greet: over the socket, or where every connection is proven.
    pub(crate) fn at(endpoint: Endpoint) -> Self {
        let config = Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .user_agent(concat!("coffer/", env!("CARGO_PKG_VERSION")))
            .build();
        let (base, token) = match &endpoint {
            #[cfg(unix)]
            Endpoint::Socket(_) => ("http://localhost".to_owned(), None),
            Endpoint::Tcp(server) => {
                (format!("http://127.0.0.1:{}", server.port), Some(server.token.clone()))
            }
        };
        let agent = Agent::with_parts(config, endpoint, NoLookup);
        Self { agent, base, token, version: String::new(), patience: PATIENCE }
    }

    /// The same connection, for calls that may take so long.
    #[must_use]
    pub fn within(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    /// The server's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Reads.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn get<Reply: DeserializeOwned>(&self, path: &str) -> Result<Reply, ClientError> {
        let request = self.request(Method::GET, path).body(())?;
        read(self.send(request, Some(self.patience))?)
    }

    /// Deletes.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn delete<Reply: DeserializeOwned>(&self, path: &str) -> Result<Reply, ClientError> {
        let request = self.request(Method::DELETE, path).body(())?;
        read(self.send(request, Some(self.patience))?)
    }

    /// Asks for something to happen that needs no body.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn post<Reply: DeserializeOwned>(&self, path: &str) -> Result<Reply, ClientError> {
        read(self.send(self.bare_post(path)?, Some(self.patience))?)
    }

    /// Sends a body and reads the reply. A reply without content is `()`.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn call<Req: Serialize + ?Sized, Reply: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Req,
    ) -> Result<Reply, ClientError> {
        read(self.send_json(method, path, body, self.patience)?)
    }

    /// Starts work that may take long and waits up to `wait` seconds for its result.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn work<T: DeserializeOwned>(&self, path: &str, wait: u32) -> Result<Work<T>, ClientError> {
        let path = with_query(path, &[("wait", Some(wait.to_string()))]);
        let patience = PATIENCE + Duration::from_secs(wait.into());
        worked(self.send(self.bare_post(&path)?, Some(patience))?)
    }

    /// As `work`, for work that a body describes.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, or answers with an error.
    pub fn work_on<Req: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Req,
        wait: u32,
    ) -> Result<Work<T>, ClientError> {
        let path = with_query(path, &[("wait", Some(wait.to_string()))]);
        let patience = PATIENCE + Duration::from_secs(wait.into());
        worked(self.send_json(Method::POST, &path, body, patience)?)
    }

    /// Sends a body as it is, with headers, and hands back the reply as it comes: whatever its
    /// status, and without a bound on how long it may take as long as something arrives within
    /// `silence`.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached.
    pub(crate) fn exchange(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, String)],
        body: &str,
        silence: Duration,
    ) -> Result<Response<Body>, ClientError> {
        let mut request = self.request(method, path);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        if body.is_empty() {
            let request = request.body(())?;
            return self.stream(request, silence);
        }
        let request = request.header(header::CONTENT_TYPE, "application/json").body(body)?;
        self.stream(request, silence)
    }

    fn request(&self, method: Method, path: &str) -> ureq::http::request::Builder {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    /// The content type shows that no web page's form sent it.
    fn bare_post(&self, path: &str) -> Result<Request<&'static str>, ClientError> {
        let request = self.request(Method::POST, path);
        Ok(request.header(header::CONTENT_TYPE, "application/json").body("")?)
    }

    fn send_json<Req: Serialize + ?Sized>(
        &self,
        method: Method,
        path: &str,
        body: &Req,
        patience: Duration,
    ) -> Result<Response<Body>, ClientError> {
        let body = serde_json::to_vec(body).map_err(|e| ClientError::Transport(e.to_string()))?;
        let request = self
            .request(method, path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(body)?;
        self.send(request, Some(patience))
    }

    fn send(
        &self,
        request: Request<impl AsSendBody>,
        patience: Option<Duration>,
    ) -> Result<Response<Body>, ClientError> {
        let request = self.agent.configure_request(request).timeout_global(patience).build();
        Ok(self.agent.run(request)?)
    }

    fn stream(
        &self,
        request: Request<impl AsSendBody>,
        silence: Duration,
    ) -> Result<Response<Body>, ClientError> {
        let request = self
            .agent
            .configure_request(request)
            .timeout_per_read(Some(silence))
            .timeout_per_write(Some(silence))
            .build();
        Ok(self.agent.run(request)?)
    }
}

/// Never shows the token.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// A path with its query; absent values are left out.
pub fn with_query(path: &str, pairs: &[(&str, Option<String>)]) -> String {
    let mut full = path.to_owned();
    let mut sign = '?';
    for (name, value) in pairs {
        if let Some(value) = value {
            full.push(sign);
            full.push_str(name);
            full.push('=');
            routes::encode(value, &mut full);
            sign = '&';
        }
    }
    full
}

fn read<Reply: DeserializeOwned>(mut response: Response<Body>) -> Result<Reply, ClientError> {
    let status = response.status();
    let body = response.body_mut().with_config().limit(LIMIT).read_to_vec()?;
    if !status.is_success() {
        return Err(refused(status, &body));
    }
    let body: &[u8] = if body.is_empty() { b"null" } else { &body };
    serde_json::from_slice(body)
        .map_err(|e| ClientError::Transport(format!("the reply is not of this API: {e}")))
}

fn worked<T: DeserializeOwned>(response: Response<Body>) -> Result<Work<T>, ClientError> {
    if response.status() == StatusCode::ACCEPTED {
        let started: JobStarted = read(response)?;
        return Ok(Work::Started(Box::new(started.job)));
    }
    read(response).map(Work::Done)
}

/// The error that a reply carries; one that is not of this API keeps its status and first line.
pub(crate) fn refused(status: StatusCode, body: &[u8]) -> ClientError {
    let error = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => body.error,
        Err(_) => ErrorOut {
            code: ErrorCode::Internal,
            message: format!("the server answered {status}{}", first_line(body)),
            details: ErrorDetails::default(),
        },
    };
    ClientError::Api { status: status.as_u16(), error: Box::new(error) }
}

fn first_line(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.lines().next().map(str::trim) {
        None | Some("") => String::new(),
        Some(line) => format!(": {}", line.chars().take(200).collect::<String>()),
    }
}

impl From<ureq::http::Error> for ClientError {
    fn from(error: ureq::http::Error) -> Self {
        Self::Transport(format!("the request cannot be sent: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_encoded_and_absent_values_left_out() {
        let path = with_query("/x", &[("a", None), ("q", Some("ü &=".to_owned()))]);
        assert_eq!(path, "/x?q=%C3%BC%20%26%3D");
        assert_eq!(with_query("/x", &[("a", None)]), "/x");
    }

    #[test]
    fn errors_of_another_kind_keep_their_status() {
        let cases: [(&[u8], &str); 3] = [
            (br#"{"error":{"code":"BUSY","message":"too many","details":{}}}"#, "too many"),
            (br#"{"error":{"code":"FROM_THE_FUTURE","message":"x"}}"#, "the server answered 429"),
            (b"", "the server answered 429 Too Many Requests"),
        ];
        for (body, wanted) in cases {
            let error = refused(StatusCode::TOO_MANY_REQUESTS, body);
            assert!(error.to_string().starts_with(wanted), "{error}");
        }
    }
}
