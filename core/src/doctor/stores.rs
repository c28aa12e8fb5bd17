//! The stores: their settings, what lies in them that is not read, and what waits for a person.

use coffer_domain::frontmatter;
use coffer_domain::store::StoreName;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::memory::Store;
use crate::vault::walk;

impl Doctor {
    pub(super) fn stores(&self) -> Vec<Check> {
        let memory = self.home.memory();
        let stores = match self.memory.stores() {
            Ok(stores) => stores,
            Err(error) => {
                let fix = Some("See that the folder exists and that you can read it.");
                let reason = error.to_string();
                return vec![Check { fix, ..row("stores", CheckState::Error, &memory, &reason) }];
            }
        };
        let facts: u64 = stores.iter().map(|store| store.fact_count).sum();
        let found = format!("{} stores with {facts} facts", stores.len());
        let mut rows = vec![row("stores", CheckState::Ok, &memory, &found)];
        for store in &stores {
            rows.extend(self.store_file(&store.name));
            rows.extend(off(store));
            rows.extend(self.lanes(&store.name));
        }
        rows.extend(self.likely_merges());
        rows
    }

    fn store_file(&self, store: &StoreName) -> Option<Check> {
        let reason = self.memory.store_file_problem(store)?;
        let path = self.memory.absolute(store, "store.yaml");
        Some(Check {
            fix: Some("Open the file and mend it; until then defaults stand in for what is odd."),
            ..row("store.yaml", CheckState::Error, &path, &reason)
        })
    }

    /// What lies in a store beside its documents: links, which nobody follows, and headers of the
    /// other lanes that cannot be read.
    fn lanes(&self, store: &StoreName) -> Vec<Check> {
        let Ok(Some(dir)) = self.memory.store_ref(store).found() else { return Vec::new() };
        let is_read = |path: &str| path.starts_with("handoff/") && path.ends_with(".md");
        let found = walk(&dir, &[""], is_read);
        let links = found.skipped.iter().filter(|skipped| !is_documents(&skipped.path));
        let mut rows: Vec<Check> = links
            .map(|skipped| Check {
                fix: Some("Put the file itself there, or take it away."),
                ..row(
                    "file",
                    CheckState::Warning,
                    &self.memory.absolute(store, &skipped.path),
                    &skipped.reason,
                )
            })
            .collect();
        for file in &found.files {
            let Ok(Some(read)) = dir.read_at(&file.path) else { continue };
            let text = String::from_utf8_lossy(&read.bytes);
            if let (_, Some(problem)) = frontmatter::parse(&text) {
                let path = self.memory.absolute(store, &file.path);
                rows.push(Check {
                    fix: Some("Open the file and mend its header; its name stands in for it."),
                    ..row("header", CheckState::Warning, &path, &problem.to_string())
                });
            }
        }
        rows
    }

    fn likely_merges(&self) -> Option<Check> {
        let many = self.memory.merge_scan().ok().filter(|found| !found.is_empty())?.len();
        let reason = format!("{many} stores may be parts of others");
        Some(Check {
            fix: Some("Run `coffer memory merge-scan`, which shows them."),
            ..row("merges", CheckState::Warning, &self.home.projects(), &reason)
        })
    }
}

/// A store that was turned off is as a person wants it.
fn off(store: &Store) -> Option<Check> {
    let fix = Some("Run `coffer memory enable` with its name to use it again.");
    let reason = format!("`{}` is off: recall and search leave it out", store.name);
    (!store.enabled).then(|| Check { fix, ..row("store", CheckState::Ok, &store.dir, &reason) })
}

/// Whether a path is of the lanes whose files have rows of their own.
fn is_documents(path: &str) -> bool {
    ["knowledge", "journal"].iter().any(|lane| path.starts_with(lane))
}
