package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
)

// foundItem is what the results of memory_recall and memory_search have in common.
type foundItem struct {
	ID         string    `json:"id"`
	Type       string    `json:"type"` // of memory_search
	Kind       string    `json:"kind"`
	Content    string    `json:"content"`
	Snippet    string    `json:"snippet"`
	Category   string    `json:"category"`
	Path       string    `json:"path"`
	Line       int       `json:"line"`
	Heading    string    `json:"heading"`
	Speaker    string    `json:"speaker"`
	Session    string    `json:"session"`
	Score      float64   `json:"score"`
	CreatedAt  time.Time `json:"created_at"`
	OccurredAt time.Time `json:"occurred_at"`
	OutdatedBy string    `json:"outdated_by"`
	Earlier    []struct {
		Content    string    `json:"content"`
		ValidUntil time.Time `json:"valid_until"`
	} `json:"earlier"`
}

// blocksOf makes blocks of the results of a tool that searches.
func (p *Program) blocksOf(ctx context.Context, a *app, result json.RawMessage) ([]screen.Block, error) {
	var answer struct{ Results []foundItem }
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	var ids []string
	for _, one := range answer.Results {
		if one.ID != "" && (one.Type == "" || one.Type == "memory") && one.Kind != string(memory.KindTurn) {
			ids = append(ids, one.ID)
		}
	}
	records, short, err := a.recordsAndShortIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(answer.Results))
	for i, one := range answer.Results {
		score := ""
		if one.Score > 0 {
			score = fmt.Sprintf("score %.2f", one.Score)
		}
		if r, ok := records[one.ID]; ok {
			blocks[i] = p.recordBlock(r, short[r.ID], score)
			if one.OutdatedBy != "" && r.SupersededBy == "" {
				blocks[i].Marks = append(blocks[i].Marks, "outdated")
			}
		} else {
			blocks[i] = p.foundBlock(one, score)
		}
		for _, e := range one.Earlier {
			blocks[i].Below = append(blocks[i].Below, visible("earlier: "+oneLine(e.Content)+until(e.ValidUntil, p)))
		}
	}
	return blocks, nil
}

func until(t time.Time, p *Program) string {
	if t.IsZero() {
		return ""
	}
	return " (until " + p.local(t) + ")"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// foundBlock is the block of a message or a passage of a file.
func (p *Program) foundBlock(one foundItem, score string) screen.Block {
	text := one.Content
	if text == "" {
		text = one.Snippet
	}
	b := screen.Block{Text: visible(text)}
	if one.Path != "" {
		b.Notes = []string{visible(fmt.Sprintf("%s:%d", one.Path, one.Line)), visible(one.Heading), score}
		return b
	}
	who := one.Speaker
	if one.Session != "" {
		who += " in " + one.Session
	}
	b.Notes = []string{one.Kind, visible(who), "said " + p.local(one.OccurredAt), p.age(one.OccurredAt), score}
	return b
}

// recordBlock is the block of a memory; more is added to what is to be known of it.
func (p *Program) recordBlock(r memory.Record, short string, more ...string) screen.Block {
	at := "saved " + p.local(r.CreatedAt)
	if !r.OccurredAt.IsZero() {
		at = "happened " + p.local(r.OccurredAt)
	}
	notes := []string{short, string(r.Kind), visible(r.Category), visible(r.Project), at, p.age(r.EventTime())}
	if len(r.Tags) > 0 {
		notes = append(notes, visible("#"+strings.Join(r.Tags, " #")))
	}
	return screen.Block{Text: visible(r.Content), Notes: append(notes, more...), Marks: p.marksOf(r)}
}

// marksOf is what a reader of a memory must not overlook.
func (p *Program) marksOf(r memory.Record) (marks []string) {
	for _, m := range []struct {
		name string
		is   bool
	}{
		{"pinned", r.Pinned}, {"secret", r.Category == memory.CategorySecret}, {"outdated", r.SupersededBy != ""},
		{"forgotten", !r.ArchivedAt.IsZero()}, {"damaged", r.Damaged},
		{"no longer true", r.SupersededBy == "" && !r.ValidUntil.IsZero() && !r.ValidUntil.After(p.Clock())},
	} {
		if m.is {
			marks = append(marks, m.name)
		}
	}
	return marks
}

// recordsByID reads records into a map.
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

// recordsAndShortIDs reads records, with the shortest beginning of each id that means no other.
func (a *app) recordsAndShortIDs(ctx context.Context, ids []string) (records map[string]memory.Record, short map[string]string, err error) {
	if records, err = a.recordsByID(ctx, ids); err != nil {
		return nil, nil, err
	}
	short, err = a.shortIDs(ctx, memory.IDsOfRecords, ids)
	return records, short, err
}
