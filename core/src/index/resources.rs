//! Mirrors of what the settings files of stores and knowledge bases say.

use coffer_domain::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

/// What a settings file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResourceRow {
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
}

/// Mirrors a settings file.
pub(crate) fn put_resource(db: &Connection, row: &ResourceRow) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO resources (kind, name, description, config, enabled, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT DO UPDATE SET description = excluded.description, config = excluded.config,
             enabled = excluded.enabled, created_at = excluded.created_at,
             updated_at = excluded.updated_at",
    )?
    .execute(params![
        row.kind,
        row.name,
        row.description,
        row.config,
        row.enabled,
        row.created_at.micros(),
        row.updated_at.micros(),
    ])
    .map(drop)
}

/// A mirror.
pub(crate) fn resource(
    db: &Connection,
    kind: &str,
    name: &str,
) -> rusqlite::Result<Option<ResourceRow>> {
    db.prepare_cached(
        "SELECT description, config, enabled, created_at, updated_at FROM resources
         WHERE kind = ?1 AND name = ?2",
    )?
    .query_row(params![kind, name], |row| {
        Ok(ResourceRow {
            kind: kind.to_owned(),
            name: name.to_owned(),
            description: row.get(0)?,
            config: row.get(1)?,
            enabled: row.get(2)?,
            created_at: Timestamp::from_micros(row.get(3)?),
            updated_at: Timestamp::from_micros(row.get(4)?),
        })
    })
    .optional()
}

/// The names of all mirrors of a kind, in order.
pub(crate) fn resource_names(db: &Connection, kind: &str) -> rusqlite::Result<Vec<String>> {
    db.prepare_cached("SELECT name FROM resources WHERE kind = ?1 ORDER BY name")?
        .query_map([kind], |row| row.get(0))?
        .collect()
}

/// Takes a mirror out; its documents go by `forget_resource`.
pub(crate) fn drop_resource(db: &Connection, kind: &str, name: &str) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM resources WHERE kind = ?1 AND name = ?2")?
        .execute(params![kind, name])
        .map(drop)
}
