//! Forwarding messages: which go in order, which at once, and what happens when the server is
//! gone.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use super::Options;
use super::link::Link;
use super::listen::listen;
use super::output::Output;
use super::pending::Pending;
use super::post::{Posted, post};
use super::reply::Broken;
use super::wire::Message;

/// How often a message is tried when the server went away before it did anything.
const TRIES: usize = 3;
/// How long answers are waited for once the agent has no more to say.
const DRAIN: Duration = Duration::from_secs(2);
/// How long the end may take.
const GOODBYE: Duration = Duration::from_millis(800);

/// The two ends and what is under way between them.
pub(super) struct Bridge {
    link: Link,
    output: Output,
    pending: Arc<Pending>,
}

impl Bridge {
    pub(super) fn new(options: Options, output: impl Write + Send + 'static) -> Arc<Self> {
        let (link, output) = (Link::new(options), Output::new(output));
        Arc::new(Self { link, output, pending: Arc::default() })
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// Hands the agent a message of the server.
    pub(super) fn pass(&self, line: &str) {
        self.output.line(line);
    }

    /// Answers a line that could not be read.
    pub(super) fn refuse(&self, reply: &str) {
        self.output.line(reply);
    }

    /// Takes a line from the agent. The handshake and everything that has no answer goes in
    /// order; requests go at once, so that a slow one delays no other.
    pub(super) fn take(self: &Arc<Self>, line: String) {
        let message = match Message::parse(line) {
            Ok(message) => message,
            Err(reply) => return self.refuse(&reply),
        };
        if !message.is_request() || message.is("initialize") {
            return self.forward(&message);
        }
        let (bridge, ticket) = (Arc::clone(self), self.pending.enter());
        let at_once = thread::Builder::new().spawn({
            let message = message.clone();
            move || {
                bridge.forward(&message);
                drop(ticket);
            }
        });
        if at_once.is_err() {
            self.forward(&message);
        }
    }

    /// Waits for the answers that are still to come, and ends the session.
    pub(super) fn finish(self: &Arc<Self>) {
        self.pending.drain(DRAIN);
        self.leave();
    }

    /// Ends the session, and does not wait long for it.
    pub(super) fn leave(self: &Arc<Self>) {
        let (bridge, (done, ended)) = (Arc::clone(self), mpsc::channel());
        thread::spawn(move || {
            bridge.link.close();
            let _ = done.send(());
        });
        let _ = ended.recv_timeout(GOODBYE);
    }

    /// Forwards a message; a request gets an answer whatever happens.
    fn forward(self: &Arc<Self>, message: &Message) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.exchange(message)));
        let reply = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(Broken::Lost(reason))) => message.lost(&reason),
            Ok(Err(broken)) => message.failed(&broken.into_error()),
            Err(_) => message.broken(),
        };
        if message.is_request() {
            self.output.line(&reply);
        }
    }

    fn exchange(self: &Arc<Self>, message: &Message) -> Result<(), Broken> {
        let mut tries = 1..=TRIES;
        loop {
            // Whatever keeps us from the server, it has heard nothing.
            let route = self.link.route().map_err(Broken::NotSent)?;
            let pass = &mut |line: &str| self.pass(line);
            let session = route.session.as_ref();
            let sent = post(&route.client, self.link.options(), session, message, pass);
            let broken = match sent {
                Ok(posted) => {
                    self.note(message, posted);
                    return Ok(());
                }
                Err(broken) => broken,
            };
            let harmless = match &broken {
                Broken::NotSent(_) | Broken::UnknownSession => true,
                // A response to a server that is gone has nobody to go to.
                Broken::Lost(_) => message.method.is_some() && message.is_repeatable(),
                Broken::Refused(_) => false,
            };
            if !harmless || tries.next().is_none() {
                return Err(broken);
            }
            if self.link.renew(route.generation).map_err(Broken::NotSent)? {
                self.listen();
            }
        }
    }

    /// Remembers the handshake as it passes.
    fn note(self: &Arc<Self>, message: &Message, posted: Posted) {
        if let Some(version) = &message.version {
            self.link.stateless(version);
        } else if message.is("initialize") {
            if let Some(answer) = &posted.answer {
                self.link.opened(message, answer, posted.session);
            }
        } else if message.is("notifications/initialized") {
            self.link.ready(message);
            self.listen();
        }
    }

    fn listen(self: &Arc<Self>) {
        let bridge = Arc::clone(self);
        thread::spawn(move || listen(&bridge));
    }
}
