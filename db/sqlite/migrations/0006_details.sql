-- What only one kind of record has, under the record's id. A column that ends
-- in _key is the text before it in the form in which equal texts are equal:
-- lower case, single spaces, no full stop at the end.
CREATE TABLE soul_details (
    agent TEXT NOT NULL,
    id    TEXT NOT NULL,
    type  TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE triple_details (
    agent         TEXT    NOT NULL,
    id            TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    subject_key   TEXT    NOT NULL,
    predicate     TEXT    NOT NULL,
    predicate_key TEXT    NOT NULL,
    object        TEXT    NOT NULL,
    object_key    TEXT    NOT NULL,
    confidence    REAL    NOT NULL,
    origin        TEXT    NOT NULL,
    multi         INTEGER NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX triples_by_subject   ON triple_details (agent, subject_key, predicate_key);
CREATE INDEX triples_by_predicate ON triple_details (agent, predicate_key);
CREATE INDEX triples_by_object    ON triple_details (agent, object_key);

CREATE TABLE procedure_details (
    agent            TEXT    NOT NULL,
    id               TEXT    NOT NULL,
    name             TEXT    NOT NULL,
    name_key         TEXT    NOT NULL,
    description      TEXT    NOT NULL,
    steps            TEXT    NOT NULL, -- JSON array of objects
    prerequisites    TEXT    NOT NULL, -- JSON array, as is the next
    success_criteria TEXT    NOT NULL,
    executed         INTEGER NOT NULL, -- times
    succeeded        INTEGER NOT NULL, -- times
    last_executed_at INTEGER,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX procedures_by_name ON procedure_details (agent, name_key);

-- One row an execution; run tells apart those of the same microsecond.
CREATE TABLE procedure_runs (
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL, -- of the procedure
    executed_at INTEGER NOT NULL,
    run         INTEGER NOT NULL,
    success     INTEGER NOT NULL,
    notes       TEXT    NOT NULL,
    PRIMARY KEY (agent, id, executed_at, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE relationship_details (
    agent               TEXT    NOT NULL,
    id                  TEXT    NOT NULL,
    party               TEXT    NOT NULL,
    party_key           TEXT    NOT NULL,
    name                TEXT    NOT NULL,
    type                TEXT    NOT NULL,
    type_key            TEXT    NOT NULL,
    trust               REAL    NOT NULL,
    tone                TEXT    NOT NULL,
    rationale           TEXT    NOT NULL,
    notes               TEXT    NOT NULL,
    interactions        INTEGER NOT NULL,
    first_met_at        INTEGER,
    last_interaction_at INTEGER,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX relationships_by_party ON relationship_details (agent, party_key);

CREATE TABLE diary_details (
    agent    TEXT NOT NULL,
    id       TEXT NOT NULL,
    date     TEXT NOT NULL, -- YYYY-MM-DD
    mood     TEXT NOT NULL,
    location TEXT NOT NULL,
    data     TEXT,          -- JSON object
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX diary_by_date ON diary_details (agent, date);

CREATE TABLE learning_details (
    agent   TEXT NOT NULL,
    id      TEXT NOT NULL,
    type    TEXT NOT NULL,
    context TEXT NOT NULL,
    tool    TEXT NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE summary_details (
    agent     TEXT    NOT NULL,
    id        TEXT    NOT NULL,
    summary_of TEXT   NOT NULL, -- a corpus
    focus     TEXT    NOT NULL,
    count     INTEGER NOT NULL, -- all that it stands for
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

-- The records or turns that a summary stands for directly.
CREATE TABLE summary_covers (
    agent    TEXT    NOT NULL,
    id       TEXT    NOT NULL, -- of the summary
    position INTEGER NOT NULL,
    covered  TEXT    NOT NULL,
    PRIMARY KEY (agent, id, position)
) STRICT, WITHOUT ROWID;

-- Records of a kind are listed by the time of their event.
DROP INDEX records_by_kind;
CREATE INDEX records_by_kind ON records (agent, kind, event_at);

-- What else an action needs to be taken back, JSON.
ALTER TABLE undos ADD COLUMN data TEXT;
