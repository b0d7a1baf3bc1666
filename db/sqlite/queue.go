package sqlite

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// queue is a set of vectors with its queue of documents that wait for one.
type queue struct {
	*Store
	set vectorSet
}

// VectorSet implements [memory.VectorSets].
func (s *Store) VectorSet(ctx context.Context, f memory.Fingerprint) (memory.VectorSet, error) {
	if s.readOnly {
		v, err := findVectorSet(ctx, s.read, f)
		if err == nil && v.id == 0 {
			err = memory.Errorf(memory.CodeUnavailable, "the database cannot be written, and has no vectors by %s", f)
		}
		return queue{s, v}, explain(err)
	}
	v, err := openVectorSet(ctx, s.read, s.writer, f, s.clock())
	return queue{s, v}, explain(err)
}

// own is the queue of the store's own embedder.
func (s *Store) own() queue { return queue{s, s.vector} }

// VectorJobs implements [memory.VectorQueue].
func (s *Store) VectorJobs(ctx context.Context, now time.Time, limit int, of ...memory.Corpus) ([]memory.VectorJob, error) {
	return s.own().VectorJobs(ctx, now, limit, of...)
}

// FinishVectorJobs implements [memory.VectorQueue].
func (s *Store) FinishVectorJobs(ctx context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	return s.own().FinishVectorJobs(ctx, jobs, vectors)
}

// DeferVectorJobs implements [memory.VectorQueue].
func (s *Store) DeferVectorJobs(ctx context.Context, jobs []memory.VectorJob, until time.Time, reason string) error {
	return s.own().DeferVectorJobs(ctx, jobs, until, reason)
}

// VectorBacklog implements [memory.VectorQueue].
func (s *Store) VectorBacklog(ctx context.Context) (int, error) { return s.own().VectorBacklog(ctx) }

// Vectors implements [memory.Searcher].
func (s *Store) Vectors(ctx context.Context, agent string, c memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	return s.own().Vectors(ctx, agent, c, seqs)
}

// VectorJobs implements [memory.VectorQueue].
func (q queue) VectorJobs(ctx context.Context, now time.Time, limit int, of ...memory.Corpus) ([]memory.VectorJob, error) {
	var jobs []memory.VectorJob
	for _, c := range memory.Corpora() {
		if len(of) > 0 && !slices.Contains(of, c) {
			continue
		}
		found, err := queryAll(ctx, q.read, rows.ScanVectorJob, `SELECT `+rows.VectorJobColumns(c)+`
			FROM vector_queue q CROSS JOIN `+rows.Table(c)+` d ON d.seq = q.seq
			WHERE q.set_id = ? AND q.corpus = ? AND q.not_before <= ? ORDER BY q.seq LIMIT ?`,
			q.set.id, c, rows.Micros(now), limit-len(jobs))
		if err != nil {
			return nil, explain(err)
		}
		jobs = append(jobs, found...)
	}
	return jobs, nil
}

// FinishVectorJobs implements [memory.VectorQueue]. A job that is no longer in
// the queue was done by another process, or its document is gone: skipped.
func (q queue) FinishVectorJobs(ctx context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	if len(jobs) != len(vectors) {
		return fmt.Errorf("%d vectors for %d jobs", len(vectors), len(jobs))
	}
	return explain(q.writer.do(ctx, func(w *writer) error {
		t := &tx{ctx: ctx, store: q.Store, tx: w}
		for i, j := range jobs {
			queued, err := queryOne(ctx, w, rows.ScanInt64,
				`DELETE FROM vector_queue WHERE set_id = ? AND corpus = ? AND seq = ? RETURNING seq`,
				q.set.id, j.Corpus, j.Seq)
			if err != nil {
				return err
			}
			if queued == nil {
				continue
			}
			if err := t.storeVector(q.set, j.Corpus, j.Seq, vectors[i]); err != nil {
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
func (q queue) DeferVectorJobs(ctx context.Context, jobs []memory.VectorJob, until time.Time, reason string) error {
	return explain(q.writer.do(ctx, func(w *writer) error {
		for _, j := range jobs {
			err := w.exec(ctx, `UPDATE vector_queue SET attempts = attempts + 1, not_before = ?, reason = ?
				WHERE set_id = ? AND corpus = ? AND seq = ?`, rows.Micros(until), reason, q.set.id, j.Corpus, j.Seq)
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// VectorBacklog implements [memory.VectorQueue].
func (q queue) VectorBacklog(ctx context.Context) (n int, err error) {
	err = q.read.QueryRowContext(ctx, `SELECT count(*) FROM vector_queue WHERE set_id = ?`, q.set.id).Scan(&n)
	return n, explain(err)
}

// Queued implements [memory.VectorSet].
func (q queue) Queued(ctx context.Context, agent string, c memory.Corpus, limit int) ([]int64, error) {
	low, high, err := q.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	seqs, err := queryAll(ctx, q.read, rows.ScanInt64,
		`SELECT seq FROM vector_queue WHERE set_id = ? AND corpus = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
		q.set.id, c, low, high, limit)
	return seqs, explain(err)
}
