package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// maxPostings bounds the matches that one word query may have in all: bm25()
// runs for each of them. With 5,000 about 90 % of the full query's first ten
// are among the first hundred.
const maxPostings = 5000

// Statistics implements [memory.Searcher].
func (s *Store) Statistics(ctx context.Context, agent string, c memory.Corpus, stems []string) (memory.Statistics, error) {
	stats := memory.Statistics{AverageLength: 1, Frequency: map[string]int{}}
	low, _, err := s.bankRange(ctx, agent)
	if err != nil {
		return stats, err
	}
	// One statement for both, so that they are of the same moment.
	err = queryEach(ctx, s.read, func(row rows.Row) error {
		var term sql.NullString
		var documents, length int
		if err := row.Scan(&term, &documents, &length); err != nil {
			return err
		}
		if term.Valid {
			stats.Frequency[term.String] = documents
		} else if stats.Documents = documents; documents > 0 {
			stats.AverageLength = max(1, float64(length)/float64(documents))
		}
		return nil
	}, `SELECT NULL, documents, stems FROM corpus_totals WHERE bank = ?1 AND corpus = ?2
		UNION ALL SELECT t.term, t.documents, 0 FROM json_each(?3) j CROSS JOIN `+string(c)+`_terms t ON t.bank = ?1 AND t.term = j.value`,
		low>>rows.BankShift, c, rows.List(stems))
	return stats, explain(err)
}

// MatchWords implements [memory.Searcher].
func (s *Store) MatchWords(ctx context.Context, c memory.Corpus, f memory.Filter, words []string, limit int) ([]memory.Hit, error) {
	rare, err := s.rareWords(ctx, c, f.Agent, words)
	if err != nil {
		return nil, err
	}
	hits, err := s.match(ctx, c, "_words", f, rare, limit)
	if err == nil && len(hits) < limit && len(rare) < len(words) && (f.Narrow() || f.Projects != nil) {
		// The documents that pass the filter may have none but common words. There are few of
		// them, and bm25() runs for no others.
		return s.match(ctx, c, "_words", f, words, limit)
	}
	return hits, err
}

// rareWords returns the rarest of the words that occur, as many as have at most maxPostings
// postings in all but at least one. In a small bank it returns all words.
func (s *Store) rareWords(ctx context.Context, c memory.Corpus, agent string, words []string) ([]string, error) {
	stems := rows.StemsOf(words)
	stats, err := s.Statistics(ctx, agent, c, stems)
	if err != nil || stats.Documents <= maxPostings/max(1, len(words)) {
		return words, err
	}
	type counted struct {
		word     string
		postings int
	}
	var occurring []counted
	for i, w := range words {
		if n := stats.Frequency[stems[i]]; n > 0 || strings.Contains(w, " ") { // phrases are not counted
			occurring = append(occurring, counted{w, n})
		}
	}
	slices.SortStableFunc(occurring, func(a, b counted) int { return a.postings - b.postings })
	var rare []string
	total := 0
	for _, w := range occurring {
		if total += w.postings; total > maxPostings && len(rare) > 0 {
			break
		}
		rare = append(rare, w.word)
	}
	return rare, nil
}

// MatchRarest implements [memory.Searcher].
func (s *Store) MatchRarest(ctx context.Context, f memory.Filter, words []string, within memory.Rarest,
	limit int) ([]memory.Record, error) {
	stats, err := s.Statistics(ctx, f.Agent, memory.Memories, rows.StemsOf(words))
	if err != nil {
		return nil, err
	}
	hits, err := s.match(ctx, memory.Memories, "_words", f, rows.RarestWords(words, stats, within), limit)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	found, err := s.Documents(ctx, memory.Memories, f, seqs)
	return rows.Records(found), err
}

// MatchSubstrings implements [memory.Searcher].
func (s *Store) MatchSubstrings(ctx context.Context, c memory.Corpus, f memory.Filter, parts []string, limit int) ([]memory.Hit, error) {
	long := slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return len([]rune(p)) < 3 })
	return s.match(ctx, c, "_parts", f, long, limit)
}

// match finds documents that have any of the terms, best first. CROSS JOIN
// keeps the text index outermost: otherwise SQLite may walk the documents and
// probe the index for each. The plus sign keeps the sorting out of FTS5, which
// would compute bm25() also for what the filter then drops.
func (s *Store) match(ctx context.Context, c memory.Corpus, index string, f memory.Filter, terms []string,
	limit int) ([]memory.Hit, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	terms = terms[:min(len(terms), memory.MaxTerms)]
	w, err := s.where(ctx, c, f)
	if err != nil {
		return nil, err
	}
	hits, err := queryAll(ctx, s.read, rows.ScanHit, matchSQL(c, index, w), append(append(
		[]any{matchExpression(terms), w.low + 1, w.high}, w.Args...), limit)...)
	return hits, explain(err)
}

func matchSQL(c memory.Corpus, index string, w where) string {
	fts := string(c) + index
	return fmt.Sprintf(`SELECT %[1]s.rowid, -%[1]s.rank FROM %[1]s CROSS JOIN %[2]s d ON d.seq = %[1]s.rowid
		WHERE %[1]s MATCH ? AND %[1]s.rowid BETWEEN ? AND ?%[3]s ORDER BY +%[1]s.rank LIMIT ?`, fts, rows.Table(c), w.SQL())
}

