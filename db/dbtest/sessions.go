package dbtest

import (
	"slices"
	"testing"

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
