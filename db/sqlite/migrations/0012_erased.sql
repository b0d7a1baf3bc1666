-- What was erased on purpose, by the hash of what it said, so that an import of
-- an old file does not bring it back.
CREATE TABLE erased (
    agent       TEXT    NOT NULL,
    content_key BLOB    NOT NULL, -- as in records
    erased_at   INTEGER NOT NULL,
    PRIMARY KEY (agent, content_key)
) STRICT, WITHOUT ROWID;
