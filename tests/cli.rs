//! The command line against the real server: what it shows, how it ends, what it starts.

mod agents;
mod bridge;
mod kb;
mod lifecycle;
mod memory;
mod merge;
mod model_settings;
mod models;
mod purge;
mod run;
mod system;
mod transcript;
mod transfer;
