-- The derived index (documents, chunks, the keyword indexes, signatures), the mirrors of what
-- store.yaml says, and the history that lives in SQLite alone.

-- One row per indexed Markdown file, of stores and knowledge bases alike.
CREATE TABLE documents (
    n              INTEGER PRIMARY KEY,
    id             TEXT NOT NULL,
    kind           TEXT NOT NULL,
    resource_name  TEXT NOT NULL,
    project_id     TEXT NOT NULL,
    path           TEXT NOT NULL,           -- relative to the store, '/' between parts
    title          TEXT NOT NULL,
    description    TEXT,
    content_sha256 TEXT NOT NULL,           -- of the body
    embed_pending  INTEGER NOT NULL DEFAULT 0,
    claimed_id     TEXT NOT NULL,           -- the id that the file carries or, without one, derives
    source_mode    TEXT NOT NULL DEFAULT 'native',
    metadata       TEXT NOT NULL DEFAULT '{}',
    created_at     INTEGER NOT NULL,        -- microseconds since 1970, UTC
    updated_at     INTEGER NOT NULL,
    -- The stat gate: a file whose stat is as recorded is not read again.
    file_sha256    TEXT NOT NULL,           -- of the whole file
    size           INTEGER NOT NULL,
    mtime_ns       INTEGER NOT NULL,
    ctime_ns       INTEGER NOT NULL,
    inode          INTEGER NOT NULL,
    checked_ns     INTEGER NOT NULL,        -- when the file was read; see the racy window
    stale          INTEGER NOT NULL DEFAULT 0, -- its file could not be read since
    UNIQUE (kind, resource_name, id),
    UNIQUE (kind, resource_name, path)
) STRICT;
CREATE INDEX documents_by_time ON documents (kind, resource_name, updated_at DESC, id DESC);
CREATE INDEX documents_by_project ON documents (project_id);
CREATE INDEX documents_by_claim ON documents (kind, resource_name, claimed_id);

-- Stores by number: the passages of one have row ids of one range, by which the keyword indexes are
-- asked for that store alone.
CREATE TABLE scopes (
    n             INTEGER PRIMARY KEY,
    kind          TEXT NOT NULL,
    resource_name TEXT NOT NULL,
    UNIQUE (kind, resource_name)
) STRICT;

-- One row per passage; its text lives in documents_fts, under the same rowid.
CREATE TABLE chunks (
    n             INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,     -- '<store-scope>:<doc-id>:<position>'
    document_n    INTEGER NOT NULL,
    document_id   TEXT NOT NULL,
    kind          TEXT NOT NULL,
    resource_name TEXT NOT NULL,
    position      INTEGER NOT NULL,
    heading_path  TEXT NOT NULL,
    line_start    INTEGER NOT NULL,         -- in the file, 1-based
    line_end      INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_by_document ON chunks (document_n, position);

-- Substrings.
CREATE VIRTUAL TABLE documents_fts USING fts5 (
    text, resource_name UNINDEXED, chunk_id UNINDEXED, tokenize = 'trigram'
);

-- Ranked terms over pre-cut text.
CREATE VIRTUAL TABLE terms_fts USING fts5 (
    title, heading, body, parts, neighbors,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- MinHash bands of memory documents, for the near-duplicate report.
CREATE TABLE signatures (
    band       INTEGER NOT NULL,
    document_n INTEGER NOT NULL,
    PRIMARY KEY (band, document_n)
) STRICT, WITHOUT ROWID;
CREATE INDEX signatures_by_document ON signatures (document_n);

-- Files that could not be indexed, until they can.
CREATE TABLE problems (
    kind          TEXT NOT NULL,
    resource_name TEXT NOT NULL,
    path          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    PRIMARY KEY (kind, resource_name, path)
) STRICT;

-- Mirrors of store.yaml.
CREATE TABLE resources (
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT,
    config      TEXT NOT NULL DEFAULT '{}',
    enabled     INTEGER NOT NULL DEFAULT 1,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT;
CREATE TABLE memory_store_project_roots (
    store_name   TEXT PRIMARY KEY,
    project_root TEXT NOT NULL
) STRICT;
CREATE TABLE memory_store_labels (
    store_name TEXT PRIMARY KEY,
    label      TEXT NOT NULL
) STRICT;

-- History: in SQLite alone, never content.
CREATE TABLE audit_events (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    event  TEXT NOT NULL,
    actor  TEXT NOT NULL,
    store  TEXT,
    ids    TEXT NOT NULL DEFAULT '[]',
    counts TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE TABLE mcp_invocations (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    tool        TEXT NOT NULL,
    agent       TEXT,
    session     TEXT,
    started_at  INTEGER NOT NULL,
    duration_us INTEGER NOT NULL,
    outcome     TEXT NOT NULL
) STRICT;
CREATE TABLE usage (
    day        TEXT NOT NULL,
    agent      TEXT NOT NULL,
    recalls    INTEGER NOT NULL DEFAULT 0,
    writes     INTEGER NOT NULL DEFAULT 0,
    injections INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, agent)
) STRICT;
CREATE TABLE jobs (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    store       TEXT,
    state       TEXT NOT NULL,
    done        INTEGER NOT NULL DEFAULT 0,
    total       INTEGER,
    result      TEXT,
    error       TEXT,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
CREATE INDEX jobs_by_time ON jobs (created_at DESC);
