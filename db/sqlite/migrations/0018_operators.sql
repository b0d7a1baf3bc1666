-- A token may be an operator's: it opens no bank, and shows how all of them do.
ALTER TABLE tokens ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;
