//! Seeded texts and models for tests and figures: the same seed gives the same on every machine. And
//! a scripted provider of models, for the tests of several crates.
//!
//! Deliberately absent: anything of the product. What is made here is only fed to it.

pub mod models;
pub mod provider;
pub mod secrets;

mod numbers;

pub use numbers::Numbers;
