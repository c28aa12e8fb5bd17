//! What the engine cost.

use rusqlite::{Connection, OptionalExtension as _, params};

/// Adds to what a day cost: tokens, and one call.
pub(crate) fn add_tokens(db: &Connection, day: &str, tokens: u64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO engine_days (day, tokens, calls) VALUES (?1, ?2, 1)
         ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, calls = calls + 1",
    )?
    .execute(params![day, tokens.cast_signed()])?;
    Ok(())
}

/// The tokens of a day.
pub(crate) fn tokens_of(db: &Connection, day: &str) -> rusqlite::Result<u64> {
    let tokens = db
        .prepare_cached("SELECT tokens FROM engine_days WHERE day = ?1")?
        .query_row([day], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(tokens.unwrap_or_default().cast_unsigned())
}
