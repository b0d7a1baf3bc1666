package sqlite

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// VectorJobs implements [memory.VectorQueue].
func (s *Store) VectorJobs(ctx context.Context, now time.Time, limit int) ([]memory.VectorJob, error) {
	var jobs []memory.VectorJob
	for _, c := range memory.Corpora() {
		found, err := queryAll(ctx, s.read, rows.ScanVectorJob, `SELECT d.agent, q.corpus, q.seq, d.content, q.attempts
			FROM vector_queue q CROSS JOIN `+rows.Table(c)+` d ON d.seq = q.seq
			WHERE q.set_id = ? AND q.corpus = ? AND q.not_before <= ? ORDER BY q.seq LIMIT ?`,
			s.vector.id, c, rows.Micros(now), limit-len(jobs))
		if err != nil {
			return nil, explain(err)
		}
		jobs = append(jobs, found...)
	}
	return jobs, nil
}

// FinishVectorJobs implements [memory.VectorQueue]. A job that is no longer in
// the queue was done by another process, or its document is gone: skipped.
func (s *Store) FinishVectorJobs(ctx context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	if len(jobs) != len(vectors) {
		return fmt.Errorf("%d vectors for %d jobs", len(vectors), len(jobs))
	}
	return explain(s.writer.do(ctx, func(w *writer) error {
		t := &tx{ctx: ctx, store: s, tx: w}
		for i, j := range jobs {
			queued, err := queryOne(ctx, w, rows.ScanInt64, `DELETE FROM vector_queue WHERE set_id = ? AND corpus = ? AND seq = ? RETURNING seq`,
				s.vector.id, j.Corpus, j.Seq)
			if err != nil {
				return err
			}
			if queued == nil {
				continue
			}
			if err := t.storeVector(j.Corpus, j.Seq, vectors[i]); err != nil {
				return err
			}
			err = w.exec(ctx, `UPDATE banks SET changes = changes + 1 WHERE agent = ?`, j.Agent)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// DeferVectorJobs implements [memory.VectorQueue].
func (s *Store) DeferVectorJobs(ctx context.Context, jobs []memory.VectorJob, until time.Time, reason string) error {
	return explain(s.writer.do(ctx, func(w *writer) error {
		for _, j := range jobs {
			err := w.exec(ctx, `UPDATE vector_queue SET attempts = attempts + 1, not_before = ?, reason = ?
				WHERE set_id = ? AND corpus = ? AND seq = ?`, rows.Micros(until), reason, s.vector.id, j.Corpus, j.Seq)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// VectorBacklog implements [memory.VectorQueue].
func (s *Store) VectorBacklog(ctx context.Context) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM vector_queue WHERE set_id = ?`, s.vector.id).Scan(&n)
	return n, explain(err)
}
