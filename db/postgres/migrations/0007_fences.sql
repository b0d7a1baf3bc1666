-- A second fence between agents, should a statement forget the first: a row is there
-- only for the agent that the transaction has named, or for the operator, '*'. Who
-- owns the tables is bound by it too; a superuser is not.
DO $$
DECLARE
    fenced text;
    mine     constant text := 'agent = current_setting(''mcp_memory.agent'', true)';
    operator constant text := 'current_setting(''mcp_memory.agent'', true) = ''*''';
BEGIN
    FOR fenced IN
        SELECT c.table_name FROM information_schema.columns c
        JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema AND c.column_name = 'agent' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'tokens'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', fenced);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', fenced);
        IF fenced = 'links' THEN
            EXECUTE format('CREATE POLICY own ON %I USING (%s OR from_%s OR %s)', fenced, mine, mine, operator);
        ELSE
            EXECUTE format('CREATE POLICY own ON %I USING (%s OR %s)', fenced, mine, operator);
        END IF;
    END LOOP;
END $$;
