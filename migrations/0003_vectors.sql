-- Vectors, for those who turn them on. The numbers of a set live in a vec0 table of their own,
-- `vec_chunks_<store-scope>_<n>`, under the row ids of the passages. A new model gets a new set; the one
-- before answers until it is complete.
CREATE TABLE vector_sets (
    n             INTEGER PRIMARY KEY,
    kind          TEXT NOT NULL,
    resource_name TEXT NOT NULL,
    store_scope   TEXT NOT NULL,
    model         TEXT NOT NULL,           -- what makes vectors comparable
    settings      TEXT NOT NULL,           -- how to reach the model, JSON
    dimensions    INTEGER NOT NULL,
    complete      INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, resource_name, model)
) STRICT;
CREATE INDEX documents_to_embed ON documents (kind, resource_name, n) WHERE embed_pending = 1;
