package postgres

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// vectorSet identifies the stored vectors of one embedder.
type vectorSet struct {
	id         int64
	dimensions int
	name       string // the embedder's fingerprint
}

// queue is a [memory.VectorSet]: the vectors of a set, and the texts that wait for one.
type queue struct {
	*Store
	set vectorSet
}

// VectorSet implements [memory.VectorSets].
func (s *Store) VectorSet(ctx context.Context, f memory.Fingerprint) (memory.VectorSet, error) {
	v, err := s.openVectorSet(ctx, f)
	return queue{s, v}, explain(err)
}

// own is the vector set of the store's own embedder.
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

// unusedSet is how long the vectors of an embedder are kept after it was last used.
const unusedSet = 30 * 24 * time.Hour

// check returns an error for a vector that has not the set's dimensions.
func (v vectorSet) check(vector []float32) error { return rows.CheckDimensions(vector, v.dimensions) }

// openVectorSet finds the vector set of an embedder or creates it. For a new set, every document of
// all banks is queued, for the embedding workers to embed. Sets that were not used for unusedSet
// are removed.
func (s *Store) openVectorSet(ctx context.Context, f memory.Fingerprint) (vectorSet, error) {
	v := vectorSet{dimensions: f.Dimensions, name: f.String()}
	now := s.clock()
	var used int64
	err := rows.Into(s.as(ctx, everyone), []any{&v.id, &used}, `SELECT id, used_at FROM vector_sets WHERE fingerprint = ?`, v.name)
	if err != nil || v.id != 0 && now.Sub(rows.Moment(used)) < 24*time.Hour {
		return v, err // used_at is brought up to date once a day
	}
	return v, s.transaction(ctx, everyone, func(t *tx) error {
		if err := t.Exec(oneByOne); err != nil {
			return err
		}
		known := v.id != 0
		err := rows.Into(t, []any{&v.id, &known},
			`INSERT INTO vector_sets AS s (fingerprint, dimensions, created_at, used_at) VALUES (?1, ?2, ?3, ?3)
			ON CONFLICT (fingerprint) DO UPDATE SET used_at = excluded.used_at RETURNING id, s.created_at < ?3`,
			v.name, v.dimensions, now.UnixMicro())
		if err != nil {
			return err
		}
		if !known {
			for _, c := range memory.Corpora() {
				if err := t.Exec(`INSERT INTO vector_queue (agent, set_id, corpus, seq) SELECT agent, ?1, ?2, seq FROM `+rows.Table(c)+
					` ON CONFLICT DO NOTHING`, v.id, string(c)); err != nil {
					return err
				}
			}
		}
		unused, err := rows.All(t, rows.ScanInt64, `SELECT id FROM vector_sets WHERE used_at < ?`, now.Add(-unusedSet).UnixMicro())
		if err != nil || len(unused) == 0 {
			return err
		}
		for _, from := range []string{`vectors WHERE set_id`, `vector_queue WHERE set_id`, `vector_sets WHERE id`} {
			if err := t.Exec(`DELETE FROM `+from+` = ANY (?::bigint[])`, unused); err != nil {
				return err
			}
		}
		return nil
	})
}

// oneByOne makes Citus run a statement for several nodes on one after the other. It is required in
// a transaction that has changed a reference table, as vector_sets is one. Without Citus it has no
// effect.
const oneByOne = `SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true)`

// storeVector stores the vector of a document in the set, in place of an earlier one. A vector of
// zeros has no direction, so it is not stored.
func (t *tx) storeVector(v vectorSet, c memory.Corpus, seq int64, vector []float32) error {
	if err := v.check(vector); err != nil {
		return err
	}
	if rows.Nothing(vector) {
		return nil
	}
	return t.Upsert("vectors", []string{"agent", "set_id", "corpus", "seq", "vector"}, 4,
		[]any{t.agent, v.id, string(c), seq, rows.Floats(vector)})
}

