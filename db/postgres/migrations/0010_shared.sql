-- What servers have to know of each other's clients: sessions, questions that were
-- asked, and buckets of rate limits, which are full at the time in until.
CREATE TABLE shared_state (
    agent text   NOT NULL,
    key   text   NOT NULL,
    value text   NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (agent, key)
);

ALTER TABLE shared_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE shared_state FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON shared_state
    USING (agent = current_setting('mcp_memory.agent', true) OR current_setting('mcp_memory.agent', true) = '*');
