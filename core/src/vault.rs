//! The only reader and writer of the person's files.
//!
//! Every path is walked from the store's root one folder at a time and no symbolic link is ever
//! followed, so that nothing outside a store can be reached by a name or a race. A write is a
//! temporary file, flushed, renamed and its folder flushed; an acknowledged write survives a crash.
//! Deliberately absent: what the files mean.

mod dir;
mod discard;
mod free;
mod intent;
mod mask;
mod outside;
mod replace;
mod walk;
mod watch;

pub(crate) use dir::{Dir, Expect, File, Stat, identity, split};
pub(crate) use discard::discard;
pub(crate) use free::free_bytes;
pub(crate) use intent::Intents;
pub(crate) use outside::{Source, target};
pub(crate) use replace::{free_name, replace};
pub(crate) use walk::{Found, Walk, sweep_leftovers, walk, walk_everything};
pub(crate) use watch::{Changes, Watcher};
