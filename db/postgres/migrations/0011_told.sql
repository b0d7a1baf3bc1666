-- What agents were given of their banks, for some weeks: by reference, never a copy.
CREATE TABLE told (
    agent   text   NOT NULL,
    id      text   NOT NULL COLLATE "C", -- in order of time
    project text   NOT NULL,
    session text   NOT NULL,
    via     text   NOT NULL,
    query   text   NOT NULL,
    results text   NOT NULL, -- JSON: [{id, score}]
    tokens  bigint NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (agent, id)
);

ALTER TABLE told ENABLE ROW LEVEL SECURITY;
ALTER TABLE told FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON told
    USING (agent = current_setting('mcp_memory.agent', true) OR current_setting('mcp_memory.agent', true) = '*');
