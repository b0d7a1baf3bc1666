package sqlite

import (
	"context"
	"slices"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// Changes implements [memory.Mirror].
func (s *Store) Changes(ctx context.Context, agent string) (c memory.Changes, err error) {
	found, err := queryOne(ctx, s.read, rows.ScanChanges, `SELECT changes, rewrites FROM banks WHERE agent = ?`, agent)
	if err != nil || found == nil {
		return c, explain(err)
	}
	return *found, nil
}

// After implements [memory.Mirror].
func (s *Store) After(ctx context.Context, c memory.Corpus, agent string, seq int64, limit int) ([]memory.Document, error) {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	if c == memory.Thinking {
		docs, err := queryAll(ctx, s.read, scanThought, thoughtsQuery+inBank, max(seq, low), high, limit)
		return docs, explain(err)
	}
	docs, err := s.mirrored(ctx, c, inBank, max(seq, low), high, limit)
	return docs, explain(err)
}

// Vocabulary implements [memory.Mirror].
func (s *Store) Vocabulary(ctx context.Context, c memory.Corpus, agent string) ([]string, error) {
	low, _, err := s.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	terms, err := queryAll(ctx, s.read, rows.ScanText, `SELECT term FROM `+string(c)+`_terms WHERE bank = ?`, low>>rows.BankShift)
	return terms, explain(err)
}

// Around implements [memory.Mirror].
func (s *Store) Around(ctx context.Context, c memory.Corpus, agent string, seqs []int64, radius int) ([]memory.Document, error) {
	low, high, err := s.bankRange(ctx, agent)
	if err != nil {
		return nil, err
	}
	near := `SELECT d.seq FROM json_each(?1) j CROSS JOIN records c ON c.seq = j.value
		CROSS JOIN records d ON d.seq BETWEEN c.seq - ?2 AND c.seq + ?2 AND (d.seq = c.seq OR d.occurred_at = c.occurred_at)`
	if c == memory.Conversations {
		near = `SELECT d.seq FROM json_each(?1) j CROSS JOIN turns c ON c.seq = j.value
			CROSS JOIN turns d ON d.agent = c.agent AND d.session = c.session
			AND d.turn_index BETWEEN c.turn_index - ?2 AND c.turn_index + ?2`
	}
	docs, err := s.mirrored(ctx, c, ` WHERE d.seq IN (`+near+`) AND d.seq BETWEEN ?3 AND ?4 ORDER BY d.seq`,
		rows.List(inside(seqs, low, high)), radius, low+1, high)
	return docs, explain(err)
}

// Select implements [memory.Mirror].
func (s *Store) Select(ctx context.Context, c memory.Corpus, f memory.Filter) ([]int64, error) {
	w, err := s.where(ctx, c, f)
	if err != nil {
		return nil, err
	}
	seqs, err := queryAll(ctx, s.read, rows.ScanInt64,
		`SELECT d.seq FROM `+rows.Table(c)+` d WHERE d.seq BETWEEN ? AND ?`+w.SQL()+` ORDER BY d.seq`,
		append([]any{w.low + 1, w.high}, w.Args...)...)
	return seqs, explain(err)
}

// Newest implements [memory.Mirror].
func (s *Store) Newest(ctx context.Context, c memory.Corpus, f memory.Filter, before int64, limit int) ([]int64, error) {
	w, err := s.where(ctx, c, f)
	if err != nil || limit <= 0 {
		return nil, err
	}
	if before > 0 {
		w.high = min(w.high, before-1)
	}
	seqs, err := queryAll(ctx, s.read, rows.ScanInt64, newestSQL(c, w), append(append([]any{w.low + 1, w.high}, w.Args...), limit)...)
	slices.Reverse(seqs)
	return seqs, explain(err)
}

// newestSQL returns the query for the numbers of the newest documents, which reads back from the end
// of the bank's range until it has enough.
func newestSQL(c memory.Corpus, w where) string {
	return `SELECT d.seq FROM ` + rows.Table(c) + ` d WHERE d.seq BETWEEN ? AND ?` + w.SQL() + ` ORDER BY d.seq DESC LIMIT ?`
}

// mirrored reads documents of a corpus (alias d) with the columns that a [memory.Mirror] returns:
// reading whole records takes twice as long. condition follows FROM.
func (s *Store) mirrored(ctx context.Context, c memory.Corpus, condition string, args ...any) ([]memory.Document, error) {
	if c == memory.Memories {
		return queryAll(ctx, s.read, rows.ScanMirroredRecord,
			`SELECT `+rows.MirroredRecordColumns+` FROM records d`+condition, args...)
	}
	var called []int64
	docs, err := queryAll(ctx, s.read, func(row rows.Row) (memory.Document, error) {
		d, details, err := rows.ScanMirroredTurn(row)
		if details == rows.WithCalls {
			called = append(called, d.Seq)
		}
		return d, err
	}, `SELECT `+rows.MirroredTurnColumns+` FROM turns d`+condition, args...)
	if err != nil {
		return nil, err
	}
	return docs, s.addCalls(ctx, docs, called)
}
