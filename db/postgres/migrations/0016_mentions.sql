-- The times that a record speaks of, as JSON; NULL where they were not read: what was saved
-- before is read when it is shown.
ALTER TABLE records ADD COLUMN mentions text;
