package recall_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// TestLongAnswersShowMoreSessions: one session has more good turns than are
// asked for, and each of many others one that is not as good.
func TestLongAnswersShowMoreSessions(t *testing.T) {
	b := newBank(t, builtin())
	var turns []memory.Turn
	say := func(session string, index int, content string) {
		b.pass(time.Minute)
		turns = append(turns, memory.Turn{
			ID: b.ids.New(), Agent: "ann", Session: session, Index: index,
			Speaker: "Boris", Content: content, SaidAt: b.clock(), CreatedAt: b.clock(),
		})
	}
	for i := range 30 {
		say("much", i, fmt.Sprintf("The harbour ferry has a timetable, page %d of it is about %s.", i, subjects[i%len(subjects)]))
	}
	for i := range 15 {
		say(fmt.Sprint("little", i), 0,
			"A ferry, "+things[i%len(things)]+" and "+things[(i+3)%len(things)]+" are what "+subjects[i%len(subjects)]+" drew last week.")
	}
	err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
		_, err := tx.InsertTurns(turns, make([][]float32, len(turns)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := b.service(b)
	answer := func(limit int) []recall.Result {
		return ask(t, s, "the timetable of the harbour ferry", func(r *recall.Request) {
			r.Corpora, r.Limit = []memory.Corpus{memory.Conversations}, limit
		})
	}
	short, long := answer(10), answer(20)
	if len(short) != 10 || len(long) != 20 {
		t.Fatalf("found %d and %d", len(short), len(long))
	}
	if err := same(long[:10], short); err != nil {
		t.Errorf("the first ten differ: %v", err)
	}
	if !slices.IsSortedFunc(long, func(a, b recall.Result) int { return int(1e6 * (b.Score - a.Score)) }) {
		t.Error("not the best first")
	}
	sessions := map[string]bool{}
	for _, r := range long {
		sessions[r.Session] = true
	}
	if len(sessions) != 10 {
		t.Errorf("%d sessions, want half of 20", len(sessions))
	}
}
