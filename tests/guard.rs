//! The guard matrix: every route that the server describes, against every shape of request that
//! must be refused. Nothing refused may have done anything.

mod shapes;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::http::exchange;
use crate::support::{Reply, Request, TestServer};
use shapes::{bodies, keys, sites};

/// A route as the matrix asks it: with a body that would do something.
#[derive(Clone)]
struct Route {
    method: String,
    path: String,
    open: bool,
    body: Option<Value>,
}

impl Route {
    /// Files come to a knowledge base in forms.
    fn takes_forms(&self) -> bool {
        self.method == "POST" && self.path.ends_with("/documents")
    }

    fn good(&self, server: &TestServer) -> Request {
        let request = server.request(&self.method, &self.path);
        match &self.body {
            Some(body) => request.json(body),
            None => request,
        }
    }
}

fn routes(server: &TestServer, fact: &str) -> Vec<Route> {
    let described = server.get("/openapi.json").json();
    let mut routes = Vec::new();
    for (path, operations) in described["paths"].as_object().unwrap() {
        let path =
            path.replace("{name}", "global").replace("{kind}", "memory").replace("{id}", fact);
        for (method, operation) in operations.as_object().unwrap() {
            let open = operation["security"] == json!([{}]);
            let body = operation.get("requestBody").map(|_| body(&path, server));
            routes.push(Route { method: method.to_uppercase(), path: path.clone(), open, body });
        }
    }
    assert!(routes.len() > 35, "{} routes", routes.len());
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    for (method, path, body) in [
        ("POST", "/mcp", Some(hello)),
        ("GET", "/mcp", None),
        ("DELETE", "/mcp", None),
        ("GET", "/openapi.json", None),
        ("GET", "/api/v1/nothing", None),
        ("POST", "/nothing", None),
    ] {
        routes.push(Route { method: method.into(), path: path.into(), open: false, body });
    }
    routes
}

/// A body that the route would take.
fn body(path: &str, server: &TestServer) -> Value {
    let cwd = server.folder().to_str().unwrap();
    match path.rsplit('/').next().unwrap() {
        "facts" => json!({"text": "an intruder's fact"}),
        "recall" | "search" => json!({"query": "intruder"}),
        "label" => json!({"label": "intruder"}),
        "settings" => json!({"preferred_editor": "intruder"}),
        "global" => json!({"max_fact_chars": 64}),
        "handoff" => json!({"cwd": cwd, "body": "intruder"}),
        "open" | "reveal" => json!({"path": cwd}),
        "export" => json!({"path": format!("{cwd}/intruder.tar.gz")}),
        "import" => json!({"path": cwd, "format": "markdown"}),
        "models" => json!({"path": cwd}),
        "pull" => json!({"name": "intruder", "from": "http://127.0.0.1:1/x"}),
        "purge" => json!({"match": "a fact"}),
        "session" => json!({"code": "intruder"}),
        "prove" => json!({"nonce": "00".repeat(16)}),
        _ => json!({"text": "an intruder's text"}),
    }
}

#[track_caller]
fn check_refused(reply: &Reply, refusal: (u16, &str), what: &str) {
    assert_eq!(reply.refusal(), (refusal.0, refusal.1.to_owned()), "{what}: {}", reply.text());
    check_plain(reply, what);
    let challenged = reply.header("www-authenticate").is_some();
    assert_eq!(challenged, refusal.0 == 401, "{what}: www-authenticate");
}

#[track_caller]
fn check_plain(reply: &Reply, what: &str) {
    let shared = reply.headers.iter().find(|(name, _)| name.starts_with("access-control"));
    assert_eq!(shared, None, "{what}");
}

/// Everything that a request could change: each file of the person with its text.
fn files(folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if name != "logs" {
                files(&path, into);
            }
        } else if path.is_file() && !name.starts_with("coffer.db") {
            into.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
}

fn state(server: &TestServer) -> (BTreeMap<String, Vec<u8>>, Value, Value) {
    let mut found = BTreeMap::new();
    files(server.home().root(), &mut found);
    let audit = server.get("/api/v1/audit").json();
    (found, audit, server.get("/api/v1/settings").json())
}

