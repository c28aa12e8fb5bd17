-- A document of a knowledge base is found by the name, and by the place, of its original.
CREATE INDEX documents_by_original
    ON documents (kind, resource_name, json_extract(metadata, '$.original_filename'))
    WHERE json_extract(metadata, '$.original_filename') IS NOT NULL;
CREATE INDEX documents_by_source
    ON documents (kind, resource_name, json_extract(metadata, '$.source_path'))
    WHERE json_extract(metadata, '$.source_path') IS NOT NULL;
