CREATE TABLE sessions (
    agent      TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    turns      INTEGER NOT NULL, -- the next turn's index
    created_at INTEGER NOT NULL,
    PRIMARY KEY (agent, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
    seq         INTEGER PRIMARY KEY,
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    project     TEXT    NOT NULL,
    session     TEXT    NOT NULL,
    turn_index  INTEGER NOT NULL,
    role        TEXT    NOT NULL,
    speaker     TEXT    NOT NULL,
    content     TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    metadata    TEXT,
    said_at     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    archived_at INTEGER,
    UNIQUE (agent, session, turn_index),
    UNIQUE (agent, id)
) STRICT;

CREATE UNIQUE INDEX turns_by_external_id ON turns (agent, session, external_id) WHERE external_id <> '';
