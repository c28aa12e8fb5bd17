//! `coffer-hook` as agents start it: with a server, without one, with one that hangs, and with others
//! in its place.

mod imposters;

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::chance::is_long;
use crate::support::server::built;
use crate::support::{TestServer, project};
use imposters::Imposter;

/// Longer than the 800 ms of the start of a session, with what a loaded machine adds.
const LONGEST: Duration = Duration::from_secs(5);

/// What a run of the program came to.
struct Ran {
    printed: String,
    took: Duration,
}

/// Runs the program as an agent would, and holds that it did no harm.
#[track_caller]
fn run(command: &mut Command, told: &[u8]) -> Ran {
    let began = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough closes its end.
    let _ = child.stdin.take().unwrap().write_all(told);
    let output = child.wait_with_output().unwrap();
    let took = began.elapsed();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"", "{output:?}");
    assert!(took < LONGEST, "{took:?}");
    Ran { printed: String::from_utf8(output.stdout).unwrap(), took }
}

fn start(cwd: &std::path::Path) -> Vec<u8> {
    json!({"session_id": "s", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup"})
        .to_string()
        .into_bytes()
}

fn end() -> Vec<u8> {
    json!({"session_id": "s", "cwd": "/", "hook_event_name": "SessionEnd", "reason": "clear"})
        .to_string()
        .into_bytes()
}

fn hook(server: &TestServer, agent: &str) -> Command {
    let mut command = server.command("coffer-hook");
    command.args(["--agent", agent]);
    command
}

fn served() -> TestServer {
    let server = TestServer::start();
    for (kind, folder) in [
        ("claude_code", ".claude"),
        ("codex", ".codex"),
        ("gemini", ".gemini"),
        ("copilot", ".copilot"),
        ("cursor", ".cursor"),
        ("opencode", ".config/opencode"),
    ] {
        std::fs::create_dir_all(server.folder().join(folder)).unwrap();
        let made = server.post("/api/v1/agents", &json!({"type": kind}));
        assert_eq!(made.status, 201, "{}", made.text());
    }
    server
}

fn add_rule(server: &TestServer, cwd: &std::path::Path, text: &str) -> String {
    let scope = server.get(&format!("/api/v1/scope?cwd={}", cwd.display())).json();
    let store = scope["store_name"].as_str().unwrap().to_owned();
    let rules = format!("/api/v1/memory_stores/{store}/rules");
    let added = server.post(&rules, &json!({"text": text}));
    assert_eq!(added.status, 201, "{}", added.text());
    store
}

#[test]
fn each_agent_is_told_in_its_own_shape() {
    let server = served();
    let app = project::repository(server.folder(), "app");
    add_rule(&server, &app, "Sing while you deploy the walnut.");
    let text = |agent: &str, place: &[&str]| {
        let printed = run(&mut hook(&server, agent), &start(&app)).printed;
        let mut value: Value = serde_json::from_str(&printed).unwrap();
        for (depth, key) in place.iter().enumerate() {
            let object = value.as_object_mut().unwrap();
            let is_nested = place.len() == 2 && depth == 1;
            if is_nested {
                assert_eq!(object.shift_remove("hookEventName"), Some(json!("SessionStart")));
            }
            assert_eq!(object.keys().collect::<Vec<_>>(), [key], "{printed}");
            value = object[*key].take();
        }
        value.as_str().unwrap().to_owned()
    };
    let nested = ["hookSpecificOutput", "additionalContext"];
    let told = [
        text("claude-code", &nested),
        text("codex", &nested),
        text("gemini", &nested),
        text("copilot", &["additionalContext"]),
        text("cursor", &["additional_context"]),
        run(&mut hook(&server, "opencode"), &start(&app)).printed,
    ];
    for told in &told {
        assert!(told.starts_with("<coffer-context>\n") && told.ends_with("</coffer-context>"));
        assert!(told.contains("\n- Sing while you deploy the walnut.\n"), "{told}");
        assert!(told.contains("coffer__resume") && told.contains("coffer__recall"), "{told}");
    }
    let usage = server.get("/api/v1/usage").json();
    let rows = usage["usage"].as_array().unwrap();
    let codex = rows.iter().find(|row| row["agent"] == "codex").unwrap();
    assert_eq!(codex["injections"], 1, "{usage}");
}

#[test]
fn whoever_gives_no_directory_is_told_by_where_it_stands() {
    let server = served();
    let app = project::repository(server.folder(), "app");
    add_rule(&server, &app, "Only here.");
    let told = br#"{"hook_event_name":"SessionStart"}"#;
    let here = run(hook(&server, "codex").current_dir(&app), told).printed;
    assert!(here.contains("Only here."), "{here}");
    let there = run(hook(&server, "codex").current_dir(server.folder()), told).printed;
    assert!(!there.contains("Only here.") && there.contains("coffer__resume"), "{there}");
}

#[test]
fn the_home_can_be_named() {
    let server = served();
    let mut command = server.command("coffer-hook");
    command
        .env_remove("COFFER_HOME")
        .args(["--agent", "codex", "--home"])
        .arg(server.home().root());
    assert!(run(&mut command, &start(server.folder())).printed.contains("coffer__resume"));
}

#[test]
fn strangers_pauses_and_other_events_print_nothing() {
    let server = served();
    for told in [
        &b""[..],
        b"{",
        b"\xff\x00",
        b"null",
        br#"{"hook_event_name":"Stop","session_id":"s","cwd":"/"}"#,
        &end(),
    ] {
        assert_eq!(run(&mut hook(&server, "claude-code"), told).printed, "");
    }
    let long = json!({"hook_event_name": "SessionStart", "cwd": "x".repeat(5_000_000)}).to_string();
    assert_eq!(run(&mut hook(&server, "codex"), long.as_bytes()).printed, "");
    for name in ["unknown", "", "../x", "a b", "é", "-"] {
        assert_eq!(run(&mut hook(&server, name), &start(server.folder())).printed, "", "{name}");
    }
    server.put("/api/v1/settings", &json!({"serve_agents": false}));
    assert_eq!(run(&mut hook(&server, "codex"), &start(server.folder())).printed, "");
}

#[test]
fn an_agent_that_never_ends_its_telling_is_not_waited_for() {
    let server = served();
    let mut child =
        hook(&server, "codex").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"{\"cwd\":").unwrap();
    let began = Instant::now();
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!((child.wait().unwrap().code(), printed.as_str()), (Some(0), ""));
    assert!(began.elapsed() < LONGEST);
}

#[test]
fn nobody_reading_is_no_failure() {
    let server = served();
    let mut child =
        hook(&server, "codex").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(&start(server.folder())).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn nothing_is_written_started_or_left_without_a_server() {
    let home = tempfile::tempdir().unwrap();
    for told in [start(home.path()), end()] {
        let mut command = Command::new(built("coffer-hook"));
        command.args(["--agent", "codex"]).env("COFFER_HOME", home.path().join("none"));
        assert_eq!(run(&mut command, &told).printed, "");
    }
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn whatever_answers_in_its_place_is_not_passed_on() {
    for imposter in Imposter::all() {
        for told in [start(std::path::Path::new("/")), end()] {
            let ran = run(&mut imposter.hook("codex"), &told);
            assert_eq!(ran.printed, "", "{}", imposter.name);
        }
        assert!(!imposter.heard().contains(imposters::TOKEN), "{}", imposter.name);
    }
}

/// With COFFER_TEST_LONG=1 there are 10,000 runs, and it is said how long they took.
#[test]
fn many_runs_never_fail() {
    let each = if is_long() { 2_000 } else { 8 };
    let server = served();
    let told = start(server.folder());
    let shape = run(&mut hook(&server, "codex"), &told).printed;
    let mut times = Vec::new();
    times.push(("up", repeat(each, &told, &shape, || hook(&server, "codex"))));
    let none = tempfile::tempdir().unwrap();
    let down = || {
        let mut command = Command::new(built("coffer-hook"));
        command.args(["--agent", "codex"]).env("COFFER_HOME", none.path());
        command
    };
    times.push(("down", repeat(each, &told, "", down)));
    for name in ["hung", "foreign", "garbage"] {
        let imposter = Imposter::named(name);
        times.push((name, repeat(each, &told, "", || imposter.hook("codex"))));
    }
    if is_long() {
        for (name, mut took) in times {
            took.sort();
            let at = |part: usize| took[(took.len() - 1) * part / 100];
            println!("{name}: {} runs, p50 {:?}, p99 {:?}", took.len(), at(50), at(99));
        }
    }
}

/// Two at a time, as agents start; those that hang all at once.
fn repeat(
    count: usize,
    told: &[u8],
    shape: &str,
    command: impl Fn() -> Command + Sync,
) -> Vec<Duration> {
    let threads = if shape.is_empty() { 8 } else { 2 };
    std::thread::scope(|scope| {
        let runs = (0..threads).map(|_| {
            scope.spawn(|| {
                let once = || {
                    let ran = run(&mut command(), told);
                    assert_eq!(ran.printed, shape);
                    ran.took
                };
                (0..count.div_ceil(threads)).map(|_| once()).collect::<Vec<_>>()
            })
        });
        let runs: Vec<_> = runs.collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    })
}
