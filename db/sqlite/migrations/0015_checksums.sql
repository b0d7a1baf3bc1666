-- What a record or turn said when it was stored, as a CRC-64: SQLite notices
-- a damaged tree, but not a changed text. NULL is not known yet.
ALTER TABLE records ADD COLUMN checksum INTEGER;
ALTER TABLE turns ADD COLUMN checksum INTEGER;

-- Banks with rows that are older than the column: those below seq get theirs little
-- by little, the newest first, when nobody waits.
CREATE TABLE checksums_due (
    agent TEXT    NOT NULL,
    seq   INTEGER NOT NULL,
    PRIMARY KEY (agent)
) STRICT, WITHOUT ROWID;

INSERT INTO checksums_due (agent, seq) SELECT agent, last_seq + 1 FROM banks;
