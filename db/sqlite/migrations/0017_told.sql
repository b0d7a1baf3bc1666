-- What agents were given of their banks, for some weeks: by reference, never a copy.
CREATE TABLE told (
    agent   TEXT    NOT NULL,
    id      TEXT    NOT NULL, -- in order of time
    project TEXT    NOT NULL,
    session TEXT    NOT NULL,
    via     TEXT    NOT NULL,
    query   TEXT    NOT NULL,
    results TEXT    NOT NULL, -- JSON: [{id, score}]
    tokens  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;
