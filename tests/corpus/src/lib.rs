//! Seeded texts and models for tests and figures: the same seed gives the same on every machine. A
//! scripted provider of models, and documents of many programs, for the tests of several crates.
//!
//! Deliberately absent: anything of the product. What is made here is only fed to it.

pub mod documents;
pub mod hostile;
pub mod models;
pub mod provider;
pub mod secrets;

mod numbers;

pub use numbers::Numbers;
