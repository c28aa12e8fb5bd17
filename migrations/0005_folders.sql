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

-- A folder's path is the document's without all that follows its last '/'.
CREATE TRIGGER document_comes AFTER INSERT ON documents BEGIN
    INSERT INTO folders (kind, resource_name, path, documents, chunks, bytes)
    VALUES (NEW.kind, NEW.resource_name, rtrim(NEW.path, replace(NEW.path, '/', '')), 1,
        NEW.chunk_count, NEW.size)
    ON CONFLICT DO UPDATE SET documents = documents + 1, chunks = chunks + excluded.chunks,
        bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER document_goes AFTER DELETE ON documents BEGIN
    UPDATE folders SET documents = documents - 1, chunks = chunks - OLD.chunk_count,
        bytes = bytes - OLD.size
    WHERE kind = OLD.kind AND resource_name = OLD.resource_name
        AND path = rtrim(OLD.path, replace(OLD.path, '/', ''));
    DELETE FROM folders
    WHERE kind = OLD.kind AND resource_name = OLD.resource_name
        AND path = rtrim(OLD.path, replace(OLD.path, '/', '')) AND documents = 0;
END;
-- Its path and its passages never change in place: a document that changed goes and comes.
CREATE TRIGGER document_grows AFTER UPDATE OF size ON documents WHEN OLD.size <> NEW.size BEGIN
    UPDATE folders SET bytes = bytes + NEW.size - OLD.size
    WHERE kind = NEW.kind AND resource_name = NEW.resource_name
        AND path = rtrim(NEW.path, replace(NEW.path, '/', ''));
END;

UPDATE documents SET chunk_count = (SELECT count(*) FROM chunks WHERE document_n = documents.n);
INSERT INTO folders (kind, resource_name, path, documents, chunks, bytes)
SELECT kind, resource_name, rtrim(path, replace(path, '/', '')), count(*), sum(chunk_count), sum(size)
FROM documents GROUP BY 1, 2, 3;
