CREATE TABLE records (
    seq              INTEGER PRIMARY KEY,
    agent            TEXT    NOT NULL,
    id               TEXT    NOT NULL,
    project          TEXT    NOT NULL,
    kind             TEXT    NOT NULL,
    category         TEXT    NOT NULL,
    category_guessed INTEGER NOT NULL,
    content          TEXT    NOT NULL,
    content_key      BLOB    NOT NULL, -- hash of what must be equal for a duplicate
    importance       REAL    NOT NULL,
    pinned           INTEGER NOT NULL,
    tags             TEXT    NOT NULL, -- JSON array
    source           TEXT    NOT NULL,
    external_id      TEXT    NOT NULL,
    metadata         TEXT,
    provenance       TEXT,
    created_at       INTEGER NOT NULL,
    occurred_at      INTEGER,
    event_at         INTEGER NOT NULL, -- occurred_at, else valid_from, else created_at
    valid_from       INTEGER,
    valid_until      INTEGER,
    supersedes       TEXT,
    superseded_by    TEXT,
    superseded_at    INTEGER,
    archived_at      INTEGER,
    archive_why      TEXT    NOT NULL DEFAULT '',
    confirmations    INTEGER NOT NULL DEFAULT 1,
    access_count     INTEGER NOT NULL DEFAULT 0,
    last_accessed_at INTEGER,
    UNIQUE (agent, id)
) STRICT;

CREATE INDEX records_by_content  ON records (agent, content_key);
CREATE INDEX records_by_category ON records (agent, category);
CREATE INDEX records_by_kind     ON records (agent, kind);
CREATE INDEX records_salient     ON records (agent, pinned DESC, importance DESC, access_count DESC)
    WHERE archived_at IS NULL AND superseded_by IS NULL;

-- Every name by which callers know a record; two names may mean one record.
CREATE TABLE record_names (
    agent       TEXT NOT NULL,
    external_id TEXT NOT NULL,
    id          TEXT NOT NULL,
    PRIMARY KEY (agent, external_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE episode_details (
    agent             TEXT NOT NULL,
    id                TEXT NOT NULL,
    participants      TEXT NOT NULL, -- JSON array
    outcome           TEXT NOT NULL,
    emotional_valence REAL NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

-- One row a record and session: a second recall in a session does not reinforce.
CREATE TABLE accesses (
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    session     TEXT    NOT NULL,
    accessed_at INTEGER NOT NULL,
    PRIMARY KEY (agent, id, session)
) STRICT, WITHOUT ROWID;
