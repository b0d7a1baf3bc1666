package resources_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/resources"
)

func (b *bank) briefing(limit int) string {
	b.t.Helper()
	text, err := b.Briefing(b.t.Context(), ann, limit)
	if err != nil {
		b.t.Fatal(err)
	}
	if len(text) > limit {
		b.t.Errorf("%d bytes of %d", len(text), limit)
	}
	return text
}

// marked keeps a record of some importance that nobody pinned.
func (b *bank) marked(kind memory.Kind, importance float64, content string, details memory.KindDetails) {
	b.keep(kind, content, func(r *memory.Record) { r.Pinned, r.Importance, r.KindDetails = false, importance, details })
}

// Forty important facts leave room for the best of every other kind.
func TestBriefingShowsEveryKind(t *testing.T) {
	b := newBank(t)
	mistake := memory.KindDetails{Learning: &memory.LearningDetails{Type: memory.LearningError}}
	for i := range 40 {
		b.marked(memory.KindFact, 0.9, fmt.Sprintf("Fact %d is important.", i), memory.KindDetails{})
	}
	b.soulEntry("Honesty first.")
	b.soulEntry("Curiosity second.")
	b.marked(memory.KindLearning, 0.3, "Small mistake.", mistake)
	b.marked(memory.KindLearning, 0.8, "Big mistake.", mistake)
	b.marked(memory.KindEpisode, 0.92, "The launch went well.", memory.KindDetails{})
	b.keep(memory.KindProcedure, "deploy: ship it.")
	b.marked(memory.KindDiary, 0.5, "A dull day.", memory.KindDetails{})
	lines := strings.Split(b.briefing(400), "\n")
	want := []string{"- Honesty first.", "- Curiosity second.", "- Big mistake.", "- Small mistake.", "- deploy: ship it.",
		"- Fact 0 is important.", "- The launch went well.", "- Fact 1 is important."}
	if strings.Join(lines[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("the briefing is\n%s", strings.Join(lines, "\n"))
	}
	if strings.Contains(strings.Join(lines, "\n"), "dull") {
		t.Error("what nobody marked takes room")
	}
}

// A large soul takes half of the room until the others had theirs.
func TestBriefingSharesItsRoom(t *testing.T) {
	b := newBank(t)
	if text := b.briefing(200); text != "" {
		t.Errorf("of nothing: %q", text)
	}
	for i := range 60 {
		b.now = b.now.Add(time.Second)
		b.soulEntry(fmt.Sprintf("Belief %d.", i))
	}
	b.marked(memory.KindFact, 1, "Anna is allergic to nuts.", memory.KindDetails{})
	if text := b.briefing(200); strings.Count(text, "Belief") < 7 || !strings.Contains(text, "Anna") {
		t.Errorf("the briefing is\n%s", text)
	}
}

// What is not true at the moment is left out, whatever its kind, and so is
// what was corrected or set aside; the page of salient memories agrees.
func TestBriefingIsTrueNow(t *testing.T) {
	states := map[string]func(r *memory.Record, now time.Time){
		"true until a second ago": func(r *memory.Record, now time.Time) { r.ValidUntil = now.Add(-time.Second) },
		"true until now":          func(r *memory.Record, now time.Time) { r.ValidUntil = now },
		"not yet true":            func(r *memory.Record, now time.Time) { r.ValidFrom = now.Add(time.Second) },
		"superseded":              func(r *memory.Record, now time.Time) { r.SupersededBy, r.SupersededAt = "newer", now },
		"archived":                func(r *memory.Record, now time.Time) { r.ArchivedAt = now },
		"true from now":           func(r *memory.Record, now time.Time) { r.ValidFrom = now },
		"true until in a second":  func(r *memory.Record, now time.Time) { r.ValidUntil = now.Add(time.Second) },
	}
	kinds := map[memory.Kind]memory.KindDetails{
		memory.KindFact:     {},
		memory.KindSoul:     {Soul: &memory.SoulDetails{Type: memory.SoulBelief}},
		memory.KindLearning: {Learning: &memory.LearningDetails{Type: memory.LearningError}},
	}
	for kind, details := range kinds {
		b := newBank(t)
		for state, set := range states {
			b.keep(kind, state, func(r *memory.Record) {
				r.KindDetails = details
				set(r, b.now)
			})
		}
		lines := strings.Split(strings.TrimSpace(b.briefing(2000)), "\n")
		slices.Sort(lines)
		if want := []string{"- true from now", "- true until in a second"}; !slices.Equal(lines, want) {
			t.Errorf("%s: %q, want %q", kind, lines, want)
		}
		b.hides(resources.SessionStart, "a second ago", "until now", "not yet", "superseded", "archived")
		b.shows(resources.SessionStart, "true from now", "until in a second")
	}
}
