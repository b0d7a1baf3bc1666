package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"mcp-memory/memory"
)

// recorded are the payloads of a host: for each the event as an argument, "-" for
// none, and what is sent.
func recorded(t testing.TB, host string) (list [][2]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", host+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		event, payload, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: %q", host, line)
		}
		list = append(list, [2]string{strings.TrimPrefix(event, "-"), payload})
	}
	return list
}

// What each host sends is understood, whether or not it is named.
func TestRecorded(t *testing.T) {
	want := map[string][]Event{
		"claude-code": {SessionStart, Prompt, ToolUse, ToolDone, ToolFailed, Stop, PreCompact, SessionStart, SessionEnd},
		"codex":       {SessionStart, Prompt, ToolUse, ToolFailed, Stop, PreCompact, SessionStart, SessionEnd},
		"gemini":      {SessionStart, Prompt, ToolUse, ToolFailed, Stop, PreCompact, SessionEnd},
		"cursor":      {SessionStart, Prompt, ToolFailed, Stop, Stop, PreCompact, SessionEnd},
		"vscode":      {SessionStart, Prompt, ToolUse, ToolDone, Stop, PreCompact},
		"copilot-cli": {SessionStart, Prompt, ToolUse, ToolFailed, Stop, PreCompact, SessionEnd},
		"devin":       {SessionStart, Prompt, ToolUse, ToolFailed, Stop, SessionEnd},
		"droid":       {SessionStart, Prompt, ToolUse, ToolFailed, Stop, PreCompact, SessionEnd},
		"goose":       {SessionStart, Prompt, ToolUse, ToolFailed, Stop, SessionEnd},
		"opencode":    {SessionStart, Prompt, ToolFailed, Stop, PreCompact, SessionEnd},
		"antigravity": {Prompt, Stop},
		"cline":       {SessionStart, Prompt, SessionEnd},
	}
	for _, host := range Hosts() {
		list := recorded(t, host)
		if len(list) != len(want[host]) {
			t.Fatalf("%s has %d payloads, %d are described", host, len(list), len(want[host]))
		}
		for i, one := range list {
			names := []string{host, ""}
			if host == "vscode" {
				names = append(names, "claude-code") // whose settings it reads
			}
			for _, named := range names {
				payload := one[1]
				if host == "gemini" || host == "codex" { // by their transcripts, where an event is like Claude Code's
					payload = strings.Replace(payload, "@TRANSCRIPT@",
						map[string]string{"gemini": "/home/a/.gemini/tmp/x/chats/s.json",
							"codex": "/home/a/.codex/sessions/2026/11/22/rollout-x.jsonl"}[host], 1)
				}
				c, ok := Decode([]byte(payload), named, one[0])
				if !ok || c.Host != host || c.Event != want[host][i] || c.Session != "@SESSION@" || c.Dir != "@DIR@" {
					t.Errorf("%s named %q: %s is %+v", host, named, payload, c)
				}
				switch c.Event {
				case Prompt:
					if c.Prompt != "@PROMPT@" && host != "antigravity" {
						t.Errorf("%s: the prompt is %q", host, c.Prompt)
					}
				case ToolFailed:
					use := memory.ToolCall{Name: c.Tool.Name, Arguments: c.Tool.Input}
					if !strings.HasPrefix(c.Tool.Error, "fatal: the remote end") || c.Tool.Name == "" ||
						!strings.Contains(string(use.Arguments), "git push") || c.Nothing() {
						t.Errorf("%s: the failure is %+v", host, c.Tool)
					}
				}
			}
		}
	}
}

// OpenCode puts a prompt of its command line into quotation marks. They are no part
// of what the user says, and of other hosts they are left.
func TestQuotedPrompts(t *testing.T) {
	for said, want := range map[string]string{
		`"Our staging host is called oslo-7."`:    `Our staging host is called oslo-7.`,
		"\"Call it \\\"oslo\\\" from now on.\"\n": `Call it "oslo" from now on.`,
		`"oslo-7" is older than "oslo-8"`:         `"oslo-7" is older than "oslo-8"`,
		`Call it "oslo"`:                          `Call it "oslo"`,
		`"`:                                       `"`,
	} {
		data, err := json.Marshal(map[string]any{"session_id": "s", "prompt": said, "messages": []map[string]string{
			{"id": "1", "role": "user", "text": said}, {"id": "2", "role": "assistant", "text": said},
		}})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := Decode(data, "opencode", "prompt")
		if !ok || c.Prompt != want || c.Messages[0].Text != want || c.Messages[1].Text != said {
			t.Errorf("%s: %+v", said, c)
		}
		if c, ok := Decode(data, "droid", "prompt"); !ok || c.Prompt != said {
			t.Errorf("%s of another host: %q", said, c.Prompt)
		}
	}
}

