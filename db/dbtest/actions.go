package dbtest

import (
	"reflect"
	"testing"
	"time"

	"mcp-memory/memory"
)

var actionTests = map[string]func(*testing.T, *env){
	"read":    actionsAreRead,
	"erased":  actionsAreErased,
	"moved":   actionsMoveWithTheirSession,
	"bounded": actionsAreBounded,
}

// action returns a failed command of a session in project barn, at n minutes after start.
func action(n int, session, text string) memory.Action {
	return memory.Action{
		ID: session + "/" + text, Project: "barn", Session: session,
		At: start.Add(time.Duration(n) * time.Minute), Kind: memory.ActionCommand, Text: text, Dir: "/work",
		Host: "claude-code", About: "about " + text, Asked: "please", Outcome: memory.OutcomeFailed,
		Exit: 2, Took: 1500 * time.Millisecond, Tail: "it\nfailed", Hunks: "0123abcd",
	}
}

func (e *env) act(t *testing.T, agent string, actions ...memory.Action) {
	t.Helper()
	if n, err := e.NoteActions(t.Context(), agent, actions); err != nil || n != len(actions) {
		t.Fatalf("%d of %d noted, %v", n, len(actions), err)
	}
}

func (e *env) did(t *testing.T, agent string, f memory.ActionFilter) (texts []string) {
	t.Helper()
	list, err := e.Actions(t.Context(), agent, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		texts = append(texts, a.Text)
	}
	return texts
}

func actionsAreRead(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	changes, err := e.Changes(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	other, global := action(5, "s2", "make"), action(2, "s3", "ls '; --")
	other.Project, global.Project = "mill", ""
	first := action(1, "s1", "go build")
	e.act(t, agent, first, action(3, "s1", "go test"), other, global)
	if n, err := e.NoteActions(t.Context(), agent, []memory.Action{first}); n != 0 || err != nil {
		t.Errorf("the same again: %d, %v", n, err)
	}
	if n, err := e.NoteActions(t.Context(), "nobody", []memory.Action{first}); n != 0 || err != nil {
		t.Errorf("without a bank: %d, %v", n, err)
	}
	if after, err := e.Changes(t.Context(), agent); err != nil || after != changes {
		t.Errorf("an action counts as a change of the bank: %v, %v, %v", changes, after, err)
	}
	for _, c := range []struct {
		f    memory.ActionFilter
		want []string
	}{
		{memory.ActionFilter{}, []string{"make", "go test", "ls '; --", "go build"}},
		{memory.ActionFilter{Limit: 2}, []string{"make", "go test"}},
		{memory.ActionFilter{Projects: []string{"barn", ""}}, []string{"go test", "ls '; --", "go build"}},
		{memory.ActionFilter{Projects: []string{"barn", "", "barn"}, Limit: 2}, []string{"go test", "ls '; --"}},
		{memory.ActionFilter{Projects: []string{"mill"}, Text: "go test"}, nil},
		{memory.ActionFilter{Projects: []string{}}, nil},
		{memory.ActionFilter{Session: "s1"}, []string{"go test", "go build"}},
		{memory.ActionFilter{Text: "go test"}, []string{"go test"}},
	} {
		if got := e.did(t, agent, c.f); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.f, got, c.want)
		}
	}
	if got := e.did(t, "nobody", memory.ActionFilter{}); got != nil {
		t.Errorf("of nobody: %q", got)
	}
	list, err := e.Actions(t.Context(), agent, memory.ActionFilter{Text: "go build"})
	if err != nil || len(list) != 1 || asJSON(list[0]) != asJSON(first) {
		t.Errorf("got %s\nwant %s (%v)", asJSON(list), asJSON(first), err)
	}
}

// actionsAreErased tests that actions are erased with a memory whose text they contain, with their
// session, and with their bank.
func actionsAreErased(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	e.act(t, agent, action(1, "s1", "go build"), action(2, "s2", "go test"), action(3, "s2", "echo the gate is red"), action(4, "s2", "ls"))
	erase := func(fn func(memory.Tx) error, want ...string) {
		t.Helper()
		err := e.Write(t.Context(), agent, fn)
		if got := e.did(t, agent, memory.ActionFilter{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q, want %q (%v)", got, want, err)
		}
	}
	erase(func(tx memory.Tx) error { return tx.EraseTraces([]string{"the gate is red", "something else"}) }, "ls", "go test", "go build")
	erase(func(tx memory.Tx) error { _, err := tx.EraseSession("s2"); return err }, "go build")
	erase(func(tx memory.Tx) error { return tx.EraseBank() })
}

func actionsMoveWithTheirSession(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	stays := action(2, "s2", "ls")
	stays.Project = "mill"
	e.act(t, agent, action(1, "s1", "go build"), stays)
	var moved memory.ProjectContents
	move := func(from, into string, only *memory.ProjectContents) {
		t.Helper()
		err := e.Write(t.Context(), agent, func(tx memory.Tx) (err error) { moved, err = tx.MoveProject(from, into, only); return err })
		if err != nil || !reflect.DeepEqual(moved.Sessions, []string{"s1"}) {
			t.Errorf("moved %q, %v", moved.Sessions, err)
		}
	}
	move("barn", "mill", nil)
	if got := e.did(t, agent, memory.ActionFilter{Projects: []string{"mill"}}); !reflect.DeepEqual(got, []string{"ls", "go build"}) {
		t.Errorf("after a move: %q", got)
	}
	move("mill", "barn", &moved)
	if got := e.did(t, agent, memory.ActionFilter{Projects: []string{"barn"}}); !reflect.DeepEqual(got, []string{"go build"}) {
		t.Errorf("and back: %q", got)
	}
}

func actionsAreBounded(t *testing.T, e *env) {
	e.save(t, nil, e.record("A bank."))
	other := action(0, "s2", "make")
	other.Project = "mill"
	e.act(t, agent, other, action(3, "s1", "c"), action(1, "s1", "a"), action(2, "s1", "b"))
	size := int64(action(1, "s1", "a").Bytes())
	prune := func(bytes int64, want int) {
		t.Helper()
		if n, err := e.PruneActions(t.Context(), agent, "barn", bytes); n != want || err != nil {
			t.Errorf("%d gone, %v; want %d", n, err, want)
		}
	}
	prune(3*size, 0)
	prune(3*size-1, 1)
	if got := e.did(t, agent, memory.ActionFilter{}); !reflect.DeepEqual(got, []string{"c", "b", "make"}) {
		t.Errorf("left: %q", got)
	}
	prune(0, 2)
}
