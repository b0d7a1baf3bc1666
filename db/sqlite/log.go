package sqlite

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// changeLog reads undos backwards by their key: ids ascend with time. ?2 is the id
// before which to start, "" for the end.
const changeLog = `SELECT u.id, u.action, u.records, json_array_length(u.records) + coalesce((SELECT sum(json_array_length(s.records))
		FROM undos s WHERE s.agent = u.agent AND s.id > u.id || '/' AND s.id < u.id || '0'), 0), u.done_at, u.undone_at
	FROM undos u WHERE u.agent = ?1 AND (?2 = '' OR u.id < ?2) AND instr(u.id, '/') = 0 ORDER BY u.id DESC LIMIT ?3`

// Log implements [memory.LogReader].
func (s *Store) Log(ctx context.Context, agent, before string, limit int) ([]memory.Logged, error) {
	changes, err := queryAll(ctx, s.read, rows.ScanLogged, changeLog, agent, before, limit)
	return changes, explain(err)
}

// idsBeginning are queries of ids from ?2 up to before ?3.
var idsBeginning = map[memory.IDsOf]string{
	memory.IDsOfRecords: `SELECT id FROM records WHERE agent = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT ?4`,
	memory.IDsOfChanges: `SELECT id FROM undos WHERE agent = ?1 AND id >= ?2 AND id < ?3 AND instr(id, '/') = 0 ORDER BY id LIMIT ?4`,
}

// IDs implements [memory.LogReader].
func (s *Store) IDs(ctx context.Context, agent string, of memory.IDsOf, prefix string, limit int) ([]string, error) {
	ids, err := queryAll(ctx, s.read, rows.ScanText, idsBeginning[of], agent, prefix, rows.Behind(prefix), limit)
	return ids, explain(err)
}
