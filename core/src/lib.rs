//! The engine of Coffer: files, index, memory. Synchronous; knows no transport and no window.

#![doc = include_str!("../ARCHITECTURE.md")]
#![warn(missing_docs)]

pub mod error;

mod git;
mod grep;
mod index;
mod knowledge;
pub mod memory;
mod vault;

pub use error::{Error, Result};
