-- What the engine cost, by day: the daily cap counts against it.
CREATE TABLE engine_days (
    day    TEXT PRIMARY KEY,                  -- YYYY-MM-DD, UTC
    tokens INTEGER NOT NULL,
    calls  INTEGER NOT NULL
) STRICT;
