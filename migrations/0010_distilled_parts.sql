-- Each part of a session that was distilled, not the last one alone: a session that was shortened is known all
-- the same, and so are words that another session says again. Not derived: of it, what journal entries carry is
-- found again in them.
ALTER TABLE distilled_sessions RENAME TO distilled_before;
CREATE TABLE distilled_sessions (
    agent           TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    content_sha256  TEXT NOT NULL,            -- of the turns that were read
    last_message_id TEXT NOT NULL,            -- the last ones that were read, a blank between
    distilled_at    INTEGER NOT NULL,
    insights        INTEGER NOT NULL,
    PRIMARY KEY (agent, session_id, content_sha256)
) STRICT;
INSERT INTO distilled_sessions
SELECT agent, session_id, content_sha256, coalesce(last_message_id, ''), distilled_at, insights
FROM distilled_before;
DROP TABLE distilled_before;
CREATE INDEX distilled_sessions_content ON distilled_sessions (content_sha256);
