//! The viewer's files, with headers that let its page run nothing but itself.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use coffer_api::error::ErrorCode;
use coffer_ui_assets::Asset;
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    ETAG, HeaderName, IF_NONE_MATCH, REFERRER_POLICY, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};

use crate::error::Failure;
use crate::guard::is_programs;

const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const PAGE_HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (OPENER, "same-origin"),
    // The tag is asked for each time: a new version of the program brings new files.
    (CACHE_CONTROL, "no-cache"),
    (VARY, "accept-encoding"),
];

/// Answers what no route answers: a file of the viewer, or an error.
pub(crate) async fn elsewhere(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    let asset = if is_programs(path) { None } else { coffer_ui_assets::get(path) };
    match asset {
        Some(asset) if method == Method::GET || method == Method::HEAD => file(asset, &headers),
        Some(_) => {
            let message = format!("`{path}` does not take `{method}`");
            let failure = Failure::new(ErrorCode::MethodNotAllowed, message);
            ([(ALLOW, "GET, HEAD")], failure).into_response()
        }
        None => {
            Failure::new(ErrorCode::RouteNotFound, format!("nothing at `{path}`")).into_response()
        }
    }
}

fn file(asset: &'static Asset, asked: &HeaderMap) -> Response {
    let mut response = if names(asked, &IF_NONE_MATCH, asset.etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        contents(asset, asked)
    };
    let headers = response.headers_mut();
    for (name, value) in PAGE_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(ETAG, HeaderValue::from_static(asset.etag));
    response
}

fn contents(asset: &'static Asset, asked: &HeaderMap) -> Response {
    let gzip = asset.gzip.filter(|_| names(asked, &ACCEPT_ENCODING, "gzip"));
    let mut response = Response::new(Body::from(gzip.unwrap_or(asset.bytes)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(asset.mime));
    if gzip.is_some() {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Whether a list in a header holds a word; weights and weak marks do not matter here.
fn names(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|item| {
        let item = item.split(';').next().unwrap_or_default().trim();
        item.trim_start_matches("W/") == word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Response {
        let mut asked = HeaderMap::new();
        for (name, value) in headers {
            asked.insert(name, HeaderValue::from_str(value).unwrap());
        }
        elsewhere(method, path.parse().unwrap(), asked).await
    }

    #[tokio::test]
    async fn pages_run_nothing_but_themselves() {
        for path in ["/", "/stores/global", "/index.html"] {
            let response = get(Method::GET, path, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            let headers = response.headers();
            assert_eq!(headers[CONTENT_TYPE], "text/html; charset=utf-8");
            let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.starts_with("default-src 'self'; script-src 'self'"), "{policy}");
            assert!(!policy.contains("unsafe-inline") && !policy.contains("data:"));
            assert_eq!(headers[REFERRER_POLICY], "no-referrer");
        }
    }

    #[tokio::test]
    async fn an_unchanged_file_is_not_sent_again() {
        let tag = get(Method::GET, "/", &[]).await.headers()[ETAG].to_str().unwrap().to_owned();
        let again = get(Method::GET, "/", &[(IF_NONE_MATCH, &tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let other = get(Method::GET, "/", &[(IF_NONE_MATCH, "\"other\"")]).await;
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn what_is_no_page_has_the_envelope() {
        for (method, path, status) in [
            (Method::GET, "/api/v1/nothing", StatusCode::NOT_FOUND),
            (Method::GET, "/mcp/x", StatusCode::NOT_FOUND),
            (Method::GET, "/nothing.js", StatusCode::NOT_FOUND),
            (Method::GET, "/../run/server.json", StatusCode::NOT_FOUND),
            (Method::POST, "/", StatusCode::METHOD_NOT_ALLOWED),
        ] {
            let response = get(method, path, &[]).await;
            assert_eq!(response.status(), status, "{path}");
            assert_eq!(response.headers()[CONTENT_TYPE], "application/json", "{path}");
        }
    }
}
