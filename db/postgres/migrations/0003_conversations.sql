CREATE TABLE sessions (
    agent      text   NOT NULL,
    session    text   NOT NULL,
    project    text   NOT NULL,
    turns      bigint NOT NULL, -- the next turn's index
    created_at bigint NOT NULL,
    PRIMARY KEY (agent, session)
);

CREATE TABLE turns (
    agent       text   NOT NULL,
    seq         bigint NOT NULL,
    id          text   NOT NULL,
    project     text   NOT NULL,
    session     text   NOT NULL,
    turn_index  bigint NOT NULL,
    role        text   NOT NULL,
    speaker     text   NOT NULL,
    content     text   NOT NULL,
    external_id text   NOT NULL,
    metadata    text,
    said_at     bigint NOT NULL,
    created_at  bigint NOT NULL,
    archived_at bigint,
    details     bigint NOT NULL DEFAULT 0, -- 1: the turn has a row in turn_details; 2: and tool calls in it, which are searched
    checksum    bigint,
    PRIMARY KEY (agent, seq),
    UNIQUE (agent, session, turn_index),
    UNIQUE (agent, id)
);

CREATE UNIQUE INDEX turns_by_external_id ON turns (agent, session, external_id) WHERE external_id <> '';
CREATE INDEX turns_unarchived ON turns (agent, said_at) WHERE archived_at IS NULL;

-- What only turns of a managed context window have.
CREATE TABLE turn_details (
    agent          text   NOT NULL,
    id             text   NOT NULL,
    input_source   text   NOT NULL,
    thinking       text   NOT NULL,
    tool_calls     text   NOT NULL, -- JSON array of objects
    tool_call_id   text   NOT NULL, -- the call that the turn answers
    classification text   NOT NULL,
    tokens         bigint NOT NULL,
    PRIMARY KEY (agent, id)
);

-- The next turn's index is in sessions.
CREATE TABLE context_windows (
    agent           text   NOT NULL,
    session         text   NOT NULL,
    project         text   NOT NULL,
    model           text   NOT NULL,
    total           bigint NOT NULL, -- tokens, as is the next
    reserve         bigint NOT NULL,
    flushed         bigint NOT NULL, -- turn index, exclusive, as is the next
    compacted       bigint NOT NULL,
    summary         text   NOT NULL,
    summary_tokens  bigint NOT NULL,
    replaced_tokens bigint NOT NULL,
    version         bigint NOT NULL,
    compacted_at    bigint,
    updated_at      bigint,
    PRIMARY KEY (agent, session)
);

CREATE TABLE context_events (
    agent       text   NOT NULL,
    id          text   NOT NULL,
    session     text   NOT NULL,
    type        text   NOT NULL,
    content     text   NOT NULL,
    goal_id     text   NOT NULL,
    task_id     text   NOT NULL,
    external_id text   NOT NULL,
    tokens      bigint NOT NULL, -- of content
    at          bigint NOT NULL,
    PRIMARY KEY (agent, id)
);

CREATE INDEX events_of_session ON context_events (agent, session, at, id);
CREATE UNIQUE INDEX events_by_external_id ON context_events (agent, session, external_id) WHERE external_id <> '';

-- Work that is not finished; each step is recorded when it is done.
CREATE TABLE jobs (
    agent      text   NOT NULL,
    kind       text   NOT NULL,
    subject    text   NOT NULL,
    id         text   NOT NULL,
    step       text   NOT NULL, -- the last one that was finished
    data       text,            -- JSON
    attempts   bigint NOT NULL,
    not_before bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    holder     text   NOT NULL, -- the process that works on it, until
    held_until bigint,
    PRIMARY KEY (agent, kind, subject)
);
