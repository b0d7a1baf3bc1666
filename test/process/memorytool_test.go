//go:build unix

package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Agents that are built on the memory tool are killed again and again: what was
// answered is there, what was not is there whole or not at all, and all of it can be
// taken back to nothing.
func TestMemoryToolIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "workspaces", "default", "memories", "log.md")
	if out := memoryTool(t, dir, `{"command":"create","path":"/memories/log.md","file_text":""}`); len(out) != 1 || out[0].IsError {
		t.Fatalf("%+v", out)
	}
	answered, sent := 0, 0
	for range 6 {
		cmd := command(t, dir, "memory-tool")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func(from int) {
			for i := range 400 {
				_, _ = fmt.Fprintf(in, `{"command":"insert","path":"/memories/log.md","insert_line":0,"insert_text":"line %d"}`+"\n",
					from+i) // until it is killed
			}
		}(sent)
		sent += 400
		lines := bufio.NewScanner(out)
		for range 1 + rand.IntN(12) {
			if lines.Scan() && strings.Contains(lines.Text(), "has been edited") {
				answered++
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what was answered meanwhile
			if strings.Contains(lines.Text(), "has been edited") {
				answered++
			}
		}
		_ = cmd.Wait() // it was killed
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(got) < answered || len(got) > answered+6 {
		t.Errorf("%d answers, %d lines", answered, len(got))
	}
	seen := map[string]bool{}
	for _, line := range got {
		if seen[line] || !strings.HasPrefix(line, "line ") {
			t.Errorf("%q", line)
		}
		seen[line] = true
	}
	var history struct{ Changes []struct{ ID string } }
	if code, out, log := cli(t, dir, "memory-tool", "history", "--json", "--limit", "1000"); code != 0 ||
		json.Unmarshal([]byte(out), &history) != nil || len(history.Changes) < len(got) {
		t.Fatalf("%d: %s%s", code, out, log)
	}
	for _, c := range history.Changes[:4] { // one that was killed before it was made has nothing to take back
		if code, out, log := cli(t, dir, "memory-tool", "undo", c.ID); code != 0 && !strings.Contains(log, "nothing of the change") {
			t.Errorf("undo: %s%s", out, log)
		}
	}
	if after, err := os.ReadFile(file); err != nil || len(after) >= len(data) || !strings.HasSuffix(string(data), string(after)) {
		t.Errorf("after the undo: %v\n%s", err, after)
	}
}

type toolResult struct {
	Type    string `json:"type"`
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// memoryTool makes calls in one process.
func memoryTool(t *testing.T, dir string, calls ...string) (list []toolResult) {
	t.Helper()
	cmd := command(t, dir, "memory-tool")
	cmd.Stdin = strings.NewReader(strings.Join(calls, "\n") + "\n")
	code, out, log := runCommand(t, cmd)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, log)
	}
	for line := range strings.Lines(out) {
		var one toolResult
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, one)
	}
	return list
}

// Over HTTP a token is needed, each agent has its own files, and what is written is
// found by the search, and in the audit log.
func TestMemoryToolOverHTTP(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, anns := token(t, dir, "--agent", "ann")
	_, bobs := token(t, dir, "--agent", "bob")
	_, reads := token(t, dir, "--agent", "ann", "--read-only")
	h, url := serveHTTP(t, dir)
	post := func(token, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/memory-tool", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := (&http.Client{Timeout: patience}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(data)
	}
	const create = `{"type":"tool_use","id":"toolu_1","name":"memory","input":{"command":"create","path":"/memories/plan.md","file_text":"The zebra quincunx is planted in May."}}`
	for _, one := range []struct {
		token, body string
		status      int
		want        string
	}{
		{"", create, 401, ""}, {"wrong", create, 401, ""}, {reads, create, 200, "may only read"},
		{anns, create, 200,
			`{"type":"tool_result","tool_use_id":"toolu_1","content":"File created successfully at: /memories/plan.md","is_error":false}`},
		{reads, `{"command":"view","path":"/memories/plan.md"}`, 200, "zebra"},
		{bobs, `{"command":"view","path":"/memories/plan.md"}`, 200, "does not exist"},
		{anns, "no", 200, "not a JSON object"}, {anns, strings.Repeat("x", 9<<20), 413, "too_large"},
	} {
		if status, body := post(one.token, one.body); status != one.status || !strings.Contains(body, one.want) {
			t.Errorf("%.60s: %d %.300s", one.body, status, body)
		}
	}
	ann := newCaller(t, url, anns)
	if r := ann.call("memory_search", object{"query": "When is the zebra quincunx planted?"}); !strings.Contains(r.text(),
		"memories/plan.md:1") {
		t.Errorf("search: %s", r.text())
	}
	if r := newCaller(t, url, bobs).call("memory_search", object{"query": "zebra quincunx"}); strings.Contains(r.text(), "zebra") {
		t.Errorf("another agent's search: %s", r.text())
	}
	h.kill()
	var lines int
	var details string
	if err := inspect(t, dir).
		QueryRow(`SELECT count(*), group_concat(details) FROM audit_log WHERE agent = 'ann' AND action = 'memory_tool_create'`).
		Scan(&lines, &details); err != nil {
		t.Fatal(err)
	}
	if lines != 2 || strings.Count(details, "forbidden") != 1 {
		t.Errorf("%d lines in the audit log: %s", lines, details)
	}
}
