-- Vectors are a cache of (document, embedder). Each embedder has a set: one
-- vec0 table a corpus, named vectors_SET_CORPUS, made when the set is.
CREATE TABLE vector_sets (
    id          INTEGER PRIMARY KEY,
    fingerprint TEXT    NOT NULL UNIQUE,
    dimensions  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL -- a set that nobody has used for long is dropped
) STRICT;

-- Documents that still need a vector in a set.
CREATE TABLE vector_queue (
    set_id     INTEGER NOT NULL,
    corpus     TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    reason     TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (set_id, corpus, seq)
) STRICT, WITHOUT ROWID;
