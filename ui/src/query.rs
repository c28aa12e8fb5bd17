//! Reads that stay fresh: what was shown stays until the new answer is there.
//!
//! A view that empties itself while it asks again flickers and loses its place, so the last good
//! answer is kept, and an answer equal to it changes nothing at all.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::failure::Failure;

/// A read that is repeated whenever what it depends on changes.
pub(crate) struct Query<T: Send + Sync + 'static> {
    answer: RwSignal<Option<Arc<T>>>,
    failure: RwSignal<Option<Failure>>,
    asked: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Query<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Query<T> {}

impl<T: PartialEq + Send + Sync + 'static> Query<T> {
    /// Calls `read` with what `key` returns, now and after each change of a signal that `key`
    /// reads.
    pub(crate) fn new<K, F>(key: impl Fn() -> K + 'static, read: impl Fn(K) -> F + 'static) -> Self
    where
        K: Clone + PartialEq + 'static,
        F: Future<Output = Result<T, Failure>> + 'static,
    {
        let query = Self {
            answer: RwSignal::new(None),
            failure: RwSignal::new(None),
            asked: RwSignal::new(0),
        };
        let reader = Rc::new(Reader { read, flight: RefCell::default() });
        Effect::new(move |_| {
            query.asked.track();
            Rc::clone(&reader).start(query, key());
        });
        query
    }

    /// The last good answer, followed.
    pub(crate) fn latest(self) -> Option<Arc<T>> {
        self.answer.get()
    }

    /// Why there is no good answer, followed.
    pub(crate) fn failure(self) -> Option<Failure> {
        self.failure.get()
    }

    /// Asks again.
    pub(crate) fn again(self) {
        self.asked.update(|asked| *asked += 1);
    }

    /// Takes an answer that came another way, such as the reply to a change.
    pub(crate) fn settle(self, reply: Result<T, Failure>) {
        // The view may be gone by now; then nobody is left to tell.
        match reply {
            Ok(value) => {
                let same = self.answer.try_with_untracked(|last| last.as_deref() == Some(&value));
                if same == Some(false) {
                    self.answer.try_set(Some(Arc::new(value)));
                }
                if self.failure.try_with_untracked(Option::is_some) == Some(true) {
                    self.failure.try_set(None);
                }
            }
            // What is shown stays true enough while the server is away; the page says that it is.
            Err(Failure::Unreachable)
                if self.answer.try_with_untracked(Option::is_some) == Some(true) => {}
            Err(failure) => {
                self.failure.try_set(Some(failure));
            }
        }
    }
}

struct Reader<K, R> {
    read: R,
    flight: RefCell<Flight<K>>,
}

/// The request under way.
struct Flight<K> {
    key: Option<K>,
    /// Counts keys, so that a late reply to an old one is recognized.
    turn: u64,
    running: bool,
    /// Something changed since the request was sent.
    stale: bool,
}

impl<K> Default for Flight<K> {
    fn default() -> Self {
        Self { key: None, turn: 0, running: false, stale: false }
    }
}

impl<K, R, F, T> Reader<K, R>
where
    K: Clone + PartialEq + 'static,
    R: Fn(K) -> F + 'static,
    F: Future<Output = Result<T, Failure>> + 'static,
    T: PartialEq + Send + Sync + 'static,
{
    fn start(self: Rc<Self>, query: Query<T>, key: K) {
        let turn = self.flight.borrow_mut().take_off(&key);
        if let Some(turn) = turn {
            spawn_local(self.run(query, key, turn));
        }
    }

    async fn run(self: Rc<Self>, query: Query<T>, key: K, turn: u64) {
        loop {
            let reply = (self.read)(key.clone()).await;
            if self.flight.borrow().turn != turn {
                return;
            }
            query.settle(reply);
            if !self.flight.borrow_mut().land() {
                return;
            }
        }
    }
}

impl<K: Clone + PartialEq> Flight<K> {
    /// The turn of a request to send, or `None` when one for the same key is under way: that one
    /// asks once more when it lands, so that a stream of changes can neither starve nor flood.
    fn take_off(&mut self, key: &K) -> Option<u64> {
        if self.running && self.key.as_ref() == Some(key) {
            self.stale = true;
            return None;
        }
        *self = Self { key: Some(key.clone()), turn: self.turn + 1, running: true, stale: false };
        Some(self.turn)
    }

    /// Whether to ask once more.
    fn land(&mut self) -> bool {
        self.running = std::mem::take(&mut self.stale);
        self.running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_during_a_request_lead_to_one_more() {
        let mut flight = Flight::default();
        assert_eq!(flight.take_off(&"a"), Some(1));
        assert_eq!(flight.take_off(&"a"), None);
        assert_eq!(flight.take_off(&"a"), None);
        assert!(flight.land(), "asks once more");
        assert!(!flight.land(), "and only once");
        assert_eq!(flight.take_off(&"a"), Some(2));
    }

    #[test]
    fn another_key_takes_over_at_once() {
        let mut flight = Flight::default();
        assert_eq!(flight.take_off(&"a"), Some(1));
        assert_eq!(flight.take_off(&"b"), Some(2), "the reply to turn 1 is now late");
        assert!(!flight.land());
    }
}
