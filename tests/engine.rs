//! The engine behind a real server, against a provider that answers by a script over real HTTP.

pub mod distill;
mod faults;
mod kills;
mod merges;
mod organize;
mod reorg;
mod rough;
mod rules;
pub mod scripted;
