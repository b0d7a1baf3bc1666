package postgres

import (
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// conditions turns a filter into conditions on a corpus' documents (alias d), the
// agent first.
func conditions(c memory.Corpus, f memory.Filter) rows.Conditions {
	var w rows.Conditions
	w.Add("d.agent = ?", storable(f.Agent))
	rows.In(&w, "d.project", storables(f.Projects))
	if c == memory.Memories {
		ofRecords(&w, f)
	} else {
		ofTurns(&w, f)
	}
	if c == memory.Thinking {
		w.Add("d.details > 0 AND EXISTS (SELECT 1 FROM turn_details x WHERE x.agent = d.agent AND x.id = d.id AND x.thinking <> '')")
	}
	w.Times(c, f)
	return w
}

// ofTurns adds what only turns have. They are a transcript: archived ones are
// still what was said, and nothing supersedes them.
func ofTurns(w *rows.Conditions, f memory.Filter) {
	if f.Session != "" {
		w.Add("d.session = ?", storable(f.Session))
	}
	if f.Link != "" {
		w.Add("FALSE")
	}
	if f.Speaker != "" {
		speaker := storable(f.Speaker)
		w.Add("lower(d.speaker) IN (lower(?), ?)", speaker, strings.ToLower(speaker))
	}
}

// ofRecords adds what only records have.
func ofRecords(w *rows.Conditions, f memory.Filter) {
	rows.In(w, "d.kind", f.Kinds)
	rows.In(w, "d.category", storables(f.Categories))
	for _, tag := range f.Tags {
		w.Add("EXISTS (SELECT 1 FROM json_array_elements_text(d.tags::json) t WHERE t = ?)", storable(tag))
	}
	if f.Link != "" {
		w.Add("EXISTS (SELECT 1 FROM record_origins o WHERE o.agent = d.agent AND o.link = ? AND o.id = d.id)", storable(f.Link))
	}
	w.Live(f)
}

// storable returns a text that PostgreSQL takes as an argument. What it refuses is in no
// row either, and the text that comes of it is in none.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func storables(texts []string) []string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = storable(text)
	}
	return list
}
