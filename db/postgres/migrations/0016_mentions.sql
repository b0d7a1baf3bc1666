-- The times that a record speaks of, as JSON; NULL for none. Those of what was saved before
-- are read when it is shown.
ALTER TABLE records ADD COLUMN mentions text;
