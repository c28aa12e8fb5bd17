//! Purging: a text is taken out of everything that Coffer keeps, and a second look says what is left.
//! What that look cannot prove is told, too.
//!
//! Files first, each whole at every moment, then the database, which is written anew at the end. What
//! is to be taken out stands in a record of its own until then, so that a purge that was cut off goes
//! on at the next start. This is the one change that archives nothing.

mod files;
mod finder;
mod forms;
mod places;
mod record;
mod survey;
mod text;

use std::sync::Arc;

use coffer_domain::fact::Author;
use coffer_domain::id::Id;
use coffer_domain::time::Timestamp;
use coffer_env::Home;

use crate::config::Settings;
use crate::error::{Error, Result};
use crate::index::{AuditRow, HistoryFilter, audit, held, scrub, settle};
use crate::kb::KnowledgeBases;
use crate::knowledge::{Knowledge, Progress};
use crate::memory::Memory;
use crate::vault::Dir;
use files::rename_folders;
use finder::Finder;
use record::{Record, Records};
use survey::{Survey, everything};
use text::clean_text;

pub use finder::Wanted;

/// What is written while it is purged is met in another round.
const ROUNDS: usize = 3;

/// A purge, as the tables of jobs know it: what is to be taken out is told by a record only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurgeRequest {
    /// The record.
    pub record: Id,
    /// Whether nothing is changed.
    pub dry_run: bool,
}

/// How often a text was in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emptied {
    /// The place, in plain words.
    pub place: String,
    /// Files that held it.
    pub files: u64,
    /// How often they did.
    pub occurrences: u64,
    /// Its files go as a whole, all of them, since their bytes do not show whether they hold it.
    pub is_deleted: bool,
}

/// What a purge did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purged {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Where the text was.
    pub places: Vec<Emptied>,
    /// How often it is still there, by a second look at every file but those told in `unreachable`,
    /// and at every row of the database.
    pub remaining: u64,
    /// Paths where it is still or may be, since nothing can be proven there, and why.
    pub unreachable: Vec<(String, String)>,
}

/// Paths and reasons.
#[derive(Default)]
struct Unreachable(Vec<(String, String)>);

impl Unreachable {
    /// Adds a path, once for each reason.
    fn add(&mut self, path: &str, reason: impl Into<String>) {
        let row = (path.to_owned(), reason.into());
        if !self.0.contains(&row) {
            self.0.push(row);
        }
    }
}

/// The one who purges a home.
#[derive(Clone)]
pub struct Purge {
    home: Home,
    settings: Settings,
    knowledge: Arc<Knowledge>,
    memory: Memory,
    kb: KnowledgeBases,
}

impl Purge {
    /// Over what is open.
    pub(crate) fn new(
        home: Home,
        settings: Settings,
        knowledge: Arc<Knowledge>,
        (memory, kb): (&Memory, &KnowledgeBases),
    ) -> Self {
        let (memory, kb) = (memory.clone(), kb.clone());
        Self { home, settings, knowledge, memory, kb }
    }

    /// Writes down what is to be purged, for the job that does it.
    ///
    /// # Errors
    ///
    /// `Refused`, `BadPattern`; a record that cannot be written.
    pub fn prepare(&self, wanted: Wanted, dry_run: bool, id: Id) -> Result<PurgeRequest> {
        Finder::new(&wanted, &[], &self.settings.secrets())?;
        let record = Record { wanted, dry_run, names: Vec::new() };
        Records::of(&self.home)?.add(&id, &record)?;
        Ok(PurgeRequest { record: id, dry_run })
    }

    /// The purge failed, or will never be: what was to be purged is forgotten.
    pub fn forget(&self, request: &PurgeRequest) {
        let removed = Records::of(&self.home).and_then(|records| records.remove(&request.record));
        if let Err(error) = removed {
            tracing::warn!(%error, "the record of a purge stays until the next start");
        }
    }

    /// Purges that a dead process was asked for.
    pub(crate) fn waiting(&self) -> Vec<PurgeRequest> {
        let Ok(records) = Records::of(&self.home) else { return Vec::new() };
        let request = |id: Id| {
            let dry_run = records.get(&id).ok()??.dry_run;
            Some(PurgeRequest { record: id, dry_run })
        };
        records.ids().into_iter().filter_map(request).collect()
    }

    /// Purges, or says what a purge would meet. `progress` is told files looked at and in all, and
    /// ends the work by `false`; what is out by then stays out.
    ///
    /// # Errors
    ///
    /// A record or a database that cannot be read or written; `Cancelled`.
    pub fn run(
        &self,
        request: &PurgeRequest,
        now: Timestamp,
        progress: Progress<'_>,
    ) -> Result<Purged> {
        let records = Records::of(&self.home)?;
        let Some(mut record) = records.get(&request.record)? else {
            return Ok(done_before(request));
        };
        let finder = Finder::new(&record.wanted, &record.names, &self.settings.secrets())?;
        let before = self.survey(&finder, &mut Steps::new(progress, request.dry_run))?;
        let places = before.rows();
        if request.dry_run {
            records.remove(&request.record)?;
            return Ok(self.report(request, places, before, &finder));
        }
        record.names.extend(before.parts.iter().cloned());
        records.note(&request.record, &record)?;
        let finder = Finder::new(&record.wanted, &record.names, &self.settings.secrets())?;
        let after = self.empty(&finder, progress)?;
        self.audit(&places, after.total(), now);
        // Before anybody hears of the end: the record holds the text itself.
        records.remove(&request.record)?;
        Ok(self.report(request, places, after, &finder))
    }

