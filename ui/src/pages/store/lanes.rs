//! The lanes beside knowledge, each with its own form.

pub(super) mod handoff;
pub(super) mod journal;
pub(super) mod log;
pub(super) mod rules;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Tells whether a text is the same as before, so that only what changed is drawn anew.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
