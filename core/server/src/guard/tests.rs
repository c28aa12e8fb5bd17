//! The guard's table: each shape of a request head, and what becomes of it.

use std::net::{IpAddr, Ipv4Addr};

use coffer_api::error::ErrorCode::{
    self, ForbiddenHost, ForbiddenOrigin, MethodNotAllowed, Unauthorized, UnsupportedMediaType,
};
use http::Request;

use super::*;
use crate::auth::tests::auth;

const LOOPBACK: Peer = Peer::Tcp(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 50_000));
const GOOD: &[(&str, &str)] = &[("host", "127.0.0.1:27411"), ("authorization", "Bearer token")];

fn check(peer: Peer, method: &str, uri: &str, headers: &[(&str, &str)]) -> Result<(), ErrorCode> {
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (head, ()) = request.body(()).unwrap().into_parts();
    let guard = Guard { port: 27411, auth: Arc::new(auth("token")) };
    guard.check(peer, &head).map(drop).map_err(|failure| failure.code())
}

fn with(headers: &[(&str, &str)]) -> Result<(), ErrorCode> {
    let headers: Vec<_> = GOOD.iter().chain(headers).copied().collect();
    check(LOOPBACK, "POST", "/api/v1/search", &headers)
}

#[test]
fn only_exact_names_of_this_server_are_hosts() {
    for host in ["127.0.0.1:27411", "localhost:27411", "LOCALHOST:27411", "[::1]:27411"] {
        assert_eq!(check(LOOPBACK, "GET", "/health", &[("host", host)]), Ok(()), "{host}");
    }
    for host in [
        "",
        "127.0.0.1",
        "localhost",
        "localhost:27412",
        "localhost:027411",
        "evil.example",
        "evil.example:27411",
        "localhost.evil.example:27411",
        "127.0.0.1.nip.io:27411",
        "0.0.0.0:27411",
        "[::]:27411",
        "2130706433:27411",
        "0x7f.1:27411",
        "[::ffff:127.0.0.1]:27411",
        "machine.local:27411",
        "user@127.0.0.1:27411",
        "127.0.0.1:27411 ",
    ] {
        let refused = check(LOOPBACK, "GET", "/health", &[("host", host)]);
        assert_eq!(refused, Err(ForbiddenHost), "{host:?}");
    }
}

#[test]
fn the_host_is_given_once_and_agrees_with_the_target() {
    let own = ("host", "127.0.0.1:27411");
    assert_eq!(check(LOOPBACK, "GET", "/health", &[]), Err(ForbiddenHost));
    assert_eq!(check(LOOPBACK, "GET", "/health", &[own, own]), Err(ForbiddenHost));
    let absolute = |uri| check(LOOPBACK, "GET", uri, &[own]);
    assert_eq!(absolute("http://127.0.0.1:27411/health"), Ok(()));
    assert_eq!(absolute("http://evil.example/health"), Err(ForbiddenHost));
    let forwarded = [("host", "evil.example"), ("x-forwarded-host", "127.0.0.1:27411")];
    assert_eq!(check(LOOPBACK, "GET", "/health", &forwarded), Err(ForbiddenHost));
}

#[test]
fn only_the_own_page_may_ask() {
    for headers in [
        &[("origin", "http://127.0.0.1:27411")][..],
        &[("referer", "http://127.0.0.1:27411/stores/global?x#y")],
        &[("referer", "http://127.0.0.1:27411")],
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
    ] {
        assert_eq!(with(headers), Ok(()), "{headers:?}");
    }
    for headers in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null")],
        &[("origin", "")],
        &[("origin", "http://localhost:27411")],
        &[("origin", "https://127.0.0.1:27411")],
        &[("origin", "http://127.0.0.1:3000")],
        &[("origin", "http://127.0.0.1:27411.evil.example")],
        &[("origin", "chrome-extension://x")],
        &[("origin", "http://127.0.0.1:27411"), ("origin", "http://127.0.0.1:27411")],
        &[("referer", "https://evil.example/")],
        &[("referer", "http://127.0.0.1:27411.evil.example/")],
        &[("referer", "http://127.0.0.1:27411@evil.example/")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")],
        &[("upgrade", "websocket")],
        &[("connection", "keep-alive, Upgrade")],
    ] {
        assert_eq!(with(headers), Err(ForbiddenOrigin), "{headers:?}");
    }
}

