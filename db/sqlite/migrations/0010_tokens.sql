-- A token is looked up by its hash before the agent is known. Rows are never
-- removed: without any, a server is open.
CREATE TABLE tokens (
    agent      TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    hash       BLOB    NOT NULL, -- SHA-256 of the secret
    projects   TEXT    NOT NULL, -- JSON array
    read_only  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash);
