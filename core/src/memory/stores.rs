//! Stores: making them, listing them from the mirrors, counting one, deleting one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use coffer_domain::fact::Author;
use coffer_domain::store::StoreName;
use coffer_domain::time::Timestamp;
use coffer_env::host_name;

use super::store_file::{StoreConfig, StoreFile};
use super::{KIND, Memory, audit_row, locked};
use crate::error::{Error, Result};
use crate::git;
use crate::index::{
    StoreRow, first_change, forget_resource, forget_store, put_store, store_rows, tally,
};
use crate::knowledge::{SettingsFile as _, StoreRef};
use crate::vault::{Dir, Expect, discard, walk};

/// When a store was made that neither says so nor has a document.
const NEVER: Timestamp = Timestamp::from_micros(0);

/// A store as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its name.
    pub name: StoreName,
    /// The project's folder on this machine, when known.
    pub project_root: Option<String>,
    /// The name that the person gave it.
    pub label: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Its folder, absolute.
    pub dir: PathBuf,
    /// Facts and topic documents, from the index.
    pub fact_count: u64,
    /// Its settings.
    pub config: StoreConfig,
    /// Whether recall, search and injection use it.
    pub enabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// The last change of a document or of the settings.
    pub updated_at: Timestamp,
}

impl Store {
    /// Label, else the project folder's name, else the store's name.
    pub fn display_name(&self) -> String {
        let folder = self.project_root.as_deref().and_then(|root| Path::new(root).file_name());
        match (&self.label, folder, &self.name) {
            (Some(label), ..) => label.clone(),
            (None, Some(folder), _) => folder.to_string_lossy().into_owned(),
            (None, None, StoreName::Global) => "Global".to_owned(),
            (None, None, name) => name.to_string(),
        }
    }
}

impl Memory {
    /// Makes a store that does not exist yet: its folder and `store.yaml`.
    pub(super) fn provision(
        &self,
        store: &StoreName,
        root: Option<&Path>,
        author: &Author,
        now: Timestamp,
    ) -> Result<()> {
        let at = self.store_ref(store);
        if at.found()?.map_or(Ok(None), |dir| dir.stat("store.yaml"))?.is_some() {
            return Ok(());
        }
        let dir = self.made(&at)?;
        let asked = locked(&self.0.roots).remove(store);
        let file = first_file(store, root.or(asked.as_deref()), now);
        match dir.write("store.yaml", file.render()?.as_bytes(), Expect::Absent) {
            // Somebody else made it in the same moment.
            Err(_) if dir.stat("store.yaml")?.is_some() => return Ok(()),
            other => other?,
        };
        self.mirror(store, &file, now);
        self.audit(&audit_row("resource_created", author, store, &[], now));
        self.changed(store);
        Ok(())
    }

    /// The folder of a store, made where there is none. Where Coffer's own folder is missing, or the
    /// index knows documents of the store, it is lost and not new, and nothing is made.
    pub(super) fn made(&self, at: &StoreRef) -> Result<Dir> {
        if let Some(dir) = at.found()? {
            return Ok(dir);
        }
        let known = self.knowledge().read(|db| tally(db, &at.scope, ""));
        if known.is_ok_and(|known| known.documents > 0) {
            // Another writer may have made it, and written, between the two looks.
            if let Some(dir) = at.found()? {
                return Ok(dir);
            }
            let reason = "the store's folder is gone; put it back, or reindex the store if you \
                deleted it"
                .to_owned();
            return Err(Error::Unavailable { action: "write to", path: at.root.clone(), reason });
        }
        let memory = self.0.home.memory();
        let below = at.root.strip_prefix(&memory).unwrap_or(&at.root);
        let parts = below.iter().filter_map(std::ffi::OsStr::to_str);
        parts.into_iter().try_fold(Dir::open(&memory)?, |dir, part| dir.make_at(part))
    }

