//! `coffer-hook`: what agents start when a session of theirs begins or ends. It asks the running
//! Coffer and prints the answer in the agent's own shape.
//!
//! An agent waits for it, so that it never fails and never takes long: whatever goes wrong, nothing is
//! printed. Deliberately absent: starting Coffer, keeping for later what nobody took, writing anything.

mod answer;
mod event;

use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use coffer_api::hooks::SessionEndIn;
use coffer_api::routes::{self, fill};
use coffer_env::{Home, clock};
use serde::de::IgnoredAny;
use ureq::http::Method;

use crate::client::{Client, with_query};
use crate::error::ClientError;
use crate::find::first;
use event::Event;

/// The longest that an agent waits at the start of a session.
const START: Duration = Duration::from_millis(800);
/// The longest that it waits at the end.
const END: Duration = Duration::from_millis(400);
/// The most that an agent tells; a prompt may be in it.
const INPUT: u64 = 16 * 1024 * 1024;

/// Takes what an agent tells, and gives what it is to be printed, if anything. Takes 800 ms at most,
/// and 400 at the end of a session; what goes on after that ends with the process.
pub fn answer(home: Home, agent: String, input: impl Read + Send + 'static) -> Option<String> {
    let began = clock::instant();
    let event = aside(move || told(input));
    let event = within(&event, began + START)??;
    let deadline = began
        + match event {
            Event::Start { .. } => START,
            Event::End { .. } => END,
        };
    let reply = aside(move || ask(&home, &agent, &event, deadline));
    within(&reply, deadline)?
}

/// Does something on a thread of its own, which may hang.
fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (send, receive) = channel();
    std::thread::spawn(move || send.send(work()));
    receive
}

fn within<T>(receive: &Receiver<T>, deadline: Instant) -> Option<T> {
    receive.recv_timeout(deadline.saturating_duration_since(clock::instant())).ok()
}

fn told(input: impl Read) -> Option<Event> {
    let mut bytes = Vec::new();
    input.take(INPUT).read_to_end(&mut bytes).ok()?;
    Event::read(&bytes)
}

fn ask(home: &Home, agent: &str, event: &Event, deadline: Instant) -> Option<String> {
    let patience = deadline.saturating_duration_since(clock::instant());
    let asked = |client: Client| match event {
        Event::Start { cwd } => {
            let path = fill(routes::SESSION_CONTEXT, &[agent]);
            let path = with_query(&path, &[("cwd", Some(place(cwd.as_deref())))]);
            Ok(Some(answer::shaped(client.get(&path)?)))
        }
        Event::End { cwd, session } => {
            let path = fill(routes::SESSION_END, &[agent, session]);
            let body = SessionEndIn { cwd: place(cwd.as_deref()) };
            client.call::<_, IgnoredAny>(Method::POST, &path, &body)?;
            Ok(None)
        }
    };
    let reply: Result<_, ClientError> = first(home, |client| asked(client.within(patience)));
    reply.ok()?
}

/// Agents start hooks where they work, and most of them say where that is.
#[expect(clippy::disallowed_methods, reason = "the directory decides which project is meant")]
fn place(told: Option<&str>) -> String {
    let here = || std::env::current_dir().unwrap_or_default().display().to_string();
    told.map_or_else(here, str::to_owned)
}
