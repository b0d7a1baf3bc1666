CREATE TABLE todos (
    agent        text   NOT NULL,
    id           text   NOT NULL,
    title        text   NOT NULL,
    description  text   NOT NULL,
    urgency      bigint NOT NULL, -- 0 low, 1 normal, 2 high, 3 urgent
    due_at       bigint,
    created_at   bigint NOT NULL,
    completed_at bigint,
    PRIMARY KEY (agent, id)
);

CREATE INDEX todos_pending   ON todos (agent, urgency DESC, (due_at IS NULL), due_at, created_at, id) WHERE completed_at IS NULL;
CREATE INDEX todos_completed ON todos (agent, completed_at DESC, id DESC) WHERE completed_at IS NOT NULL;

CREATE TABLE calendar_events (
    agent       text   NOT NULL,
    id          text   NOT NULL,
    title       text   NOT NULL,
    starts_at   bigint NOT NULL, -- of the first occurrence, as is the next
    ends_at     bigint,
    time_zone   text   NOT NULL,
    location    text   NOT NULL,
    description text   NOT NULL,
    recurrence  text   NOT NULL, -- an RRULE, or empty
    excepted    text   NOT NULL, -- JSON array: starts of occurrences that were removed
    last_start  bigint,          -- of the last occurrence, NULL for no end
    over_at     bigint NOT NULL, -- end of the last occurrence, the largest number for never
    created_at  bigint NOT NULL,
    removed_at  bigint,
    PRIMARY KEY (agent, id)
);

CREATE INDEX calendar_to_come ON calendar_events (agent, over_at, starts_at) WHERE removed_at IS NULL;
