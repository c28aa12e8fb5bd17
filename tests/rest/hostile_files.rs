//! Files that are made to break readers, sent to a running server: each gets its own reason, and the
//! server goes on as before.

use std::collections::BTreeSet;

use coffer_corpus::hostile;
use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::http::Reply;

const GUIDE: &str = "/api/v1/knowledge_bases/guide";

/// Sends a file of any bytes, as a page does.
fn upload(server: &TestServer, name: &str, bytes: &[u8]) -> Reply {
    let mut body = format!(
        "--b17c\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
    )
    .into_bytes();
    body.extend(bytes);
    body.extend(b"\r\n--b17c--\r\n");
    let request = server.request("POST", &format!("{GUIDE}/documents"));
    let request = request.header("content-type", "multipart/form-data; boundary=b17c");
    request.body(body).send(&server.port())
}

/// The most memory that the process ever had, MiB.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn hostile_files_get_their_reasons_and_the_server_goes_on() {
    let server = TestServer::start();
    assert_eq!(server.post("/api/v1/knowledge_bases", &json!({"name": "guide"})).status, 201);
    let pid = server.info.pid;
    let before = peak(pid);
    let mut reasons = BTreeSet::new();
    let mut read = 0;
    // What may run until its time is over is tried with less of it; see `convert::hostile`.
    for file in hostile::made() {
        if file.outcomes.contains(&"timed_out") {
            continue;
        }
        let reply = upload(&server, &file.name, &file.bytes);
        let answer = reply.json();
        if reply.status == 201 {
            assert!(file.outcomes.contains(&"ok"), "{} was read: {answer}", file.name);
            read += 1;
            continue;
        }
        let error = &answer["error"];
        assert_eq!(error["code"], "INGEST_REJECTED", "{}: {answer}", file.name);
        assert!([400, 413, 415].contains(&reply.status), "{}: {answer}", file.name);
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&file.name), "{}: {message}", file.name);
        reasons.insert(message.replace(&file.name, ""));
    }
    // They differ, so that a person knows what to do.
    assert!(reasons.len() >= 8, "{reasons:#?}");
    let good = upload(&server, "good.csv", b"stone,river\nwalnut,north\n");
    assert_eq!(good.status, 201, "{}", good.text());
    let id = good.json()["id"].as_str().unwrap().to_owned();
    let text = server.get(&format!("{GUIDE}/documents/{id}")).json();
    assert!(text["markdown"].as_str().unwrap().contains("| walnut | north |"), "{text}");

    assert_eq!(server.get("/api/v1/status").json()["pid"], pid);
    let grown = peak(pid) - before;
    // Most of it is for 9 MB of Markdown, which `spans.html` turns into.
    assert!(grown < 256, "the server took {grown} MiB more");
    let all = server.get(&format!("{GUIDE}/documents?limit=200")).json();
    assert_eq!(all["total"], read + 1, "{all}");
    // What was refused left nothing.
    let originals = std::fs::read_dir(server.home().root().join("knowledge/guide/raw")).unwrap();
    assert_eq!(originals.count() as u64, all["total"].as_u64().unwrap());
    assert_eq!(
        server.get("/api/v1/doctor").json()["rows"].as_array().map(|rows| bad(rows)),
        Some(0)
    );
}

/// How many rows of the doctor name trouble with files.
fn bad(rows: &[Value]) -> usize {
    rows.iter().filter(|row| row["state"] == "error").count()
}
