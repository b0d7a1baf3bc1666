package postgres

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Log implements [memory.LogReader].
func (s *Store) Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error) {
	return all(s.as(ctx, agent), rows.ScanLogged, `SELECT u.id, u.action, u.records, json_array_length(u.records::json) +
			coalesce((SELECT sum(json_array_length(s.records::json)) FROM undos s
				WHERE s.agent = ?1 AND s.id COLLATE "C" > u.id || '/' AND s.id COLLATE "C" < u.id || '0'), 0)::bigint, u.done_at, u.undone_at
		FROM undos u WHERE u.agent = ?1 AND (?2 = '' OR u.id COLLATE "C" < ?2) AND position('/' IN u.id) = 0
		ORDER BY u.id COLLATE "C" DESC LIMIT ?3`, agent, before, limit)
}

// idsBeginning are queries of ids from ?2 up to before ?3.
var idsBeginning = map[memory.IDsOf]string{
	memory.IDsOfRecords: `SELECT id FROM records WHERE agent = ?1 AND id COLLATE "C" >= ?2 AND id COLLATE "C" < ?3 ORDER BY id COLLATE "C" LIMIT ?4`,
	memory.IDsOfChanges: `SELECT id FROM undos WHERE agent = ?1 AND id COLLATE "C" >= ?2 AND id COLLATE "C" < ?3 AND position('/' IN id) = 0
		ORDER BY id COLLATE "C" LIMIT ?4`,
}

// IDs implements [memory.LogReader].
func (s *Store) IDs(ctx context.Context, agent string, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	return all(s.as(ctx, agent), rows.ScanText, idsBeginning[of], agent, prefix, rows.Behind(prefix), limit)
}
