-- The log is read in the order of bytes, whatever the database's language: without an index in
-- that order each page of it sorts all changes, and counts the steps of each among all.
CREATE INDEX undos_in_order ON undos (agent, id COLLATE "C");
