-- Asking costs the same however many links there are: what waits between two
-- agents is one look, and the newest of an agent are read in their order.
CREATE INDEX links_pending ON links (agent, from_agent, status, expires_at);
CREATE INDEX links_asked   ON links (agent, requested_at DESC, id DESC);
DROP INDEX links_from;
CREATE INDEX links_from    ON links (from_agent, requested_at DESC, id DESC);
CREATE INDEX links_by_id   ON links (from_agent, id);
