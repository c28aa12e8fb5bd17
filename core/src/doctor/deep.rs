//! The proof: an index is filled from the files alone, beside the other one, and the two are
//! compared row by row.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};

use coffer_env::clock;

use super::checks::row;
use super::{Check, CheckState, Doctor};
use crate::error::{Error, Result};
use crate::index::{Fingerprint, Harm, Index, Part, ProblemRow, Scope, fingerprint, problems};
use crate::knowledge::{Knowledge, StoreRef};
use crate::models::Embedders;
use crate::vault::Dir;

/// So many differences have a row of their own.
const NAMED: usize = 100;
/// One index at a time is filled for comparison.
static TURN: Mutex<()> = Mutex::new(());

/// What a comparison found.
struct Compared {
    rows: u64,
    differ: BTreeSet<Part>,
}

impl Doctor {
    /// All checks, and the proof where it is wanted.
    pub fn look(&self, deep: bool) -> Vec<Check> {
        let mut rows = self.check();
        if deep {
            rows.extend(self.deep());
            rows.sort_by_key(|row| std::cmp::Reverse(row.state));
        }
        rows
    }

    /// Mends what can be mended, a sentence each, and looks again.
    pub fn mend_and_look(&self, deep: bool) -> (Vec<String>, Vec<Check>) {
        let mut mended = self.mend();
        if deep {
            mended.extend(self.mend_deep());
        }
        (mended, self.look(deep))
    }

    /// Whether the index is what the files give; a row for each part of it that is not.
    pub fn deep(&self) -> Vec<Check> {
        match self.compare() {
            Ok(Compared { rows, differ }) if differ.is_empty() => {
                let reason = format!("{rows} rows are what the files give");
                vec![row("index", CheckState::Ok, &self.home.database(), &reason)]
            }
            Ok(found) => self.name(&found.differ),
            Err(error) => {
                let fix = Some("See that the disk has room for a second index, and try again.");
                let path = self.home.database();
                vec![Check { fix, ..row("index", CheckState::Error, &path, &error.to_string()) }]
            }
        }
    }

    fn name(&self, differ: &BTreeSet<Part>) -> Vec<Check> {
        let fix =
            Some("Run `coffer doctor --deep --fix`: what differs is indexed again from the files.");
        let one = |path: &std::path::Path, reason: &str| Check {
            fix,
            fixable: true,
            ..row("index", CheckState::Error, path, reason)
        };
        let mut rows: Vec<Check> = differ
            .iter()
            .take(NAMED)
            .map(|Part { kind, store, path, what }| {
                let path = match path.as_str() {
                    "" => self.home.database(),
                    below => self.place(kind, store, below),
                };
                one(&path, &format!("its {what} in the index is not what the file gives"))
            })
            .collect();
        if differ.len() > NAMED {
            let reason = format!("{} more parts of the index differ", differ.len() - NAMED);
            rows.push(one(&self.home.database(), &reason));
        }
        rows
    }

    /// Fills the index again where it is not what the files give, the files that differ first and all
    /// of it only if that does not help; a sentence on how it went.
    fn mend_deep(&self) -> Option<String> {
        let differ = self.compare().ok()?.differ;
        let count = differ.len();
        if count == 0 {
            return None;
        }
        let is_mended = self.fill_parts(&differ)
            && self.compare().is_ok_and(|compared| compared.differ.is_empty());
        if is_mended {
            return Some(format!("indexed the files of {count} parts again"));
        }
        self.knowledge.index().empty(Harm::Derived);
        Some(match self.compare_all() {
            Ok(()) => format!("filled the index again: {count} parts were not what files give"),
            Err(error) => format!("the index could not be filled again: {error}"),
        })
    }

    /// Indexes some files again, and those whose rows do not belong together.
    pub(super) fn fill_parts(&self, parts: &BTreeSet<Part>) -> bool {
        self.knowledge.index().forget(parts).is_ok() && self.compare_all().is_ok()
    }

