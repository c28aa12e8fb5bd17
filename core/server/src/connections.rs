//! Accepting and serving connections: deadlines for heads, a cap on how many are open, a graceful
//! end. Every request of either transport passes the guard here, before routing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorCode;
use http::Request;
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, HOST, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::body;
use crate::error::Failure;
use crate::guard::{Guard, METHODS, Peer, has_body};
use crate::listen::Listener;

/// How long a head may take, from the opening of the connection or the end of the last reply: it
/// ends silent, trickling and idle connections.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// The largest head, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// How many connections one listener keeps open; more wait in the system's queue.
const OPEN: usize = 512;
/// How long accepting rests after an error such as too many open files.
const REST: Duration = Duration::from_millis(50);

/// What every connection shares.
#[derive(Clone)]
pub(crate) struct Serving {
    /// The gate.
    pub(crate) guard: Guard,
    /// What lies behind it.
    pub(crate) router: Router,
    /// Ends everything.
    pub(crate) stop: CancellationToken,
    /// Counts the connections that are still served.
    pub(crate) open: TaskTracker,
}

impl Serving {
    /// Accepts from one listener until the server stops.
    pub(crate) async fn accept(self, listener: Listener) {
        let slots = Arc::new(Semaphore::new(OPEN));
        loop {
            let accepted = tokio::select! {
                () = self.stop.cancelled() => return,
                accepted = self.next(&listener, &slots) => accepted,
            };
            if !accepted {
                tokio::time::sleep(REST).await;
            }
        }
    }

    async fn next(&self, listener: &Listener, slots: &Arc<Semaphore>) -> bool {
        let Ok(slot) = Arc::clone(slots).acquire_owned().await else { return false };
        match listener {
            Listener::Tcp(listener) => match listener.accept().await {
                Ok((stream, address)) => {
                    // Replies are small and whole; waiting for more to send only costs time.
                    _ = stream.set_nodelay(true);
                    self.spawn(stream, Peer::Tcp(address), slot);
                    true
                }
                Err(error) => refused(&error),
            },
            #[cfg(unix)]
            Listener::Socket(listener) => match listener.accept().await {
                Ok((stream, _)) => {
                    if crate::listen::is_ours(&stream) {
                        self.spawn(stream, Peer::Owner, slot);
                    }
                    true
                }
                Err(error) => refused(&error),
            },
        }
    }

    fn spawn<S>(&self, stream: S, peer: Peer, slot: OwnedSemaphorePermit)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let serving = self.clone();
        self.open.spawn(async move {
            serving.serve(stream, peer).await;
            drop(slot);
        });
    }

    async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send>(&self, stream: S, peer: Peer) {
        let service =
            service_fn(
                |request| async move { Ok::<_, Infallible>(self.answer(peer, request).await) },
            );
        let mut connection = std::pin::pin!(
            http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_DEADLINE)
                .max_buf_size(HEAD_BYTES)
                .serve_connection(TokioIo::new(stream), service)
        );
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.stop.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!("a connection ended early: {error}");
        }
    }

    async fn answer(&self, peer: Peer, request: Request<Incoming>) -> Response {
        let carries_body = has_body(request.headers());
        let mut response = match self.admit(peer, request).await {
            Ok(request) => {
                let Ok(response) = self.router.clone().oneshot(request).await;
                response
            }
            Err(failure) => refusal(failure, carries_body),
        };
        let headers = response.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        // What is remembered does not belong into a browser's cache; the viewer's files say more.
        headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        response
    }

    async fn admit(
        &self,
        peer: Peer,
        request: Request<Incoming>,
    ) -> Result<Request<Body>, Failure> {
        let (mut head, incoming) = request.into_parts();
        let asker = self.guard.check(peer, &head).inspect_err(|failure| {
            let (method, path) = (&head.method, head.uri.path());
            tracing::warn!("refused {method} {path:?} from {peer:?}: {}", failure.code());
        })?;
        head.extensions.insert(asker);
        if matches!(peer, Peer::Owner) {
            // A name for the second guard, the MCP library's own, where callers have none to give.
            head.headers.insert(HOST, HeaderValue::from_static("localhost"));
        }
        let limit = body::limit(head.uri.path());
        let bytes = body::whole(&head.headers, Body::new(incoming), limit).await?;
        Ok(Request::from_parts(head, Body::from(bytes)))
    }
}

/// The guard's own reply. A body that nobody takes in would be read as the next request.
fn refusal(failure: Failure, carries_body: bool) -> Response {
    let unserved = failure.code() == ErrorCode::MethodNotAllowed;
    let mut response = failure.into_response();
    let headers = response.headers_mut();
    if unserved {
        headers.insert(ALLOW, HeaderValue::from_static(METHODS));
    }
    if carries_body {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn refused(error: &std::io::Error) -> bool {
    tracing::warn!("cannot accept a connection: {error}");
    false
}
