CREATE TABLE records (
    agent            text    NOT NULL,
    seq              bigint  NOT NULL,
    id               text    NOT NULL,
    project          text    NOT NULL,
    kind             text    NOT NULL,
    category         text    NOT NULL,
    category_guessed boolean NOT NULL,
    content          text    NOT NULL,
    content_key      bytea   NOT NULL, -- hash of what must be equal for a duplicate
    importance       double precision NOT NULL,
    pinned           boolean NOT NULL,
    tags             text    NOT NULL, -- JSON array
    source           text    NOT NULL,
    external_id      text    NOT NULL,
    metadata         text,
    provenance       text,
    created_at       bigint  NOT NULL,
    occurred_at      bigint,
    event_at         bigint  NOT NULL, -- occurred_at, else valid_from, else created_at
    valid_from       bigint,
    valid_until      bigint,
    supersedes       text,
    superseded_by    text,
    superseded_at    bigint,
    archived_at      bigint,
    archive_why      text    NOT NULL DEFAULT '',
    confirmations    bigint  NOT NULL DEFAULT 1,
    access_count     bigint  NOT NULL DEFAULT 0,
    last_accessed_at bigint,
    checksum         bigint, -- of what the record said when it was stored
    PRIMARY KEY (agent, seq),
    UNIQUE (agent, id)
);

CREATE INDEX records_by_content   ON records (agent, content_key);
CREATE INDEX records_by_kind      ON records (agent, kind, event_at);
CREATE INDEX records_by_successor ON records (agent, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX records_salient      ON records (agent, pinned DESC, importance DESC, access_count DESC)
    WHERE archived_at IS NULL AND superseded_by IS NULL;

-- Every name by which callers know a record; two names may mean one record.
CREATE TABLE record_names (
    agent       text NOT NULL,
    external_id text NOT NULL,
    id          text NOT NULL,
    PRIMARY KEY (agent, external_id)
);

CREATE INDEX names_of_record ON record_names (agent, id);

-- What a memory is about, as a hash of subject and attribute: by it a new state
-- finds the one that it takes the place of.
CREATE TABLE record_slots (
    agent text   NOT NULL,
    slot  bigint NOT NULL,
    seq   bigint NOT NULL,
    PRIMARY KEY (agent, slot, seq)
);

-- One row a record and session: a second recall in a session does not reinforce.
CREATE TABLE accesses (
    agent       text   NOT NULL,
    id          text   NOT NULL,
    session     text   NOT NULL,
    accessed_at bigint NOT NULL,
    PRIMARY KEY (agent, id, session)
);

CREATE TABLE episode_details (
    agent             text NOT NULL,
    id                text NOT NULL,
    participants      text NOT NULL, -- JSON array
    outcome           text NOT NULL,
    emotional_valence double precision NOT NULL,
    PRIMARY KEY (agent, id)
);

-- A column that ends in _key is the text before it in the form in which equal
-- texts are equal: lower case, single spaces, no full stop at the end.
CREATE TABLE soul_details (
    agent text NOT NULL,
    id    text NOT NULL,
    type  text NOT NULL,
    PRIMARY KEY (agent, id)
);

CREATE TABLE triple_details (
    agent         text    NOT NULL,
    id            text    NOT NULL,
    subject       text    NOT NULL,
    subject_key   text    NOT NULL,
    predicate     text    NOT NULL,
    predicate_key text    NOT NULL,
    object        text    NOT NULL,
    object_key    text    NOT NULL,
    confidence    double precision NOT NULL,
    origin        text    NOT NULL,
    multi         boolean NOT NULL,
    PRIMARY KEY (agent, id)
);

CREATE INDEX triples_by_subject   ON triple_details (agent, subject_key, predicate_key);
CREATE INDEX triples_by_predicate ON triple_details (agent, predicate_key);
CREATE INDEX triples_by_object    ON triple_details (agent, md5(object_key)); -- objects can be longer than an index takes

CREATE TABLE procedure_details (
    agent            text   NOT NULL,
    id               text   NOT NULL,
    name             text   NOT NULL,
    name_key         text   NOT NULL,
    description      text   NOT NULL,
    steps            text   NOT NULL, -- JSON array of objects
    prerequisites    text   NOT NULL, -- JSON array, as is the next
    success_criteria text   NOT NULL,
    executed         bigint NOT NULL, -- times
    succeeded        bigint NOT NULL, -- times
    last_executed_at bigint,
    PRIMARY KEY (agent, id)
);

CREATE INDEX procedures_by_name ON procedure_details (agent, name_key);

-- One row an execution; run tells apart those of the same microsecond.
CREATE TABLE procedure_runs (
    agent       text    NOT NULL,
    id          text    NOT NULL, -- of the procedure
    executed_at bigint  NOT NULL,
    run         bigint  NOT NULL,
    success     boolean NOT NULL,
    notes       text    NOT NULL,
    PRIMARY KEY (agent, id, executed_at, run)
);

CREATE TABLE relationship_details (
    agent               text   NOT NULL,
    id                  text   NOT NULL,
    party               text   NOT NULL,
    party_key           text   NOT NULL,
    name                text   NOT NULL,
    type                text   NOT NULL,
    type_key            text   NOT NULL,
    trust               double precision NOT NULL,
    tone                text   NOT NULL,
    rationale           text   NOT NULL,
    notes               text   NOT NULL,
    interactions        bigint NOT NULL,
    first_met_at        bigint,
    last_interaction_at bigint,
    PRIMARY KEY (agent, id)
);

CREATE INDEX relationships_by_party ON relationship_details (agent, party_key);

CREATE TABLE diary_details (
    agent    text NOT NULL,
    id       text NOT NULL,
    date     text NOT NULL, -- YYYY-MM-DD
    mood     text NOT NULL,
    location text NOT NULL,
    data     text,          -- JSON object
    PRIMARY KEY (agent, id)
);

CREATE INDEX diary_by_date ON diary_details (agent, date);

CREATE TABLE learning_details (
    agent   text NOT NULL,
    id      text NOT NULL,
    type    text NOT NULL,
    context text NOT NULL,
    tool    text NOT NULL,
    PRIMARY KEY (agent, id)
);

CREATE TABLE summary_details (
    agent      text   NOT NULL,
    id         text   NOT NULL,
    summary_of text   NOT NULL, -- a corpus
    focus      text   NOT NULL,
    count      bigint NOT NULL, -- all that it stands for
    PRIMARY KEY (agent, id)
);

-- The records or turns that a summary stands for directly.
CREATE TABLE summary_covers (
    agent    text   NOT NULL,
    id       text   NOT NULL, -- of the summary
    position bigint NOT NULL,
    covered  text   NOT NULL,
    PRIMARY KEY (agent, id, position)
);
