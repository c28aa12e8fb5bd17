//! The passages nearest to a vector.

use rusqlite::{Connection, params};

use super::{VectorSet, bytes};
use crate::index::Scope;
use crate::index::ranges::range;

/// Below so many vectors all are compared; above, their signs choose which ones are.
const FEW: i64 = 2_000;
/// So many times the wanted number are compared after the signs chose them.
const OVERSAMPLE: u32 = 4;

/// The passages nearest to a vector, the nearest first, each with its cosine, -1 to 1.
pub(crate) fn nearest(
    db: &Connection,
    scope: &Scope,
    set: &VectorSet,
    vector: &[f32],
    limit: u32,
) -> rusqlite::Result<Vec<(i64, f64)>> {
    let table = &set.table;
    let sql = if set.has_signs() && has_many(db, scope)? {
        format!(
            "WITH near AS MATERIALIZED (
                 SELECT rowid AS n FROM {table} WHERE signs MATCH vec_quantize_binary(?1) AND k = ?3)
             SELECT v.rowid, vec_distance_cosine(v.embedding, ?1) AS distance
             FROM near CROSS JOIN {table} v ON v.rowid = near.n ORDER BY distance, v.rowid LIMIT ?2"
        )
    } else {
        format!(
            "SELECT rowid, distance FROM {table} WHERE embedding MATCH ?1 AND k = ?2 AND ?3
             ORDER BY distance"
        )
    };
    db.prepare_cached(&sql)?
        .query_map(params![bytes(vector), limit, limit * OVERSAMPLE], |row| {
            Ok((row.get(0)?, 1.0 - row.get::<_, f64>(1)?))
        })?
        .collect()
}

pub(super) fn has_many(db: &Connection, scope: &Scope) -> rusqlite::Result<bool> {
    let Some((first, last)) = range(db, scope)? else { return Ok(false) };
    db.prepare_cached("SELECT 1 FROM chunks WHERE n BETWEEN ?1 AND ?2 LIMIT 1 OFFSET ?3")?
        .exists(params![first, last, FEW])
}
