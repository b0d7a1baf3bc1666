-- Stands in for Citus, which no package of the distribution has: what this program asks of it, by the same
-- names, in a database of one node. The bank of bob is "on" node 2, which pg_dist_node.state can have
-- refuse ("away") or say nothing ("silent").
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) VALUES (16000, 'citus', 10, 11, false, 'stand-in');
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL);
CREATE TABLE pg_catalog.pg_dist_node (nodename text PRIMARY KEY, noderole text NOT NULL, isactive boolean NOT NULL, shouldhaveshards boolean NOT NULL, state text NOT NULL);
INSERT INTO pg_catalog.pg_dist_node VALUES ('coordinator', 'primary', true, false, 'up'), ('one', 'primary', true, true, 'up'), ('two', 'primary', true, true, 'up');
GRANT SELECT ON pg_catalog.pg_dist_partition, pg_catalog.pg_dist_node TO PUBLIC;

CREATE FUNCTION pg_catalog.create_distributed_table(table_name regclass, distribution_column text, colocate_with text DEFAULT 'default') RETURNS void
    LANGUAGE sql SECURITY DEFINER AS $$ INSERT INTO pg_catalog.pg_dist_partition VALUES (table_name, 'h') $$;
CREATE FUNCTION pg_catalog.create_reference_table(table_name regclass) RETURNS void
    LANGUAGE sql SECURITY DEFINER AS $$ INSERT INTO pg_catalog.pg_dist_partition VALUES (table_name, 'n') $$;

-- answers fails as a node does that cannot be reached.
CREATE FUNCTION pg_catalog.answers(name text) RETURNS boolean LANGUAGE plpgsql STABLE COST 1000 AS $$
DECLARE state text := (SELECT n.state FROM pg_catalog.pg_dist_node n WHERE n.nodename = name);
BEGIN
    IF state = 'silent' THEN PERFORM pg_sleep(120); END IF;
    IF state <> 'up' THEN RAISE EXCEPTION 'connection to the remote node %:5432 failed', name USING ERRCODE = '08006'; END IF;
    RETURN true;
END $$;
CREATE FUNCTION pg_catalog.citus_total_relation_size(logicalrelid regclass, fail_on_error boolean DEFAULT true) RETURNS bigint
    LANGUAGE sql AS $$ SELECT 10 * pg_total_relation_size(logicalrelid) FROM pg_catalog.pg_dist_node n WHERE n.nodename = 'two' AND pg_catalog.answers(n.nodename) $$;
CREATE FUNCTION pg_catalog.run_command_on_workers(command text) RETURNS TABLE (nodename text, success boolean)
    LANGUAGE sql AS $$ SELECT n.nodename, n.state = 'up' FROM pg_catalog.pg_dist_node n WHERE n.shouldhaveshards $$;