// queueVectors queues documents for the embedding workers, in every vector set; if done is true,
// not in that of the store's own embedder.
func (t *tx) queueVectors(c memory.Corpus, seqs []int64, done bool) error {
	if len(seqs) == 0 {
		return nil
	}
	t.queued = true
	except := int64(-1)
	if done {
		except = t.store.vector.id
	}
	return t.Exec(`INSERT INTO vector_queue (agent, set_id, corpus, seq) SELECT ?1, id, ?2, q.seq FROM vector_sets, unnest(?3::bigint[]) q (seq) WHERE id <> ?4 ON CONFLICT DO NOTHING`,
		t.agent, string(c), seqs, except)
}

// NearestVectors implements [memory.Searcher]. It compares the question with every
// vector of the bank that passes the filter.
func (s *Store) NearestVectors(ctx context.Context, c memory.Corpus, f memory.Filter, vector []float32, limit int) ([]memory.Hit, error) {
	if rows.Nothing(vector) || limit <= 0 {
		return nil, nil
	}
	if err := s.vector.check(vector); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	w := conditions(c, f)
	var hits []memory.Hit
	err := s.as(ctx, f.Agent).Query(func(row rows.Row) error {
		var h memory.Hit
		var stored pgtype.DriverBytes
		if err := row.Scan(&h.Seq, &stored); err != nil {
			return err
		}
		h.Score = cosine(vector, stored)
		hits = append(hits, h)
		return nil
	},
		`SELECT d.seq, v.vector FROM `+rows.Table(c)+
			` d JOIN vectors v ON v.agent = d.agent AND v.set_id = ? AND v.corpus = ? AND v.seq = d.seq WHERE TRUE`+w.SQL(),
		append([]any{s.vector.id, string(c)}, w.Args...)...)
	return best(hits, limit), err
}

// cosine returns the cosine of a vector and a stored one of the same length.
func cosine(v []float32, stored []byte) float64 {
	var product, length, other float64
	for i, x := range v {
		y := float64(rows.Float(stored, i))
		product += float64(x) * y
		length += float64(x) * float64(x)
		other += y * y
	}
	return product / math.Sqrt(length*other)
}

// Vectors implements [memory.Searcher].
func (q queue) Vectors(ctx context.Context, agent string, c memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	vectors := make(map[int64][]float32, len(seqs))
	err := q.as(ctx, agent).Query(func(row rows.Row) error {
		var seq int64
		var stored []byte
		err := row.Scan(&seq, &stored)
		vectors[seq] = rows.Vector(stored)
		return err
	}, `SELECT seq, vector FROM vectors WHERE agent = ? AND set_id = ? AND corpus = ? AND seq = ANY (?::bigint[])`,
		agent, q.set.id, string(c), seqs)
	return vectors, err
}

// VectorJobs implements [memory.VectorQueue].
func (q queue) VectorJobs(ctx context.Context, now time.Time, limit int, of ...memory.Corpus) ([]memory.VectorJob, error) {
	if len(of) == 0 {
		of = memory.Corpora()
	}
	known := q.pendingOf(q.set.id)
	agents, all := known.take(now)
	var jobs []memory.VectorJob
	if all {
		for _, c := range memory.Corpora() {
			found, err := q.jobsOf(ctx, everyone, c, now, limit-len(jobs))
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, found...)
		}
		known.sweptAt(now, slices.Collect(maps.Keys(byAgent(jobs))), len(jobs) == limit)
		return slices.DeleteFunc(jobs, func(j memory.VectorJob) bool { return !slices.Contains(of, j.Corpus) }), nil
	}
	for _, c := range of {
		for _, agent := range agents {
			found, err := q.jobsOf(ctx, agent, c, now, limit-len(jobs))
			if err != nil {
				known.add(agents...)
				return nil, err
			}
			if jobs = append(jobs, found...); len(jobs) == limit {
				known.add(agents...)
				return jobs, nil
			}
		}
	}
	known.add(slices.Collect(maps.Keys(byAgent(jobs)))...)
	if len(of) < len(memory.Corpora()) {
		known.add(agents...) // they may have texts of the corpora that were not asked for
	}
	return jobs, nil
}

