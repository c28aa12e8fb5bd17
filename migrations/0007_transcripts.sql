-- What was found out about sessions of agents, so that none is read twice: never their words, but for a
-- title without secrets. Not derived from Coffer's files; a source that changed is read again.
CREATE TABLE transcripts (
    n                INTEGER PRIMARY KEY,
    format           TEXT NOT NULL,
    root             TEXT NOT NULL,           -- the agent's folder
    path             TEXT NOT NULL,           -- the file, relative to it
    part             TEXT NOT NULL,           -- the session in a file that holds many, else empty
    size             INTEGER NOT NULL,        -- with the next two: the same source has the same
    mtime_ns         INTEGER NOT NULL,
    inode            INTEGER NOT NULL,
    reading          INTEGER NOT NULL,        -- which way of reading found it out
    state            TEXT NOT NULL,
    session_id       TEXT NOT NULL,
    title            TEXT,
    project_path     TEXT,
    message_count    INTEGER NOT NULL,
    started_at       INTEGER,
    last_activity_at INTEGER,
    git_branch       TEXT,
    agent_version    TEXT,
    forked_from      TEXT,
    opening          INTEGER,
    unknown          INTEGER NOT NULL,
    UNIQUE (format, root, path, part)
) STRICT;
