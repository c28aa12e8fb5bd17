//! The only reader and writer of the person's files.
//!
//! Every path is walked from the store's root one folder at a time and no symbolic link is ever
//! followed, so that nothing outside a store can be reached by a name or a race. A write is a
//! temporary file, flushed, renamed and its folder flushed; an acknowledged write survives a crash.
//! Deliberately absent: what the files mean.

mod diff;
mod dir;
mod discard;
mod foreign;
mod free;
mod intent;
mod mask;
mod outside;
mod replace;
mod tree;
mod walk;
mod watch;

pub(crate) use diff::unified;
pub(crate) use dir::{Dir, Expect, File, MAX_FILE_BYTES, Stat, below, identity, split};
pub(crate) use discard::{discard, remove_folder};
pub(crate) use foreign::{Foreign, Held};
pub(crate) use free::free_bytes;
pub(crate) use intent::Intents;
pub(crate) use outside::{Source, target, through_links};
pub(crate) use replace::{free_name, replace};
pub(crate) use tree::{Tree, tree};
pub(crate) use walk::{Found, Skipped, Walk, sweep_leftovers, walk, walk_down, walk_everything};
pub(crate) use watch::{Changes, Watcher};

use crate::error::{Error, Result};

/// How often a change is made again on the text that somebody else saved meanwhile.
const RETRIES: usize = 5;

/// Reads, changes and writes a file, and does so again when it was another one at the write.
pub(crate) fn on_fresh_text<T>(mut change: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 0..RETRIES {
        match change() {
            Err(Error::VersionConflict { .. }) => {}
            done => return done,
        }
    }
    change()
}