    /// Two looks: what was written between the filling of the one index and the reading of the
    /// other differs once, and harm differs twice.
    fn compare(&self) -> Result<Compared> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut compared = self.look_once()?;
        if !compared.differ.is_empty() {
            let again = self.look_once()?;
            compared.differ.retain(|part| again.differ.contains(part));
        }
        Ok(compared)
    }

    fn look_once(&self) -> Result<Compared> {
        self.compare_all()?;
        let waiting = self.knowledge.read(problems)?;
        // What waits for a person's word is known to differ.
        let is_certain = |store: &StoreRef| {
            let Scope { kind, name, .. } = &store.scope;
            let is_it = |row: &ProblemRow| row.kind == *kind && row.store == *name;
            !waiting.iter().any(|row| is_it(row) && row.path.is_empty())
        };
        let names = self.memory.names_on_disk()?;
        let bases = self.kb.opened()?.into_iter().map(|opened| opened.at);
        let stores = names.iter().map(|name| self.memory.store_ref(name)).chain(bases);
        let stores: Vec<StoreRef> = stores.filter(is_certain).collect();
        let files = self.fill(&stores)?;
        let live = self.knowledge.read(fingerprint)?;
        let is_asked = |part: &&Part| {
            let is_of = |Scope { kind, name, .. }: &Scope| {
                (part.kind.is_empty() || part.kind == *kind) && part.store == *name
            };
            part.store.is_empty() || stores.iter().any(|store| is_of(&store.scope))
        };
        let parts = live.keys().chain(files.keys()).filter(is_asked);
        let differ = parts.filter(|part| live.get(part) != files.get(part)).cloned().collect();
        Ok(Compared { rows: files.values().map(|(_, rows)| rows).sum(), differ })
    }

    /// What the files alone give.
    fn fill(&self, stores: &[StoreRef]) -> Result<Fingerprint> {
        let second = Second::new(self)?;
        let path = self.home.second_database();
        let index = Index::open(&path, clock::now()).map_err(Error::index)?;
        let knowledge = Knowledge::new(Arc::new(index), Embedders::off(), Arc::default());
        for store in stores {
            knowledge.reconcile(store)?;
        }
        let filled = knowledge.read(fingerprint);
        drop(knowledge);
        drop(second);
        filled
    }
}

/// The files of the second index, which go when they were compared.
struct Second {
    run: Dir,
    names: [String; 3],
}

impl Second {
    fn new(doctor: &Doctor) -> Result<Self> {
        let path = doctor.home.second_database();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let names = ["", "-wal", "-shm"].map(|end| format!("{name}{end}"));
        let second = Self { run: Dir::open(&doctor.home.run())?, names };
        second.remove();
        Ok(second)
    }

