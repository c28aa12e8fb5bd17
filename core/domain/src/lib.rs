//! The pure part of Coffer: names, file formats, chunking, query building, ranking.
//!
//! Deliberately absent: files, environment, clock, SQL, HTTP. Time, ids and texts come in as
//! arguments, so that every rule here is tested in microseconds.

#![warn(missing_docs)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod archive;
pub mod bundle;
pub mod chunk;
pub mod conserve;
pub mod credential;
pub mod fact;
pub mod frontmatter;
pub mod handoff;
pub mod hidden;
pub mod id;
pub mod import;
pub mod journal;
pub mod kb;
pub mod query;
pub mod ranking;
pub mod similar;
pub mod slug;
pub mod store;
pub mod terms;
pub mod time;