    /// All stores, the global one first, then by display name.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn stores(&self) -> Result<Vec<Store>> {
        let rows = self.mirror_all()?;
        let mut stores: Vec<Store> =
            rows.into_iter().filter_map(|row| self.store_of_row(row)).collect();
        let key = |store: &Store| {
            let name = store.display_name().to_lowercase();
            (store.name != StoreName::Global, name, store.name.to_string())
        };
        stores.sort_by_cached_key(key);
        Ok(stores)
    }

    /// One store.
    ///
    /// # Errors
    ///
    /// No such store, or an index that cannot be read.
    pub fn store(&self, name: &StoreName) -> Result<Store> {
        let found = self.stores()?.into_iter().find(|store| store.name == *name);
        found.ok_or_else(|| Error::StoreNotFound(name.to_string()))
    }

    /// Deletes a store: its rows, then its folder, which goes to the system's trash where there is
    /// one and else to Coffer's own.
    ///
    /// # Errors
    ///
    /// No such store; files that cannot be moved.
    pub fn delete_store(&self, store: &StoreName, author: &Author, now: Timestamp) -> Result<()> {
        let snapshot = self.store(store)?;
        let at = self.store_ref(store);
        self.knowledge().alone(&at, || {
            // Rows first: a crash in between leaves a folder, which the next list takes up again,
            // and never rows that no folder explains.
            let forgotten = self.knowledge().index().write(|tx| {
                forget_resource(tx, &at.scope)?;
                forget_store(tx, &at.scope)
            });
            forgotten.map_err(Error::index)?;
            discard(&at.root, &self.0.home.trash(), now)
        })?;
        let mut audit = audit_row("resource_deleted", author, store, &[], now);
        audit.counts.insert("facts".to_owned(), snapshot.fact_count.cast_signed());
        self.audit(&audit);
        self.knowledge().forget(&at);
        locked(&self.0.files).remove(store);
        locked(&self.0.learned).remove(store);
        self.changed(store);
        Ok(())
    }

    fn store_of_row(&self, row: StoreRow) -> Option<Store> {
        let name = StoreName::parse(&row.name)?;
        let file = self.store_file(&name).ok().flatten()?;
        Some(Store {
            project_root: root_here(&file).or(row.project_root),
            label: file.label.clone(),
            description: file.description.clone(),
            dir: self.paths(&name).root().to_owned(),
            fact_count: row.facts,
            config: file.settings(),
            enabled: file.is_enabled(),
            created_at: row.created_at,
            updated_at: row.last_change.map_or(row.updated_at, |time| time.max(row.updated_at)),
            name,
        })
    }

    /// Brings the mirrors up to the folders (stores that were copied in, a `store.yaml` that was
    /// changed by hand or right before a crash, a mirror without folder and documents) and reads
    /// them.
    pub(crate) fn mirror_all(&self) -> Result<Vec<StoreRow>> {
        let mut rows = self.mirrors()?;
        // A store that is new has its documents indexed first, which its mirror then follows.
        for _ in 0..2 {
            if !self.mirror_drifts(&rows)? {
                break;
            }
            rows = self.mirrors()?;
        }
        Ok(rows)
    }

    /// Mends each mirror that says something else than its folder; whether there was one.
    fn mirror_drifts(&self, rows: &[StoreRow]) -> Result<bool> {
        let on_disk = self.names_on_disk()?;
        let mut drifted = false;
        for name in &on_disk {
            let known = rows.iter().find(|row| row.name == name.to_string());
            drifted |= self.mirror_drifted(name, known)?;
        }
        let names: HashSet<String> = on_disk.iter().map(StoreName::to_string).collect();
        let lost = |row: &&StoreRow| row.last_change.is_none() && !names.contains(&row.name);
        for name in rows.iter().filter(lost).filter_map(|row| StoreName::parse(&row.name)) {
            let scope = self.store_ref(&name).scope;
            drifted |= self.knowledge().index().write(|tx| forget_store(tx, &scope)).is_ok();
        }
        Ok(drifted)
    }

    /// Mirrors a store whose file says something else than its mirror; whether it did.
    fn mirror_drifted(&self, name: &StoreName, known: Option<&StoreRow>) -> Result<bool> {
        if known.is_none() && self.is_bare(name) {
            return Ok(false);
        }
        let file = self.store_file(name).ok().flatten().unwrap_or_default();
        let made = match file.created_at() {
            Some(said) => said,
            None => self.first_change(name)?.unwrap_or(NEVER),
        };
        let mut row = mirror_row(name, &file, made);
        if let Some(known) = known {
            row.facts = known.facts;
            row.last_change = known.last_change;
            if row == *known {
                return Ok(false);
            }
        }
        self.put_mirror(name, &row);
        if known.is_none() {
            self.knowledge().reconcile(&self.store_ref(name))?;
        }
        Ok(true)
    }

    fn first_change(&self, name: &StoreName) -> Result<Option<Timestamp>> {
        let scope = self.store_ref(name).scope;
        self.knowledge().read(|db| first_change(db, &scope))
    }

    /// Whether a folder holds nothing yet: the first write was cut off before it named the store.
    fn is_bare(&self, name: &StoreName) -> bool {
        let found = self.store_ref(name).dir().map(|dir| walk(&dir, &[""], |_| true));
        found.is_ok_and(|found| found.files.is_empty() && found.skipped.is_empty())
    }

    /// Compares every store with the index once.
    pub(crate) fn warm_up(&self) -> Result<()> {
        for row in self.mirror_all()? {
            if let Some(name) = StoreName::parse(&row.name) {
                self.knowledge().reconcile(&self.store_ref(&name))?;
            }
        }
        Ok(())
    }

    fn mirrors(&self) -> Result<Vec<StoreRow>> {
        self.knowledge().read(|db| store_rows(db, KIND))
    }

    /// The stores that have a folder.
    pub(crate) fn names_on_disk(&self) -> Result<Vec<StoreName>> {
        let mut names = Vec::new();
        if self.store_ref(&StoreName::Global).found()?.is_some() {
            names.push(StoreName::Global);
        }
        if let Some(projects) = Dir::find(&self.0.home.projects())? {
            let found = projects.folders()?;
            names.extend(found.iter().filter_map(|id| StoreName::parse(&format!("project-{id}"))));
        }
        Ok(names)
    }

    /// Writes a store's mirror; a failure heals at the next list.
    pub(super) fn mirror(&self, store: &StoreName, file: &StoreFile, now: Timestamp) {
        self.put_mirror(store, &mirror_row(store, file, now));
    }

    fn put_mirror(&self, store: &StoreName, row: &StoreRow) {
        if let Err(failure) = self.knowledge().index().write(|tx| put_store(tx, row)) {
            tracing::warn!(%store, ?failure, "the list of stores lags behind store.yaml");
        }
    }
}