// matchExpression quotes each term, so that nothing in it is FTS5 syntax.
func matchExpression(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(rows.Phrase(t), `"`, `""`) + `"`
	}
	return strings.Join(quoted, " OR ")
}

// NearestVectors implements [memory.Searcher].
func (s *Store) NearestVectors(ctx context.Context, c memory.Corpus, f memory.Filter, vector []float32, limit int) ([]memory.Hit, error) {
	if rows.Nothing(vector) || limit <= 0 {
		return nil, nil
	}
	if len(vector) != s.vector.dimensions {
		return nil, fmt.Errorf("query vector of %d dimensions for a set of %d", len(vector), s.vector.dimensions)
	}
	w, err := s.where(ctx, c, f)
	if err != nil {
		return nil, err
	}
	hits, err := s.nearest(ctx, c, w, vector, limit, f.Narrow())
	if err == nil && len(hits) < limit && !f.Narrow() && len(w.List) > 0 {
		// Documents that the filter drops may have taken the places of some that pass.
		hits, err = s.nearest(ctx, c, w, vector, limit, true)
	}
	return hits, explain(err)
}

func (s *Store) nearest(ctx context.Context, c memory.Corpus, w where, vector []float32, limit int, narrow bool) ([]memory.Hit, error) {
	first := min(limit*s.vector.oversample(), maxNeighbours)
	query, args := nearestSQL(s.vector, c, w, narrow)
	args = append([]any{rows.Floats(vector), s.vector.quantise(vector), first, w.low >> rows.BankShift}, args...)
	hits, err := queryAll(ctx, s.read, rows.ScanHit, query, args...)
	slices.SortStableFunc(hits, func(a, b memory.Hit) int { return compareDesc(a.Score, b.Score) })
	return hits[:min(limit, len(hits))], err
}

// maxNeighbours is the largest k that sqlite-vec takes.
const maxNeighbours = 4096

// nearestSQL returns the query that searches the compact column and computes the exact similarity
// of what it found. With narrow, the filter is applied before the search. Otherwise it is applied
// to the result, as nearly every row passes it; where that leaves too few, NearestVectors asks
// again.
func nearestSQL(v vectorSet, c memory.Corpus, w where, narrow bool) (string, []any) {
	query := fmt.Sprintf(`SELECT v.seq, 1 - vec_distance_cosine(v.fine, ?1) FROM %s v WHERE v.coarse MATCH %s AND v.k = ?3 AND v.bank = ?4`,
		v.table(c), v.coarse("?2"))
	if len(w.List) == 0 {
		return query, nil
	}
	if narrow {
		return query + fmt.Sprintf(` AND v.seq IN (SELECT d.seq FROM %s d WHERE d.seq BETWEEN ?5 AND ?6%s)`,
			rows.Table(c), w.SQL()), append([]any{w.low + 1, w.high}, w.Args...)
	}
	return fmt.Sprintf(`SELECT n.* FROM (%s) n CROSS JOIN %s d ON d.seq = n.seq WHERE TRUE%s`, query, rows.Table(c), w.SQL()), w.Args
}

func compareDesc(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// Vectors implements [memory.VectorSet].
func (q queue) Vectors(ctx context.Context, agent string, c memory.Corpus, seqs []int64) (map[int64][]float32, error) {
	low, high, err := q.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	query := fmt.Sprintf(`SELECT v.seq, v.fine FROM json_each(?) j CROSS JOIN %s v ON v.seq = j.value`, q.set.table(c))
	vectors := make(map[int64][]float32, len(seqs))
	err = queryEach(ctx, q.read, func(row rows.Row) error {
		var seq int64
		var vector []byte
		err := row.Scan(&seq, &vector)
		vectors[seq] = rows.Vector(vector)
		return err
	}, query, rows.List(inside(seqs, low, high)))
	return vectors, explain(err)
}

// Documents implements [memory.Searcher].
func (s *Store) Documents(ctx context.Context, c memory.Corpus, f memory.Filter, seqs []int64) ([]memory.Document, error) {
	w, err := s.where(ctx, c, f)
	if err != nil {
		return nil, err
	}
	args := append([]any{rows.List(inside(seqs, w.low, w.high))}, w.Args...)
	if c != memory.Memories {
		docs, err := s.turnDocuments(ctx, ` FROM json_each(?) j CROSS JOIN turns d ON d.seq = j.value WHERE TRUE`+w.SQL(), args...)
		if err == nil && c == memory.Thinking {
			err = s.setThinking(ctx, docs)
		}
		return docs, explain(err)
	}
	docs, err := queryInto(ctx, s.read, make([]memory.Document, 0, len(seqs)), rows.ScanRecord,
		`SELECT `+rows.RecordColumns+` FROM json_each(?) j CROSS JOIN records d ON d.seq = j.value WHERE TRUE`+w.SQL(), args...)
	if err != nil {
		return nil, explain(err)
	}
	return docs, explain(loadDetails(ctx, s.read, docs))
}

// inside returns the numbers that are in a bank's range: low < n ≤ high.
func inside(seqs []int64, low, high int64) []int64 {
	return slices.DeleteFunc(slices.Clone(seqs), func(n int64) bool { return n <= low || n > high })
}