    /// Takes it out until a look finds nothing, or no less than before.
    fn empty(&self, finder: &Finder, progress: Progress<'_>) -> Result<Survey> {
        let mut steps = Steps::new(progress, false);
        let mut left = u64::MAX;
        for round in 1.. {
            let mut unreachable = Unreachable::default();
            self.purge_files(finder, &mut unreachable, &mut steps)?;
            self.purge_index(finder)?;
            let mut after = self.survey(finder, &mut steps)?;
            let total = after.total();
            if total == 0 || total >= left || round == ROUNDS {
                after.unreachable.0.extend(unreachable.0);
                return Ok(after);
            }
            left = total;
        }
        Err(Error::Internal("a purge without an end".to_owned()))
    }

    fn purge_files(
        &self,
        finder: &Finder,
        left: &mut Unreachable,
        steps: &mut Steps<'_>,
    ) -> Result<()> {
        let root = Dir::open(self.home.root())?;
        let found = everything(&root);
        for file in &found.files {
            steps.next(found.files.len())?;
            self.treat(&root, &file.path, finder, left);
        }
        rename_folders(&root, &found, finder, left);
        Ok(())
    }

    /// Brings the index up to the files, takes the text out of the history, and writes the database
    /// anew.
    fn purge_index(&self, finder: &Finder) -> Result<()> {
        // Stores that cannot be read now are told by their files.
        let _ = (self.memory.warm_up(), self.kb.warm_up());
        let index = self.knowledge.index();
        let changed = index.write(|tx| {
            let replace = |text: &str| clean_text(text, finder);
            let changed = scrub(tx, &|text| finder.count(text), &replace)?;
            settle(tx)?;
            Ok(changed)
        });
        let changed = changed.map_err(Error::index)?;
        tracing::info!(rows = changed, "the database is written anew for a purge");
        index.vacuum().map_err(Error::index)?;
        for store in self.memory.names_on_disk()? {
            self.memory.changed(&store);
        }
        self.kb.names()?.iter().for_each(|name| self.kb.changed(name));
        Ok(())
    }

    /// Looks at everything.
    fn survey(&self, finder: &Finder, steps: &mut Steps<'_>) -> Result<Survey> {
        let root = Dir::open(self.home.root())?;
        let found = everything(&root);
        let mut survey = Survey::default();
        for file in &found.files {
            steps.next(found.files.len())?;
            survey.look_at(&root, &file.path, finder);
        }
        survey.look_around(&found, finder);
        let held = self.knowledge.read(|db| held(db, &|text| finder.count(text)))?;
        let mut raw = 0;
        let shown = self.knowledge.index().raw(finder.reach(), |part| {
            raw += finder.count_raw(part) as u64;
        });
        shown.map_err(Error::index)?;
        survey.add_database((held.index + held.history, raw), finder);
        Ok(survey)
    }

    fn report(
        &self,
        request: &PurgeRequest,
        places: Vec<Emptied>,
        after: Survey,
        finder: &Finder,
    ) -> Purged {
        let remaining = after.total();
        let mut unreachable = after.unreachable;
        let exported = HistoryFilter {
            limit: 1,
            event: Some("exported".to_owned()),
            ..HistoryFilter::default()
        };
        if self.knowledge.read(|db| audit(db, &exported)).is_ok_and(|rows| !rows.is_empty()) {
            let reason = "archives that were exported may hold it; delete or purge them yourself";
            unreachable.add("exports", reason);
        }
        // A report must not say what was purged.
        let said = |text: String| clean_text(&text, finder).unwrap_or(text);
        let unreachable =
            unreachable.0.into_iter().map(|(path, why)| (said(path), said(why))).collect();
        Purged { dry_run: request.dry_run, places, remaining, unreachable }
    }

    fn audit(&self, places: &[Emptied], remaining: u64, now: Timestamp) {
        let sum = |of: fn(&Emptied) -> u64| places.iter().map(of).sum::<u64>().cast_signed();
        let counts = [
            ("files", sum(|row| row.files)),
            ("occurrences", sum(|row| row.occurrences)),
            ("remaining", remaining.cast_signed()),
        ];
        self.memory.audit(&AuditRow {
            seq: 0,
            at: now,
            event: "purged".to_owned(),
            actor: Author::USER.name().to_owned(),
            store: None,
            ids: Vec::new(),
            counts: counts.map(|(name, count)| (name.to_owned(), count)).into(),
        });
    }
}

/// A purge whose record is gone had ended, and only its job does not know.
fn done_before(request: &PurgeRequest) -> Purged {
    let reason = "the program was cut off after the purge; what it met is no longer known";
    let unreachable = vec![("report".to_owned(), reason.to_owned())];
    Purged { dry_run: request.dry_run, places: Vec::new(), remaining: 0, unreachable }
}

/// How far it is: files looked at, of those that are to be.
struct Steps<'a> {
    progress: Progress<'a>,
    done: u64,
    /// How often each file is looked at.
    looks: u64,
}

impl<'a> Steps<'a> {
    fn new(progress: Progress<'a>, once: bool) -> Self {
        Self { progress, done: 0, looks: if once { 1 } else { 2 } }
    }

    fn next(&mut self, files: usize) -> Result<()> {
        self.done += 1;
        let total = (files as u64 * self.looks).max(self.done);
        if (self.progress)(self.done, total) { Ok(()) } else { Err(Error::Cancelled) }
    }
}

#[cfg(test)]
mod tests;
