-- Which sessions of agents were distilled, and which ended and wait for it. Not derived: of the first, what
-- journal entries carry is found again in them.
CREATE TABLE distilled_sessions (
    agent           TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    content_sha256  TEXT NOT NULL,            -- of the turns that were read
    last_message_id TEXT,                     -- where the next reading goes on
    distilled_at    INTEGER NOT NULL,
    insights        INTEGER NOT NULL,
    PRIMARY KEY (agent, session_id)
) STRICT;

CREATE TABLE ended_sessions (
    n          INTEGER PRIMARY KEY,
    agent      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    cwd        TEXT NOT NULL,
    ended_at   INTEGER NOT NULL,
    UNIQUE (agent, session_id)
) STRICT;
