package recall_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

func inThinking(r *recall.Request) {
	r.Corpora, r.MinScore = []memory.Corpus{memory.Thinking}, recall.Floor
}

// thinks stores turns of a session, each with a thought.
func (b *bank) thinks(t testing.TB, session string, thoughts ...string) {
	t.Helper()
	turns := make([]memory.Turn, len(thoughts))
	for i, thought := range thoughts {
		turns[i] = memory.Turn{
			ID: b.ids.New(), Agent: "ann", Session: session, Role: memory.RoleAssistant, Speaker: "assistant", Content: "Fine.",
			SaidAt: b.clock(), CreatedAt: b.clock(), Details: &memory.TurnDetails{Thinking: thought},
		}
	}
	if err := b.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, nil); return err }); err != nil {
		t.Fatal(err)
	}
}

// What was thought is found where it is asked for, by words, inflections and meaning,
// and nowhere else; by a server and by a process that asks once; in a small bank and in one that is indexed
// in the background.
func TestThinkingIsFoundOnRequest(t *testing.T) {
	b := newBank(t, builtin())
	b.thinks(t, "one", "The old quay silts up every winter.", "Rooibos has no caffeine.", "Hm.")
	b.thinks(t, "two", "The old quay is for tourists.")
	once := b.all.RecallOptions()
	once.Once = true
	large := b.service(b.Store)
	large.IndexAtOnce(-1)
	for name, s := range map[string]*recall.Service{"small": b.service(b.Store), "large": large, "once": recall.New(once)} {
		found := func(query string, edits ...func(*recall.Request)) (list []string) {
			for _, r := range ask(t, s, query, append([]func(*recall.Request){inThinking}, edits...)...) {
				if r.Corpus != memory.Thinking || r.Speaker != "assistant" || r.ID == "" {
					t.Errorf("%s: %+v", name, r)
				}
				list = append(list, r.Session+": "+r.Content)
			}
			return list
		}
		if got := found("Does the quay silt up in winter?"); len(got) == 0 || got[0] != "one: The old quay silts up every winter." {
			t.Errorf("%s: %q", name, got)
		}
		inTwo := func(r *recall.Request) { r.Filter.Session = "two" }
		if got := found("Which winters does the quay silt up?", inTwo); !slices.Equal(got, []string{"two: The old quay is for tourists."}) {
			t.Errorf("%s, in a session: %q", name, got)
		}
		nobody := func(r *recall.Request) { r.Scope.Agent, r.Filter.Session = "bob", "" }
		if got := found("quay", nobody); len(got) > 0 {
			t.Errorf("%s, of another agent: %q", name, got)
		}
		elsewhere := func(r *recall.Request) {
			r.Corpora, r.MinScore = []memory.Corpus{memory.Memories, memory.Conversations, memory.Workspace}, recall.Floor
		}
		for _, r := range ask(t, s, "Does the quay silt up in winter?", elsewhere) {
			if r.Corpus == memory.Thinking || r.Content != "Fine." {
				t.Errorf("%s, elsewhere: %+v", name, r)
			}
		}
	}
}

// A thought that comes later is found by the next question, one whose session was
// erased is not.
func TestThinkingIsKeptCurrent(t *testing.T) {
	b := newBank(t, builtin())
	s := b.service(b.Store)
	b.thinks(t, "one", "The old quay silts up.")
	if got := contents(ask(t, s, "quay", inThinking)); len(got) != 1 {
		t.Fatalf("%q", got)
	}
	b.thinks(t, "two", "The new quay is deep.")
	if got := contents(ask(t, s, "quay", inThinking)); len(got) != 2 {
		t.Errorf("after another: %q", got)
	}
	if err := b.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.EraseSession("one"); return err }); err != nil {
		t.Fatal(err)
	}
	if got := contents(ask(t, s, "quay", inThinking)); !slices.Equal(got, []string{"The new quay is deep."}) {
		t.Errorf("after erasing: %q", got)
	}
}

// BenchmarkThinking asks what was thought in a bank of 10,000 such turns, when the index is there.
func BenchmarkThinking(b *testing.B) {
	bank := newBank(b, builtin())
	for i := range 100 {
		var thoughts []string
		for j := range 100 {
			thoughts = append(thoughts,
				fmt.Sprintf("The user wants number %d of list %d, so look at file %d.go first, then say where the harbour master keeps it.", j, i, i*j))
		}
		bank.thinks(b, fmt.Sprint(i), thoughts...)
	}
	s := bank.service(bank.Store)
	s.IndexAtOnce(math.MaxInt)
	ask(b, s, "number 7 of list 12", inThinking)
	for b.Loop() {
		ask(b, s, "Which file has number 7 of list 12?", inThinking)
	}
}
