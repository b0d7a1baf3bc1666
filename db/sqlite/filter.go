package sqlite

import (
	"context"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// where is conditions over the documents of a bank.
type where struct {
	rows.Conditions
	low, high int64 // the bank's range of seqs; low is exclusive
}

// where turns a filter into conditions. An agent without a bank gets an empty range.
func (s *Store) where(ctx context.Context, c memory.Corpus, f memory.Filter) (where, error) {
	low, high, err := s.bankRange(ctx, f.Agent)
	if err != nil {
		return where{}, err
	}
	w := where{low: low, high: high}
	rows.In(&w.Conditions, "d.project", f.Projects)
	if c == memory.Memories {
		w.records(f)
	} else {
		w.turns(f)
	}
	if c == memory.Thinking {
		w.Add(thought)
	}
	w.Times(c, f)
	return w, nil
}

// turns adds the conditions on turns. Turns are a transcript: archived ones are found like others,
// and nothing supersedes them.
func (w *where) turns(f memory.Filter) {
	if f.Session != "" {
		w.Add("d.session = ?", f.Session)
	}
	if f.Link != "" {
		w.Add("FALSE")
	}
	if f.Speaker != "" {
		// NOCASE folds ASCII letters only. Names with other letters are mostly written as
		// given, in lower or in upper case.
		w.Add("d.speaker COLLATE NOCASE IN (?, ?, ?)", f.Speaker, strings.ToLower(f.Speaker), strings.ToUpper(f.Speaker))
	}
}

// records adds the conditions on records.
func (w *where) records(f memory.Filter) {
	rows.In(&w.Conditions, "d.kind", f.Kinds)
	rows.In(&w.Conditions, "d.category", f.Categories)
	for _, tag := range f.Tags {
		w.Add("EXISTS (SELECT 1 FROM json_each(d.tags) WHERE value = ?)", tag)
	}
	if f.Link != "" {
		w.Add("EXISTS (SELECT 1 FROM record_origins o WHERE o.agent = d.agent AND o.link = ? AND o.id = d.id)", f.Link)
	}
	w.Live(f)
}
