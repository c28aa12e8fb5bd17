-- Lists and counts that cost no more in a large store: documents in their order below the first
-- folder of their path, and what each folder holds, kept by the transaction that changes it.
ALTER TABLE documents ADD COLUMN chunk_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN lane TEXT NOT NULL
    GENERATED ALWAYS AS (substr(path, 1, instr(path, '/'))) VIRTUAL;
DROP INDEX documents_by_time;
CREATE INDEX documents_by_time ON documents (kind, resource_name, lane, updated_at DESC, id DESC);

CREATE TABLE folders (
    kind          TEXT NOT NULL,
    resource_name TEXT NOT NULL,
    path          TEXT NOT NULL,           -- relative to the store, '/' at its end
    documents     INTEGER NOT NULL,        -- in it, not below it
    chunks        INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,        -- of their files
    PRIMARY KEY (kind, resource_name, path)
) STRICT, WITHOUT ROWID;

-- No trigger keeps it: a statement that fires one is a transaction of its own inside the other, for which
-- FTS5 writes down what it gathered, each time.
UPDATE documents SET chunk_count = (SELECT count(*) FROM chunks WHERE document_n = documents.n);
INSERT INTO folders (kind, resource_name, path, documents, chunks, bytes)
SELECT kind, resource_name, rtrim(path, replace(path, '/', '')), count(*), sum(chunk_count), sum(size)
FROM documents GROUP BY 1, 2, 3;
