-- A request belongs to the agent that asks and receives. The one that is asked
-- finds it by its own name, the only case of a row that two agents read.
CREATE TABLE links (
    agent             TEXT    NOT NULL,
    id                TEXT    NOT NULL,
    from_agent        TEXT    NOT NULL,
    message           TEXT    NOT NULL,
    kinds             TEXT    NOT NULL, -- JSON array, as is the next
    categories        TEXT    NOT NULL,
    since             INTEGER,
    shared_kinds      TEXT    NOT NULL, -- JSON array, as is the next
    shared_categories TEXT    NOT NULL,
    shared_since      INTEGER,
    note              TEXT    NOT NULL,
    status            TEXT    NOT NULL,
    requested_at      INTEGER NOT NULL,
    expires_at        INTEGER,
    decided_at        INTEGER,
    copied            INTEGER NOT NULL, -- records, as is the next
    skipped           INTEGER NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_from ON links (from_agent, id);

-- Which records are copies of another agent's.
CREATE TABLE record_origins (
    agent        TEXT NOT NULL,
    origin_agent TEXT NOT NULL,
    origin_id    TEXT NOT NULL,
    id           TEXT NOT NULL, -- of the copy
    link         TEXT NOT NULL, -- that it came by
    PRIMARY KEY (agent, origin_agent, origin_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX origins_by_link ON record_origins (agent, link, id);
CREATE INDEX origins_by_copy ON record_origins (agent, id);

-- Who changed what; rows are only ever added.
CREATE TABLE audit_log (
    agent   TEXT    NOT NULL,
    entry   INTEGER NOT NULL, -- counts up in a bank
    actor   TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    details TEXT,             -- JSON
    at      INTEGER NOT NULL,
    PRIMARY KEY (agent, entry)
) STRICT, WITHOUT ROWID;
