package postgres

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Log implements [memory.LogReader].
func (s *Store) Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error) {
	return rows.All(s.as(ctx, agent), rows.ScanLogged, `SELECT u.id, u.action, u.records, json_array_length(u.records::json) +
			coalesce((SELECT sum(json_array_length(s.records::json)) FROM undos s
				WHERE s.agent = ?1 AND s.id COLLATE "C" > u.id || '/' AND s.id COLLATE "C" < u.id || '0'), 0)::bigint, u.done_at, u.undone_at
		FROM undos u WHERE u.agent = ?1 AND (?2 = '' OR u.id COLLATE "C" < ?2) AND position('/' IN u.id) = 0
		ORDER BY u.id COLLATE "C" DESC LIMIT ?3`, agent, before, limit)
}

// idTables are the tables that have the ids of each kind, with a further condition on their rows
// (alias i).
var idTables = map[memory.IDsOf]struct{ table, only string }{
	memory.IDsOfRecords: {"records", ""},
	memory.IDsOfChanges: {"undos", " AND position('/' IN i.id) = 0"},
	memory.IDsOfTodos:   {"todos", ""},
	memory.IDsOfEvents:  {"calendar_events", ""},
}

// IDs implements [memory.LogReader].
func (s *Store) IDs(ctx context.Context, agent string, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	in := idTables[of]
	return rows.All(s.as(ctx, agent), rows.ScanText,
		`SELECT i.id FROM `+in.table+` i WHERE i.agent = ?1 AND i.id COLLATE "C" >= ?2 AND i.id COLLATE "C" < ?3`+in.only+`
		ORDER BY i.id COLLATE "C" LIMIT ?4`, agent, prefix, rows.Behind(prefix), limit)
}

// IDsBeside implements [memory.LogReader].
func (s *Store) IDsBeside(ctx context.Context, agent string, of memory.IDsOf, ids []string) ([]string, error) {
	in := idTables[of]
	from := `(SELECT i.id FROM ` + in.table + ` i WHERE i.agent = ?1` + in.only + ` AND i.id COLLATE "C" `
	return rows.All(s.as(ctx, agent), rows.ScanText, `SELECT b.id FROM unnest(?2::text[]) j (id) CROSS JOIN LATERAL (
		`+from+`< j.id ORDER BY i.id COLLATE "C" DESC LIMIT 1) UNION ALL
		`+from+`> j.id ORDER BY i.id COLLATE "C" LIMIT 1)) b`, agent, ids)
}
