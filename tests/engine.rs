//! The engine behind a real server, against a provider that answers by a script over real HTTP.

pub mod distill;
mod kills;
mod merges;
mod organize;
mod reorg;
pub mod scripted;
