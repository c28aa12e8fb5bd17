//! The terms of one MATCH expression: quoted, without repetition, and not too many.

use std::collections::HashSet;

/// Most terms of one expression; more cost time and tell nothing.
const MOST: usize = 64;

/// Terms in the order they came in.
#[derive(Debug, Default)]
pub(super) struct Matches {
    terms: Vec<String>,
    seen: HashSet<String>,
}

impl Matches {
    /// Adds a term: a word or a phrase of words; as a `prefix` it matches what its last word
    /// begins.
    pub(super) fn push(&mut self, text: &str, prefix: bool) {
        if self.terms.len() == MOST {
            return;
        }
        let quoted = format!("\"{}\"{}", text.replace('"', "\"\""), if prefix { " *" } else { "" });
        if self.seen.insert(quoted.to_lowercase()) {
            self.terms.push(quoted);
        }
    }

    pub(super) fn extend(&mut self, terms: impl IntoIterator<Item = (String, bool)>) {
        terms.into_iter().for_each(|(text, prefix)| self.push(&text, prefix));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms joined by OR.
    pub(super) fn expression(self) -> Option<String> {
        (!self.terms.is_empty()).then(|| self.terms.join(" OR "))
    }
}