#[test]
fn every_route_refuses_every_bad_shape_and_does_nothing() {
    let server = TestServer::start();
    let kept = server.post("/api/v1/memory_stores/global/facts", &json!({"text": "a fact"}));
    let fact = kept.json()["id"].as_str().unwrap().to_owned();
    let before = state(&server);
    let (sites, bodies, keys) = (sites(server.info.port), bodies(), keys(&server.info.token));
    let mut asked = 0;
    for route in routes(&server, &fact) {
        let keys = keys.iter().filter(|_| !route.open);
        for shape in sites.iter().chain(&bodies).chain(keys) {
            if route.takes_forms() && shape.name.contains("multipart") {
                continue;
            }
            let reply = (shape.change)(route.good(&server)).send(&server.port());
            let what = format!("{} {} with {}", route.method, route.path, shape.name);
            check_refused(&reply, shape.refusal, &what);
            asked += 1;
        }
        let absolute = Request::new(&route.method, &format!("http://evil.example{}", route.path))
            .header("host", &format!("127.0.0.1:{}", server.info.port))
            .header("authorization", &format!("Bearer {}", server.info.token));
        check_refused(&absolute.send(&server.port()), (403, "FORBIDDEN_HOST"), &route.path);
        let query =
            Request::new(&route.method, &format!("{}?token={}", route.path, server.info.token))
                .header("host", &format!("127.0.0.1:{}", server.info.port));
        if !route.open {
            check_refused(&query.send(&server.port()), (401, "UNAUTHORIZED"), &route.path);
        }
        let preflight = server
            .request("OPTIONS", &route.path)
            .header("access-control-request-method", &route.method)
            .send(&server.port());
        check_refused(&preflight, (405, "METHOD_NOT_ALLOWED"), &route.path);
    }
    assert!(asked > 1_500, "{asked} requests");
    assert!(before == state(&server), "a refused request did something");
    let said = server.said();
    assert!(
        said.contains("FORBIDDEN_HOST") && !said.contains(&server.info.token),
        "a token is logged"
    );
}

#[test]
fn good_names_and_keys_pass() {
    let server = TestServer::start();
    let port = server.info.port;
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        let request = Request::new("GET", "/api/v1/status")
            .header("host", &format!("{host}:{port}"))
            .header("x-coffer-token", &server.info.token);
        let reply = request.send(&server.port());
        assert_eq!(reply.status, 200, "{host}");
        check_plain(&reply, host);
    }
    let own = server.request("POST", "/api/v1/search").json(&json!({"query": "x"}));
    let own = own.header("origin", &format!("http://127.0.0.1:{port}"));
    assert_eq!(own.send(&server.port()).status, 200);
}

#[test]
fn the_owner_needs_no_token_on_the_socket() {
    let server = TestServer::start();
    let bare = |method: &str, path: &str| Request::new(method, path).header("host", "coffer");
    assert_eq!(bare("GET", "/api/v1/status").send(&server.socket()).status, 200);
    let form = bare("POST", "/api/v1/search").header("content-type", "text/plain").body("{}");
    check_refused(&form.send(&server.socket()), (415, "UNSUPPORTED_MEDIA_TYPE"), "a form");
}

