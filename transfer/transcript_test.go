package transfer_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

// hosted is what Claude Code writes: notes of its own, a message in pieces, a
// call and its result, and the work of a sub-agent.
const hosted = `{"type":"summary","summary":"Fixing the build","leafUuid":"x"}
{"type":"user","isMeta":true,"message":{"role":"user","content":"<caveat>"},"uuid":"u0","timestamp":"2026-03-01T10:00:00Z","sessionId":"s1"}
{"type":"user","message":{"role":"user","content":"Run the tests, please."},"uuid":"u1","timestamp":"2026-03-01T10:00:01.5Z","sessionId":"s1","isSidechain":false}
{"type":"assistant","message":{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"They want tests."}]},"uuid":"a0","timestamp":"2026-03-01T10:00:02Z","sessionId":"s1"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Running them."},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"go test"}}]},"uuid":"a1","timestamp":"2026-03-01T10:00:03Z","sessionId":"s1"}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"FAIL"}],"is_error":true}]},"uuid":"u2","timestamp":"2026-03-01T10:00:09Z","sessionId":"s1"}
{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":"from a sub-agent"},"uuid":"a2","sessionId":"s1"}
{"type":"file-history-snapshot","snapshot":{}}
`

func readTranscript(t *testing.T, text string, skipBad bool) ([]memory.Turn, transfer.TranscriptReport, error) {
	t.Helper()
	var turns []memory.Turn
	check := func(turn memory.Turn) error {
		if turn.Content == "refused" {
			return memory.Errorf(memory.CodeInvalidArgument, "this is refused")
		}
		return nil
	}
	report, err := transfer.ReadTranscript(strings.NewReader(text), skipBad, check, func(turn memory.Turn) error {
		turns = append(turns, turn)
		return nil
	})
	return turns, report, err
}

func TestTranscriptOfAHost(t *testing.T) {
	turns, report, err := readTranscript(t, hosted, false)
	if err != nil || report != (transfer.TranscriptReport{Messages: 3, Other: 5}) {
		t.Fatalf("report %+v, %v", report, err)
	}
	ask, answer, result := turns[0], turns[1], turns[2]
	if ask.Role != memory.RoleUser || ask.Content != "Run the tests, please." || ask.ExternalID != "u1" || ask.Session != "s1" ||
		!ask.SaidAt.Equal(time.Date(2026, 3, 1, 10, 0, 1, 5e8, time.UTC)) {
		t.Errorf("ask %+v", ask)
	}
	calls := answer.Details.ToolCalls
	if answer.Content != "Running them." || len(calls) != 1 || calls[0].ID != "c1" || calls[0].Name != "Bash" || string(calls[0].Arguments) != `{"command":"go test"}` {
		t.Errorf("answer %+v %+v", answer, answer.Details)
	}
	if result.Role != memory.RoleTool || result.Content != "Error: FAIL" || result.Details.ToolCallID != "c1" || result.ExternalID != "u2/0" {
		t.Errorf("result %+v %+v", result, result.Details)
	}
}

func TestTranscriptOfPlainMessages(t *testing.T) {
	turns, _, err := readTranscript(t, "\ufeff"+`{"role":"developer","content":"Be brief."}
{"role":"user","content":[{"type":"text","text":"What is"},{"type":"text","text":"the time?"}],"id":7,"ts":"2026-03-01"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"clock","arguments":"{\"zone\":\"UTC\"}"}}]}
{"role":"tool","tool_call_id":"c","content":"12:00"}
`, false)
	if err != nil || len(turns) != 4 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	if turns[0].Role != memory.RoleSystem || turns[1].Content != "What is\nthe time?" || turns[1].ExternalID != "7" {
		t.Errorf("%+v %+v", turns[0], turns[1])
	}
	call := turns[2].Details.ToolCalls[0]
	if call.Name != "clock" || string(call.Arguments) != `{"zone":"UTC"}` || turns[3].Details.ToolCallID != "c" {
		t.Errorf("%+v %+v", call, turns[3].Details)
	}
}

func TestTranscriptWithBrokenLines(t *testing.T) {
	good := `{"role":"user","content":"hello"}` + "\n"
	for name, c := range map[string]struct {
		text     string
		mentions string
		messages int
	}{
		"not JSON":     {good + "oops\n" + good, "line 2: the line is not JSON", 1},
		"unknown role": {good + `{"role":"wizard","content":"x"}` + "\n" + good, `line 2: role "wizard"`, 1},
		"refused":      {good + `{"role":"user","content":"refused"}` + "\n" + good, "line 2: this is refused", 1},
		"a bad time":   {`{"role":"user","content":"x","ts":"never"}` + "\n" + good, "line 1: ts", 0},
	} {
		t.Run(name, func(t *testing.T) {
			turns, _, err := readTranscript(t, c.text, false)
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.mentions) || len(turns) != c.messages {
				t.Errorf("%d turns, error %v", len(turns), err)
			}
			_, report, err := readTranscript(t, c.text, true)
			if err != nil || report.Skipped != 1 || report.Messages != strings.Count(c.text, "hello") {
				t.Errorf("skipping: %+v, %v", report, err)
			}
		})
	}
	if _, report, err := readTranscript(t, good+`{"role":"user","cont`, false); err != nil || report.Skipped != 1 || report.Messages != 1 {
		t.Errorf("a line that is being written: %+v, %v", report, err)
	}
}

// A line that is mended does not change by what the others are known again.
func TestTranscriptMended(t *testing.T) {
	lines := []string{`{"role":"user","content":"one"}`, `{"role":"user","content":"two"}`, `{"role":"user","content":"three"}`}
	whole, _, err := readTranscript(t, strings.Join(lines, "\n"), false)
	if err != nil || len(whole) != 3 {
		t.Fatal(len(whole), err)
	}
	lines[1] = lines[1][:10]
	broken, _, err := readTranscript(t, strings.Join(lines, "\n"), true)
	if err != nil || len(broken) != 2 || broken[0].ExternalID != whole[0].ExternalID || broken[1].ExternalID != whole[2].ExternalID {
		t.Errorf("%d turns, %v", len(broken), err)
	}
}

func TestTranscriptIsUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(hosted))
	z.Close()
	if turns, _, err := readTranscript(t, packed.String(), false); err != nil || len(turns) != 3 {
		t.Errorf("%d turns, %v", len(turns), err)
	}
}

func FuzzTranscript(f *testing.F) {
	for line := range strings.Lines(hosted) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check := func(memory.Turn) error { return nil }
		_, err := transfer.ReadTranscript(strings.NewReader(text), true, check, func(turn memory.Turn) error {
			if turn.Content == "" && len(turn.Details.ToolCalls) == 0 {
				t.Errorf("an empty turn of %q", text)
			}
			return nil
		})
		if err != nil && memory.CodeOf(err) == memory.CodeInternal {
			t.Error(err)
		}
	})
}
