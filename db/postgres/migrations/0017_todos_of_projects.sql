-- A to-do belongs to a project, or to none as those that were there before.
ALTER TABLE todos ADD COLUMN project text NOT NULL DEFAULT '';