// jobsOf is VectorJobs for one corpus, of one agent or of everyone.
func (q queue) jobsOf(ctx context.Context, agent string, c memory.Corpus, now time.Time, limit int) ([]memory.VectorJob, error) {
	whose, args := ``, []any{q.set.id, string(c), now.UnixMicro(), limit}
	if agent != everyone {
		whose, args = ` AND q.agent = ?5`, append(args, agent)
	}
	return rows.All(q.as(ctx, agent), rows.ScanVectorJob, `SELECT `+rows.VectorJobColumns(c)+`
		FROM vector_queue q JOIN `+rows.Table(c)+` d ON d.agent = q.agent AND d.seq = q.seq
		WHERE q.set_id = ?1 AND q.corpus = ?2 AND q.not_before <= ?3`+whose+` ORDER BY q.seq LIMIT ?4`, args...)
}

// FinishVectorJobs implements [memory.VectorQueue], with one transaction for each agent. Jobs that
// are no longer in the queue are skipped: another server has done them, or their document is gone.
func (q queue) FinishVectorJobs(ctx context.Context, jobs []memory.VectorJob, vectors [][]float32) error {
	if len(jobs) != len(vectors) {
		return fmt.Errorf("%d vectors for %d jobs", len(vectors), len(jobs))
	}
	for _, v := range vectors {
		if err := q.set.check(v); err != nil {
			return err
		}
	}
	for agent, places := range byAgent(jobs) {
		err := q.transaction(ctx, agent, func(t *tx) error {
			for _, i := range places {
				j := jobs[i]
				queued, err := rows.One(t, rows.ScanInt64,
					`DELETE FROM vector_queue WHERE agent = ? AND set_id = ? AND corpus = ? AND seq = ? RETURNING seq`,
					agent, q.set.id, string(j.Corpus), j.Seq)
				if err != nil {
					return err
				}
				if queued == nil {
					continue
				}
				if err := t.storeVector(q.set, j.Corpus, j.Seq, vectors[i]); err != nil {
					return err
				}
				if err := t.Exec(`UPDATE banks SET changes = changes + 1 WHERE agent = ?`, agent); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// byAgent returns the indices of each agent's jobs.
func byAgent(jobs []memory.VectorJob) map[string][]int {
	places := map[string][]int{}
	for i, j := range jobs {
		places[j.Agent] = append(places[j.Agent], i)
	}
	return places
}

// DeferVectorJobs implements [memory.VectorQueue].
func (q queue) DeferVectorJobs(ctx context.Context, jobs []memory.VectorJob, until time.Time, reason string) error {
	for agent, places := range byAgent(jobs) {
		err := q.transaction(ctx, agent, func(t *tx) error {
			for _, i := range places {
				err := t.Exec(`UPDATE vector_queue SET attempts = attempts + 1, not_before = ?, reason = ? WHERE agent = ? AND set_id = ? AND corpus = ? AND seq = ?`,
					until.UnixMicro(), storable(reason), agent, q.set.id, string(jobs[i].Corpus), jobs[i].Seq)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// VectorBacklog implements [memory.VectorQueue].
func (q queue) VectorBacklog(ctx context.Context) (n int, err error) {
	err = rows.Into(q.as(ctx, everyone), []any{&n}, `SELECT count(*) FROM vector_queue WHERE set_id = ?`, q.set.id)
	return n, err
}

// Queued implements [memory.VectorSet].
func (q queue) Queued(ctx context.Context, agent string, c memory.Corpus, limit int) ([]int64, error) {
	return rows.All(q.as(ctx, agent), rows.ScanInt64,
		`SELECT seq FROM vector_queue WHERE agent = ? AND set_id = ? AND corpus = ? ORDER BY seq LIMIT ?`,
		agent, q.set.id, string(c), limit)
}
