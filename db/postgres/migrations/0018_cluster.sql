-- Without a key rows of a table cannot be followed, as a cluster does when it moves tables
-- from node to node.
CREATE TABLE IF NOT EXISTS mcp_memory_schema (version bigint NOT NULL);
ALTER TABLE mcp_memory_schema ADD CONSTRAINT mcp_memory_schema_pkey PRIMARY KEY (version);

-- Which call has its workspace locked, so that the next statement of the same call knows whether
-- it has: a number of its own. The number of a transaction is another one on each node.
ALTER TABLE workspaces ADD COLUMN writer bigint NOT NULL DEFAULT 0;
