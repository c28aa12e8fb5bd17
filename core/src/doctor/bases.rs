//! The knowledge bases: their settings, and originals without their documents.

use coffer_domain::kb::KbName;
use coffer_env::KbPaths;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::kb::Unpaired;

impl Doctor {
    pub(super) fn bases(&self) -> Vec<Check> {
        let folder = self.home.knowledge();
        let (bases, names) = match self.kb.all().and_then(|all| Ok((all, self.kb.names()?))) {
            Ok(found) => found,
            Err(error) => {
                let fix = Some("See that the folder exists and that you can read it.");
                let reason = error.to_string();
                let check = row("knowledge bases", CheckState::Error, &folder, &reason);
                return vec![Check { fix, ..check }];
            }
        };
        let documents: u64 = bases.iter().map(|base| base.document_count).sum();
        let found = format!("{} knowledge bases with {documents} documents", bases.len());
        let mut rows = vec![row("knowledge bases", CheckState::Ok, &folder, &found)];
        for base in bases.iter().filter(|base| !base.enabled) {
            let fix = Some("Run `coffer kb enable` with its name to use it again.");
            let reason = format!("`{}` is off: search leaves it out", base.name);
            rows.push(Check { fix, ..row("knowledge base", CheckState::Ok, &base.dir, &reason) });
        }
        for name in &names {
            rows.extend(self.kb_file(name));
            rows.extend(self.unpaired(name));
        }
        rows
    }

    fn kb_file(&self, name: &KbName) -> Option<Check> {
        let reason = self.kb.file_problem(name)?;
        let path = self.kb.absolute(name, KbPaths::FILE);
        Some(Check {
            fix: Some("Open the file and mend it; until then defaults stand in for what is odd."),
            ..row("kb.yaml", CheckState::Error, &path, &reason)
        })
    }

    /// Originals and documents of which a person took the other half away.
    fn unpaired(&self, name: &KbName) -> Vec<Check> {
        let Unpaired { originals, documents } = self.kb.unpaired(name).unwrap_or_default();
        let left = originals.first().map(|first| Check {
            fix: Some("Take them in again with `coffer kb add`, or delete them."),
            ..self.unpaired_row(
                name,
                &format!("{} originals have no document, `{first}` first", originals.len()),
            )
        });
        let lost = documents.first().map(|first| Check {
            fix: Some("Take the same files in again with `coffer kb add` to have them back."),
            ..self.unpaired_row(
                name,
                &format!(
                    "{} documents have lost their originals, `{first}` first",
                    documents.len()
                ),
            )
        });
        left.into_iter().chain(lost).collect()
    }

    fn unpaired_row(&self, name: &KbName, reason: &str) -> Check {
        row("originals", CheckState::Warning, &self.kb.absolute(name, KbPaths::RAW), reason)
    }
}
