-- Each part of a session that was distilled, not the last one alone: a session that was shortened is known all
-- the same, and so are words that another session says again. Not derived: of it, what journal entries carry is
-- found again in them.
CREATE TABLE distilled_parts (
    agent           TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    content_sha256  TEXT NOT NULL,            -- of the turns that were read
    positions       TEXT NOT NULL,            -- of the last turns that were read, a blank between
    distilled_at    INTEGER NOT NULL,
    insights        INTEGER NOT NULL,
    PRIMARY KEY (agent, session_id, content_sha256)
) STRICT;
CREATE INDEX distilled_parts_content ON distilled_parts (content_sha256);

INSERT INTO distilled_parts (agent, session_id, content_sha256, positions, distilled_at, insights)
SELECT agent, session_id, content_sha256, coalesce(last_message_id, ''), distilled_at, insights
FROM distilled_sessions;
DROP TABLE distilled_sessions;
