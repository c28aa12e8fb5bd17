//! What a model sees of a passage: its text without the secrets of the whole file. A key that is cut in
//! two by the border of passages is known as one only where it is whole.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Knowledge, StoreRef};
use crate::index::Unembedded;
use crate::secrets::{self, Custom};

/// What stands in the place of a line with a secret.
const COVERED: &str = "[redacted]";

/// Covers passages of one store; it remembers the file that it looked at last.
pub(super) struct Cover<'a> {
    store: &'a StoreRef,
    secrets: Arc<Custom>,
    last: Option<(String, Lines)>,
}

/// Lines of a file that hold secrets, from 1.
type Lines = Option<HashSet<usize>>;

impl<'a> Cover<'a> {
    pub(super) fn new(knowledge: &Knowledge, store: &'a StoreRef) -> Self {
        Self { store, secrets: knowledge.own_secrets(), last: None }
    }

    /// The texts as a model may see them: with headings, without lines that hold secrets; `None` for a
    /// passage whose file is another one by now, or that is part of such a line.
    pub(super) fn texts(&mut self, passages: &[Unembedded]) -> Vec<Option<String>> {
        passages.iter().map(|passage| self.text(passage)).collect()
    }

    fn text(&mut self, passage: &Unembedded) -> Option<String> {
        let Unembedded { file_sha256, heading, text, first_line, .. } = passage;
        if self.last.as_ref().is_none_or(|(last, _)| last != file_sha256) {
            let lines = self.look(passage);
            self.last = Some((file_sha256.clone(), lines));
        }
        let lines = self.last.as_ref()?.1.as_ref()?;
        if lines.is_empty() {
            return Some(format!("{heading}\n{text}"));
        }
        let first = *first_line as usize;
        let covered = text
            .lines()
            .enumerate()
            .map(|(at, line)| if lines.contains(&(first + at)) { COVERED } else { line });
        Some(format!("{heading}\n{}", covered.collect::<Vec<_>>().join("\n")))
    }

    fn look(&self, passage: &Unembedded) -> Lines {
        let file = self.store.dir().ok()?.read_at(&passage.path).ok()??;
        if file.sha256() != passage.file_sha256 {
            return None;
        }
        let text = String::from_utf8_lossy(&file.bytes);
        let known = secrets::find(&text).into_iter().map(|finding| finding.range);
        let found: Vec<_> = known.chain(self.secrets.find(&text)).collect();
        let line_of = |at: usize| text[..at].matches('\n').count() + 1;
        let lines = found
            .iter()
            .flat_map(|range| line_of(range.start)..=line_of(range.end.saturating_sub(1)));
        Some(lines.collect())
    }
}
