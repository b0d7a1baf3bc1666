-- The agent comes first in every key, index and statement, so that the tables can be
-- spread over machines by it. A bank's number is above the 40th bit of the numbers
-- of its documents. All times: microseconds since 1970, UTC.
CREATE SEQUENCE bank_numbers;

CREATE TABLE banks (
    agent      text   NOT NULL PRIMARY KEY,
    bank       bigint NOT NULL,
    last_seq   bigint NOT NULL,           -- of records and turns, never reused
    changes    bigint NOT NULL DEFAULT 0, -- committed writes; tells caches that they are stale
    rewrites   bigint NOT NULL DEFAULT 0, -- those after which a document is gone, or not what it was
    created_at bigint NOT NULL,
    erased_at  bigint                     -- of a bank whose agent was erased; it keeps its number for good
);

-- The first answer to a call that the caller may repeat.
CREATE TABLE idempotency_keys (
    agent      text   NOT NULL,
    tool       text   NOT NULL,
    key        text   NOT NULL,
    result     text   NOT NULL, -- JSON
    created_at bigint NOT NULL,
    PRIMARY KEY (agent, tool, key)
);

-- What an action set aside, so that it can be taken back.
CREATE TABLE undos (
    agent     text   NOT NULL,
    id        text   NOT NULL,
    action    text   NOT NULL,
    records   text   NOT NULL, -- JSON array of ids
    data      text,            -- what else is needed, JSON
    done_at   bigint NOT NULL,
    undone_at bigint,
    PRIMARY KEY (agent, id)
);

-- Small values that belong to a bank.
CREATE TABLE bank_state (
    agent text NOT NULL,
    key   text NOT NULL,
    value text NOT NULL, -- JSON
    PRIMARY KEY (agent, key)
);

-- What was erased on purpose, by the hash of what it said, so that an import of
-- an old file does not bring it back.
CREATE TABLE erased (
    agent       text   NOT NULL,
    content_key bytea  NOT NULL,
    erased_at   bigint NOT NULL,
    PRIMARY KEY (agent, content_key)
);

-- Who changed what; rows are only ever added, and pruned by age.
CREATE TABLE audit_log (
    agent   text   NOT NULL,
    entry   bigint NOT NULL, -- counts up in a bank
    actor   text   NOT NULL,
    action  text   NOT NULL,
    subject text   NOT NULL,
    details text,            -- JSON
    at      bigint NOT NULL,
    PRIMARY KEY (agent, entry)
);
