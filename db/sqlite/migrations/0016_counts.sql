-- How many records a bank has, by what they are counted by: counting them takes
-- time in proportion to the bank. state: 0 live, 1 archived, 2 superseded.
CREATE TABLE record_counts (
    agent    TEXT    NOT NULL,
    project  TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    category TEXT    NOT NULL,
    state    INTEGER NOT NULL,
    records  INTEGER NOT NULL,
    PRIMARY KEY (agent, project, kind, category, state)
) STRICT, WITHOUT ROWID;

INSERT INTO record_counts (agent, project, kind, category, state, records)
    SELECT agent, project, kind, category, CASE WHEN archived_at IS NOT NULL THEN 1 WHEN superseded_by IS NOT NULL THEN 2 ELSE 0 END, count(*)
    FROM records GROUP BY 1, 2, 3, 4, 5;
