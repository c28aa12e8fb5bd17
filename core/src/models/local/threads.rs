//! The threads that models work on. Passages take at most half of the cores; a question has a
//! thread of its own, so that it does not wait until a batch of passages is done.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::models::{ModelFailure, Role};

/// The threads for texts of a role; they sleep when there is nothing to do.
pub(super) fn of_role(role: Role) -> Result<&'static ThreadPool, ModelFailure> {
    static QUERIES: OnceLock<Option<ThreadPool>> = OnceLock::new();
    static PASSAGES: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let pool = match role {
        Role::Query => QUERIES.get_or_init(|| pool("embed-query", 1)),
        Role::Passage => PASSAGES.get_or_init(|| pool("embed", half_of_the_cores())),
    };
    let none = || ModelFailure::Unavailable("no thread could be had for the model".to_owned());
    pool.as_ref().ok_or_else(none)
}

fn half_of_the_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

fn pool(name: &'static str, threads: usize) -> Option<ThreadPool> {
    let named = move |at| format!("{name}-{at}");
    ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build().ok()
}
