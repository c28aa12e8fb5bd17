//! The shapes of a request that must be refused: sites, bodies, keys.

use crate::support::Request;

/// A change of a good request.
pub type Change = Box<dyn Fn(Request) -> Request>;

/// A way to ask that must be refused: its name, the change that makes it, the refusal.
pub struct Shape {
    pub name: String,
    pub change: Change,
    pub refusal: (u16, &'static str),
}

fn shape(
    name: impl Into<String>,
    refusal: (u16, &'static str),
    change: impl Fn(Request) -> Request + 'static,
) -> Shape {
    Shape { name: name.into(), change: Box::new(change), refusal }
}

/// Another value of a header, or none.
fn other(
    header: &'static str,
    value: impl Into<Option<String>>,
    refusal: (u16, &'static str),
) -> Shape {
    let value: Option<String> = value.into();
    shape(format!("{header}: {value:?}"), refusal, move |request| {
        let request = request.without(header);
        match &value {
            Some(value) => request.header(header, value),
            None => request,
        }
    })
}

pub fn sites(port: u16) -> Vec<Shape> {
    const HOST: (u16, &str) = (403, "FORBIDDEN_HOST");
    const ORIGIN: (u16, &str) = (403, "FORBIDDEN_ORIGIN");
    let hosts = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        format!("localhost:{}", port ^ 1),
        format!("0.0.0.0:{port}"),
        format!("[::]:{port}"),
        format!("2130706433:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        "127.0.0.1".to_owned(),
        String::new(),
    ];
    let origins = [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        "http://localhost:3000".to_owned(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}.evil.example"),
        "chrome-extension://x".to_owned(),
        "file://".to_owned(),
    ];
    let pages = ["https://evil.example/page".to_owned(), format!("http://127.0.0.1:{port}@evil/")];
    let mut shapes = vec![
        other("host", None, HOST),
        shape("two hosts", HOST, move |request| {
            request.header("host", &format!("127.0.0.1:{port}"))
        }),
        shape("forwarded", HOST, move |request| {
            let own = format!("127.0.0.1:{port}");
            request.without("host").header("host", "evil.example").header("x-forwarded-host", &own)
        }),
        other("upgrade", "websocket".to_owned(), ORIGIN),
    ];
    shapes.extend(hosts.map(|host| other("host", host, HOST)));
    shapes.extend(origins.map(|origin| other("origin", origin, ORIGIN)));
    shapes.extend(pages.map(|page| other("referer", page, ORIGIN)));
    let sites = ["cross-site", "same-site"];
    shapes.extend(sites.map(|site| other("sec-fetch-site", site.to_owned(), ORIGIN)));
    shapes
}

pub fn bodies() -> Vec<Shape> {
    const TYPE: (u16, &str) = (415, "UNSUPPORTED_MEDIA_TYPE");
    let kinds = [
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/json; charset=utf-16"),
        None,
    ];
    let mut shapes: Vec<Shape> = kinds
        .map(|kind| {
            shape(format!("content-type: {kind:?}"), TYPE, move |request| {
                let request = request.without("content-type").body("{}");
                kind.into_iter().fold(request, |request, kind| request.header("content-type", kind))
            })
        })
        .into();
    shapes.push(other("content-encoding", "gzip".to_owned(), TYPE));
    shapes
}

pub fn keys(token: &str) -> Vec<Shape> {
    const KEY: (u16, &str) = (401, "UNAUTHORIZED");
    let half = token[..32].to_owned();
    let mut shapes = vec![other("authorization", None, KEY)];
    let wrong = [
        "Bearer".to_owned(),
        "Bearer x".to_owned(),
        format!("Bearer {half}"),
        format!("Bearer {token}0"),
        format!("Basic {token}"),
        token.to_owned(),
    ];
    shapes.extend(wrong.map(|value| other("authorization", value, KEY)));
    let cookie = format!("token={token}");
    shapes.push(shape("a cookie", KEY, move |request| {
        request.without("authorization").header("cookie", &cookie)
    }));
    shapes
}