    fn remove(&self) {
        for name in &self.names {
            // What stays is swept by the next start.
            let _ = self.run.remove(name.as_ref());
        }
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use coffer_domain::fact::Author;
    use coffer_domain::store::StoreName;
    use coffer_env::Home;
    use coffer_env::clock::Stamp;

    use super::*;
    use crate::coffer::Coffer;
    use crate::index::{begin_set, complete_set, put_vectors, unembedded, vector_sets};
    use crate::memory::FactIn;

    /// Two facts with a vector each.
    fn filled(home: &Home) -> Coffer {
        let coffer = Coffer::open(home, |_| {}).unwrap();
        for title in ["walnut", "almond"] {
            let fact = FactIn { text: title, title: Some(title), ..FactIn::default() };
            let stamp = Stamp::new();
            coffer.memory.remember(&StoreName::Global, fact, &Author::USER, stamp).unwrap();
        }
        coffer.doctor.memory.warm_up().unwrap();
        let scope = coffer.doctor.memory.store_ref(&StoreName::Global).scope;
        let filled = coffer.doctor.knowledge.index().write(|tx| {
            let set = begin_set(tx, &scope, ("model", "{}"), 8)?;
            let passages = unembedded(tx, &scope, &set, (0, -1), 10)?;
            assert_eq!(passages.len(), 2);
            let passages: Vec<_> =
                passages.into_iter().map(|passage| (passage, Some(vec![0.5; 8]))).collect();
            put_vectors(tx, &set, &passages, false)?;
            complete_set(tx, &scope, &set)
        });
        assert!(filled.unwrap());
        coffer
    }

    fn waiting(coffer: &Coffer) -> Vec<String> {
        let found = coffer.doctor.knowledge.index().read(|db| {
            db.prepare("SELECT title FROM documents WHERE embed_pending = 1")?
                .query_map([], |row| row.get(0))?
                .collect()
        });
        found.unwrap()
    }

    #[test]
    fn only_what_differs_loses_its_vectors() {
        let walnut = "(SELECT n FROM documents WHERE title = 'walnut')";
        let scope = || Scope::new("memory", "global".to_owned(), String::new());
        let token = scope().token;
        for (sql, harm, expected) in [
            (
                format!("UPDATE documents SET metadata = '{{}}' WHERE n = {walnut}"),
                None,
                vec!["walnut"],
            ),
            (
                format!(
                    "INSERT INTO vec_chunks_{token}_1 (rowid, embedding, signs)
                     VALUES (99, zeroblob(32), vec_quantize_binary(zeroblob(32)))"
                ),
                Some(Harm::Rows),
                vec![],
            ),
            // A keyword index that lost track is emptied, and all vectors with it.
            (
                format!(
                    "DELETE FROM terms_fts WHERE rowid IN (SELECT n FROM chunks WHERE document_n = {walnut})"
                ),
                Some(Harm::Derived),
                vec![],
            ),
            (
                format!("DELETE FROM chunks WHERE document_n = {walnut}"),
                Some(Harm::Derived),
                vec![],
            ),
        ] {
            for is_start in [false, true] {
                let temp = tempfile::tempdir().unwrap();
                let coffer = filled(&Home::at(temp.path()));
                let index = coffer.doctor.knowledge.index();
                index.write(|tx| tx.execute_batch(&sql)).unwrap();
                assert_eq!(index.harm().unwrap(), harm, "{sql}");
                if is_start {
                    coffer.doctor.check_index();
                }
                let (_, rows) = coffer.doctor.mend_and_look(true);
                let index_rows: Vec<_> = rows.iter().filter(|row| row.check == "index").collect();
                assert!(
                    index_rows.iter().all(|row| row.state == CheckState::Ok),
                    "{sql}: {rows:?}"
                );
                assert_eq!(index.harm().unwrap(), None, "{sql}");
                assert_eq!(waiting(&coffer), expected, "{sql}");
                let kept = index.read(|db| vector_sets(db, &scope())).unwrap().len();
                assert_eq!(kept, usize::from(harm != Some(Harm::Derived)), "{sql}");
            }
        }
    }

    #[test]
    fn documents_of_a_knowledge_base_are_proven_too() {
        use crate::kb::{BasePatch, Incoming};
        use coffer_domain::kb::KbName;
        let temp = tempfile::tempdir().unwrap();
        let coffer = Coffer::open(&Home::at(temp.path()), |_| {}).unwrap();
        // A name that a store has, too.
        let name = KbName::parse("global").unwrap();
        let patch = BasePatch::default();
        coffer.kb.create(&name, &patch, &Author::USER, Stamp::new().now).unwrap();
        let incoming =
            Incoming { filename: "a.md".into(), bytes: b"walnut".to_vec(), source_path: None };
        coffer.kb.add(&name, incoming, false, &Author::USER, &Stamp::new()).unwrap();
        let fact = FactIn { text: "almond", ..FactIn::default() };
        coffer.memory.remember(&StoreName::Global, fact, &Author::USER, Stamp::new()).unwrap();
        let states = |rows: Vec<Check>| -> Vec<CheckState> {
            rows.into_iter().filter(|row| row.check == "index").map(|row| row.state).collect()
        };
        assert_eq!(states(coffer.doctor.deep()), [CheckState::Ok]);
        let index = coffer.doctor.knowledge.index();
        let harm = "UPDATE documents SET title = 'other' WHERE kind = 'knowledge_base'";
        index.write(|tx| tx.execute_batch(harm)).unwrap();
        let rows = coffer.doctor.deep();
        let path = temp.path().join("knowledge/global/docs");
        assert!(rows[0].path.as_ref().unwrap().starts_with(path.to_str().unwrap()), "{rows:?}");
        let (_, rows) = coffer.doctor.mend_and_look(true);
        assert_eq!(states(rows), [CheckState::Ok]);
    }
}
