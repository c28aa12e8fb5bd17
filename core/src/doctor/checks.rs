//! The checks. Each looks at the real thing; none changes anything but the index, which is brought up
//! to the files first.

use std::path::{Path, PathBuf};

use coffer_domain::kb::KbName;
use coffer_domain::store::StoreName;

use super::{Check, CheckState, Doctor};
use crate::index::{DuplicateRow, duplicate_ids, problems, sqlite_version};
use crate::memory::KIND;

impl Doctor {
    /// All checks, those that need a person first.
    pub fn check(&self) -> Vec<Check> {
        // What fails here shows in the rows of stores and documents below.
        let _ = self.compare_all();
        let mut rows = self.rights();
        rows.extend(self.room());
        rows.extend(self.settings_file());
        rows.push(self.credentials());
        rows.extend(self.agents());
        rows.extend(self.database());
        rows.extend(self.left_over());
        rows.extend(self.leftovers());
        rows.extend(self.merges());
        rows.extend(self.stores());
        rows.extend(self.bases());
        rows.extend(self.documents());
        rows.push(self.vectors());
        rows.push(Self::conversion());
        rows.extend(self.transcripts());
        rows.sort_by_key(|row| std::cmp::Reverse(row.state));
        rows
    }

    /// What does not work fully just now, a sentence each: the status's `degraded`.
    pub fn degraded(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.knowledge.index().notice().into_iter().collect();
        let lags = self.knowledge.lags().into_iter();
        sentences.extend(
            lags.map(|(store, why)| format!("the index of `{}` lags: {why}", store.display())),
        );
        let rows = self.knowledge.read(problems).unwrap_or_default();
        sentences.extend(
            rows.into_iter()
                .filter(|row| row.path.is_empty())
                .map(|row| format!("store {}: {}", row.store, row.reason)),
        );
        let trouble = self.memory.embedding_trouble();
        sentences.extend(trouble.map(|why| format!("documents wait for vectors: {why}")));
        sentences
    }

    fn settings_file(&self) -> Vec<Check> {
        let path = self.home.config_file();
        let warnings = self.settings.warnings();
        if warnings.is_empty() {
            return vec![row("settings", CheckState::Ok, &path, "every setting is understood")];
        }
        warnings
            .iter()
            .map(|warning| Check {
                fix: Some("Mend the line in config.toml; until then the default counts."),
                ..row("settings", CheckState::Warning, &path, warning)
            })
            .collect()
    }

    fn credentials(&self) -> Check {
        let path = self.home.credentials_file();
        match self.credentials.list() {
            Ok(all) => {
                let found = format!("{} credentials", all.len());
                row("credentials", CheckState::Ok, &path, &found)
            }
            Err(error) => Check {
                fix: Some("Bring the file back, or move it away and set the credentials again."),
                ..row("credentials", CheckState::Error, &path, &error.to_string())
            },
        }
    }

    fn database(&self) -> Vec<Check> {
        let path = self.home.database();
        let index = self.knowledge.index();
        let version = format!("SQLite {}", sqlite_version());
        let mut rows = vec![row("sqlite", CheckState::Ok, &path, &version)];
        rows.push(match index.harm() {
            Ok(None) => row("database", CheckState::Ok, &path, "the index is sound"),
            Ok(Some(_)) => Check {
                fix: Some("Run `coffer doctor --fix`: the index is filled again from the files."),
                fixable: true,
                ..row("database", CheckState::Error, &path, "the index failed its own check")
            },
            Err(failure) => Check {
                fix: Some(
                    "See that the disk is not full and that no other program holds the file.",
                ),
                ..row("database", CheckState::Error, &path, &failure.reason())
            },
        });
        rows.extend(index.notice().map(|notice| {
            let reason = format!("the index was filled again from the files: {notice}");
            row("database", CheckState::Warning, &path, &reason)
        }));
        rows
    }

    fn merges(&self) -> Vec<Check> {
        let folder = self.home.merges();
        let fix = Some("See that both folders are there and can be written, then restart Coffer.");
        match self.memory.waiting_merges() {
            Ok(waiting) => waiting
                .iter()
                .map(|(source, target)| {
                    let reason = format!("the merge of `{source}` into `{target}` waits");
                    Check { fix, ..row("merges", CheckState::Error, &folder, &reason) }
                })
                .collect(),
            Err(error) => {
                vec![Check { fix, ..row("merges", CheckState::Error, &folder, &error.to_string()) }]
            }
        }
    }

    fn left_over(&self) -> Option<Check> {
        let bad = super::mend::bad_databases(&self.home);
        let first = bad.first()?;
        Some(Check {
            fix: Some(
                "Run `coffer doctor --fix` to delete them: all notes are in your files; the history of calls before goes with them.",
            ),
            fixable: true,
            ..row(
                "old databases",
                CheckState::Warning,
                first,
                &format!("{} files of lost databases were kept", bad.len()),
            )
        })
    }

    fn documents(&self) -> Vec<Check> {
        let read = self.knowledge.read(|db| Ok((problems(db)?, duplicate_ids(db)?)));
        let (problems, duplicates) = match read {
            Ok(found) => found,
            Err(error) => {
                let path = self.home.database();
                return vec![row("documents", CheckState::Error, &path, &error.to_string())];
            }
        };
        let mut rows: Vec<Check> = problems
            .iter()
            .map(|problem| match problem.path.as_str() {
                "" => Check {
                    fix: Some(
                        "Put back what is missing, or attach its disk; if you deleted it, run \
                         `coffer reindex` with the store's name.",
                    ),
                    ..row(
                        "store",
                        CheckState::Error,
                        &self.place(&problem.kind, &problem.store, ""),
                        &problem.reason,
                    )
                },
                below => Check {
                    fix: Some("Open the file and mend it."),
                    ..row(
                        "document",
                        CheckState::Warning,
                        &self.place(&problem.kind, &problem.store, below),
                        &problem.reason,
                    )
                },
            })
            .collect();
        rows.extend(duplicates.iter().map(|DuplicateRow { kind, store, path, other }| Check {
            fix: Some("Delete one of the two, or the `id` line of the copy."),
            ..row(
                "duplicate id",
                CheckState::Warning,
                &self.place(kind, store, path),
                &format!("it carries the id of `{other}`; another id stands in for it"),
            )
        }));
        rows
    }

    /// The absolute path of a file, or the folder, of a store or knowledge base.
    pub(super) fn place(&self, kind: &str, store: &str, path: &str) -> PathBuf {
        match (kind == KIND, StoreName::parse(store), KbName::parse(store)) {
            (true, Some(name), _) if path.is_empty() => self.memory.store_ref(&name).root,
            (true, Some(name), _) => self.memory.absolute(&name, path),
            (false, _, Some(name)) => self.kb.absolute(&name, path),
            (true, None, _) => self.home.memory(),
            (false, _, None) => self.home.knowledge(),
        }
    }

    /// Compares everything with the index.
    pub(super) fn compare_all(&self) -> crate::error::Result<()> {
        let bases = self.kb.warm_up();
        self.memory.warm_up().and(bases)
    }
}

/// A check that stands as it does, without a fix.
pub(super) fn row(check: &'static str, state: CheckState, path: &Path, reason: &str) -> Check {
    Check {
        check,
        state,
        path: Some(path.display().to_string()),
        reason: reason.to_owned(),
        fix: None,
        fixable: false,
    }
}
