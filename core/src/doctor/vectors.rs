//! Whether vectors are as they should be.

use super::checks::row;
use super::{Check, CheckState, Doctor};

impl Doctor {
    /// How many documents wait for vectors, and why, where vectors are on.
    pub(super) fn vectors(&self) -> Check {
        let path = self.home.database();
        let bases = self.kb.waiting_for_vectors();
        if !self.knowledge.has_vectors() && !self.kb.has_own_vectors() {
            return row("vectors", CheckState::Ok, &path, "vectors are off");
        }
        let trouble = self.memory.embedding_trouble();
        let waiting = self.memory.waiting_for_vectors().and_then(|waiting| Ok(waiting + bases?));
        match (waiting, trouble) {
            (Ok(0), None) => {
                row("vectors", CheckState::Ok, &path, "every document has its vectors")
            }
            (Ok(waiting), None) => Check {
                fix: Some("Wait, or set the model once more: `coffer jobs` shows how far it is."),
                ..row("vectors", CheckState::Warning, &path, &format!("{waiting} documents wait"))
            },
            (Ok(waiting), Some(why)) => Check {
                fix: Some("Run `coffer settings embedding test`, and mend what it says."),
                ..row(
                    "vectors",
                    CheckState::Warning,
                    &path,
                    &format!("{waiting} documents wait, found by their words alone: {why}"),
                )
            },
            (Err(error), _) => row("vectors", CheckState::Error, &path, &error.to_string()),
        }
    }
}
