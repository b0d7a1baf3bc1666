-- What a memory is about, as a hash of subject and attribute: by it a new state
-- finds the one that it takes the place of.
CREATE TABLE record_slots (
    agent TEXT    NOT NULL,
    slot  INTEGER NOT NULL,
    seq   INTEGER NOT NULL,
    PRIMARY KEY (agent, slot, seq)
) STRICT, WITHOUT ROWID;

-- Banks in which memories are older than the table: those below seq are filed
-- little by little, the newest first, when they are next written to.
CREATE TABLE slots_due (
    agent TEXT    NOT NULL,
    seq   INTEGER NOT NULL,
    PRIMARY KEY (agent)
) STRICT, WITHOUT ROWID;

INSERT INTO slots_due (agent, seq) SELECT agent, last_seq + 1 FROM banks;

-- A memory may take the place of several.
CREATE INDEX records_by_successor ON records (agent, superseded_by) WHERE superseded_by IS NOT NULL;
