package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mcp-memory/text/tokens"
)

// answers serves requests over stdin and returns the results by their ids.
func (m *machine) answers(requests []string, args ...string) map[int]json.RawMessage {
	m.t.Helper()
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	for i, r := range requests {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`+"\n", i+1, r)
	}
	r := m.run(in, args...)
	if r.code != exitDone || r.stderr != "" {
		m.t.Fatalf("exit %d, stderr %q", r.code, r.stderr)
	}
	results := map[int]json.RawMessage{}
	for line := range strings.Lines(r.stdout) {
		var answer struct {
			ID     *int
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			m.t.Fatal(err)
		}
		if answer.ID != nil {
			results[*answer.ID] = answer.Result
		}
	}
	return results
}

const (
	readStart = `"method":"resources/read","params":{"uri":"memory://session-start"}`
	askStart  = `"method":"prompts/get","params":{"name":"session-start"}`
)

// TestSessionStartTokens: the setting bounds the page and the prompt alike,
// however it is given.
func TestSessionStartTokens(t *testing.T) {
	m := newMachine(t)
	for i := range 30 {
		m.ok("save", fmt.Sprintf("We decided to paint house number %d of the harbour street in %s.", i, strings.Repeat("very ", i)+"blue"))
	}
	counter := tokens.NewCounter("")
	size := func(args ...string) int {
		t.Helper()
		results := m.answers([]string{readStart, askStart}, args...)
		var page struct{ Contents []struct{ Text string } }
		var prompt struct {
			Messages []struct {
				Content struct{ Resource struct{ Text string } }
			}
		}
		if err := json.Unmarshal(results[1], &page); err != nil || len(page.Contents) != 1 {
			t.Fatalf("%v: %s", err, results[1])
		}
		if err := json.Unmarshal(results[2], &prompt); err != nil {
			t.Fatal(err)
		}
		shown := false
		for _, one := range prompt.Messages {
			shown = shown || one.Content.Resource.Text == page.Contents[0].Text
		}
		if !shown {
			t.Errorf("%v: the prompt is %s, the page %q", args, results[2], page.Contents[0].Text)
		}
		return counter.Count(page.Contents[0].Text)
	}
	if n := size(); n > 500 || n < 300 {
		t.Errorf("%d tokens by default", n)
	}
	if n := size("--session-start-tokens", "120"); n > 120 || n < 60 {
		t.Errorf("%d tokens of 120", n)
	}
	m.env["MCP_MEMORY_SESSION_START_TOKENS"] = "900"
	if n := size(); n > 900 || n <= 500 {
		t.Errorf("%d tokens of 900", n)
	}
	for _, wrong := range []string{"99", "0", "-5", "many", "1e3"} {
		m.fails(exitUsage, "session_start.tokens is "+fmt.Sprintf("%q", wrong), "--session-start-tokens", wrong)
	}
}

// TestSettingsMendTheLog: a level that is none does not keep from setting another.
func TestSettingsMendTheLog(t *testing.T) {
	m := newMachine(t)
	m.ok("settings", "set", "log.level", "info")
	write(t, filepath.Join(m.dataDir(), "config.yaml"), "log.level: loud\n")
	m.fails(exitUsage, "log.level is", "stats")
	m.ok("settings")
	m.ok("settings", "set", "log.level", "error")
	m.ok("save", "The harbour closes at nine.")
}

// TestTimeZone: the setting says what day it is; a name that is none is an error
// at the start.
func TestTimeZone(t *testing.T) {
	const write = `"method":"tools/call","params":{"name":"diary_write","arguments":{"content":"The tide was high."}}`
	for zone, want := range map[string]string{"": "2026-03-01", "Pacific/Pago_Pago": "2026-02-28", "Pacific/Kiritimati": "2026-03-01",
		"UTC": "2026-03-01"} {
		m := newMachine(t)
		m.env["MCP_MEMORY_TIME_ZONE"] = zone
		if result := string(m.answers([]string{write}, "--tools", "all")[1]); !strings.Contains(result, `"date":"`+want+`"`) {
			t.Errorf("in %q: %s", zone, result)
		}
	}
	m := newMachine(t)
	for _, wrong := range []string{"Mars/Olympus", "CEST+2", "../UTC", "europe"} {
		m.fails(exitUsage, "time.zone is "+fmt.Sprintf("%q", wrong), "stats", "--user-time-zone", wrong)
		m.fails(exitUsage, "such as Europe/Oslo", "--user-time-zone", wrong)
	}
}