// Each host is answered in its own form.
func TestEnvelopes(t *testing.T) {
	for _, one := range []struct {
		host, name string
		want       string
	}{
		{"claude-code", "SessionStart", `{"hookSpecificOutput":{"additionalContext":"<a>","hookEventName":"SessionStart"}}`},
		{"claude-code", "Stop", ""},
		{"claude-code", "PreCompact", ""},
		{"codex", "UserPromptSubmit", `{"hookSpecificOutput":{"additionalContext":"<a>","hookEventName":"UserPromptSubmit"}}`},
		{"codex", "Stop", ""},
		{"gemini", "BeforeAgent", `{"hookSpecificOutput":{"additionalContext":"<a>","hookEventName":"BeforeAgent"}}`},
		{"vscode", "UserPromptSubmit", ""},
		{"cursor", "sessionStart", `{"additional_context":"<a>"}`},
		{"cursor", "beforeSubmitPrompt", `{"additional_context":"<a>","continue":true}`},
		{"copilot-cli", "userPromptSubmitted", `{"additionalContext":"<a>"}`},
		{"goose", "UserPromptSubmit", ""},
		{"antigravity", "PreInvocation", `{"injectSteps":[{"ephemeralMessage":"<a>"}]}`},
		{"cline", "TaskStart", `{"cancel":false,"contextModification":"<a>","errorMessage":""}`},
		{"nobody", "SessionStart", ""},
	} {
		c := Call{Host: one.host, Name: one.name, Event: eventNamed(one.name)}
		if got := strings.TrimSpace(string(Envelope(c, "<a>"))); got != one.want {
			t.Errorf("%s %s: %s, want %s", one.host, one.name, got, one.want)
		}
		if got := Envelope(c, ""); got != nil {
			t.Errorf("%s %s with nothing to show: %s", one.host, one.name, got)
		}
	}
}

// Nothing that is sent breaks anything, and nothing of it is large or no text.
func TestStrangePayloads(t *testing.T) {
	huge := strings.Repeat("Ünïcode \x00", 1<<20)
	data, err := json.Marshal(map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": huge, "prompt": huge,
		"transcript_path": huge, "tool_name": huge, "error": huge})
	if err != nil {
		t.Fatal(err)
	}
	c, ok := Decode(data, "", "")
	if !ok || len(c.Prompt) > maxText || len(c.Session) > memory.MaxNameBytes || c.Transcript != "" || len(c.Tool.Error) > maxError ||
		!utf8.ValidString(c.Prompt) {
		t.Errorf("a huge payload: %d bytes of prompt, session of %d", len(c.Prompt), len(c.Session))
	}
	for payload, known := range map[string]bool{
		"": false, "null": false, "[]": false, "{}": false, `"SessionStart"`: false, `{"hook_event_name":`: false, `{"hello":1}`: false,
		`{"hook_event_name":"SessionStart"}`:                                            true, // no more than that
		`{"hook_event_name":{"a":1},"session_id":[1]}`:                                  true,
		`{"hook_event_name":"Unheard","session_id":7,"transcript_path":false,"cwd":{}}`: true,
		"\xEF\xBB\xBF{\"hook_event_name\":\"Stop\"}":                                    true,
	} {
		if c, ok := Decode([]byte(payload), "", ""); ok != known {
			t.Errorf("%s: %+v, %v", payload, c, ok)
		}
	}
	if c, ok := Decode(nil, "copilot", "sessionStart"); !ok || c.Event != SessionStart || c.Host != "copilot-cli" {
		t.Errorf("an event that is only named: %+v, %v", c, ok)
	}
}

func FuzzDecode(f *testing.F) {
	for _, host := range Hosts() {
		for _, one := range recorded(f, host) {
			f.Add([]byte(one[1]), host, one[0])
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte, host, event string) {
		c, ok := Decode(payload, host, event)
		if !ok {
			return
		}
		if len(c.Prompt) > maxText || len(c.Last) > maxText || len(c.Tool.Input) > maxInput || len(c.Messages) > maxMessages {
			t.Errorf("more than its bounds: %+v", c)
		}
		if memory.CheckText("session", c.Session, memory.MaxNameBytes) != nil || memory.CheckText("prompt", c.Prompt, maxText) != nil {
			t.Errorf("no text: %q %q", c.Session, c.Prompt)
		}
		data, err := json.Marshal(c)
		var again Call
		if err != nil || json.Unmarshal(data, &again) != nil {
			t.Errorf("%+v cannot be handed on: %v", c, err)
		}
		Envelope(c, "x")
	})
}
