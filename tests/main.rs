//! All integration tests, as one binary: it starts the programs that `core/cli` and the other crates
//! build, and reads the sources. `cargo xtask test` builds everything before it runs.

// Says what is so anyway; clippy then knows that helping functions here are tests too.
#![cfg(test)]
#![expect(unreachable_pub, reason = "`pub` says what a module offers; a binary exports nothing")]

mod architecture;
mod browser;
mod cli;
mod content;
mod convert;
mod durability;
mod engine;
mod guard;
mod hooks;
mod identity;
mod licenses;
mod mcp;
mod rest;
mod support;
mod vendors;
mod window;