#[test]
fn bodies_are_json() {
    let body = ("content-length", "2");
    for kind in ["application/json", "Application/JSON; charset=UTF-8", "application/json;"] {
        assert_eq!(with(&[("content-type", kind), body]), Ok(()), "{kind}");
    }
    assert_eq!(with(&[("content-length", "0")]), Ok(()));
    for headers in [
        &[body][..],
        &[("transfer-encoding", "chunked")],
        &[("content-type", "text/plain"), body],
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded"), body],
        &[("content-type", "multipart/form-data; boundary=x"), body],
        &[("content-type", "application/json; charset=utf-16"), body],
        &[("content-type", "application/jsonp"), body],
        &[("content-type", "application/json"), ("content-type", "text/plain"), body],
        &[("content-type", "application/json"), ("content-encoding", "gzip"), body],
    ] {
        assert_eq!(with(headers), Err(UnsupportedMediaType), "{headers:?}");
    }
}

#[test]
fn other_methods_are_not_served() {
    for method in ["OPTIONS", "TRACE", "CONNECT", "PROPFIND"] {
        let uri = if method == "CONNECT" { "127.0.0.1:27411" } else { "/health" };
        assert_eq!(check(LOOPBACK, method, uri, GOOD), Err(MethodNotAllowed), "{method}");
    }
}

#[test]
fn all_but_the_open_routes_need_a_token() {
    let host = ("host", "127.0.0.1:27411");
    for (method, path) in [
        ("GET", "/health"),
        ("GET", "/"),
        ("HEAD", "/"),
        ("GET", "/app.js"),
        ("GET", "/stores/global"),
        ("POST", "/api/v1/session"),
        ("POST", "/api/v1/prove"),
    ] {
        assert_eq!(check(LOOPBACK, method, path, &[host]), Ok(()), "{method} {path}");
    }
    for (method, path) in [
        ("GET", "/api/v1/status"),
        ("GET", "/api/v1/session"),
        ("GET", "/api/v1/nothing"),
        ("GET", "/api"),
        ("GET", "/openapi.json"),
        ("GET", "/mcp"),
        ("POST", "/mcp"),
        ("POST", "/"),
        ("DELETE", "/app.js"),
        ("POST", "/health"),
    ] {
        for key in [
            None,
            Some(("authorization", "Bearer ")),
            Some(("authorization", "Bearer tokem")),
            Some(("authorization", "token")),
            Some(("authorization", "Basic token")),
            Some(("x-coffer-token", "wrong")),
            Some(("cookie", "token=token")),
        ] {
            let headers: Vec<_> = [host].into_iter().chain(key).collect();
            let refused = check(LOOPBACK, method, path, &headers);
            assert_eq!(refused, Err(Unauthorized), "{method} {path} {key:?}");
        }
        for key in [("authorization", "bearer token"), ("x-coffer-token", "token")] {
            assert_eq!(check(LOOPBACK, method, path, &[host, key]), Ok(()), "{path} {key:?}");
        }
    }
    let query = check(LOOPBACK, "GET", "/api/v1/status?token=token", &[host]);
    assert_eq!(query, Err(Unauthorized));
}

#[test]
fn a_peer_elsewhere_gets_nothing_and_the_owner_needs_no_token() {
    let elsewhere = Peer::Tcp(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 168, 1, 2)), 1));
    assert_eq!(check(elsewhere, "GET", "/health", GOOD), Err(ForbiddenHost));
    assert_eq!(check(Peer::Owner, "GET", "/api/v1/status", &[]), Ok(()));
    let form = [("content-type", "text/plain")];
    assert_eq!(check(Peer::Owner, "POST", "/mcp", &form), Err(UnsupportedMediaType));
}

#[test]
fn a_page_is_told_from_a_program() {
    let asker = |peer, headers: &[(&str, &str)]| {
        let mut request = Request::builder().uri("/health").header("host", "127.0.0.1:27411");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        let auth = auth("token");
        let code = auth.code(std::time::Instant::now());
        let session = auth.exchange(&code, std::time::Instant::now()).unwrap();
        let mut head = head;
        if headers.is_empty() {
            head.headers.insert("x-coffer-token", session.parse().unwrap());
        }
        Guard { port: 27411, auth: Arc::new(auth) }.check(peer, &head).unwrap()
    };
    assert_eq!(asker(LOOPBACK, &[("x-coffer-token", "token")]), Asker::Program);
    assert_eq!(asker(Peer::Owner, &[("x-coffer-token", "none")]), Asker::Program);
    assert_eq!(asker(LOOPBACK, &[("x-coffer-token", "none")]), Asker::Page);
    assert_eq!(asker(LOOPBACK, &[]), Asker::Page);
}
