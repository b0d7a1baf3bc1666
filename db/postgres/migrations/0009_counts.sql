-- How many records a bank has, by what they are counted by: counting them takes
-- time in proportion to the bank. state: 0 live, 1 archived, 2 superseded.
CREATE TABLE record_counts (
    agent    text     NOT NULL,
    project  text     NOT NULL,
    kind     text     NOT NULL,
    category text     NOT NULL,
    state    smallint NOT NULL,
    records  bigint   NOT NULL,
    PRIMARY KEY (agent, project, kind, category, state)
);

ALTER TABLE record_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON record_counts
    USING (agent = current_setting('mcp_memory.agent', true) OR current_setting('mcp_memory.agent', true) = '*');

SELECT set_config('mcp_memory.agent', '*', true);
INSERT INTO record_counts (agent, project, kind, category, state, records)
    SELECT agent, project, kind, category, CASE WHEN archived_at IS NOT NULL THEN 1 WHEN superseded_by IS NOT NULL THEN 2 ELSE 0 END, count(*)
    FROM records GROUP BY 1, 2, 3, 4, 5;
