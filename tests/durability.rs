//! What was acknowledged stays, and what was not is whole or absent: whatever happens to the process,
//! the disk, the database, or the files.

mod concurrency;
mod faults;
mod kills;
mod operations;
mod order;
mod owners;
mod space;
mod sweep;

/// The facts of the global store.
const FACTS: &str = "/api/v1/memory_stores/global/facts";
