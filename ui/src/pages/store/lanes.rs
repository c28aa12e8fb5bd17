//! The lanes beside knowledge, each with its own form.

pub(super) mod handoff;
pub(super) mod journal;
pub(super) mod log;
pub(super) mod rules;
mod versions;
