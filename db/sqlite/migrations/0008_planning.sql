CREATE TABLE todos (
    agent        TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    description  TEXT    NOT NULL,
    urgency      INTEGER NOT NULL, -- 0 low, 1 normal, 2 high, 3 urgent
    due_at       INTEGER,
    created_at   INTEGER NOT NULL,
    completed_at INTEGER,
    PRIMARY KEY (agent, id)
) STRICT;

CREATE INDEX todos_pending ON todos (agent, urgency DESC, (due_at IS NULL), due_at, created_at, id) WHERE completed_at IS NULL;
CREATE INDEX todos_completed ON todos (agent, completed_at DESC, id DESC) WHERE completed_at IS NOT NULL;

CREATE TABLE calendar_events (
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    starts_at   INTEGER NOT NULL, -- of the first occurrence, as is the next
    ends_at     INTEGER,
    time_zone   TEXT    NOT NULL,
    location    TEXT    NOT NULL,
    description TEXT    NOT NULL,
    recurrence  TEXT    NOT NULL, -- an RRULE, or empty
    excepted    TEXT    NOT NULL, -- JSON array: starts of occurrences that were removed
    last_start  INTEGER,          -- of the last occurrence, NULL for no end
    over_at     INTEGER NOT NULL, -- end of the last occurrence, the largest number for never
    created_at  INTEGER NOT NULL,
    removed_at  INTEGER,
    PRIMARY KEY (agent, id)
) STRICT;

CREATE INDEX calendar_to_come ON calendar_events (agent, over_at, starts_at) WHERE removed_at IS NULL;
