package postgres

import (
	"context"
	"maps"
	"slices"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// writeCounts adds the changes that the transaction has noted in t.counts and t.groups to the
// bank's statistics.
func (t *tx) writeCounts() error {
	for c, counts := range t.counts {
		err := t.Exec(`INSERT INTO corpus_totals AS t (agent, corpus, documents, stems) VALUES (?, ?, ?, ?)
			ON CONFLICT (agent, corpus) DO UPDATE SET documents = t.documents + excluded.documents, stems = t.stems + excluded.stems`,
			t.agent, string(c), counts.Documents, counts.Stems)
		if err != nil {
			return err
		}
		if err := t.writeTerms(string(c)+"_terms", counts.Terms); err != nil {
			return err
		}
	}
	t.counts = nil
	return t.writeGroups()
}

// writeTerms adds changes to the document frequencies in a table, all in one statement, and removes
// terms that no document has any more.
func (t *tx) writeTerms(table string, changes map[string]int) error {
	var keys, numbers []int64
	var terms []string
	fewer := false
	for _, term := range slices.Sorted(maps.Keys(changes)) {
		if n := changes[term]; n != 0 {
			keys, terms, numbers = append(keys, termOf(0, term)), append(terms, storable(term)), append(numbers, int64(n))
			fewer = fewer || n < 0
		}
	}
	if len(keys) == 0 {
		return nil
	}
	err := t.Exec(`INSERT INTO `+table+
		` AS t (agent, key, term, documents) SELECT ?1, key, term, n FROM unnest(?2::bigint[], ?3::text[], ?4::bigint[]) j (key, term, n)
		ON CONFLICT (agent, key) DO UPDATE SET documents = t.documents + excluded.documents`, t.agent, keys, terms, numbers)
	if err == nil && fewer {
		err = t.Exec(`DELETE FROM `+table+` WHERE agent = ? AND key = ANY (?::bigint[]) AND documents <= 0`, t.agent, keys)
	}
	return err
}

// Statistics implements [memory.Searcher].
func (s *Store) Statistics(ctx context.Context, agent string, c memory.Corpus, stems []string) (memory.Statistics, error) {
	stats := memory.Statistics{AverageLength: 1, Frequency: map[string]int{}}
	keys := make([]int64, len(stems))
	for i, stem := range stems {
		keys[i] = termOf(0, stem)
	}
	// One statement for both, so that they are of the same moment.
	err := s.as(ctx, agent).Query(func(row rows.Row) error {
		var term *string
		var documents, length int
		if err := row.Scan(&term, &documents, &length); err != nil {
			return err
		}
		if term != nil {
			stats.Frequency[*term] = documents
		} else if stats.Documents = documents; documents > 0 {
			stats.AverageLength = max(1, float64(length)/float64(documents))
		}
		return nil
	}, `SELECT NULL, documents, stems FROM corpus_totals WHERE agent = ?1 AND corpus = ?2
		UNION ALL SELECT term, documents, 0 FROM `+string(c)+`_terms WHERE agent = ?1 AND key = ANY (?3::bigint[])`,
		storable(agent), string(c), keys)
	return stats, err
}

// Vocabulary implements [memory.Mirror].
func (s *Store) Vocabulary(ctx context.Context, c memory.Corpus, agent string) ([]string, error) {
	return rows.All(s.as(ctx, agent), rows.ScanText, `SELECT term FROM `+string(c)+`_terms WHERE agent = ?`, agent)
}

// Changes implements [memory.Mirror].
func (s *Store) Changes(ctx context.Context, agent string) (memory.Changes, error) {
	found, err := rows.One(s.as(ctx, agent), rows.ScanChanges, `SELECT changes, rewrites FROM banks WHERE agent = ?`, agent)
	if err != nil || found == nil {
		return memory.Changes{}, err
	}
	return *found, nil
}

// After implements [memory.Mirror].
func (s *Store) After(ctx context.Context, c memory.Corpus, agent string, seq int64, limit int) ([]memory.Document, error) {
	if c == memory.Thinking {
		return rows.All(s.as(ctx, agent), scanThought,
			`SELECT d.seq, x.thinking, d.created_at, d.said_at, d.session, d.turn_index, d.speaker, d.role, d.details
			FROM turns d JOIN turn_details x ON d.details > 0 AND x.agent = d.agent AND x.id = d.id AND x.thinking <> ''`+inBank,
			agent, seq, limit)
	}
	return s.mirrored(ctx, c, agent, inBank, agent, seq, limit)
}

func scanThought(row rows.Row) (memory.Document, error) {
	d, _, err := rows.ScanMirroredTurn(row)
	d.Corpus = memory.Thinking
	return d, err
}

// Around implements [memory.Mirror].
func (s *Store) Around(ctx context.Context, c memory.Corpus, agent string, seqs []int64, radius int) ([]memory.Document, error) {
	near := `SELECT d.seq FROM unnest(?2::bigint[]) j (seq) JOIN records c ON c.agent = ?1 AND c.seq = j.seq
		JOIN records d ON d.agent = ?1 AND d.seq BETWEEN c.seq - ?3 AND c.seq + ?3 AND (d.seq = c.seq OR d.occurred_at = c.occurred_at)`
	if c == memory.Conversations {
		near = `SELECT d.seq FROM unnest(?2::bigint[]) j (seq) JOIN turns c ON c.agent = ?1 AND c.seq = j.seq
			JOIN turns d ON d.agent = ?1 AND d.session = c.session AND d.turn_index BETWEEN c.turn_index - ?3 AND c.turn_index + ?3`
	}
	return s.mirrored(ctx, c, agent, ` WHERE d.agent = ?1 AND d.seq IN (`+near+`) ORDER BY d.seq`, agent, seqs, radius)
}

// Select implements [memory.Mirror].
func (s *Store) Select(ctx context.Context, c memory.Corpus, f memory.Filter) ([]int64, error) {
	w := conditions(c, f)
	return rows.All(s.as(ctx, f.Agent), rows.ScanInt64,
		`SELECT d.seq FROM `+rows.Table(c)+` d WHERE TRUE`+w.SQL()+` ORDER BY d.seq`, w.Args...)
}

// Newest implements [memory.Mirror].
func (s *Store) Newest(ctx context.Context, c memory.Corpus, f memory.Filter, before int64, limit int) ([]int64, error) {
	if limit <= 0 {
		return nil, nil
	}
	w := conditions(c, f)
	if before > 0 {
		w.Add("d.seq < ?", before)
	}
	seqs, err := rows.All(s.as(ctx, f.Agent), rows.ScanInt64,
		`SELECT d.seq FROM `+rows.Table(c)+` d WHERE TRUE`+w.SQL()+` ORDER BY d.seq DESC LIMIT ?`, append(w.Args, limit)...)
	slices.Reverse(seqs)
	return seqs, err
}

// mirrored reads the documents of a corpus (alias d) that meet a condition, with what
// [memory.Mirror] returns of them.
func (s *Store) mirrored(ctx context.Context, c memory.Corpus, agent, condition string, args ...any) ([]memory.Document, error) {
	src := s.as(ctx, agent)
	if c == memory.Memories {
		return rows.All(src, rows.ScanMirroredRecord, `SELECT `+rows.MirroredRecordColumns+` FROM records d`+condition, args...)
	}
	var called []int64
	docs, err := rows.All(src, func(row rows.Row) (memory.Document, error) {
		d, more, err := rows.ScanMirroredTurn(row)
		if more == rows.WithCalls {
			called = append(called, d.Seq)
		}
		return d, err
	}, `SELECT `+rows.MirroredTurnColumns+` FROM turns d`+condition, args...)
	if err != nil {
		return nil, err
	}
	return docs, addCalls(src, agent, docs, called)
}
