package dbtest

import (
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
)

var sessionTests = map[string]func(*testing.T, *env){
	"names": namesOfSessions,
}

func namesOfSessions(t *testing.T, e *env) {
	names := []string{"Zoo", "a", "a%", "a-2", "ab", "b", "ä"}
	for i, name := range append(slices.Clone(names), "a", "b") { // some have two turns
		who := e.turn("Said in "+name, func(t *memory.Turn) { t.Session = name; t.ID = e.ids.New() })
		if i == 0 {
			other := who
			other.Agent, other.Session, other.ID = "bob", "of bob", e.ids.New()
			e.say(t, other)
		}
		e.say(t, who)
	}
	for prefix, want := range map[string][]string{
		"": names, "a": {"a", "a%", "a-2", "ab"}, "a%": {"a%"}, "ä": {"ä"}, "A": nil, "c": nil, "of bob": nil,
	} {
		got, err := e.Sessions(t.Context(), agent, prefix, 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", prefix, got, err, want)
		}
	}
	if got, err := e.Sessions(t.Context(), agent, "", 2); err != nil || !slices.Equal(got, names[:2]) {
		t.Errorf("two: %q, %v", got, err)
	}
	if got, err := e.Sessions(t.Context(), "nobody", "", 2); err != nil || len(got) != 0 {
		t.Errorf("nobody: %q, %v", got, err)
	}
}

func latestWindow(t *testing.T, e *env) {
	latest := func(of, want string, projects ...string) {
		t.Helper()
		w, err := e.LatestWindow(t.Context(), of, projects)
		if err != nil || w == nil && want != "" || w != nil && (w.Session != want || w.Agent != of) {
			t.Errorf("of %q in %q: %+v, %v; want %q", of, projects, w, err, want)
		}
	}
	latest(agent, "")
	say := func(session, project string) {
		e.say(t, e.turn(session, func(t *memory.Turn) { t.Session, t.Project = session, project }))
	}
	open := func(of, session, project string) {
		if err := e.Write(t.Context(), of, func(tx memory.Tx) error {
			return tx.PutWindow(memory.Window{Agent: of, Session: session, Project: project})
		}); err != nil {
			t.Fatal(err)
		}
	}
	say("imported", "")
	latest(agent, "")
	say("old", "")
	open(agent, "old", "")
	say("shop", "shop")
	open(agent, "shop", "shop")
	open(agent, "silent", "")
	open("bob", "old", "")
	say("without", "")
	latest(agent, "shop")
	latest(agent, "old", "")
	latest(agent, "shop", "", "shop")
	latest(agent, "", "yard")
	latest("bob", "")
	latest("nobody", "")
	e.say(t, e.turn("again", func(t *memory.Turn) { t.Session, t.Index = "old", 1 }))
	latest(agent, "old")
	e.reopen(t, Fingerprint)
	latest(agent, "old", "", "shop")
}

func idleSessions(t *testing.T, e *env) {
	open := func(of, session string, flushed int, last time.Time) {
		t.Helper()
		for i := range 2 {
			e.say(t, e.turn(session, func(t *memory.Turn) {
				t.Agent, t.Session, t.Index, t.CreatedAt = of, session, i, last.Add(time.Duration(i-1)*time.Hour)
			}))
		}
		if err := e.Write(t.Context(), of, func(tx memory.Tx) error {
			return tx.PutWindow(memory.Window{Agent: of, Session: session, Flushed: flushed})
		}); err != nil {
			t.Fatal(err)
		}
	}
	open(agent, "idle", 1, day(5))
	open(agent, "searched", 2, day(5))
	open(agent, "busy", 0, day(7))
	open(agent, "long ago", 0, day(2))
	open("bob", "idle", 0, day(4))
	e.say(t, e.turn("no window", func(t *memory.Turn) { t.Session, t.CreatedAt = "imported", day(5) }))
	all := []memory.SessionOf{{Agent: agent, Session: "idle"}, {Agent: "bob", Session: "idle"}}
	for limit, want := range map[int][]memory.SessionOf{9: all, 1: all[:1]} {
		if got, err := e.IdleSessions(t.Context(), day(3), day(6), limit); err != nil || !slices.Equal(got, want) {
			t.Errorf("idle, at most %d: %v, %v; want %v", limit, got, err, want)
		}
	}
}
