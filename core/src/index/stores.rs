//! Mirrors of what each `store.yaml` says, so that lists need no files.

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, params};

use super::Scope;
use super::resources::{ResourceRow, drop_resource, put_resource};

/// One store as the tables mirror it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoreRow {
    /// `memory` or `knowledge_base`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// JSON of its settings.
    pub config: String,
    /// Whether recall, search and injection use it.
    pub enabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its settings last changed.
    pub updated_at: Timestamp,
    /// The project's folder on this machine.
    pub project_root: Option<String>,
    /// The name that the person gave it.
    pub label: Option<String>,
    /// Documents of its knowledge lane, when read from the tables.
    pub facts: u64,
    /// The last change of a document, when read from the tables.
    pub last_change: Option<Timestamp>,
}

impl StoreRow {
    /// A store without settings.
    pub(crate) fn new(kind: &str, name: &str, now: Timestamp) -> Self {
        Self {
            kind: kind.to_owned(),
            name: name.to_owned(),
            description: None,
            config: "{}".to_owned(),
            enabled: true,
            created_at: now,
            updated_at: now,
            project_root: None,
            label: None,
            facts: 0,
            last_change: None,
        }
    }
}

impl StoreRow {
    /// The part that every resource has.
    fn resource(&self) -> ResourceRow {
        ResourceRow {
            kind: self.kind.clone(),
            name: self.name.clone(),
            description: self.description.clone(),
            config: self.config.clone(),
            enabled: self.enabled,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// Mirrors a store.
pub(crate) fn put_store(db: &Connection, row: &StoreRow) -> rusqlite::Result<()> {
    put_resource(db, &row.resource())?;
    side_table(
        db,
        "memory_store_project_roots",
        "project_root",
        &row.name,
        row.project_root.as_deref(),
    )?;
    side_table(db, "memory_store_labels", "label", &row.name, row.label.as_deref())
}

fn side_table(
    db: &Connection,
    table: &str,
    column: &str,
    name: &str,
    value: Option<&str>,
) -> rusqlite::Result<()> {
    match value {
        Some(value) => db
            .prepare_cached(&format!(
                "INSERT INTO {table} (store_name, {column}) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET {column} = excluded.{column}"
            ))?
            .execute(params![name, value])?,
        None => db
            .prepare_cached(&format!("DELETE FROM {table} WHERE store_name = ?1"))?
            .execute([name])?,
    };
    Ok(())
}

/// Takes a store out of the mirrors; its documents go by `forget_resource`.
pub(crate) fn forget_store(db: &Connection, scope: &Scope) -> rusqlite::Result<()> {
    drop_resource(db, scope.kind, &scope.name)?;
    side_table(db, "memory_store_project_roots", "project_root", &scope.name, None)?;
    side_table(db, "memory_store_labels", "label", &scope.name, None)
}

/// All stores of a kind by name, with the count of their knowledge lane.
pub(crate) fn store_rows(db: &Connection, kind: &str) -> rusqlite::Result<Vec<StoreRow>> {
    db.prepare_cached(
        "SELECT r.kind, r.name, r.description, r.config, r.enabled, r.created_at, r.updated_at,
                p.project_root, l.label,
                (SELECT max((SELECT updated_at FROM documents
                             WHERE kind = f.kind AND resource_name = f.resource_name
                                 AND lane = substr(f.path, 1, instr(f.path, '/'))
                             ORDER BY updated_at DESC, id DESC LIMIT 1))
                 FROM folders f WHERE f.kind = r.kind AND f.resource_name = r.name),
                (SELECT coalesce(sum(documents), 0) FROM folders
                 WHERE kind = r.kind AND resource_name = r.name
                     AND path >= 'knowledge/' AND path < 'knowledge0')
         FROM resources r
         LEFT JOIN memory_store_project_roots p ON p.store_name = r.name
         LEFT JOIN memory_store_labels l ON l.store_name = r.name
         WHERE r.kind = ?1 ORDER BY r.name",
    )?
    .query_map([kind], |row| {
        Ok(StoreRow {
            kind: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            config: row.get(3)?,
            enabled: row.get(4)?,
            created_at: Timestamp::from_micros(row.get(5)?),
            updated_at: Timestamp::from_micros(row.get(6)?),
            project_root: row.get(7)?,
            label: row.get(8)?,
            last_change: row.get::<_, Option<i64>>(9)?.map(Timestamp::from_micros),
            facts: row.get::<_, i64>(10)?.cast_unsigned(),
        })
    })?
    .collect()
}
