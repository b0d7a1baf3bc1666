package dbtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"mcp-memory/memory"
)

var turnTests = map[string]func(*testing.T, *env){
	"order in a session":        turnOrder,
	"every field":               everyTurnField,
	"twice the same transcript": sameTranscript,
	"external ids of a session": sessionNames,
	"vectors of some":           someVectors,
}

func everyTurn(t *testing.T, e *env) (all []memory.Turn) {
	t.Helper()
	err := e.EachTurn(t.Context(), agent, func(turn memory.Turn) error { all = append(all, turn); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func turnOrder(t *testing.T, e *env) {
	in := func(session string) func(*memory.Turn) {
		return func(t *memory.Turn) { t.Session = session }
	}
	e.say(t, e.turn("a0", in("a")), e.turn("b0", in("b")), e.turn("a1", in("a")))
	e.reopen(t, Fingerprint)
	// repeated texts are turns of their own
	e.say(t, e.turn("b1", in("b")), e.turn("a2", in("a")), e.turn("a0", in("a")))
	e.save(t, nil, e.record("in between"))
	e.say(t, e.turn("b2", in("b")))
	var got []string
	for _, turn := range everyTurn(t, e) {
		got = append(got, fmt.Sprint(turn.Session, turn.Index, "=", turn.Content))
	}
	want := []string{"a0=a0", "b0=b0", "a1=a1", "b1=b1", "a2=a2", "a3=a0", "b2=b2"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func everyTurnField(t *testing.T, e *env) {
	want := []memory.Turn{
		e.turn("plain"),
		e.turn("all of it — 🌕", func(t *memory.Turn) {
			t.Project, t.Role, t.Speaker, t.ExternalID = "p", memory.RoleTool, "Bö", "x/1"
			t.Metadata, t.ArchivedAt, t.Index = json.RawMessage(`{"k": "v"}`), day(3), 1
		}),
		e.turn("no role", func(t *memory.Turn) { t.Role, t.Speaker, t.Index = "", "", 2 }),
	}
	e.say(t, want...)
	got := everyTurn(t, e)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", asJSON(got), asJSON(want))
	}
}

func sameTranscript(t *testing.T, e *env) {
	transcript := func(n int) []memory.Turn {
		turns := make([]memory.Turn, n)
		for i := range turns {
			turns[i] = e.turn(fmt.Sprint("harbour line ", i), func(t *memory.Turn) { t.ExternalID = fmt.Sprint("m", i) })
		}
		return turns
	}
	if n := e.say(t, transcript(30)...); n != 30 {
		t.Errorf("first: %d stored", n)
	}
	before := bankState(t, e)
	if n := e.say(t, transcript(30)...); n != 0 {
		t.Errorf("again: %d stored", n)
	}
	if after := bankState(t, e); after != before {
		t.Errorf("the bank changed\n from %s\n   to %s", before, after)
	}
	if n := e.say(t, transcript(33)...); n != 3 {
		t.Errorf("longer: %d stored", n)
	}
	for i, turn := range everyTurn(t, e) {
		if turn.Index != i || turn.ExternalID != fmt.Sprint("m", i) {
			t.Errorf("turn %d is %+v", i, turn)
		}
	}
}

func sessionNames(t *testing.T, e *env) {
	one := func(session, name string) memory.Turn {
		return e.turn("harbour", func(t *memory.Turn) { t.Session, t.ExternalID = session, name })
	}
	for _, c := range []struct {
		turns []memory.Turn
		want  int
	}{
		{[]memory.Turn{one("a", "1"), one("a", "1"), one("a", "2")}, 2}, // one of them twice in a call
		// external ids are unique within a session only
		{[]memory.Turn{one("b", "1"), one("a", "2"), one("a", "3")}, 2},
		// turns without an external id are always new
		{[]memory.Turn{one("a", ""), one("a", "")}, 2},
	} {
		if n := e.say(t, c.turns...); n != c.want {
			t.Errorf("%s: %d stored, want %d", asJSON(c.turns), n, c.want)
		}
	}
	if n := len(everyTurn(t, e)); n != 6 {
		t.Errorf("%d turns", n)
	}
}

func someVectors(t *testing.T, e *env) {
	known := e.turn("harbour zero", func(t *memory.Turn) { t.ExternalID = "m0" })
	e.say(t, known)
	known.ID = e.ids.New()
	e.write(t, func(tx memory.Tx) error {
		n, err := tx.InsertTurns([]memory.Turn{known, e.turn("harbour one"), e.turn("harbour two")},
			[][]float32{towards(0.1), towards(0.2), nil})
		if n != 2 {
			t.Errorf("%d stored", n)
		}
		return err
	})
	hits, err := searches["vectors"](t.Context(), e, memory.Conversations, memory.Filter{Agent: agent}, 5)
	if got := e.names(t, memory.Conversations, agent, hits, err); len(got) != 1 || got[0] != "harbour one" {
		t.Errorf("with a vector: %q", got)
	}
	if n, err := e.VectorBacklog(t.Context()); n != 2 || err != nil {
		t.Errorf("backlog %d, %v", n, err)
	}
}
