//! The engine behind a real server, against a provider that answers by a script over real HTTP.

mod kills;
mod merges;
mod distill;
mod organize;
mod reorg;
pub mod scripted;
