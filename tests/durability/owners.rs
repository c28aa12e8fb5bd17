//! One owner of a home: a second server ends with a word, and clients that all start one at the same
//! moment end up with the same.

use std::process::{Command, Stdio};

use coffer_env::ServerFile;
use serde_json::json;

use super::FACTS;
use crate::support::tree::eventually;
use crate::support::{TestServer, derived};

#[test]
fn a_second_server_on_a_home_ends_with_a_word() {
    let server = TestServer::start();
    let began = std::time::Instant::now();
    let second = server.command("coffer").arg("serve").stdin(Stdio::null()).output().unwrap();
    assert!(began.elapsed() < std::time::Duration::from_secs(5));
    let said = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(3), "{said}");
    assert!(said.contains("another Coffer is running"), "{said}");
    assert!(said.contains(&server.info.pid.to_string()), "{said}");
    // The first one did not notice.
    assert!(ServerFile::read(&server.home().server_file()).unwrap() == server.info);
    assert_eq!(server.post(FACTS, &json!({"text": "walnut"})).status, 201);
}

#[test]
fn eight_clients_that_start_at_once_share_one_server() {
    let mut server = TestServer::start();
    server.kill();
    let clients: Vec<_> = (0..8)
        .map(|number| {
            server
                .command("coffer")
                .args(["memory", "add", "--global", &format!("client {number} was here")])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for client in clients {
        let ended = client.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{said}");
    }
    let owner = ServerFile::read(&server.home().server_file()).unwrap();
    // Who lost the race for the lock needs a moment to end.
    eventually("one server is left", || serving(&server) == [owner.pid]);
    assert!(server.command("coffer").arg("stop").status().unwrap().success());
    eventually("the server stops", || serving(&server).is_empty());
    server.start_again();
    assert_eq!(server.get(FACTS).json()["total"], 8);
    derived::assert_rebuildable(&server, "after eight clients");
}

/// The servers of this home.
fn serving(server: &TestServer) -> Vec<u32> {
    let home = format!("COFFER_HOME={}", server.home().root().display());
    let listed = Command::new("pgrep").args(["-x", "coffer"]).output().unwrap();
    let pids = String::from_utf8(listed.stdout).unwrap();
    let pids = pids.lines().map(|pid| pid.parse::<u32>().unwrap());
    pids.filter(|pid| {
        let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let serves = read("cmdline").split(|byte| *byte == 0).any(|word| word == b"serve");
        serves && read("environ").split(|byte| *byte == 0).any(|word| word == home.as_bytes())
    })
    .collect()
}
