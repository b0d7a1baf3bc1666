package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// fieldsOf returns the facts about a memory that only its whole view shows.
func (p *Program) fieldsOf(r memory.Record) []string {
	fields := []string{fmt.Sprintf("importance %g", r.Importance), "from " + string(r.Source)}
	if !r.OccurredAt.IsZero() {
		fields = append(fields, "saved "+p.local(r.CreatedAt))
	}
	outcome, with := "", ""
	if e := r.Episode; e != nil {
		outcome, with = visible(e.Outcome), visible(strings.Join(e.Participants, ", "))
	}
	for _, f := range []struct{ name, value string }{
		{"with", with}, {"outcome", outcome},
		{"true from", p.local(r.ValidFrom)}, {"true until", p.local(r.ValidUntil)}, {"external id", visible(r.ExternalID)},
		{"in place of", r.Supersedes}, {"superseded by", r.SupersededBy},
		{"forgotten", p.local(r.ArchivedAt)}, {"because", visible(r.ArchiveWhy)},
		{"metadata", visible(string(r.Metadata))}, {"provenance", visible(string(r.Provenance))},
	} {
		if f.value != "" {
			fields = append(fields, f.name+" "+f.value)
		}
	}
	if e := r.Episode; e != nil && e.EmotionalValence != 0 {
		fields = append(fields, fmt.Sprintf("valence %g", e.EmotionalValence))
	}
	if r.Summary != nil && len(r.Summary.Covers) > 0 {
		fields = append(fields, "covers "+counted(len(r.Summary.Covers), "memory", "memories"))
	}
	if r.Confirmations > 1 {
		fields = append(fields, fmt.Sprintf("said %d times", r.Confirmations))
	}
	if r.AccessCount > 0 {
		fields = append(fields, "recalled "+counted(r.AccessCount, "time", "times")+", the last time "+p.local(r.LastAccessedAt))
	}
	return fields
}

// detailLines returns the fields that only the kind of a memory has, one in each line, such as
// "trust level: 0.8".
func (p *Program) detailLines(details map[string]json.RawMessage) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(details)) {
		if value := p.detail(details[name]); value != "" {
			lines = append(lines, strings.ReplaceAll(name, "_", " ")+": "+value)
		}
	}
	return lines
}

// detail formats a JSON value for people, "" for an empty one.
func (p *Program) detail(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return p.local(at)
		}
		return visible(text)
	}
	var texts []string
	if json.Unmarshal(raw, &texts) == nil {
		return visible(strings.Join(texts, ", "))
	}
	var items []map[string]json.RawMessage
	if json.Unmarshal(raw, &items) == nil {
		text := ""
		for i, one := range items {
			text += fmt.Sprintf("\n%d. %s", i+1, strings.Join(p.detailLines(one), ", "))
		}
		return text
	}
	switch text = string(raw); text {
	case "{}", "false":
		return ""
	}
	return visible(text)
}
