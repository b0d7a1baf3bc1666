package sqlite

import (
	"context"
	"fmt"
	"math"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// vectorSet is the pair of vec0 tables, one for each corpus, with the vectors of one embedder.
type vectorSet struct {
	id         int64
	dimensions int
	name       string // the embedder's fingerprint
}

const (
	// bitsFrom is the number of dimensions from which one bit each is enough
	// for a first pass. Below it int8 is kept: of 128 bits only 32 to 42 % of
	// the true nearest 50 remain, of 128 int8 values 97 to 99 %.
	bitsFrom = 512
	// chunk is how many vectors one blob of a vec0 table holds. A partition (a bank) takes space
	// in whole chunks, so these are small for the sake of small banks.
	chunk = 256
	// unusedSet is how long the set of an embedder that is not used is kept.
	unusedSet = 30 * 24 * time.Hour
)

// bits reports whether the compact column holds one bit a dimension.
func (v vectorSet) bits() bool { return v.dimensions >= bitsFrom && v.dimensions%8 == 0 }

// oversample is how many candidates the first pass returns for each result.
func (v vectorSet) oversample() int {
	if v.bits() {
		return 8
	}
	return 2
}

// coarse returns the SQL expression that reads a parameter as a compact vector.
func (v vectorSet) coarse(parameter string) string {
	if v.bits() {
		return "vec_bit(" + parameter + ")"
	}
	return "vec_int8(" + parameter + ")"
}

// quantise returns the compact form of a vector.
func (v vectorSet) quantise(vector []float32) []byte {
	if v.bits() {
		return quantiseBits(vector)
	}
	return quantiseInt8(vector)
}

// check refuses a vector of other dimensions.
func (v vectorSet) check(vector []float32) error { return rows.CheckDimensions(vector, v.dimensions) }

func (v vectorSet) table(c memory.Corpus) string { return fmt.Sprintf("vectors_%d_%s", v.id, c) }

// openVectorSet returns the set of an embedder. If there is none it creates one and queues every
// document of the file for it. At most once a day it notes that the set is in use, and drops sets
// that nobody has used for long. found is what it looks for the set by, the reading pool or, while
// opening, the writer.
func openVectorSet(ctx context.Context, found queryer, w *writer, f memory.Fingerprint, now time.Time) (vectorSet, error) {
	v := vectorSet{dimensions: f.Dimensions, name: f.String()}
	var used time.Time
	err := queryEach(ctx, found, func(row rows.Row) error { return row.Scan(&v.id, rows.FromMicros(&used)) },
		`SELECT id, used_at FROM vector_sets WHERE fingerprint = ?`, v.name)
	if err != nil {
		return v, err
	}
	if !used.IsZero() && now.Sub(used) < 24*time.Hour {
		return v, nil // the usual start writes nothing
	}
	return v, w.do(ctx, func(w *writer) error {
		err := w.QueryRowContext(ctx, `INSERT INTO vector_sets (fingerprint, dimensions, created_at, used_at) VALUES (?1, ?2, ?3, ?3)
			ON CONFLICT DO UPDATE SET used_at = excluded.used_at RETURNING id`, v.name, v.dimensions, now.UnixMicro()).Scan(&v.id)
		if err != nil {
			return err
		}
		for _, c := range memory.Corpora() {
			if err := v.create(ctx, w, c); err != nil {
				return err
			}
		}
		return dropUnusedSets(ctx, w, now.Add(-unusedSet))
	})
}

// findVectorSet returns the set of an embedder; its id is 0 if there is none.
func findVectorSet(ctx context.Context, q queryer, f memory.Fingerprint) (vectorSet, error) {
	v := vectorSet{dimensions: f.Dimensions, name: f.String()}
	err := queryEach(ctx, q, func(row rows.Row) error { return row.Scan(&v.id) },
		`SELECT id FROM vector_sets WHERE fingerprint = ?`, v.name)
	return v, err
}

// create creates the set's table for a corpus, unless it exists, and queues all documents of the
// corpus.
func (v vectorSet) create(ctx context.Context, w *writer, c memory.Corpus) error {
	var there int
	err := w.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = ?`, v.table(c)).Scan(&there)
	if err != nil || there > 0 {
		return err
	}
	coarse := fmt.Sprintf("int8[%d] distance_metric=cosine", v.dimensions)
	if v.bits() {
		coarse = fmt.Sprintf("bit[%d]", v.dimensions)
	}
	err = w.script(ctx, fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0 (
		seq INTEGER PRIMARY KEY, bank INTEGER PARTITION KEY, coarse %s,
		fine float[%d] distance_metric=cosine, chunk_size=%d)`, v.table(c), coarse, v.dimensions, chunk))
	if err != nil {
		return err
	}
	// sqlite-vec looks for a partition's last chunk at every insert, and for
	// all of them at every search, by reading the whole list of chunks.
	if err := w.script(ctx, fmt.Sprintf(`CREATE INDEX %[1]s_by_bank ON %[1]s_chunks (partition00)`, v.table(c))); err != nil {
		return err
	}
	return w.exec(ctx, `INSERT OR IGNORE INTO vector_queue (set_id, corpus, seq)
		SELECT ?, ?, seq FROM `+rows.Table(c), v.id, c)
}

