package sqlite

import (
	"context"
	"strings"

	"mcp-memory/memory"
)

// where collects conditions over documents (alias d) and their arguments.
type where struct {
	conditions []string
	args       []any
	low, high  int64 // the bank's range of seqs; low is exclusive
}

func (w *where) add(condition string, args ...any) {
	w.conditions = append(w.conditions, condition)
	w.args = append(w.args, args...)
}

// sql returns the conditions joined by AND, with a leading " AND ".
func (w *where) sql() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.conditions, " AND ")
}

// in adds column IN (values), unless there are none.
func in[T ~string](w *where, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	w.add(column+" IN ("+placeholders(len(values))+")", args...)
}

// where turns a filter into conditions. An agent without a bank gets an empty range.
func (s *Store) where(ctx context.Context, c memory.Corpus, f memory.Filter) (where, error) {
	low, high, err := s.bankRange(ctx, f.Agent)
	if err != nil {
		return where{}, err
	}
	w := where{low: low, high: high}
	in(&w, "d.project", f.Projects)
	event, created := "d.event_at", "d.created_at"
	if c == memory.Memories {
		w.records(f)
	} else {
		event = "d.said_at"
		w.turns(f)
	}
	if c == memory.Thinking {
		w.add(thought)
	}
	if !f.Since.IsZero() {
		w.add(event+" >= ?", micros(f.Since))
	}
	if !f.Until.IsZero() {
		w.add(event+" < ?", micros(f.Until))
	}
	if !f.KnownAt.IsZero() {
		w.add(created+" <= ?", micros(f.KnownAt))
	}
	return w, nil
}

// turns adds what only turns have. They are a transcript: archived ones are
// still what was said, and nothing supersedes them.
func (w *where) turns(f memory.Filter) {
	if f.Session != "" {
		w.add("d.session = ?", f.Session)
	}
	if f.Link != "" {
		w.add("FALSE")
	}
	if f.Speaker != "" {
		// NOCASE knows ASCII letters only; other names are mostly written in
		// one of these ways.
		w.add("d.speaker COLLATE NOCASE IN (?, ?, ?)", f.Speaker, strings.ToLower(f.Speaker), strings.ToUpper(f.Speaker))
	}
}

// records adds what only records have.
func (w *where) records(f memory.Filter) {
	in(w, "d.kind", f.Kinds)
	in(w, "d.category", f.Categories)
	for _, tag := range f.Tags {
		w.add("EXISTS (SELECT 1 FROM json_each(d.tags) WHERE value = ?)", tag)
	}
	if f.Link != "" {
		w.add("EXISTS (SELECT 1 FROM record_origins o WHERE o.agent = d.agent AND o.link = ? AND o.id = d.id)", f.Link)
	}
	known := micros(f.KnownAt)
	if !f.IncludeArchived {
		w.add("(d.archived_at IS NULL OR d.archived_at > ?)", known) // NULL: only the first part can hold
	}
	if !f.AsOf.IsZero() {
		w.trueAt(micros(f.AsOf))
		return // what was corrected later was true then
	}
	if !f.IncludeSuperseded {
		w.add("(d.superseded_by IS NULL OR d.superseded_at > ?)", known)
	}
}

// trueAt adds that a record's validity holds at a moment.
func (w *where) trueAt(moment any) {
	w.add("(d.valid_from IS NULL OR d.valid_from <= ?)", moment)
	w.add("(d.valid_until IS NULL OR d.valid_until > ?)", moment)
}
