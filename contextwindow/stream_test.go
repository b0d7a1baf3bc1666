package contextwindow_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
	"mcp-memory/workspace"
)

// TestStream sends 300 messages of a conversation through a window of 8,000
// tokens, from the few that testdata has, again and again, with the program's
// own summarizer.
func TestStream(t *testing.T) {
	zero := 0
	b := newBank(t, byTokens, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{extractive.New(extractive.Options{})}
	})
	script := readScript(t)
	flushes, compactions := 0, 0
	for i := range 300 {
		m := script[i%len(script)]
		m.TS = start.Add(time.Duration(i) * time.Minute)
		m.Content = strings.ReplaceAll(m.Content, "{day}", m.TS.Format("2 January 15:04"))
		r, err := b.Append(t.Context(),
			contextwindow.AppendRequest{Scope: anna, Session: session, Messages: []contextwindow.Message{m}, Total: 8000, Reserve: &zero})
		if err != nil {
			t.Fatal(err)
		}
		switch before := r.Before.Percent; {
		case before >= 70 && r.Action != contextwindow.ActionCompacted:
			t.Errorf("message %d: %s at %.1f %%", i, r.Action, before)
		case before < 60 && r.Action != contextwindow.ActionNone:
			t.Errorf("message %d: %s at %.1f %%", i, r.Action, before)
		case r.Utilization.Percent >= 70 || before > 100:
			t.Errorf("message %d: %.1f %%, then %.1f %%", i, before, r.Utilization.Percent)
		}
		switch r.Action {
		case contextwindow.ActionFlushed:
			flushes++
		case contextwindow.ActionCompacted:
			compactions++
		}
	}
	if flushes < 2 || compactions < 2 || len(b.turns()) != 300 {
		t.Errorf("%d flushes, %d compactions, %d turns", flushes, compactions, len(b.turns()))
	}
	found, err := b.store.MatchWords(t.Context(), memory.Conversations, memory.Filter{Agent: anna.Agent, Now: b.clock()},
		[]string{"Whiskerino"}, 1000)
	if err != nil || len(found) != 300/len(script) {
		t.Errorf("%d of the originals are found, %v", len(found), err)
	}
}

// TestStreamFiles: what the workspace has after a conversation.
func TestStreamFiles(t *testing.T) {
	dir := t.TempDir()
	b := newBank(t, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{extractive.New(extractive.Options{})}
		o.Files = func(agent string) contextwindow.Files { return workspace.Open(dir, agent) }
	})
	for i, m := range readScript(t) {
		m.TS = start.Add(time.Duration(i) * time.Minute)
		b.append(m)
	}
	r, err := b.Compact(t.Context(), contextwindow.CompactRequest{Scope: anna, Session: session})
	if err != nil || r.Action != contextwindow.ActionCompacted || len(r.FactsSaved) < 5 || r.Summary == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, want := range map[string]string{
		"MEMORY.md": "Kiel", "memory/HISTORY.md": "2026-03-01", "sessions/" + session + ".jsonl": "Whiskerino",
	} {
		text, err := os.ReadFile(filepath.Join(dir, "workspaces", anna.Agent, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: %v\n%s", name, want, err, text)
		}
	}
}

func readScript(t *testing.T) (script []contextwindow.Message) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "conversation.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var line struct {
			Role    memory.Role
			Name    string
			Content string
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		script = append(script, contextwindow.Message{Role: line.Role, Name: line.Name, Content: line.Content})
	}
	return script
}

// BenchmarkAppend appends one message at a time to a session of the default
// window.
func BenchmarkAppend(b *testing.B) {
	bank := newBank(b, byTokens, func(o *contextwindow.Options) { o.Settings.Total, o.Settings.Reserve = 200_000, 4096 })
	bank.append(say("warm"))
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		bank.append(filler(i, 60))
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