/// What `store.yaml` says, as the tables mirror it; `made` counts where the file names no time.
fn mirror_row(store: &StoreName, file: &StoreFile, made: Timestamp) -> StoreRow {
    let created_at = file.created_at().unwrap_or(made);
    StoreRow {
        description: file.description.clone(),
        label: file.label.clone(),
        enabled: file.is_enabled(),
        project_root: root_here(file),
        created_at,
        updated_at: file.updated_at.as_deref().and_then(Timestamp::parse).unwrap_or(created_at),
        config: serde_json::to_string(&file.config).unwrap_or_else(|_| "{}".to_owned()),
        ..StoreRow::new(KIND, &store.to_string(), made)
    }
}

/// The folder of the project on this machine, the latest where there were several.
fn root_here(file: &StoreFile) -> Option<String> {
    file.roots_here().last().map(|root| root.to_string_lossy().into_owned())
}

fn first_file(store: &StoreName, root: Option<&Path>, now: Timestamp) -> StoreFile {
    let facts = root.and_then(git::facts);
    let mut file = StoreFile {
        project_id: Some(store.project_id().to_owned()),
        created_at: Some(now.whole_second().to_string()),
        updated_at: Some(now.whole_second().to_string()),
        remote: facts.as_ref().and_then(git::origin),
        root_commit: facts.as_ref().and_then(git::root_commit),
        ..StoreFile::default()
    };
    if let Some(root) = root {
        file.project_roots.insert(host_name(), vec![root.to_owned()]);
    }
    file
}
