package postgres

import (
	"context"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// bankOf returns the number of an agent's bank, 0 if it has none. The number of a bank never
// changes, so it is cached.
func (s *Store) bankOf(ctx context.Context, agent string) (int64, error) {
	if bank, known := s.banks.Load(agent); known {
		return bank.(int64), nil
	}
	bank, err := rows.One(s.as(ctx, storable(agent)), rows.ScanInt64, `SELECT bank FROM banks WHERE agent = ?`, storable(agent))
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
	err := rows.Into(src, []any{
		&st.Turns, &st.Sessions, &st.VectorsQueued, &st.VectorsFailed, &st.Vectors, &st.ErasePending,
	}, `SELECT
		coalesce((SELECT documents FROM corpus_totals WHERE agent = ?1 AND corpus = ?4), 0),
		(SELECT count(*) FROM sessions WHERE agent = ?1),
		(SELECT count(*) FROM vector_queue WHERE agent = ?1 AND set_id = ?2),
		(SELECT count(*) FROM vector_queue WHERE agent = ?1 AND set_id = ?2 AND attempts > 0),
		(SELECT count(*) FROM vectors WHERE agent = ?1 AND set_id = ?2),
		EXISTS (SELECT 1 FROM bank_state WHERE agent = ?1 AND key = ?3)`,
		agent, s.vector.id, memory.StateErasing, string(memory.Conversations))
	if err != nil {
		return st, err
	}
	err = rows.Into(src, []any{&st.Encoded, &st.EncoderQueued}, `SELECT
		(SELECT count(*) FROM vectors WHERE agent = ?1 AND set_id = s.id AND corpus = ?3),
		(SELECT count(*) FROM vector_queue WHERE agent = ?1 AND set_id = s.id AND corpus = ?3)
		FROM vector_sets s WHERE s.fingerprint LIKE ?2 ORDER BY s.used_at DESC LIMIT 1`,
		agent, memory.EncoderModels+"%", string(memory.Memories))
	if err != nil {
		return st, err
	}
	if st.DatabaseBytes, err = s.databaseBytes(ctx); err != nil {
		return st, explain(err)
	}
	groups, err := rows.All(src, rows.ScanGroup, `SELECT `+rows.GroupColumns+` FROM record_counts WHERE agent = ?`, agent)
	rows.SumGroups(groups, &st)
	return st, err
}
