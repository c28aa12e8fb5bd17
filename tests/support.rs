//! What integration tests share: real programs on a home of their own, small clients, git projects.

pub mod attempt;
pub mod browser;
pub mod chance;
pub mod derived;
pub mod desktop;
pub mod ended;
pub mod http;
pub mod mcp;
pub mod meaning;
pub mod mount;
pub mod official;
pub mod page;
pub mod process;
pub mod project;
pub mod server;
pub mod shim;
pub mod trace;
pub mod tree;

pub use http::{Reply, Request};
pub use server::TestServer;
