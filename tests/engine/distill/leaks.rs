//! No secret, no payload of a tool and nothing private leaves, or stands anywhere below Coffer's home;
//! and of what may leave, no transcript is kept.

use std::collections::HashSet;

use coffer_corpus::provider::Asked;
use coffer_corpus::secrets::{Case, cases};
use serde_json::{Value, json};

use super::talks::{Kind, Talk};
use super::{DISTILL, served};
use crate::engine::scripted::answered;
use crate::support::{TestServer, tree};

const PAYLOAD: &str = "quincepayload9417";
const PRIVATE: &str = "medlarprivate5523";
const SPOKEN: &str = "sloespoken7781";

/// Parts of a secret that have eight characters in a row.
struct Windows(HashSet<Vec<u8>>);

impl Windows {
    fn of(cases: &[Case]) -> Self {
        // Runs of escapes and dashes are nobody's secret.
        let tells =
            |window: &&[u8]| window.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= 5;
        let hidden = cases.iter().flat_map(|case| &case.hidden);
        let windows = hidden.flat_map(|part| part.as_bytes().windows(8).filter(tells));
        Self(windows.map(<[u8]>::to_vec).collect())
    }

    fn found_in(&self, bytes: &[u8]) -> Option<String> {
        let found = bytes.windows(8).find(|window| self.0.contains(*window));
        found.map(|window| String::from_utf8_lossy(window).into_owned())
    }
}

/// The texts that a request holds, as they are and as they read.
fn texts(asked: &Asked) -> [String; 2] {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let texts = messages.iter().map(|message| message["content"].as_str().unwrap());
    [asked.whole(), texts.collect::<Vec<_>>().join("\n")]
}

fn distill(server: &TestServer, kind: Kind, id: &str, mode: &str) -> Value {
    let path = DISTILL.replace("claude-code", kind.agent());
    let id = if kind == Kind::OpenCode { format!("ses_{id}") } else { id.to_owned() };
    let done = server.post(&format!("{path}?wait=120"), &json!({"session_id": id, "mode": mode}));
    assert_eq!(done.status, 200, "{}", done.text());
    done.json()
}

/// Everything below the home, and what the server said.
fn kept(server: &TestServer) -> Vec<(String, Vec<u8>)> {
    let mut kept: Vec<_> = tree::files(server.home().root()).into_iter().collect();
    kept.push(("what it said".to_owned(), server.said().into_bytes()));
    kept
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

/// A model that says again whatever it was told: what reaches it would reach the journal.
#[test]
fn no_secret_no_payload_and_nothing_private_leaves_or_is_kept() {
    let (server, provider) = served(|chat| {
        let letters: Vec<char> = chat.last.chars().collect();
        let parts = letters.chunks(8_000).take(10);
        let insights = parts.enumerate().map(|(number, part)| {
            let body: String = part.iter().collect();
            json!({"name": format!("part {number}"), "description": "said again", "body": body})
        });
        answered(&Value::Array(insights.collect()))
    });
    assert_eq!(server.put("/api/v1/settings", &json!({"daily_token_cap": 5_000_000})).status, 200);
    // All of them: what the rules leave of other seeds' is measured where the rules are.
    let cases = cases(17);
    let app = server.folder().join("app");
    for (number, part) in cases.chunks(30).enumerate() {
        let kind = Kind::ALL[number % 3];
        let id = format!("s{number:02}");
        let mut said: Vec<String> = vec!["fix the parser".to_owned()];
        for (turn, case) in part.iter().enumerate() {
            // What the agent says begins with `A`: both repeat secrets.
            said.push(if turn % 3 == 2 {
                format!("A I see:\n{}", case.text)
            } else {
                case.text.clone()
            });
        }
        said.push(format!("and <private>{PRIVATE}<private>x</private>{PRIVATE}</private> done"));
        said.push("A ok".to_owned());
        said.push(format!("now <PRIVATE>{PRIVATE}"));
        said.push(format!("A {PRIVATE} it is"));
        said.push(format!("{PRIVATE}</private> and that was all"));
        said.push("A good".to_owned());
        said.push(format!("<private>{PRIVATE}"));
        let secrets: String = part.iter().map(|case| format!("{}\n", case.text)).collect();
        let payload = format!("{PAYLOAD}\n{secrets}");
        Talk::new(kind, &id, &app).saying(&said).with_payload(&payload).write(&server);
        for mode in ["dry_run", "preview", "run"] {
            let done = distill(&server, kind, &id, mode);
            assert_eq!(done["omitted_turns"], 0, "{kind:?} {id} {mode}: {done}");
            assert!(
                done["would_send"].is_string() || !done["insights"].as_array().unwrap().is_empty()
            );
        }
    }
    let windows = Windows::of(&cases);
    let asked = provider.asked();
    assert_eq!((cases.len(), asked.len()), (390, cases.len().div_ceil(30) * 2));
    for asked in &asked {
        let [_, read] = texts(asked);
        assert!(read.contains("> fix the parser") && read.contains("[redacted: "), "{read}");
        assert!(read.contains("> and that was all"), "{read}");
        for text in texts(asked) {
            assert_eq!(windows.found_in(text.as_bytes()), None, "{text}");
            assert!(!text.contains(PAYLOAD) && !text.contains(PRIVATE), "{text}");
        }
    }
    for (path, bytes) in kept(&server) {
        assert_eq!(windows.found_in(&bytes), None, "{path}");
        assert!(!holds(&bytes, PAYLOAD) && !holds(&bytes, PRIVATE), "{path}");
    }
}

/// What may be sent is sent, and stands nowhere.
#[test]
fn no_transcript_is_kept_or_logged() {
    for answer in [
        json!([{"name": "a", "description": "b", "body": "c"}]),
        json!({"echo": SPOKEN}),
        json!([{"name": 5, "description": SPOKEN}]),
    ] {
        let (server, provider) = served(move |_| answered(&answer));
        let said = ["fix the parser", "A ok", &format!("{SPOKEN} is what I said"), "A I heard"];
        for kind in Kind::ALL {
            let app = server.folder().join("app");
            Talk::new(kind, "s", &app).saying(&said).write(&server);
            let shown = distill(&server, kind, "s", "dry_run");
            // The same words of another agent are not read again.
            let is_known = shown["status"] == "already_distilled";
            assert!(is_known || shown["would_send"].as_str().unwrap().contains(SPOKEN), "{shown}");
            distill(&server, kind, "s", "preview");
            distill(&server, kind, "s", "run");
        }
        assert!(provider.asked().iter().all(|asked| asked.body.contains(SPOKEN)));
        assert!(!provider.asked().is_empty());
        for (path, bytes) in kept(&server) {
            assert!(!holds(&bytes, SPOKEN), "{path}");
        }
    }
}