// dropUnusedSets drops the sets, with their queues, that nobody has used since a time.
func dropUnusedSets(ctx context.Context, w *writer, before time.Time) error {
	ids, err := queryAll(ctx, w, rows.ScanInt64, `SELECT id FROM vector_sets WHERE used_at < ?`, before.UnixMicro())
	if err != nil {
		return err
	}
	for _, id := range ids {
		v := vectorSet{id: id}
		for _, c := range memory.Corpora() {
			if err := w.script(ctx, `DROP TABLE IF EXISTS `+v.table(c)); err != nil {
				return err
			}
		}
		for _, q := range []string{`DELETE FROM vector_queue WHERE set_id = ?`, `DELETE FROM vector_sets WHERE id = ?`} {
			if err := w.exec(ctx, q, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// storeVector stores the vector of a document in the set, with a checksum. A vector of all zeros
// has no direction, so that cosine distance is not defined for it: it is not stored.
func (t *tx) storeVector(v vectorSet, c memory.Corpus, seq int64, vector []float32) error {
	if err := v.check(vector); err != nil {
		return err
	}
	if rows.Nothing(vector) {
		return nil
	}
	exact := rows.Floats(vector)
	err := t.Exec(`INSERT INTO `+v.table(c)+` (seq, bank, coarse, fine) VALUES (?, ?, `+v.coarse("?")+`, ?)`,
		seq, seq>>rows.BankShift, v.quantise(vector), exact)
	if err != nil {
		return err
	}
	return t.Exec(`UPDATE `+v.table(c)+`_rowids SET id = ? WHERE rowid = ?`, vectorSum(exact), seq)
}

// queueVector queues a document for its vectors in all sets; with done, if the store's own embedder
// has made its vector already, in all others.
func (t *tx) queueVector(c memory.Corpus, seq int64, done bool) error {
	except := int64(-1)
	if done {
		except = t.store.vector.id
		if t.sets == 0 {
			if err := t.tx.QueryRowContext(t.ctx, `SELECT count(*) FROM vector_sets`).Scan(&t.sets); err != nil {
				return err
			}
		}
		if t.sets == 1 {
			return nil
		}
	}
	return t.Exec(`INSERT OR IGNORE INTO vector_queue (set_id, corpus, seq) SELECT id, ?1, ?2 FROM vector_sets WHERE id <> ?3`, c,
		seq, except)
}

// dropVectors removes a document from every set.
func (t *tx) dropVectors(c memory.Corpus, seq int64) error {
	ids, err := queryAll(t.ctx, t.tx, rows.ScanInt64, `SELECT id FROM vector_sets`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := t.Exec(`DELETE FROM `+vectorSet{id: id}.table(c)+` WHERE seq = ?`, seq); err != nil {
			return err
		}
	}
	return t.Exec(`DELETE FROM vector_queue WHERE corpus = ? AND seq = ?`, c, seq)
}

// quantiseInt8 quantises a vector to int8, scaled so that its largest value becomes 127; the scale
// does not matter for cosine distance.
func quantiseInt8(v []float32) []byte {
	var largest float32
	for _, x := range v {
		largest = max(largest, x, -x)
	}
	b := make([]byte, len(v))
	if largest == 0 {
		return b
	}
	for i, x := range v {
		b[i] = byte(int8(math.Round(float64(x) * 127 / float64(largest))))
	}
	return b
}

// quantiseBits quantises a vector to one bit for each dimension: whether it is positive.
func quantiseBits(v []float32) []byte {
	b := make([]byte, len(v)/8)
	for i, x := range v {
		if x > 0 {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}
