-- What agents did by the tools of their hosts: commands, and files that they read or changed.
CREATE TABLE actions (
    agent     TEXT    NOT NULL,
    id        TEXT    NOT NULL, -- of the session and the host's name for the call
    project   TEXT    NOT NULL,
    session   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    kind      TEXT    NOT NULL,
    text      TEXT    NOT NULL, -- a command line, or a path
    dir       TEXT    NOT NULL,
    host      TEXT    NOT NULL,
    about     TEXT    NOT NULL,
    asked     TEXT    NOT NULL,
    outcome   INTEGER NOT NULL, -- 0 not known, 1 good, 2 failed
    exit_code INTEGER NOT NULL,
    took      INTEGER NOT NULL, -- milliseconds
    tail      TEXT    NOT NULL, -- of what was printed
    hunks     TEXT    NOT NULL, -- hashes of lines that were put into a file
    text_sum  INTEGER NOT NULL, -- hash of the text
    size      INTEGER NOT NULL, -- about how many bytes the row takes
    PRIMARY KEY (agent, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX actions_by_time ON actions (agent, project, at, size);
CREATE INDEX actions_by_session ON actions (agent, session);
CREATE INDEX actions_by_text ON actions (agent, text_sum);
