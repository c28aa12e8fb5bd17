//! What passes of the engine gave, as the tables keep it.

use serde::{Deserialize, Serialize};

use crate::organize::{Organized, PassState, Reorganized, Skipped};

/// A pass over the inbox.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredOrganized {
    state: String,
    /// Processed, created, updated, rules, files of rules, skipped.
    counts: [u64; 6],
    problems: Vec<(String, String)>,
    model: Option<String>,
}

impl StoredOrganized {
    pub(super) fn of(pass: Organized) -> Self {
        let Organized {
            state,
            items_processed,
            topics_created,
            topics_updated,
            rules_appended,
            rules_files_split,
            skipped,
            problems,
            model,
        } = pass;
        let counts = [
            items_processed,
            topics_created,
            topics_updated,
            rules_appended,
            rules_files_split,
            skipped,
        ];
        let (state, problems) = (state.word().to_owned(), rows(problems));
        Self { state, counts, problems, model }
    }

    pub(super) fn pass(self) -> Option<Organized> {
        let Self { state, counts, problems, model } = self;
        let [items_processed, topics_created, topics_updated, rules_appended, split, skipped] =
            counts;
        Some(Organized {
            state: PassState::parse(&state)?,
            items_processed,
            topics_created,
            topics_updated,
            rules_appended,
            rules_files_split: split,
            skipped,
            problems: skips(problems),
            model,
        })
    }
}

/// A pass over the topics.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredReorganized {
    state: String,
    /// Before, after, written, superseded.
    counts: [u64; 4],
    lost: Vec<String>,
    problems: Vec<(String, String)>,
    model: Option<String>,
}

impl StoredReorganized {
    pub(super) fn of(pass: Reorganized) -> Self {
        let Reorganized {
            state,
            topics_before,
            topics_after,
            topics_written,
            topics_superseded,
            lost,
            problems,
            model,
        } = pass;
        let counts = [topics_before, topics_after, topics_written, topics_superseded];
        let (state, problems) = (state.word().to_owned(), rows(problems));
        Self { state, counts, lost, problems, model }
    }

    pub(super) fn pass(self) -> Option<Reorganized> {
        let Self { state, counts, lost, problems, model } = self;
        let [topics_before, topics_after, topics_written, topics_superseded] = counts;
        Some(Reorganized {
            state: PassState::parse(&state)?,
            topics_before,
            topics_after,
            topics_written,
            topics_superseded,
            lost,
            problems: skips(problems),
            model,
        })
    }
}

fn rows(problems: Vec<Skipped>) -> Vec<(String, String)> {
    problems.into_iter().map(|Skipped { item, reason }| (item, reason)).collect()
}

fn skips(rows: Vec<(String, String)>) -> Vec<Skipped> {
    rows.into_iter().map(|(item, reason)| Skipped { item, reason }).collect()
}
