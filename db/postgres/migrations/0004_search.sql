-- What is searched of a document. Terms are its words in order, each as a hash of the
-- bank's number and the stem: so the postings of one bank lie apart from those of
-- all others, in one index. Parts are its literal pieces, for substrings.
CREATE TABLE memories_text (
    agent text     NOT NULL,
    seq   bigint   NOT NULL,
    terms bigint[] NOT NULL,
    parts text     NOT NULL,
    PRIMARY KEY (agent, seq)
);

CREATE TABLE conversations_text (
    agent text     NOT NULL,
    seq   bigint   NOT NULL,
    terms bigint[] NOT NULL,
    parts text     NOT NULL,
    PRIMARY KEY (agent, seq)
);

CREATE INDEX memories_by_term      ON memories_text      USING gin (terms);
CREATE INDEX conversations_by_term ON conversations_text USING gin (terms);

-- Document frequencies of one bank. The key is a hash: a stem can be longer than
-- an index takes.
CREATE TABLE memories_terms (
    agent     text   NOT NULL,
    key       bigint NOT NULL,
    term      text   NOT NULL, -- a content stem
    documents bigint NOT NULL,
    PRIMARY KEY (agent, key)
);

CREATE TABLE conversations_terms (
    agent     text   NOT NULL,
    key       bigint NOT NULL,
    term      text   NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (agent, key)
);

CREATE TABLE corpus_totals (
    agent     text   NOT NULL,
    corpus    text   NOT NULL,
    documents bigint NOT NULL,
    stems     bigint NOT NULL, -- content stems of all of them, repeats counted
    PRIMARY KEY (agent, corpus)
);

-- Vectors are a cache of (document, embedder). Each embedder has a set.
CREATE TABLE vector_sets (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint text   NOT NULL UNIQUE,
    dimensions  bigint NOT NULL,
    created_at  bigint NOT NULL,
    used_at     bigint NOT NULL -- a set that nobody has used for long is dropped
);

CREATE TABLE vectors (
    agent  text   NOT NULL,
    set_id bigint NOT NULL,
    corpus text   NOT NULL,
    seq    bigint NOT NULL,
    vector bytea  NOT NULL, -- float32, little endian
    PRIMARY KEY (agent, set_id, corpus, seq)
);

-- Documents that still need a vector in a set.
CREATE TABLE vector_queue (
    agent      text   NOT NULL,
    set_id     bigint NOT NULL,
    corpus     text   NOT NULL,
    seq        bigint NOT NULL,
    attempts   bigint NOT NULL DEFAULT 0,
    not_before bigint NOT NULL DEFAULT 0,
    reason     text   NOT NULL DEFAULT '',
    PRIMARY KEY (agent, set_id, corpus, seq)
);
