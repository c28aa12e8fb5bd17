//! The server: REST, MCP, live events and the viewer's files, behind one guard, on a loopback port
//! and the owner's socket.
//!
//! Deliberately absent: any rule about memory (the engine's), any other address than loopback, any
//! access from another origin.

#![warn(missing_docs)]

mod about;
mod app;
mod auth;
mod blocking;
mod body;
mod connections;
mod error;
mod extract;
mod guard;
mod handle;
mod listen;
mod openapi;
mod process;
mod rest;
mod router;
mod run_folder;
mod server;
mod start;
mod viewer;

pub use coffer_env::server_file::Owner;
pub use handle::Handle;
pub use server::{Options, Server};
pub use start::StartError;
