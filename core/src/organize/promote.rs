//! Promotion: what the journal says again and again, on three days or more, is worth an item in the inbox.
//!
//! No model is asked: entries are one pattern when they say nearly the same. The item's id comes from the
//! pattern, so that it is offered once, whatever becomes of it.

use std::collections::BTreeSet;

use coffer_domain::journal::{Entry, entries_of};
use coffer_domain::similar::{SIMILAR, resemblance};
use coffer_domain::store::StoreName;
use coffer_env::clock;

use super::{Organizer, Skipped};
use crate::error::Result;

/// On so many days a pattern recurs.
const DAYS: usize = 3;
/// So many of the latest days are looked at.
const WINDOW: usize = 60;
/// So many entries are compared at most, the latest first: each with each.
const ENTRIES: usize = 400;

/// What several entries say.
struct Pattern {
    first: Entry,
    days: BTreeSet<String>,
}

impl Organizer {
    /// Puts patterns of the journal into the inbox; what could not be, and why.
    pub(super) fn promote(&self, store: &StoreName) -> Result<Vec<Skipped>> {
        let mut entries = Vec::new();
        for file in self.memory.journal(store)?.into_iter().take(WINDOW) {
            let day = file.name.strip_suffix(".md").unwrap_or(&file.name).to_owned();
            entries.extend(entries_of(&file.text).into_iter().map(|entry| (day.clone(), entry)));
        }
        entries.truncate(ENTRIES);
        let mut problems = Vec::new();
        for pattern in patterns(entries) {
            let days: Vec<String> = pattern.days.into_iter().collect();
            let promoted = self.memory.promote(store, &pattern.first, &days, clock::now());
            if let Err(error) = promoted {
                let item = format!("journal/{}.md", days.last().cloned().unwrap_or_default());
                problems.push(Skipped { item, reason: error.to_string() });
            }
        }
        Ok(problems)
    }
}

/// Entries that say nearly the same on enough days, each with its oldest entry.
fn patterns(entries: Vec<(String, Entry)>) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    // The oldest first: what is promoted must not change with every new day.
    for (day, entry) in entries.into_iter().rev() {
        let is_like =
            |pattern: &&mut Pattern| resemblance(&pattern.first.text(), &entry.text()) >= SIMILAR;
        match patterns.iter_mut().find(is_like) {
            Some(pattern) => drop(pattern.days.insert(day)),
            None => patterns.push(Pattern { first: entry, days: BTreeSet::from([day]) }),
        }
    }
    patterns.retain(|pattern| pattern.days.len() >= DAYS);
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(title: &str, body: &str) -> Entry {
        Entry { title: title.to_owned(), body: body.to_owned() }
    }

    #[test]
    fn only_what_recurs_on_three_days_is_a_pattern() {
        let again = "The linter must run before the tests, or the build fails late.";
        let entries = vec![
            ("2026-03-05".to_owned(), entry("Build", again)),
            ("2026-03-04".to_owned(), entry("Build", again)),
            ("2026-03-04".to_owned(), entry("Other", "Talked about the release of spring.")),
            ("2026-03-03".to_owned(), entry("Other", "Talked about the release of spring.")),
            ("2026-03-01".to_owned(), entry("Build", again)),
            ("2026-03-01".to_owned(), entry("Build", again)),
        ];
        let found = patterns(entries);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first.body, again);
        assert_eq!(
            found[0].days.iter().map(String::as_str).collect::<Vec<_>>(),
            ["2026-03-01", "2026-03-04", "2026-03-05"]
        );
    }
}
