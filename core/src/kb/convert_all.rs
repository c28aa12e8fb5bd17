//! Originals to Markdown, two at a time; a person may end it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{ScopedJoinHandle, scope, sleep};
use std::time::Duration;

use coffer_domain::kb::KbName;

use super::KnowledgeBases;
use super::incoming::{not_converted, unfit};
use super::intake::Candidate;
use crate::convert::{Converted, Original};
use crate::error::{Result, Unfit};
use crate::vault::MAX_FILE_BYTES;

/// How often it is asked, while the other thread converts, whether the work is to go on.
const PAUSE: Duration = Duration::from_millis(5);

impl KnowledgeBases {
    /// The Markdown of each file; two are converted at a time.
    pub(super) fn convert_all(
        &self,
        name: &KbName,
        candidates: &[Candidate],
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<Result<Converted>> {
        let stopped = AtomicBool::new(false);
        let (own, others) = candidates.split_at(candidates.len().div_ceil(2));
        let all = |share: &[Candidate], cancelled: &dyn Fn() -> bool| -> Vec<_> {
            share.iter().map(|it| self.convert(name, it, cancelled)).collect()
        };
        // The caller's question may be asked on this thread only.
        let is_over = || {
            let is_over = cancelled();
            stopped.store(is_over, Ordering::Relaxed);
            is_over
        };
        scope(|scope| {
            let (all, stopped) = (&all, &stopped);
            let start = || scope.spawn(move || all(others, &|| stopped.load(Ordering::Relaxed)));
            let other = (!others.is_empty()).then(start);
            let mut converted = all(own, &is_over);
            while other.as_ref().is_some_and(|other| !other.is_finished()) {
                is_over();
                sleep(PAUSE);
            }
            match other.map(ScopedJoinHandle::join) {
                Some(Ok(others)) => converted.extend(others),
                // A thread that fell is no reason to lose its files.
                Some(Err(_)) => converted.extend(all(others, cancelled)),
                None => {}
            }
            converted
        })
    }

    fn convert(
        &self,
        name: &KbName,
        candidate: &Candidate,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Converted> {
        let path = self.paths(name).staged_file(&candidate.staged.name());
        self.markdown_of(&candidate.incoming.filename, &path, cancelled)
    }

    /// The Markdown of an original.
    pub(super) fn markdown_of(
        &self,
        filename: &str,
        path: &Path,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Converted> {
        let original = Original { name: filename, path };
        let converted = self.0.converters.convert(&original, cancelled);
        let converted = converted.map_err(|rejected| not_converted(filename, path, &rejected))?;
        // A header takes its part of what a file may have.
        if converted.markdown.len() as u64 > MAX_FILE_BYTES - (64 << 10) {
            let message = format!("its Markdown is larger than {} MiB", MAX_FILE_BYTES >> 20);
            return Err(unfit(filename, Unfit::TooLarge, message));
        }
        Ok(converted)
    }
}
