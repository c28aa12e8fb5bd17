//! The engine of Coffer: files, index, memory. Synchronous; knows no transport and no window.

#![doc = include_str!("../ARCHITECTURE.md")]
#![warn(missing_docs)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod agents;
pub mod config;
pub mod convert;
pub mod credentials;
pub mod distill;
pub mod doctor;
pub mod engine;
pub mod error;
pub mod files;
pub mod history;
pub mod hooks;
pub mod jobs;
pub mod kb;
pub mod memory;
pub mod models;
pub mod organize;
pub mod purge;
pub mod secrets;
pub mod sessions;
pub mod transcripts;

mod agent_files;
mod archive;
mod coffer;
mod event;
mod git;
mod grep;
mod index;
mod knowledge;
mod vault;

pub use agents::Agents;
pub use coffer::Coffer;
pub use config::{EmbeddingConfig, EngineConfig, Preferences, PreferencesPatch, Settings};
pub use credentials::Credentials;
pub use distill::{Asked, Distill, DistillRequest, Distilled};
pub use doctor::{Check, CheckState, Doctor};
pub use error::{Error, Result, Unfit};
pub use event::Event;
pub use files::Files;
pub use history::{
    AuditRow, History, HistoryFilter, Invocation, InvocationRow, UsageKind, UsageRow,
};
pub use jobs::{Job, JobOutput, JobRequest, JobState, Jobs};
pub use memory::{
    ConfigPatch, Evidence, Export, Exported, Fact, FactChange, FactIn, FactPage, HandoffSaved, Hit,
    Import, Imported, ImportedFile, LaneFile, LeftOut, LogText, Memory, Merged, Metrics, Outcome,
    Page, Proposal, Recall, Recalled, ReindexReport, Remembered, Resolved, Resumed, SceneFile,
    ScopeReason, Sign, Similar, SourceFormat, Store, StoreConfig,
};
pub use purge::{Emptied, Purge, PurgeRequest, Purged, Wanted};
pub use sessions::{Session, Sessions, Shelf, Unseen};
