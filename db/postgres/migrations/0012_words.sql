-- A fence (see 0007) lets no index answer whether arrays overlap: that operator could tell
-- what is behind it. So a search walked through all banks. The terms of a document are hashes
-- that no two banks share, and lead to nothing but its number: these may be read without a
-- fence, but not changed, and what is found by them is behind one. Parts are text and stay.
CREATE TABLE memories_words (
    agent text     NOT NULL,
    seq   bigint   NOT NULL,
    terms bigint[] NOT NULL,
    PRIMARY KEY (agent, seq)
);

CREATE TABLE conversations_words (
    agent text     NOT NULL,
    seq   bigint   NOT NULL,
    terms bigint[] NOT NULL,
    PRIMARY KEY (agent, seq)
);

SELECT set_config('mcp_memory.agent', '*', true);
INSERT INTO memories_words      (agent, seq, terms) SELECT agent, seq, terms FROM memories_text;
INSERT INTO conversations_words (agent, seq, terms) SELECT agent, seq, terms FROM conversations_text;

-- What is new is found in the index itself, not in a list beside it that each search reads.
CREATE INDEX memories_by_word      ON memories_words      USING gin (terms) WITH (fastupdate = off);
CREATE INDEX conversations_by_word ON conversations_words USING gin (terms) WITH (fastupdate = off);

ALTER TABLE memories_text      DROP COLUMN terms;
ALTER TABLE conversations_text DROP COLUMN terms;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memories_words', 'conversations_words'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY own ON %I USING (agent = current_setting(''mcp_memory.agent'', true) OR current_setting(''mcp_memory.agent'', true) = ''*'')', name);
        EXECUTE format('CREATE POLICY looked_up ON %I FOR SELECT USING (true)', name);
    END LOOP;
END $$;
