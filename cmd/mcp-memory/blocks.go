package main

import (
	"context"
	"maps"
	"slices"
	"time"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// foundItem is a result of memory_recall or memory_search. It has the fields that a record does not
// have, and those that are needed for results without a record.
type foundItem struct {
	ID         string    `json:"id"`
	Type       string    `json:"type"` // only in results of memory_search
	Kind       string    `json:"kind"`
	Content    string    `json:"content"`
	Snippet    string    `json:"snippet"`
	Path       string    `json:"path"`
	Line       int       `json:"line"`
	Heading    string    `json:"heading"`
	Speaker    string    `json:"speaker"`
	Session    string    `json:"session"`
	Score      float64   `json:"score"`
	OccurredAt time.Time `json:"occurred_at"`
	OutdatedBy string    `json:"outdated_by"`
	DoubtedBy  string    `json:"doubted_by"`
	Overdue    time.Time `json:"overdue_since"`
	Earlier    []struct {
		ID         string    `json:"id"`
		Content    string    `json:"content"`
		OccurredAt time.Time `json:"occurred_at"`
		ValidUntil time.Time `json:"valid_until"`
	} `json:"earlier"`
	Why *recall.Why `json:"why"`
}

// corpora has the corpus for each type of a result of memory_search.
var corpora = map[string]memory.Corpus{"memory": memory.Memories, "turn": memory.Conversations, "thinking": memory.Thinking,
	"file": memory.Workspace}

// result converts the item to a result without its record.
func (f foundItem) result() recall.Result {
	r := recall.Result{Score: f.Score, OutdatedBy: f.OutdatedBy, DoubtedBy: f.DoubtedBy, Overdue: f.Overdue, Why: f.Why}
	r.ID, r.Kind, r.Content, r.Speaker, r.Session, r.OccurredAt = f.ID, memory.Kind(f.Kind), f.Content, f.Speaker, f.Session, f.OccurredAt
	if r.Content == "" {
		r.Content = f.Snippet
	}
	switch {
	case f.Type != "":
		r.Corpus = corpora[f.Type]
	case r.Kind == memory.KindTurn:
		r.Corpus = memory.Conversations
	default:
		r.Corpus = memory.Memories
	}
	if f.Path != "" {
		r.Place = &memory.Place{Path: f.Path, Line: f.Line, Heading: f.Heading}
	}
	for _, e := range f.Earlier {
		r.Earlier = append(r.Earlier, recall.Version{ID: e.ID, Content: e.Content, From: e.OccurredAt, Until: e.ValidUntil})
	}
	return r
}

// resultsOf converts results of a search tool, and reads the records of memories among them.
func (a *app) resultsOf(ctx context.Context, found []foundItem) ([]recall.Result, error) {
	var ids []string
	for _, one := range found {
		if r := one.result(); r.ID != "" && r.Corpus == memory.Memories {
			ids = append(ids, r.ID)
		}
	}
	records, err := a.recordsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	results := make([]recall.Result, len(found))
	for i, one := range found {
		results[i] = one.result()
		if r, ok := records[one.ID]; ok {
			results[i].Record = r
		}
	}
	return results, nil
}

// blocksOf lays out results, with the shortest unique beginnings of their ids.
func (p *Program) blocksOf(ctx context.Context, a *app, results []recall.Result) ([]screen.Block, error) {
	var ids []string
	lines := make([]render.Line, len(results))
	for i, r := range results {
		lines[i] = p.words().Result(r)
		if r.Corpus == memory.Memories {
			ids = append(ids, r.ID)
		}
		for _, m := range lines[i].Marks {
			if m.ID != "" {
				ids = append(ids, m.ID)
			}
		}
	}
	short, err := a.shortIDs(ctx, memory.IDsOfRecords, ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(results))
	for i, l := range lines {
		blocks[i] = blockOf(results[i].Content, l, short)
	}
	return blocks, nil
}

// blockOf lays out a text with its line of facts. The notes in more are added.
func blockOf(text string, l render.Line, short map[string]string, more ...string) screen.Block {
	b := screen.Block{Text: visible(text), Notes: append([]string{short[l.ID]}, l.Facts()...)}
	for i, note := range b.Notes {
		b.Notes[i] = visible(note)
	}
	b.Notes = append(b.Notes, more...)
	for _, m := range l.Marks {
		if s := short[m.ID]; s != "" {
			m.ID = s
		}
		b.Marks = append(b.Marks, visible(m.String()))
	}
	for _, e := range l.Earlier {
		b.Below = append(b.Below, visible("earlier: "+e.Text))
	}
	return b
}

// recordBlock lays out a memory. The notes in more are added.
func (p *Program) recordBlock(r memory.Record, short map[string]string, more ...string) screen.Block {
	return blockOf(r.Content, p.words().Record(r), short, more...)
}

// recordsByID reads records into a map by id.
func (a *app) recordsByID(ctx context.Context, ids []string) (map[string]memory.Record, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	records, err := a.store.Records(ctx, a.scope.Agent, ids)
	byID := make(map[string]memory.Record, len(records))
	for _, r := range records {
		byID[r.ID] = r
	}
	return byID, err
}

// recordsAndShortIDs reads records, and returns the shortest unique beginnings of their ids.
func (a *app) recordsAndShortIDs(ctx context.Context, ids []string) (records map[string]memory.Record, short map[string]string, err error) {
	if records, err = a.recordsByID(ctx, ids); err != nil {
		return nil, nil, err
	}
	short, err = a.shortIDsOf(ctx, slices.Collect(maps.Values(records)))
	return records, short, err
}

// shortIDsOf is shortIDs for records and for those that superseded them.
func (a *app) shortIDsOf(ctx context.Context, records []memory.Record) (map[string]string, error) {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.ID)
		if r.SupersededBy != "" {
			ids = append(ids, r.SupersededBy)
		}
	}
	return a.shortIDs(ctx, memory.IDsOfRecords, ids)
}

// foundAnswer is the result of a tool that searches.
type foundAnswer struct {
	Results    []foundItem
	Confidence recall.Confidence
	Elsewhere  []struct{ Project string }
	Plans      []planShown
}
