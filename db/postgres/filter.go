package postgres

import (
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// conditions turns a filter into SQL conditions on the documents of a corpus (alias d), the agent
// first.
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

// ofTurns adds the conditions that only turns have. Archived turns are not left out: they are still
// part of the transcript. No turn comes from a link.
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

// ofRecords adds the conditions that only records have.
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

// storable returns a text in a form that PostgreSQL takes as an argument: invalid UTF-8 and NUL are
// replaced by U+FFFD. It is for lookups, which then find nothing, as the contents of documents are
// stored unchanged or refused. Index entries and reasons of failed jobs are stored in this form.
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
