package postgres

import (
	"context"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// bankOf returns the number of an agent's bank, 0 if it has none. A bank keeps its number
// for good, so it is looked up once.
func (s *Store) bankOf(ctx context.Context, agent string) (int64, error) {
	if bank, known := s.banks.Load(agent); known {
		return bank.(int64), nil
	}
	bank, err := one(s.as(ctx, storable(agent)), rows.ScanInt64, `SELECT bank FROM banks WHERE agent = ?`, storable(agent))
	if err != nil || bank == nil {
		return 0, err
	}
	s.banks.Store(agent, *bank)
	return *bank, nil
}

// Stats implements [memory.Reader].
func (s *Store) Stats(ctx context.Context, agent string) (memory.Stats, error) {
	st := memory.Stats{Agent: agent, Embedder: s.vector.name, SchemaVersion: SchemaVersion()}
	src := s.as(ctx, agent)
	const live = `archived_at IS NULL AND superseded_by IS NULL`
	err := scanRow(src, []any{
		&st.Records, &st.Archived, &st.Superseded, &st.Turns, &st.Sessions, &st.VectorsQueued, &st.VectorsFailed, &st.Vectors, &st.DatabaseBytes, &st.ErasePending,
	}, `SELECT
		(SELECT count(*) FROM records WHERE agent = ?1 AND `+live+`),
		(SELECT count(*) FROM records WHERE agent = ?1 AND archived_at IS NOT NULL),
		(SELECT count(*) FROM records WHERE agent = ?1 AND archived_at IS NULL AND superseded_by IS NOT NULL),
		(SELECT count(*) FROM turns WHERE agent = ?1),
		(SELECT count(*) FROM sessions WHERE agent = ?1),
		(SELECT count(*) FROM vector_queue WHERE agent = ?1 AND set_id = ?2),
		(SELECT count(*) FROM vector_queue WHERE agent = ?1 AND set_id = ?2 AND attempts > 0),
		(SELECT count(*) FROM vectors WHERE agent = ?1 AND set_id = ?2),
		pg_database_size(current_database()),
		EXISTS (SELECT 1 FROM bank_state WHERE agent = ?1 AND key = ?3)`, agent, s.vector.id, memory.StateErasing)
	if err != nil {
		return st, err
	}
	for column, counts := range map[string]*map[string]int{"kind": &st.ByKind, "category": &st.ByCategory, "project": &st.ByProject} {
		*counts = map[string]int{}
		err := src.query(func(row rows.Row) error {
			var name string
			var n int
			err := row.Scan(&name, &n)
			(*counts)[name] = n
			return err
		}, strings.ReplaceAll(`SELECT COLUMN, count(*) FROM records WHERE agent = ? AND `+live+` GROUP BY 1`, "COLUMN", column), agent)
		if err != nil {
			return st, err
		}
	}
	return st, nil
}
