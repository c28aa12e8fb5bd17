//! Starting, finding and stopping the server, by one command or many.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use coffer_env::ServerFile;
use coffer_env::server_file::Owner;

use super::run::{Person, finish};

#[test]
fn a_server_is_started_seen_and_stopped() {
    let person = Person::new();
    let error = person.run(&["status"]).failed(5);
    assert!(error.starts_with("error: Coffer is not running\nhint: "), "{error}");
    assert_eq!(person.run(&["stop"]).fine(), "Coffer was not running.\n");
    assert!(!person.home().root().exists(), "neither of them makes anything");

    let started = person.run(&["serve", "--detach"]).fine();
    let server = person.server();
    let address = format!("http://127.0.0.1:{}", server.port);
    assert!(started.contains(&address), "{started}");
    assert!(person.run(&["serve", "--detach"]).fine().contains(&address));
    let error = person.run(&["serve"]).failed(3);
    assert!(error.contains(&server.pid.to_string()) && error.contains("hint: "), "{error}");

    let status = person.run(&["status", "--json"]).json();
    assert_eq!((&status["pid"], &status["port"]), (&server.pid.into(), &server.port.into()));
    assert!(person.run(&["status"]).fine().contains(&address));

    assert_eq!(person.run(&["stop"]).fine(), "Coffer has stopped.\n");
    assert!(!person.home().server_file().exists() && !person.home().socket().exists());
    person.run(&["status"]).failed(5);
    person.run(&["serve", "--detach"]).fine();
    assert_ne!(person.server().instance, server.instance);
}

#[test]
fn the_server_in_the_background_has_a_session_of_its_own_and_private_files() {
    let person = Person::new();
    let mut command = Command::new("sh");
    let coffer = person.program("coffer");
    command.arg("-c").arg("umask 000; exec \"$0\" serve --detach").arg(coffer.get_program());
    command.envs(coffer.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(person.folder());
    finish(command, "").fine();
    person.run(&["memory", "add", "--global", "x"]).fine();

    let stat = std::fs::read_to_string(format!("/proc/{}/stat", person.server().pid)).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    assert_eq!(fields[3], person.server().pid.to_string(), "leads its session: {stat}");
    let mut folders = vec![person.home().root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{} {mode:o}", entry.path().display());
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
}

#[test]
fn many_at_once_share_one_server() {
    let person = Person::new();
    let adds: Vec<_> = (0..8)
        .map(|number| {
            let mut add = person.program("coffer");
            add.args(["memory", "add", "--global", &format!("fact number {number}")]);
            thread::spawn(move || finish(add, ""))
        })
        .collect();
    for add in adds {
        add.join().unwrap().fine();
    }
    let facts = person.run(&["memory", "facts", "global", "--json"]).json();
    assert_eq!(facts["total"], 8);
    let home = format!("COFFER_HOME={}", person.home().root().display());
    let servers = || -> Vec<u32> {
        running("serve").into_iter().filter(|pid| environment(*pid).contains(&home)).collect()
    };
    // Those that came second are on their way out.
    let until = Instant::now() + Duration::from_secs(10);
    while servers().len() > 1 && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(servers(), [person.server().pid]);
}

/// Processes of ours with a word among their arguments.
fn running(word: &str) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str().and_then(|name| name.parse().ok()));
    let has_word = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())
    };
    pids.filter(has_word).collect()
}

fn environment(pid: u32) -> Vec<String> {
    let text = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    String::from_utf8_lossy(&text).split('\0').map(str::to_owned).collect()
}

#[test]
fn a_start_that_fails_says_why() {
    let person = Person::new();
    std::fs::write(person.home().root(), "no folder").unwrap();
    for words in [["serve", "--detach"], ["memory", "list"]] {
        let error = person.run(&words).failed(5);
        assert!(error.contains(person.home().root().to_str().unwrap()), "{error}");
    }
}

#[test]
fn who_squats_the_port_is_neither_trusted_nor_ended() {
    let person = Person::new();
    let squatter = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = squatter.local_addr().unwrap().port();
    let heard = Arc::new(Mutex::new(String::new()));
    thread::spawn({
        let heard = heard.clone();
        move || {
            use std::io::{Read as _, Write as _};
            for stream in squatter.incoming().flatten() {
                let (mut stream, mut bytes) = (stream, [0; 4096]);
                let count = stream.read(&mut bytes).unwrap_or_default();
                heard.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
            }
        }
    });
    let token = "the-token-of-a-server-that-crashed".to_owned();
    let left_behind = ServerFile {
        pid: 1,
        port,
        token: token.clone(),
        instance: "i".to_owned(),
        version: "0.1.0".to_owned(),
        owner: Owner::Headless,
    };
    std::fs::create_dir_all(person.home().run()).unwrap();
    std::fs::write(person.home().server_file(), serde_json::to_string(&left_behind).unwrap())
        .unwrap();
    let error = person.run(&["status"]).failed(6);
    assert!(error.contains(&port.to_string()), "{error}");

    let mut list = person.program("coffer");
    list.env("COFFER_PORT", port.to_string()).args(["memory", "list"]);
    finish(list, "").fine();
    assert_ne!(person.server().port, port);
    let heard = heard.lock().unwrap();
    assert!(heard.contains("nonce") && !heard.contains(&token), "{heard}");
}

#[test]
fn the_token_is_in_no_log_and_dies_when_it_is_changed() {
    let person = Person::new();
    let mut start = person.program("coffer");
    start.env("COFFER_LOG", "trace").args(["serve", "--detach"]);
    finish(start, "").fine();
    let old = person.server().token;
    person.run(&["memory", "recall", "x", "--store", "global"]).fine();
    let shown = person.run(&["auth", "rotate"]).fine();
    let new = person.server().token;
    assert_ne!(old, new);
    person.run(&["memory", "list"]).fine();
    let mut logs = shown;
    for entry in std::fs::read_dir(person.home().logs()).unwrap() {
        logs.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    assert!(logs.contains("serves at"), "something is logged: {logs}");
    assert!(!logs.contains(&old) && !logs.contains(&new));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let person = Person::new();
    let mut command = person.program("coffer");
    command.args(["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
