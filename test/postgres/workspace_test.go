//go:build postgres

package postgres

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// insertion is the call of the memory tool that puts a line first in the log.
func insertion(line string) string {
	return fmt.Sprintf(`{"command":"insert","path":"/memories/log.md","insert_line":0,"insert_text":%q}`, line+"\n")
}

// fileOf reads a file of ann's workspace.
func fileOf(t *testing.T, url, name string) []string {
	t.Helper()
	s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, content, err := s.(memory.FileStore).FileBytes(t.Context(), "ann", name, 0, -1)
	if err != nil || info == nil {
		t.Fatalf("%s: %v, %v", name, info, err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

// TestTwoServersEditOneFile has many clients of two servers insert lines into one file at
// once: each that was acknowledged is there once.
func TestTwoServersEditOneFile(t *testing.T) {
	url := backend.Database(t.TempDir(), "servers")
	s := newSiteOn(t, url)
	call := func(server, body string) string {
		r, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(server, "/mcp")+"/memory-tool", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return ""
		}
		r.Header.Set("Authorization", "Bearer "+s.tokens["ann"])
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return ""
		}
		defer answer.Body.Close()
		said, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%d %s, %v", answer.StatusCode, said, err)
		}
		return string(said)
	}
	call(s.servers[0], `{"command":"create","path":"/memories/log.md","file_text":"end\n"}`)
	if said := call(s.servers[1], `{"command":"view","path":"/memories/log.md"}`); !strings.Contains(said, "end") {
		t.Fatalf("the other server shows %s", said)
	}
	const each = 25
	var group sync.WaitGroup
	want := []string{"end"}
	for client := range 4 {
		for n := range each {
			want = append(want, fmt.Sprintf("line %d of %d", n, client))
		}
		group.Go(func() {
			for n := range each {
				call(s.servers[client%2], insertion(fmt.Sprintf("line %d of %d", n, client)))
			}
		})
	}
	group.Wait()
	got := fileOf(t, url, "memories/log.md")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d lines, want %d: %q", len(got), len(want), got)
	}
	for _, name := range []string{"../x.md", "/memories/../../x.md", "/memories/a\x00b"} {
		body, _ := json.Marshal(map[string]string{"command": "create", "path": name, "file_text": "x"})
		if said := call(s.servers[0], string(body)); !strings.Contains(said, `"is_error":true`) {
			t.Errorf("%q: %s", name, said)
		}
	}
	for what, text := range map[string]string{"1 MiB and more": strings.Repeat("x", 1<<20+1), "NUL": "a\x00b"} {
		body, _ := json.Marshal(map[string]string{"command": "create", "path": "/memories/bad.md", "file_text": text})
		if said := call(s.servers[0], string(body)); !strings.Contains(said, `"is_error":true`) {
			t.Errorf("%s: %.300s", what, said)
		}
	}
}

// TestAnEditorIsKilled kills a process without warning while it edits, time and again: what
// it acknowledged is there, once, and the next one need not wait.
func TestAnEditorIsKilled(t *testing.T) {
	url, dir := backend.Database(t.TempDir(), "servers"), t.TempDir()
	var acknowledged []string
	for round := range 5 {
		cmd := exec.Command(built.Path(t, ""), "--agent", "ann", "--data-dir", dir, "--database", url, "memory-tool")
		cmd.Env, cmd.Stderr = environment(t), os.Stderr
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err1 != nil || err2 != nil || cmd.Start() != nil {
			t.Fatal(err1, err2)
		}
		answers := bufio.NewScanner(out)
		began := time.Now()
		if round == 0 {
			fmt.Fprintln(in, `{"command":"create","path":"/memories/log.md","file_text":"end\n"}`)
			answers.Scan()
		}
		for n := 0; n < 10+round; n++ {
			line := fmt.Sprintf("%d of round %d", n, round)
			fmt.Fprintln(in, insertion(line))
			if !answers.Scan() || strings.Contains(answers.Text(), `"is_error":true`) {
				t.Fatalf("%s, %v", answers.Text(), answers.Err())
			}
			acknowledged = append(acknowledged, line)
		}
		fmt.Fprintln(in, insertion("under way"))
		time.Sleep(time.Duration(round) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if took := time.Since(began); took > time.Minute {
			t.Errorf("round %d took %v", round, took)
		}
	}
	count := map[string]int{}
	for _, line := range fileOf(t, url, "memories/log.md") {
		count[line]++
	}
	for _, line := range acknowledged {
		if count[line] != 1 {
			t.Errorf("%q is there %d times", line, count[line])
		}
	}
	t.Logf("%d acknowledged, %d of 5 under way at the end were done", len(acknowledged), count["under way"])
}

// TestWorkspacesAreCopied carries workspaces to the server and back.
func TestWorkspacesAreCopied(t *testing.T) {
	from, back, url := t.TempDir(), filepath.Join(t.TempDir(), "back"), backend.Database(t.TempDir(), "copy")
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(built.Path(t, ""), args...)
		cmd.Env, cmd.Stderr = environment(t), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	run("--data-dir", from, "--agent", "ann", "save", "--pinned", "Takes tea green.")
	own := filepath.Join(from, "workspaces", "ann", "notes.md")
	if err := os.WriteFile(own, []byte("My own words.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var sums []string
	for _, way := range [][2]string{{from, url}, {url, back}} {
		var r struct {
			Files struct {
				Files   int
				SumFrom string `json:"sum_from"`
				SumTo   string `json:"sum_to"`
			}
		}
		if err := json.Unmarshal([]byte(run("copy", "--from", way[0], "--to", way[1], "--json")), &r); err != nil || r.Files.Files < 5 {
			t.Fatalf("%+v, %v", r, err)
		}
		sums = append(sums, r.Files.SumFrom, r.Files.SumTo)
	}
	if len(slices.Compact(sums)) != 1 {
		t.Errorf("sums %q", sums)
	}
	for _, name := range []string{"MEMORY.md", "notes.md"} {
		was, err1 := os.ReadFile(filepath.Join(from, "workspaces", "ann", name))
		is, err2 := os.ReadFile(filepath.Join(back, "workspaces", "ann", name))
		if err1 != nil || err2 != nil || string(was) != string(is) {
			t.Errorf("%s: %q, %v; %q, %v", name, was, err1, is, err2)
		}
	}
}
