-- Text indexes hold no text: they are contentless, and rowid is the document's
-- seq. Words find inflections, parts find substrings (identifiers, CJK).
CREATE VIRTUAL TABLE memories_words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE memories_parts USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE VIRTUAL TABLE conversations_words USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE conversations_parts USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'trigram');

-- Merging four segments of an index at a time costs an import more than a
-- search loses with eight.
INSERT INTO memories_words (memories_words, rank) VALUES ('automerge', 8);
INSERT INTO memories_parts (memories_parts, rank) VALUES ('automerge', 8);
INSERT INTO conversations_words (conversations_words, rank) VALUES ('automerge', 8);
INSERT INTO conversations_parts (conversations_parts, rank) VALUES ('automerge', 8);

-- Document frequencies of one bank: FTS5 only knows those of all banks.
CREATE TABLE memories_terms (
    bank      INTEGER NOT NULL,
    term      TEXT    NOT NULL, -- a content stem
    documents INTEGER NOT NULL,
    PRIMARY KEY (bank, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations_terms (
    bank      INTEGER NOT NULL,
    term      TEXT    NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (bank, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE corpus_totals (
    bank      INTEGER NOT NULL,
    corpus    TEXT    NOT NULL,
    documents INTEGER NOT NULL,
    stems     INTEGER NOT NULL, -- content stems of all of them, repeats counted
    PRIMARY KEY (bank, corpus)
) STRICT, WITHOUT ROWID;
