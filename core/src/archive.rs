//! The archive of an export: a gzipped tar, as every system opens it, with a list of its files and
//! their hashes at its end.
//!
//! It is read with suspicion: nothing is unpacked here, whoever reads is given one file after the
//! other, within limits, and told what is no file. Deliberately absent: what the names mean, files.

#[cfg(test)]
pub(crate) mod forge;
mod manifest;
mod pack;
mod survey;
mod unpack;

pub(crate) use manifest::{Listed, Manifest};
pub(crate) use pack::Packer;
pub(crate) use survey::{Survey, Verdict, survey};
pub(crate) use unpack::{Body, Entry, LIMITS, read};
