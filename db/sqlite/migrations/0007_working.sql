-- 1: the turn has a row in turn_details; 2: and tool calls in it, which are searched.
ALTER TABLE turns ADD COLUMN details INTEGER NOT NULL DEFAULT 0;

CREATE INDEX turns_unarchived ON turns (agent, archived_at, said_at) WHERE archived_at IS NULL;

-- What only turns of a managed context window have.
CREATE TABLE turn_details (
    agent          TEXT    NOT NULL,
    id             TEXT    NOT NULL,
    input_source   TEXT    NOT NULL,
    thinking       TEXT    NOT NULL,
    tool_calls     TEXT    NOT NULL, -- JSON array of objects
    tool_call_id   TEXT    NOT NULL, -- the call that the turn answers
    classification TEXT    NOT NULL,
    tokens         INTEGER NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT;

-- The next turn's index is in sessions.
CREATE TABLE context_windows (
    agent           TEXT    NOT NULL,
    session         TEXT    NOT NULL,
    project         TEXT    NOT NULL,
    model           TEXT    NOT NULL,
    total           INTEGER NOT NULL, -- tokens, as is the next
    reserve         INTEGER NOT NULL,
    flushed         INTEGER NOT NULL, -- turn index, exclusive, as is the next
    compacted       INTEGER NOT NULL,
    summary         TEXT    NOT NULL,
    summary_tokens  INTEGER NOT NULL,
    replaced_tokens INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    compacted_at    INTEGER,
    updated_at      INTEGER,
    PRIMARY KEY (agent, session)
) STRICT;

CREATE TABLE context_events (
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    session     TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    content     TEXT    NOT NULL,
    goal_id     TEXT    NOT NULL,
    task_id     TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    tokens      INTEGER NOT NULL, -- of content
    at          INTEGER NOT NULL,
    PRIMARY KEY (agent, id)
) STRICT;

CREATE INDEX events_of_session ON context_events (agent, session, at, id);
CREATE UNIQUE INDEX events_by_external_id ON context_events (agent, session, external_id) WHERE external_id <> '';

-- Work that is not finished; each step is recorded when it is done.
CREATE TABLE jobs (
    agent      TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    step       TEXT    NOT NULL, -- the last one that was finished
    data       TEXT,             -- JSON
    attempts   INTEGER NOT NULL,
    not_before INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    holder     TEXT    NOT NULL, -- the process that works on it, until
    held_until INTEGER,
    PRIMARY KEY (agent, kind, subject)
) STRICT, WITHOUT ROWID;

-- Small values that belong to a bank.
CREATE TABLE bank_state (
    agent TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL, -- JSON
    PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;
