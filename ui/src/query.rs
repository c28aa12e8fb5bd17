//! Reads that stay fresh: what was shown stays until the new answer is there.
//!
//! A view that empties itself while it asks again flickers and loses its place, so the last good
//! answer is kept, and an answer equal to it changes nothing at all.

use std::any::Any;
use std::cell::RefCell;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;

use crate::api::{self, Api};
use crate::failure::Failure;

/// An answer whose type only the query's owner knows: signals of one type for all queries keep the
/// program small.
type Kept = Arc<dyn Any + Send + Sync>;

/// A read that is repeated whenever what it depends on changes.
pub(crate) struct Query<T> {
    cell: Cell,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Query<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Query<T> {}

impl<T: DeserializeOwned + PartialEq + Send + Sync + 'static> Query<T> {
    /// Reads at an address, now and after each change of a signal that `address` reads.
    pub(crate) fn at(api: Api, address: impl Fn() -> String + 'static) -> Self {
        let cell = Cell::new(is_same::<T>);
        follow(cell, Box::new(address), reader(api, parsed::<T>));
        Self { cell, of: PhantomData }
    }
}

impl<T: PartialEq + Send + Sync + 'static> Query<T> {
    /// Calls `read` with what `key` returns, now and after each change of a signal that `key`
    /// reads.
    pub(crate) fn new<K, F>(key: impl Fn() -> K + 'static, read: impl Fn(K) -> F + 'static) -> Self
    where
        K: Clone + PartialEq + 'static,
        F: Future<Output = Result<T, Failure>> + 'static,
    {
        let read = move |key: K| -> Reading {
            let reply = read(key);
            Box::pin(async move { reply.await.map(|value| Arc::new(value) as Kept) })
        };
        let cell = Cell::new(is_same::<T>);
        follow(cell, Box::new(key), Box::new(read));
        Self { cell, of: PhantomData }
    }

    /// The last good answer, followed.
    pub(crate) fn latest(self) -> Option<Arc<T>> {
        self.cell.answer.get()?.downcast().ok()
    }

    /// The query without the type of its answer.
    pub(crate) fn cell(self) -> Cell {
        self.cell
    }

    /// Asks again.
    pub(crate) fn again(self) {
        self.cell.again();
    }

    /// Takes an answer that came another way, such as the reply to a change.
    pub(crate) fn settle(self, reply: Result<T, Failure>) {
        self.cell.settle(reply.map(|value| Arc::new(value) as Kept));
    }
}

fn parsed<T: DeserializeOwned + Send + Sync + 'static>(text: &str) -> Result<Kept, Failure> {
    api::parse::<T>(text).map(|value| Arc::new(value) as Kept)
}

fn reader(api: Api, parse: fn(&str) -> Result<Kept, Failure>) -> Box<dyn Fn(String) -> Reading> {
    let read = move |address: String| async move { parse(&api.text(&address).await?) };
    Box::new(move |address| Box::pin(read(address)))
}

/// A query of whatever type.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    answer: RwSignal<Option<Kept>>,
    failure: RwSignal<Option<Failure>>,
    asked: RwSignal<u32>,
    is_same: fn(&Kept, &Kept) -> bool,
}

fn is_same<T: PartialEq + 'static>(a: &Kept, b: &Kept) -> bool {
    a.downcast_ref::<T>() == b.downcast_ref::<T>()
}

impl Cell {
    fn new(is_same: fn(&Kept, &Kept) -> bool) -> Self {
        let (answer, failure) = (RwSignal::new(None), RwSignal::new(None));
        Self { answer, failure, asked: RwSignal::new(0), is_same }
    }

    /// Whether there is a good answer, followed.
    pub(crate) fn is_there(self) -> bool {
        self.answer.with(Option::is_some)
    }

    /// Why there is no good answer, followed.
    pub(crate) fn failure(self) -> Option<Failure> {
        self.failure.get()
    }

    /// Asks again.
    pub(crate) fn again(self) {
        self.asked.update(|asked| *asked += 1);
    }

    fn settle(self, reply: Result<Kept, Failure>) {
        // The view may be gone by now; then nobody is left to tell.
        match reply {
            Ok(value) => {
                let is_same = |last: &Option<Kept>| {
                    last.as_ref().is_some_and(|last| (self.is_same)(last, &value))
                };
                if self.answer.try_with_untracked(is_same) == Some(false) {
                    self.answer.try_set(Some(value));
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

/// A request under way.
type Reading = Pin<Box<dyn Future<Output = Result<Kept, Failure>>>>;

struct Reader<K> {
    read: Box<dyn Fn(K) -> Reading>,
    flight: RefCell<Flight<K>>,
}

/// Reads now and after each change of what `key` reads.
fn follow<K: Clone + PartialEq + 'static>(
    cell: Cell,
    key: Box<dyn Fn() -> K>,
    read: Box<dyn Fn(K) -> Reading>,
) {
    let reader = Rc::new(Reader { read, flight: RefCell::default() });
    Effect::new(move |_| {
        cell.asked.track();
        Rc::clone(&reader).start(cell, key());
    });
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

impl<K: Clone + PartialEq + 'static> Reader<K> {
    fn start(self: Rc<Self>, cell: Cell, key: K) {
        let turn = self.flight.borrow_mut().take_off(&key);
        if let Some(turn) = turn {
            spawn_local(self.run(cell, key, turn));
        }
    }

    async fn run(self: Rc<Self>, cell: Cell, key: K, turn: u64) {
        loop {
            let reply = (self.read)(key.clone()).await;
            if self.flight.borrow().turn != turn {
                return;
            }
            cell.settle(reply);
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
