//go:build postgres

package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/test/backend"
)

// lateFact is what the model of the server that was paused answers in the end.
const lateFact = "Anna has moved to Lisbon on 1 March 2026."

// slowModel is a chat endpoint that answers when it is released.
func slowModel(t *testing.T, release <-chan struct{}) (url string, asked *atomic.Int64) {
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		select {
		case <-release:
		case <-r.Context().Done():
			return
		}
		answer,
			_ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
			"message": map[string]string{
				"role": "assistant",
				"content": `{"facts":[{"content":"` + lateFact +
					`","type":"event","importance":0.8,"turn":0}],"summary":"Of the late one."}`}}}})
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/v1", asked
}

// until waits for something that will be so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so in a minute: %s", what)
		}
	}
}

// TestServerIsPaused: a server of ours stands still (SIGSTOP) in the middle of a compaction until its lease is over,
// another does the work, and then the first goes on: it notices, and nothing is there twice.
func TestServerIsPaused(t *testing.T) {
	at := backend.Database(t.TempDir(), "paused")
	release := make(chan struct{})
	model, asked := slowModel(t, release)
	first, err := child.New(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	first.Database = at
	second, err := child.New(t.Context(), t.TempDir(), first.Binary)
	if err != nil {
		t.Fatal(err)
	}
	second.Database = at
	serve := func(p child.Program, args ...string) (*child.Server, *exec.Cmd) {
		t.Helper()
		cmd := p.Command(t.Context(), append([]string{"serve", "--tools", "core,context"}, args...)...)
		s, err := child.Serve(cmd)
		if err == nil {
			err = s.Explain(s.Initialize(t.Context()))
		}
		if err != nil {
			t.Fatal(err)
		}
		return s, cmd
	}
	use := func(s *child.Server, tool string, arguments map[string]any) (out map[string]any) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if err := s.Use(ctx, tool, arguments, &out); err != nil {
			t.Fatal(s.Explain(err))
		}
		return out
	}
	paused, process := serve(first, "--llm-url", model, "--llm-model", "m")
	defer paused.Kill()
	var messages []map[string]any
	for i := range 24 {
		messages = append(messages, map[string]any{"role": []string{"user", "assistant"}[i%2],
			"content": fmt.Sprintf("I prefer crate %d to be painted green, because the harbour office in Lisbon asked for it on day %d and nobody objected.", i, i)})
	}
	use(paused, "context_append", map[string]any{"session_id": "s", "messages": messages, "context_window": 1000, "reserve_tokens": 200})
	until(t, "the model is asked", func() bool { return asked.Load() > 0 })
	if err := process.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// A minute goes by.
	conn := connect(t, as(at, "postgres", ""))
	if tag, err := conn.Exec(t.Context(), `UPDATE jobs SET held_until = 1 WHERE held_until > 1`); err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("%d jobs were held, %v", tag.RowsAffected(), err)
	}
	taker, _ := serve(second)
	defer taker.Stop()
	jobs := func() (n int) {
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM jobs WHERE kind = 'compaction'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	until(t, "the other server has done the work", func() bool { return jobs() == 0 })
	state := func() string {
		t.Helper()
		var list []string
		found, err := conn.Query(t.Context(),
			`SELECT 'record ' || content FROM records UNION ALL SELECT 'window ' || w::text FROM context_windows w ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		for found.Next() {
			var line string
			if err := found.Scan(&line); err != nil {
				t.Fatal(err)
			}
			list = append(list, line)
		}
		return strings.Join(list, "\n")
	}
	done := state()
	close(release)
	if err := process.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	use(paused, "memory_recall", map[string]any{"query": "which colour do I prefer?"}) // it serves
	time.Sleep(2 * time.Second)                                                        // and whatever it wanted to write would be there
	now := state()
	if strings.Contains(now, lateFact) || strings.Contains(now, "Of the late one") {
		t.Error("the late answer was kept")
	}
	counts := map[string]int{}
	records := 0
	for line := range strings.Lines(now) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "record ") {
			records++
			if counts[line]++; counts[line] > 1 {
				t.Errorf("twice: %s", line)
			}
		}
	}
	if records == 0 || strings.Count(now, "window ") != strings.Count(done, "window ") {
		t.Errorf("%d records\n%s\n%s", records, done, now)
	}
	if n := jobs(); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	report(t, "the other server did the work, %d records, none twice, none of the late answer; the paused one serves again", records)
}
