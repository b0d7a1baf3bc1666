-- What agents did by the tools of their hosts: commands, and files that they read or changed.
CREATE TABLE actions (
    agent     text   NOT NULL,
    id        text   NOT NULL COLLATE "C", -- of the session and the host's name for the call
    project   text   NOT NULL,
    session   text   NOT NULL,
    at        bigint NOT NULL,
    kind      text   NOT NULL,
    text      text   NOT NULL, -- a command line, or a path
    dir       text   NOT NULL,
    host      text   NOT NULL,
    about     text   NOT NULL,
    asked     text   NOT NULL,
    outcome   bigint NOT NULL, -- 0 not known, 1 good, 2 failed
    exit_code bigint NOT NULL,
    took      bigint NOT NULL, -- milliseconds
    tail      text   NOT NULL, -- of what was printed
    hunks     text   NOT NULL, -- hashes of lines that were put into a file
    text_sum  bigint NOT NULL, -- hash of the text
    size      bigint NOT NULL, -- about how many bytes the row takes
    PRIMARY KEY (agent, id)
);

CREATE INDEX actions_by_time ON actions (agent, project, at, size);
CREATE INDEX actions_by_session ON actions (agent, session);
CREATE INDEX actions_by_text ON actions (agent, text_sum);

ALTER TABLE actions ENABLE ROW LEVEL SECURITY;
ALTER TABLE actions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON actions
    USING (agent = current_setting('mcp_memory.agent', true) OR current_setting('mcp_memory.agent', true) = '*');
