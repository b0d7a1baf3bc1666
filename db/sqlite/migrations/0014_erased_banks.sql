-- A bank whose agent was erased keeps its number for good, and nothing else.
ALTER TABLE banks ADD COLUMN erased_at INTEGER;
