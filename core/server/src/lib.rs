//! The server: REST, MCP, live events and the viewer's files, behind one guard, on a loopback port
//! and the owner's socket.
//!
//! Deliberately absent: any rule about memory (the engine's), any other address than loopback, any
//! access from another origin.

#![warn(missing_docs)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod about;
mod app;
mod auth;
mod blocking;
mod body;
mod connections;
mod error;
mod extract;
mod feed;
mod guard;
mod handle;
mod listen;
pub mod logging;
mod mcp;
mod openapi;
mod private;
mod process;
mod rest;
mod router;
mod run_folder;
mod server;
mod start;
mod viewer;
mod wire;

pub use coffer_env::server_file::Owner;
pub use handle::Handle;
pub use server::{Options, Server};
pub use start::StartError;
