-- One bank an agent. The agent comes first in every key, so that the tables
-- can be spread over machines by it. SQLite also gives each bank a number:
-- a document's seq is bank << 40 | n, hence one bank is one range of rowids
-- in every index, full-text indexes included.
CREATE TABLE banks (
    agent      TEXT    NOT NULL PRIMARY KEY,
    bank       INTEGER NOT NULL UNIQUE,
    last_seq   INTEGER NOT NULL,           -- of records and turns, never reused
    changes    INTEGER NOT NULL DEFAULT 0, -- committed writes; tells caches that they are stale
    rewrites   INTEGER NOT NULL DEFAULT 0, -- those after which a document is gone
    created_at INTEGER NOT NULL            -- all times: microseconds since 1970, UTC
) STRICT;

-- The first answer to a call that the caller may repeat.
CREATE TABLE idempotency_keys (
    agent      TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    result     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (agent, tool, key)
) STRICT, WITHOUT ROWID;

-- What an action set aside, so that it can be taken back.
CREATE TABLE undos (
    agent     TEXT    NOT NULL,
    id        TEXT    NOT NULL,
    action    TEXT    NOT NULL,
    records   TEXT    NOT NULL, -- JSON array of ids
    done_at   INTEGER NOT NULL,
    undone_at INTEGER,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;
