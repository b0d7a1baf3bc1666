package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// bank is a case that was loaded.
type bank struct {
	*testCase
	agent    string
	now      time.Time           // when its questions are asked
	names    map[string][]string // id of a document → the ids of its items
	sessions map[string]string   // id of an item → its session
}

// newBank prepares the bank of a case. Agents are numbered, because a case may
// have a name that no agent can have.
func newBank(c *testCase, number int) *bank {
	b := &bank{testCase: c, agent: fmt.Sprintf("case-%d", number), names: map[string][]string{}, sessions: map[string]string{}}
	for _, it := range c.items {
		b.sessions[it.ID] = it.Session
		if it.At.After(b.now) {
			b.now = it.At.Time
		}
	}
	switch {
	case !c.asked.IsZero():
		b.now = c.asked
	case !b.now.IsZero():
		b.now = b.now.AddDate(0, 0, 1)
	}
	return b
}

// load stores the items of a case.
func (s *system) load(ctx context.Context, b *bank, facts bool) error {
	store := s.importTurns
	if facts {
		store = s.saveFacts
	}
	if err := store(ctx, b); err != nil {
		return fmt.Errorf("load case %s: %w", b.name, bench.WithCause(err))
	}
	return nil
}

// saveFacts saves items as records. Two items that say the same become one
// record, which then goes by both names.
func (s *system) saveFacts(ctx context.Context, b *bank) error {
	for items := range slices.Chunk(b.items, memory.MaxBatch) {
		requests := make([]remember.SaveRequest, len(items))
		for i, it := range items {
			requests[i] = remember.SaveRequest{
				Content: it.Text, Kind: memory.KindFact, Source: memory.SourceImport,
				OccurredAt: it.At.Time, ExternalID: it.ID, Quiet: true,
			}
		}
		results, err := s.Remember.SaveBatch(ctx, memory.Scope{Agent: b.agent}, requests)
		if err != nil {
			return err
		}
		for i, r := range results {
			b.names[r.ID] = append(b.names[r.ID], items[i].ID)
		}
	}
	return nil
}

// importTurns has the items imported as messages of conversations, and asks
// what ids they were given.
func (s *system) importTurns(ctx context.Context, b *bank) error {
	r, w := io.Pipe()
	go func() {
		lines := json.NewEncoder(w)
		var err error
		for _, it := range b.items {
			if err == nil {
				err = lines.Encode(turnLine{it.ID, it.Session, it.Speaker, it.Role, rfc3339(it.At), it.Text})
			}
		}
		w.CloseWithError(err) // nil is the end of the file
	}()
	defer r.Close()
	_, err := transfer.Import(ctx, s.Transfer(), r, transfer.Options{Format: transfer.Turns, Scope: memory.Scope{Agent: b.agent}})
	if err != nil {
		return err
	}
	return s.Store.EachTurn(ctx, b.agent, func(t memory.Turn) error {
		b.names[t.ID] = []string{t.ExternalID}
		return nil
	})
}

// turnLine is a line of an import in the format turns.
type turnLine struct {
	ID      string `json:"id"`
	Session string `json:"session"`
	Speaker string `json:"speaker"`
	Role    string `json:"role,omitempty"`
	At      string `json:"ts,omitempty"`
	Text    string `json:"text"`
}
