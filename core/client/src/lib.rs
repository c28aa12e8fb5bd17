//! The blocking client of Coffer's own server: for the CLI, the hook and the MCP shim.
//!
//! It finds the running server (or starts the headless one), makes sure that it is Coffer before
//! any token leaves, and makes typed calls. Deliberately absent: the engine, an async runtime,
//! proxies, redirects, and every address but this machine's own.

#![warn(missing_docs)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod client;
mod error;
mod find;
pub mod hook;
mod prove;
#[cfg(test)]
#[cfg(unix)]
mod scripted;
pub mod shim;
mod start;
mod stream;
mod transport;

pub use client::{Client, Work, with_query};
pub use error::ClientError;
pub use find::{Versions, find};
pub use start::{Starter, find_or_start};
pub use ureq::http::Method;
