//! The pages, one file each.

pub(crate) mod activity;
pub(crate) mod agent;
pub(crate) mod agents;
pub(crate) mod base;
pub(crate) mod bases;
pub(crate) mod conversation;
pub(crate) mod document;
pub(crate) mod fact;
pub(crate) mod missing;
pub(crate) mod settings;
pub(crate) mod signed_out;
pub(crate) mod store;
