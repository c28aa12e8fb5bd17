//! Where things are and what time it is: locations, environment variables, the clock, randomness,
//! the file by which clients find the server, and how the person's editor is called.
//!
//! The only crate that builds locations and reads the environment. Deliberately absent: reading or
//! writing any Markdown file, and everything about the engine.

#![warn(missing_docs)]
#![expect(
    clippy::disallowed_methods,
    reason = "this crate is the owner of locations, environment, clock and randomness"
)]

pub mod agents;
pub mod clock;
pub mod editor;
pub mod home;
mod host;
mod kb_paths;
pub mod landmarks;
pub mod memory;
pub mod paths;
pub mod program;
pub mod server_file;
pub mod vars;

pub use agents::{AgentFolder, Surroundings};
pub use home::Home;
pub use host::host_name;
pub use kb_paths::KbPaths;
pub use paths::StorePaths;
pub use server_file::ServerFile;