#[test]
fn the_owners_files_are_closed_to_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = TestServer::start();
    let home = server.home();
    for path in [home.root().to_owned(), home.run(), home.server_file(), home.socket(), home.lock()]
    {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

#[test]
fn bodies_are_bounded() {
    let server = TestServer::start();
    let facts = "/api/v1/memory_stores/global/facts";
    let large = json!({"text": "x".repeat(2 << 20)});
    let reply = server.post(facts, &large);
    check_refused(&reply, (413, "PAYLOAD_TOO_LARGE"), "announced");
    assert_eq!(reply.header("connection"), Some("close"));

    let head = format!(
        "POST {facts} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        server.info.port, server.info.token
    );
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let endless = head.clone() + &chunk.repeat(40);
    let reply =
        Reply::read(&exchange(&server.port(), &[endless.as_bytes(), b"0\r\n\r\n"].concat()));
    check_refused(&reply, (413, "PAYLOAD_TOO_LARGE"), "chunked");

    for lie in ["content-length: -1", "content-length: 5\r\ncontent-length: 6", "content-length: x"]
    {
        let head = head.replace("transfer-encoding: chunked", lie);
        let reply = Reply::read(&exchange(&server.port(), (head + "{}").as_bytes()));
        assert_eq!(reply.status, 400, "{lie}");
    }
    assert_eq!(server.get(facts).json()["total"], 0);
}

#[test]
fn sessions_are_for_one_browser_and_die_with_the_token() {
    let server = TestServer::start();
    let made = server.trigger("/api/v1/session/code").json();
    let code = made["code"].as_str().unwrap();
    let address = format!("http://127.0.0.1:{}/#code={code}", server.info.port);
    assert_eq!(made["url"], address);

    let exchange = |code: &str| {
        let body = json!({"code": code});
        server
            .request("POST", "/api/v1/session")
            .without("authorization")
            .json(&body)
            .send(&server.port())
    };
    let session = exchange(code).json()["token"].as_str().unwrap().to_owned();
    assert_eq!(exchange(code).refusal(), (401, "UNAUTHORIZED".to_owned()));
    assert_eq!(exchange("guess").refusal(), (401, "UNAUTHORIZED".to_owned()));

    let status = |token: &str| {
        server
            .request("GET", "/api/v1/status")
            .without("authorization")
            .header("authorization", &format!("Bearer {token}"))
            .send(&server.port())
            .status
    };
    assert_eq!(status(&session), 200);
    for path in ["/api/v1/export", "/api/v1/import", "/api/v1/models", "/api/v1/models/pull"] {
        // A page must reach no file of the machine, whatever runs in it.
        let asked =
            server.request("POST", path).without("authorization").json(&json!({"path": "/x"}));
        let asked = asked.header("authorization", &format!("Bearer {session}"));
        check_refused(&asked.send(&server.port()), (401, "UNAUTHORIZED"), path);
    }
    // It may connect an agent, but only one that Coffer found by itself.
    std::fs::create_dir(server.folder().join(".codex")).unwrap();
    let connect = |folder: &str| {
        let body = json!({"type": "codex", "config_dir": server.folder().join(folder), "connect": true, "dry_run": true});
        let asked = server.request("POST", "/api/v1/agents").without("authorization").json(&body);
        asked.header("authorization", &format!("Bearer {session}")).send(&server.port())
    };
    check_refused(&connect("elsewhere"), (403, "PATH_NOT_ALLOWED"), "elsewhere");
    assert_eq!(connect(".codex").status, 200);
    let pending = server.trigger("/api/v1/session/code").json();
    assert_eq!(server.trigger("/api/v1/auth/rotate").json(), json!({"rotated": true}));
    assert_eq!((status(&session), status(&server.info.token)), (401, 401));
    assert_eq!(exchange(pending["code"].as_str().unwrap()).status, 401);

    let renewed = coffer_env::ServerFile::read(&server.home().server_file()).unwrap();
    assert_ne!(renewed.token, server.info.token);
    assert_eq!((renewed.port, renewed.pid), (server.info.port, server.info.pid));
    assert_eq!(status(&renewed.token), 200);
}

#[test]
fn the_server_proves_itself_to_who_knows_its_file() {
    let server = TestServer::start();
    let nonce = "0123456789abcdef0123456789abcdef";
    let ask = |nonce: &str| {
        server
            .request("POST", "/api/v1/prove")
            .without("authorization")
            .json(&json!({"nonce": nonce}))
            .send(&server.port())
    };
    let proof = ask(nonce).json();
    let bytes: Vec<u8> =
        (0..32).step_by(2).map(|at| u8::from_str_radix(&nonce[at..at + 2], 16).unwrap()).collect();
    assert!(server.info.proven(&bytes, proof["proof"].as_str().unwrap()));
    assert_eq!(proof["instance"], server.info.instance);
    for bad in ["", "00", "zz".repeat(16).as_str(), "00".repeat(65).as_str()] {
        assert_eq!(ask(bad).status, 422, "{bad}");
    }
}

#[test]
fn heads_that_are_no_http_get_no_answer_worth_having() {
    let server = TestServer::start();
    let long = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", "a".repeat(100 << 10));
    for (head, statuses) in [
        (long.as_str(), &[431, 403][..]),
        ("GET /health HTTP/1.0\r\n\r\n", &[403]),
        ("GARBAGE\r\n\r\n", &[400]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[0, 400, 505]),
    ] {
        let reply = Reply::read(&exchange(&server.port(), head.as_bytes()));
        assert!(
            statuses.contains(&reply.status),
            "{} {}",
            &head[..20.min(head.len())],
            reply.status
        );
    }
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn silent_and_trickling_connections_are_ended() {
    let server = TestServer::start();
    let started = std::time::Instant::now();
    let port = server.port();
    std::thread::scope(|scope| {
        for head in [&b""[..], b"GET /health HTTP/1.1\r\nhost: 127"] {
            let port = &port;
            scope.spawn(move || assert_eq!(exchange(port, head), b""));
        }
    });
    let held = started.elapsed().as_secs();
    assert!((8..=15).contains(&held), "{held} s");
    assert_eq!(server.get("/health").status, 200);
}
