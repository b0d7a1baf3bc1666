package sqlite

import (
	"context"
	"errors"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Stats implements [memory.Reader]. If the database is damaged it counts what it can, without
// indexes.
func (s *Store) Stats(ctx context.Context, agent string) (memory.Stats, error) {
	st, err := s.stats(ctx, agent)
	if errors.Is(err, memory.ErrDamaged) {
		return s.statsOfDamaged(ctx, agent)
	}
	return st, err
}

func (s *Store) stats(ctx context.Context, agent string) (memory.Stats, error) {
	st := memory.Stats{Agent: agent, Embedder: s.vector.name}
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return st, err
	}
	err = s.read.QueryRowContext(ctx, `SELECT
		coalesce((SELECT documents FROM corpus_totals WHERE bank = ?6 AND corpus = ?7), 0),
		(SELECT count(*) FROM sessions WHERE agent = ?1),
		(SELECT count(*) FROM vector_queue WHERE set_id = ?2 AND seq > ?3 AND seq <= ?4),
		(SELECT count(*) FROM vector_queue WHERE set_id = ?2 AND seq > ?3 AND seq <= ?4 AND attempts > 0),
		(SELECT user_version FROM pragma_user_version),
		(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size),
		EXISTS (SELECT 1 FROM bank_state WHERE agent = ?1 AND key IN (?5, ?8))`,
		agent, s.vector.id, low, high, scrubKey, low>>rows.BankShift, memory.Conversations, memory.StateErasing).
		Scan(&st.Turns, &st.Sessions, &st.VectorsQueued, &st.VectorsFailed, &st.SchemaVersion, &st.DatabaseBytes, &st.ErasePending)
	if err != nil {
		return st, explain(err)
	}
	for _, c := range memory.Corpora() {
		n, err := s.countVectors(ctx, s.vector, c, low)
		if err != nil {
			return st, explain(err)
		}
		st.Vectors += n
	}
	if err := s.encoderStats(ctx, &st, low, high); err != nil {
		return st, explain(err)
	}
	groups, err := queryAll(ctx, s.read, rows.ScanGroup, `SELECT `+rows.GroupColumns+` FROM record_counts WHERE agent = ?`, agent)
	rows.SumGroups(groups, &st)
	return st, explain(err)
}

// encoderStats sets how many memories have a vector by the sentence encoder, and how many wait for
// one.
func (s *Store) encoderStats(ctx context.Context, st *memory.Stats, low, high int64) error {
	sets, err := queryAll(ctx, s.read, rows.ScanInt64, `SELECT id FROM vector_sets WHERE fingerprint LIKE ? ORDER BY used_at DESC LIMIT 1`,
		memory.EncoderModels+"%")
	if err != nil || len(sets) == 0 {
		return err
	}
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM vector_queue WHERE set_id = ? AND corpus = ? AND seq > ? AND seq <= ?`,
		sets[0], memory.Memories, low, high).Scan(&st.EncoderQueued)
	if err == nil {
		st.Encoded, err = s.countVectors(ctx, vectorSet{id: sets[0]}, memory.Memories, low)
	}
	return err
}

// statsOfDamaged counts one thing after another, each without indexes, and leaves 0 for what cannot
// be counted because of damage. It returns the first error of another kind.
func (s *Store) statsOfDamaged(ctx context.Context, agent string) (memory.Stats, error) {
	st := memory.Stats{Agent: agent, Embedder: s.vector.name, ByKind: map[string]int{}, ByCategory: map[string]int{},
		ByProject: map[string]int{}}
	low, high, err := s.bankRange(ctx, agent)
	if err != nil && !errors.Is(err, memory.ErrDamaged) {
		return st, err
	}
	count := func(n *int, query string, args ...any) {
		if failed := explain(s.read.QueryRowContext(ctx, query, args...).Scan(n)); failed != nil {
			*n = 0
			if !errors.Is(failed, memory.ErrDamaged) && err == nil {
				err = failed
			}
		}
	}
	const inRange = ` NOT INDEXED WHERE seq > ? AND seq <= ?`
	count(&st.Records, `SELECT count(*) FROM records`+inRange+` AND archived_at IS NULL AND superseded_by IS NULL`, low, high)
	count(&st.Archived, `SELECT count(*) FROM records`+inRange+` AND archived_at IS NOT NULL`, low, high)
	count(&st.Superseded, `SELECT count(*) FROM records`+inRange+` AND archived_at IS NULL AND superseded_by IS NOT NULL`, low, high)
	count(&st.Turns, `SELECT count(*) FROM turns`+inRange, low, high)
	count(&st.Sessions, `SELECT count(*) FROM sessions WHERE agent = ?`, agent)
	count(&st.VectorsQueued, `SELECT count(*) FROM vector_queue WHERE set_id = ? AND seq > ? AND seq <= ?`, s.vector.id, low, high)
	count(&st.VectorsFailed, `SELECT count(*) FROM vector_queue WHERE set_id = ? AND seq > ? AND seq <= ? AND attempts > 0`,
		s.vector.id, low, high)
	for _, c := range memory.Corpora() {
		var n int
		count(&n, `SELECT count(*) FROM `+s.vector.table(c)+`_rowids WHERE rowid > ? AND rowid <= ?`, low, high)
		st.Vectors += n
	}
	var bytes int
	count(&st.SchemaVersion, `SELECT user_version FROM pragma_user_version`)
	count(&bytes, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`)
	st.DatabaseBytes = int64(bytes)
	for column, counts := range map[string]map[string]int{"kind": st.ByKind, "category": st.ByCategory, "project": st.ByProject} {
		failed := explain(queryEach(ctx, s.read, func(row rows.Row) error {
			var name string
			var n int
			err := row.Scan(&name, &n)
			counts[name] = n
			return err
		}, strings.ReplaceAll(`SELECT COLUMN, count(*) FROM records`+inRange+
			` AND archived_at IS NULL AND superseded_by IS NULL GROUP BY 1`, "COLUMN", column), low, high))
		if failed != nil && !errors.Is(failed, memory.ErrDamaged) && err == nil {
			err = failed
		}
	}
	if errors.Is(err, memory.ErrDamaged) {
		err = nil
	}
	return st, err
}
