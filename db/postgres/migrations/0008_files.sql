-- The files of workspaces, where several servers have one. A workspace's version grows
-- with every change, also after all was removed: it begins with the time.
CREATE TABLE workspaces (
    agent   text   NOT NULL PRIMARY KEY,
    version bigint NOT NULL -- 0 while nothing was put there
);

CREATE TABLE workspace_files (
    agent      text    NOT NULL,
    name       text    NOT NULL COLLATE "C", -- with forward slashes
    folder     boolean NOT NULL,
    size       bigint  NOT NULL, -- bytes
    version    bigint  NOT NULL, -- of the workspace when it changed last
    changed_at bigint  NOT NULL,
    PRIMARY KEY (agent, name)
);

-- What a file says, in parts, so that a log grows without being written anew.
CREATE TABLE workspace_parts (
    agent   text   NOT NULL,
    name    text   NOT NULL COLLATE "C",
    at      bigint NOT NULL, -- bytes before it
    content bytea  NOT NULL,
    PRIMARY KEY (agent, name, at)
);

-- Who makes files and bank say the same, and until when unless it is prolonged.
CREATE TABLE workspace_locks (
    agent      text   NOT NULL,
    lock       text   NOT NULL,
    holder     text   NOT NULL,
    held_until bigint NOT NULL,
    PRIMARY KEY (agent, lock)
);

DO $$
DECLARE
    fenced text;
    mine     constant text := 'agent = current_setting(''mcp_memory.agent'', true)';
    operator constant text := 'current_setting(''mcp_memory.agent'', true) = ''*''';
BEGIN
    FOREACH fenced IN ARRAY ARRAY['workspaces', 'workspace_files', 'workspace_parts', 'workspace_locks'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', fenced);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', fenced);
        EXECUTE format('CREATE POLICY own ON %I USING (%s OR %s)', fenced, mine, operator);
    END LOOP;
END $$;
