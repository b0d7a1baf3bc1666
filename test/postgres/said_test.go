//go:build postgres

package postgres

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/test/backend"
)

// madeUp is what two answers to the same call differ in.
var madeUp = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][0-9:.]+Z?|\d+\.\d+`)

// TestNulIsSaid: NUL and other characters that PostgreSQL does not take have the same answer from the built
// program as with a file, whatever it is that they are in.
func TestNulIsSaid(t *testing.T) {
	file, err := child.New(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	server, err := child.New(t.Context(), t.TempDir(), file.Binary)
	if err != nil {
		t.Fatal(err)
	}
	server.Database = backend.Database(t.TempDir(), "said")
	var sides []*child.Server // by the table: how far the encoder is would decide the order
	for _, p := range []child.Program{file, server} {
		s, err := child.Serve(p.Command(t.Context(), "serve", "--tools", "all", "--embed-local", "table"))
		if err == nil {
			err = s.Explain(s.Initialize(t.Context()))
		}
		if err != nil {
			t.Fatal(err)
		}
		defer s.Stop()
		sides = append(sides, s)
	}
	answer := func(s *child.Server, tool string, arguments map[string]any) string {
		var out struct {
			Results []struct{ Content string }
			Action  string
			Total   int
		}
		err := s.Use(t.Context(), tool, arguments, &out)
		var refusal child.Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Fatal(s.Explain(err))
		}
		text := string(refusal)
		for _, r := range out.Results {
			text += "\n" + r.Content
		}
		return madeUp.ReplaceAllString(text, "…") + out.Action
	}
	calls, refusals := 0, 0
	for _, text := range []string{"before\x00after", "\x00", "\x01\x02 bell", "a \ufffe and a \U0001f600"} {
		for _, c := range []struct {
			tool      string
			arguments map[string]any
		}{
			{"memory_save", map[string]any{"content": "The harbour " + text}},
			{"memory_save", map[string]any{"content": "The quay is long.", "external_id": "x" + text}},
			{"memory_save", map[string]any{"content": "The boat is old.", "tags": []string{"t" + text}}},
			{"memory_save", map[string]any{"content": "The mole is high.", "project": "p" + text}},
			{"memory_save", map[string]any{"content": "The pier is wide.", "idempotency_key": "k" + text}},
			{"memory_save", map[string]any{"content": "The crane is red.", "metadata": map[string]any{"m": text}}},
			{"memory_recall", map[string]any{"query": "harbour " + text}},
			{"memory_search", map[string]any{"query": text}},
			{"memory_get", map[string]any{"id": text}},
			{"context_append", map[string]any{"session_id": "s" + text,
				"messages": []any{map[string]any{"role": "user", "content": "Hello " + text}}}},
		} {
			calls++
			want := answer(sides[0], c.tool, c.arguments)
			if got := answer(sides[1], c.tool, c.arguments); got != want {
				t.Errorf("%s %q:\n%q, with a file\n%q", c.tool, c.arguments, got, want)
			}
			if want != "" {
				refusals++
			}
		}
	}
	time.Sleep(10 * time.Millisecond)
	report(t, "%d calls of the built program are answered as with a file", calls)
	if refusals == 0 {
		t.Error("no answer says anything")
	}
}
