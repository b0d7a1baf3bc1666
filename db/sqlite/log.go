package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// changeLog reads undos from the newest on by their primary key, as ids ascend with time; ?2 is the
// id below which to start, "" for the end. Later steps of a change, whose ids have a '/', only
// count.
const changeLog = `SELECT u.id, u.action, u.records, json_array_length(u.records) + coalesce((SELECT sum(json_array_length(s.records))
		FROM undos s WHERE s.agent = u.agent AND s.id > u.id || '/' AND s.id < u.id || '0'), 0), u.done_at, u.undone_at
	FROM undos u WHERE u.agent = ?1 AND (?2 = '' OR u.id < ?2) AND instr(u.id, '/') = 0 ORDER BY u.id DESC LIMIT ?3`

// Log implements [memory.LogReader].
func (s *Store) Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error) {
	changes, err := queryAll(ctx, s.read, rows.ScanLogged, changeLog, agent, before, limit)
	return changes, explain(err)
}

// idTables has for each kind of id its table, and a further condition on the rows.
var idTables = map[memory.IDsOf]struct{ table, only string }{
	memory.IDsOfRecords: {"records", ""},
	memory.IDsOfChanges: {"undos", " AND instr(id, '/') = 0"},
	memory.IDsOfTodos:   {"todos", ""},
	memory.IDsOfEvents:  {"calendar_events", ""},
}

// IDs implements [memory.LogReader].
func (s *Store) IDs(ctx context.Context, agent string, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	in := idTables[of]
	ids, err := queryAll(ctx, s.read, rows.ScanText,
		`SELECT id FROM `+in.table+` WHERE agent = ?1 AND id >= ?2 AND id < ?3`+in.only+` ORDER BY id LIMIT ?4`,
		agent, prefix, rows.Behind(prefix), limit)
	return ids, explain(err)
}

// IDsBeside implements [memory.LogReader].
func (s *Store) IDsBeside(ctx context.Context, agent string, of memory.IDsOf, ids []string) ([]string, error) {
	in := idTables[of]
	from := ` FROM ` + in.table + ` WHERE agent = ?1 AND id `
	beside, err := queryAll(ctx, s.read, rows.ScanText, `SELECT id FROM (
		SELECT (SELECT id`+from+`< j.value`+in.only+` ORDER BY id DESC LIMIT 1) AS id FROM json_each(?2) j
		UNION ALL SELECT (SELECT id`+from+`> j.value`+in.only+` ORDER BY id LIMIT 1) FROM json_each(?2) j) WHERE id IS NOT NULL`,
		agent, rows.List(ids))
	return beside, explain(err)
}
