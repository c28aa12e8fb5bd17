//! The agents' own programs, connected to Coffer and asking a model that answers from a script.
//!
//! For the long set only: `cargo xtask test --long` installs them from npm, below the target folder.
//! They run on a home of their own, and whatever they ask of other hosts ends at the scripted model.

mod agent;
mod claude_code;
mod codex;
mod codex_approval;
mod connected;
mod ending;
mod files;
mod first;
mod household;
mod model;
mod native_memory;
mod opencode;
mod programs;
mod shared;

use crate::support::chance::is_long;

/// Whether these tests run; says so where they do not.
fn are_asked_for() -> bool {
    if !is_long() {
        eprintln!("skipped: the agents' own programs run only with `cargo xtask test --long`");
    }
    is_long()
}
