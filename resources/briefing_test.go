package recall_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/salience"
)

// insert stores records as they are but for what every record needs.
func (b *bank) insert(t *testing.T, records ...memory.Record) {
	t.Helper()
	err := b.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for _, r := range records {
			r.ID, r.Agent, r.Category, r.Source, r.Confirmations = b.ids.New(), "anna", memory.CategoryOther, memory.SourceAgent, 1
			if r.CreatedAt.IsZero() {
				r.CreatedAt = b.clock()
			}
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func brief(t *testing.T, b *bank, limit int) string {
	t.Helper()
	text, err := recall.Brief(t.Context(), b, memory.Scope{Agent: "anna"}, salience.Default(), b.clock(), limit)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > limit {
		t.Errorf("%d bytes of %d", len(text), limit)
	}
	return text
}

// Eighty important facts leave room for the best of every other kind.
func TestBriefShowsEveryKind(t *testing.T) {
	b := newBank(t, embed.NewBuiltin())
	for i := range 40 {
		b.insert(t, memory.Record{Kind: memory.KindFact, Content: fmt.Sprintf("Fact %d is important.", i), Importance: 0.9})
	}
	soul := func(content string) memory.Record {
		return memory.Record{Kind: memory.KindSoul, Content: content, Importance: 1, Pinned: true, KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulValue}}}
	}
	learning := func(content string, importance float64) memory.Record {
		return memory.Record{Kind: memory.KindLearning, Content: content, Importance: importance,
			KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError}}}
	}
	b.insert(t, soul("Honesty first."), soul("Curiosity second."),
		learning("Small mistake.", 0.3), learning("Big mistake.", 0.8),
		memory.Record{Kind: memory.KindEpisode, Content: "The launch succeeded.", Importance: 0.95},
		memory.Record{Kind: memory.KindProcedure, Content: "deploy: ship it.", Importance: 0.5, Pinned: true},
		memory.Record{Kind: memory.KindDiary, Content: "A dull day.", Importance: 0.5},
	)
	lines := strings.Split(brief(t, b, 400), "\n")
	want := []string{"- Honesty first.", "- Curiosity second.", "- Big mistake.", "- Small mistake.", "- The launch succeeded.", "- Fact 0 is important.", "- deploy: ship it.", "- Fact 1 is important."}
	if strings.Join(lines[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("the briefing is\n%s", strings.Join(lines, "\n"))
	}
	if strings.Contains(strings.Join(lines, "\n"), "dull") {
		t.Error("what nobody marked takes room")
	}
}

// A large soul takes half of the room until the others had theirs.
func TestBriefSharesItsRoom(t *testing.T) {
	b := newBank(t, embed.NewBuiltin())
	for i := range 60 {
		b.insert(t, memory.Record{Kind: memory.KindSoul, Content: fmt.Sprintf("Belief %d.", i), Importance: 1, Pinned: true, CreatedAt: b.clock().Add(time.Duration(i)),
			KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulBelief}}})
	}
	b.insert(t, memory.Record{Kind: memory.KindFact, Content: "Anna is allergic to nuts.", Importance: 1})
	if text := brief(t, b, 200); strings.Count(text, "Belief") < 7 || !strings.Contains(text, "Anna") {
		t.Errorf("the briefing is\n%s", text)
	}
	if text := brief(t, newBank(t, embed.NewBuiltin()), 200); text != "" {
		t.Errorf("of nothing: %q", text)
	}
}
