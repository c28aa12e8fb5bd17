//! Taking a request's body in: bounded in bytes and in time, before any handler sees it.

use std::time::Duration;

use axum::body::{Body, Bytes};
use coffer_api::error::ErrorCode;
use coffer_api::routes;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, EXPECT};
use http_body_util::{BodyExt as _, Limited};

use crate::error::Failure;

/// How long a body may take to arrive.
const DEADLINE: Duration = Duration::from_secs(30);
/// How much of a body that is too large is still taken in, so that its sender reads the refusal
/// instead of a broken connection.
const DRAINED: usize = 8 << 20;

/// The largest file of a knowledge base, and what a form adds to it.
const FILE: usize = (100 << 20) + (64 << 10);
/// The largest text of a document: 16 MiB, escaped.
const TEXT: usize = 40 << 20;

/// The largest body that a path takes, in bytes.
pub(crate) fn limit(path: &str) -> usize {
    match path {
        routes::MCP => 4 << 20,
        path if routes::is_of(routes::DOCUMENTS, path) => FILE,
        path if routes::is_of(routes::DOCUMENT, path) => TEXT,
        _ => 2 << 20,
    }
}

/// The whole body.
pub(crate) async fn whole(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, Failure> {
    by(DEADLINE, take(headers, body, limit)).await
}

async fn by(
    deadline: Duration,
    taking: impl Future<Output = Result<Bytes, Failure>>,
) -> Result<Bytes, Failure> {
    tokio::time::timeout(deadline, taking).await.unwrap_or_else(|_| {
        Err(Failure::new(ErrorCode::BadRequest, "the body did not arrive in time"))
    })
}

async fn take(headers: &HeaderMap, mut body: Body, limit: usize) -> Result<Bytes, Failure> {
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let too_large = || {
        let message = format!("the body is larger than {limit} bytes");
        Failure::new(ErrorCode::PayloadTooLarge, message)
            .with(|details| details.max = u64::try_from(limit).ok())
    };
    if announced.is_some_and(|length: usize| length > limit) {
        if !headers.contains_key(EXPECT) {
            drain(body).await;
        }
        return Err(too_large());
    }
    match Limited::new(&mut body, limit).collect().await {
        Ok(whole) => Ok(whole.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            drain(body).await;
            Err(too_large())
        }
        Err(_) => Err(Failure::new(ErrorCode::BadRequest, "the body broke off")),
    }
}

async fn drain(mut body: Body) {
    let mut left = DRAINED;
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(
        announced: Option<&str>,
        body: &'static [u8],
        limit: usize,
    ) -> Result<Bytes, ErrorCode> {
        let mut headers = HeaderMap::new();
        if let Some(length) = announced {
            headers.insert(CONTENT_LENGTH, length.parse().unwrap());
        }
        whole(&headers, Body::from(body), limit).await.map_err(|failure| failure.code())
    }

    #[tokio::test]
    async fn bodies_end_at_the_limit() {
        assert_eq!(check(None, b"12345", 5).await.unwrap().as_ref(), b"12345");
        assert_eq!(check(Some("5"), b"12345", 5).await.unwrap().as_ref(), b"12345");
        assert_eq!(check(None, b"123456", 5).await, Err(ErrorCode::PayloadTooLarge));
        assert_eq!(check(Some("6"), b"123456", 5).await, Err(ErrorCode::PayloadTooLarge));
        assert_eq!(check(Some("99999999999"), b"", 5).await, Err(ErrorCode::PayloadTooLarge));
    }

    #[tokio::test]
    async fn a_body_that_never_ends_is_given_up() {
        let silent =
            Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let headers = HeaderMap::new();
        let taken = by(Duration::from_millis(5), take(&headers, silent, 5)).await;
        assert_eq!(taken.unwrap_err().code(), ErrorCode::BadRequest);
    }
}
