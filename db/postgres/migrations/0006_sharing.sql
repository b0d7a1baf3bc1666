-- A request belongs to the agent that asks and receives. The one that is asked
-- finds it by its own name, the only case of a row that two agents read.
CREATE TABLE links (
    agent             text   NOT NULL,
    id                text   NOT NULL,
    from_agent        text   NOT NULL,
    message           text   NOT NULL,
    kinds             text   NOT NULL, -- JSON array, as is the next
    categories        text   NOT NULL,
    since             bigint,
    shared_kinds      text   NOT NULL, -- JSON array, as is the next
    shared_categories text   NOT NULL,
    shared_since      bigint,
    note              text   NOT NULL,
    status            text   NOT NULL,
    requested_at      bigint NOT NULL,
    expires_at        bigint,
    decided_at        bigint,
    copied            bigint NOT NULL, -- records, as is the next
    skipped           bigint NOT NULL,
    PRIMARY KEY (agent, id)
);

CREATE INDEX links_pending ON links (agent, from_agent, status, expires_at);
CREATE INDEX links_asked   ON links (agent, requested_at DESC, id DESC);
CREATE INDEX links_from    ON links (from_agent, requested_at DESC, id DESC);
CREATE INDEX links_by_id   ON links (from_agent, id);

-- Which records are copies of another agent's.
CREATE TABLE record_origins (
    agent        text NOT NULL,
    origin_agent text NOT NULL,
    origin_id    text NOT NULL,
    id           text NOT NULL, -- of the copy
    link         text NOT NULL, -- that it came by
    PRIMARY KEY (agent, origin_agent, origin_id)
);

CREATE INDEX origins_by_link ON record_origins (agent, link, id);
CREATE INDEX origins_by_copy ON record_origins (agent, id);

-- A token is looked up by its hash before the agent is known. Rows are never
-- removed: without any, a server is open.
CREATE TABLE tokens (
    agent      text    NOT NULL,
    id         text    NOT NULL,
    hash       bytea   NOT NULL, -- SHA-256 of the secret
    projects   text    NOT NULL, -- JSON array
    read_only  boolean NOT NULL,
    created_at bigint  NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    PRIMARY KEY (agent, id)
);

CREATE UNIQUE INDEX tokens_by_hash ON tokens (hash);
