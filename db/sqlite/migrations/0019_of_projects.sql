-- The first of a project are read by walks as long as what they return, not through the
-- records of all the others.
DROP INDEX records_by_category; -- nothing asked by it
DROP INDEX records_salient;
CREATE INDEX records_salient    ON records (agent, project, pinned DESC, importance DESC, access_count DESC)
    WHERE archived_at IS NULL AND superseded_by IS NULL;
CREATE INDEX records_by_project ON records (agent, project, kind, event_at);
