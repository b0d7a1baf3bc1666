package transcripts_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
	"mcp-memory/transfer/transcripts"
)

// fixture is a transcript in testdata.
func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused is what the check of these tests does not let through.
const refused = "refused"

func check(turn memory.Turn) error {
	if turn.Content == refused {
		return memory.Errorf(memory.CodeInvalidArgument, "this is refused")
	}
	return nil
}

func read(t *testing.T, text string, o transcripts.Options) ([]transcripts.Turn, transcripts.Report, error) {
	t.Helper()
	var turns []transcripts.Turn
	o.Check, o.Own = check, transcripts.OwnTool
	report, err := transcripts.Read(strings.NewReader(text), o, func(turn transcripts.Turn) error {
		turns = append(turns, turn)
		return nil
	})
	return turns, report, err
}

// told is a turn in one line.
func told(turn transcripts.Turn) string {
	line := string(turn.Role) + ": " + turn.Content
	if turn.Role == memory.RoleTool {
		line = turn.Speaker + " → " + turn.Content
	}
	for _, c := range turn.Details.ToolCalls {
		line += " [" + c.Name + string(c.Arguments) + "]"
	}
	return line
}

// Every host's form gives the same: who said what, in which session, where.
func TestHosts(t *testing.T) {
	started := time.Date(2026, 3, 1, 10, 0, 1, 0, time.UTC)
	for file, c := range map[string]struct {
		format  transcripts.Format
		session string
		started time.Time
		other   int
		want    []string
	}{
		"claude-code.jsonl": {transcripts.ClaudeCode, "s1", started, 15, []string{
			"user: Run the tests, please.",
			`assistant: Running them. [Bash{"command":"go test"}]`,
			"Bash → Error: FAIL: TestStart",
			"user: We decided to use Postgres.\n\nSo fix it.",
			"user: and be quick",
			"assistant: Done.",
		}},
		"codex.jsonl": {transcripts.Codex, "s1", started, 12, []string{
			"user: Run the tests, please.",
			`assistant:  [shell{"command":["go","test"]}]`,
			"shell → Error: FAIL: TestStart",
			`assistant:  [apply_patch{"input":"*** Begin Patch"}]`,
			"apply_patch → Success",
			`assistant:  [exec_command{"cmd":"ls"}]`,
			"exec_command → Error: Wall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno such file",
			"assistant: Done.",
		}},
		"codex-old.jsonl": {transcripts.Codex, "s1", time.Time{}, 1, []string{
			"user: Run the tests, please.",
			`assistant:  [shell{"command":["go","test"]}]`,
			"shell → ok",
			"user: an older message",
		}},
		"gemini.jsonl": {transcripts.Gemini, "s1", started, 5, []string{
			"user: Run the tests, please.",
			"assistant: Running them.",
			`assistant:  [run_shell_command{"command":"go test"}]`,
			"run_shell_command → Error: FAIL: TestStart",
			`assistant:  [read_file{"path":"a.go"}]`,
			"read_file → package a",
			"user: So fix it.",
			"assistant: Done.",
		}},
		"gemini.json": {transcripts.Gemini, "s1", started, 1, []string{
			"user: Run the tests, please.",
			"assistant: Running them.",
			`assistant:  [run_shell_command{"command": "go test"}]`,
			"run_shell_command → FAIL: TestStart",
		}},
		"copilot.jsonl": {transcripts.Copilot, "s1", started, 9, []string{
			"user: Run the tests, please.",
			`assistant: Running them. [bash{"command":"go test"}]`,
			"bash → Error: FAIL: TestStart",
			"assistant: Done.",
		}},
		"cursor.jsonl": {transcripts.Cursor, "given", time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), 2, []string{
			"user: Run the tests, please.",
			`assistant: Running them. [Shell{"command":"go test"}]`,
			`assistant:  [Read{"path":"a.go"}]`,
			"assistant: Done.",
		}},
	} {
		t.Run(file, func(t *testing.T) {
			o := transcripts.Options{}
			if c.format == transcripts.Cursor {
				o.Session, o.Dir = "given", "/home/ann/api"
			}
			if file == "gemini.json" {
				o.Dir = "/home/ann/api"
			}
			turns, report, err := read(t, fixture(t, file), o)
			if err != nil || report.Format != c.format || report.Messages != len(turns) || report.Other != c.other || report.Skipped > 0 ||
				report.Torn {
				t.Errorf("report %+v, %v", report, err)
			}
			var got []string
			names := map[string]bool{}
			for _, turn := range turns {
				got = append(got, told(turn))
				if names[turn.ExternalID] || turn.ExternalID == "" || turn.Session != c.session || turn.Dir != "/home/ann/api" {
					t.Errorf("%s is in session %q at %q as %q", told(turn), turn.Session, turn.Dir, turn.ExternalID)
				}
				names[turn.ExternalID] = true
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if len(turns) > 0 && !turns[0].SaidAt.Equal(c.started) {
				t.Errorf("began at %v", turns[0].SaidAt)
			}
		})
	}
}

// What a sub-agent did is in files of its own, which give nothing.
func TestSubAgents(t *testing.T) {
	for name, text := range map[string]string{
		"claude-code": `{"type":"user","isSidechain":true,"agentId":"a","sessionId":"s1","uuid":"u","message":{"role":"user","content":"Look around."}}`,
		"codex": `{"type":"session_meta","payload":{"id":"c","cwd":"/w","source":{"subagent":{"thread_spawn":{}}}}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Look around."}]}}`,
		"gemini": `{"sessionId":"s","projectHash":"h","kind":"subagent"}
{"id":"m","type":"user","content":"Look around."}`,
		"copilot": `{"type":"assistant.message","data":{"content":"I look around.","parentToolCallId":"c1"},"id":"x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if turns, report, err := read(t, text, transcripts.Options{}); err != nil || len(turns) > 0 || string(report.Format) != name {
				t.Errorf("%d turns, %+v, %v", len(turns), report, err)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	turns, _, err := read(t, "\ufeff"+`{"role":"developer","content":"Be brief."}
{"role":"user","content":[{"type":"text","text":"What is"},{"type":"text","text":"the time?"}],"id":7,"ts":"2026-03-01"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"clock","arguments":"{\"zone\":\"UTC\"}"}}]}
{"role":"tool","tool_call_id":"c","content":"12:00"}
`, transcripts.Options{})
	if err != nil || len(turns) != 4 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	if turns[0].Role != memory.RoleSystem || turns[1].Content != "What is\nthe time?" || turns[1].ExternalID != "7" {
		t.Errorf("%+v %+v", turns[0], turns[1])
	}
	call := turns[2].Details.ToolCalls[0]
	if call.Name != "clock" || string(call.Arguments) != `{"zone":"UTC"}` || turns[3].Details.ToolCallID != "c" ||
		turns[3].Speaker != "clock" {
		t.Errorf("%+v %+v", call, turns[3])
	}
}

func TestBrokenLines(t *testing.T) {
	good := `{"role":"user","content":"hello"}` + "\n"
	for name, c := range map[string]struct {
		text     string
		mentions string
		messages int
	}{
		"not JSON":     {good + "oops\n" + good, "line 2: the line is not JSON", 1},
		"unknown role": {good + `{"role":"wizard","content":"x"}` + "\n" + good, `line 2: role "wizard"`, 1},
		"refused":      {good + `{"role":"user","content":"` + refused + `"}` + "\n" + good, "line 2: this is refused", 1},
		"a bad time":   {`{"role":"user","content":"x","ts":"never"}` + "\n" + good, "line 1: ts", 0},
		"too long":     {good + strings.Repeat("x", 5<<20) + "\n" + good, "line 2: the line is longer", 1},
		"not UTF-8":    {good + "\"\xff\"\n" + good, "line 2: the line is not valid UTF-8", 1},
	} {
		t.Run(name, func(t *testing.T) {
			turns, _, err := read(t, c.text, transcripts.Options{})
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.mentions) || len(turns) != c.messages {
				t.Errorf("%d turns, error %v", len(turns), err)
			}
			_, report, err := read(t, c.text, transcripts.Options{SkipBad: true})
			if err != nil || report.Skipped != 1 || report.Messages != strings.Count(c.text, "hello") {
				t.Errorf("skipping: %+v, %v", report, err)
			}
		})
	}
	if _, report, err := read(t, good+`{"role":"user","cont`, transcripts.Options{}); err != nil || !report.Torn || report.Skipped != 0 ||
		report.Messages != 1 {
		t.Errorf("a line that is being written: %+v, %v", report, err)
	}
}

// An error of the caller ends the reading, also where broken lines are skipped.
func TestCallersError(t *testing.T) {
	stop := errors.New("the disk is full")
	for _, text := range []string{`{"role":"user","content":"hello"}`, fixture(t, "gemini.json")} {
		_, err := transcripts.Read(strings.NewReader(text), transcripts.Options{SkipBad: true},
			func(transcripts.Turn) error { return stop })
		if err == nil || !strings.Contains(err.Error(), stop.Error()) {
			t.Errorf("%v", err)
		}
	}
}

// A line that is mended does not change by what the others are known again.
func TestMended(t *testing.T) {
	lines := []string{`{"role":"user","content":"one"}`, `{"role":"user","content":"two"}`, `{"role":"user","content":"three"}`}
	whole, _, err := read(t, strings.Join(lines, "\n"), transcripts.Options{})
	if err != nil || len(whole) != 3 {
		t.Fatal(len(whole), err)
	}
	lines[1] = lines[1][:10]
	broken, _, err := read(t, strings.Join(lines, "\n"), transcripts.Options{SkipBad: true})
	if err != nil || len(broken) != 2 || broken[0].ExternalID != whole[0].ExternalID || broken[1].ExternalID != whole[2].ExternalID {
		t.Errorf("%d turns, %v", len(broken), err)
	}
}

func TestUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(fixture(t, "claude-code.jsonl")))
	z.Close()
	if turns, _, err := read(t, packed.String(), transcripts.Options{}); err != nil || len(turns) != 6 {
		t.Errorf("%d turns, %v", len(turns), err)
	}
}

// What is too long for a bank is cut in its middle, arguments too, and NUL never
// gets through.
func TestShortened(t *testing.T) {
	long := strings.Repeat("lé ", 3000)
	text := `{"role":"assistant","content":"a\u0000b","tool_calls":[{"id":"c","name":"Write","arguments":{"path":"a","text":"` + long +
		`","lines":["` + long + `",1]}}]}
{"role":"tool","tool_call_id":"c","content":"begin ` + long + `end"}
{"role":"user","content":"` + strings.Repeat("x", memory.MaxTurnBytes+1) + `"}
`
	turns, _, err := read(t, text, transcripts.Options{MaxResult: 1000})
	if err != nil || len(turns) != 3 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	call, result := turns[0].Details.ToolCalls[0], turns[1].Content
	if turns[0].Content != "a\uFFFDb" || len(call.Arguments) > 3000 || !strings.Contains(string(call.Arguments), `"path":"a"`) {
		t.Errorf("call %q", call.Arguments)
	}
	if len(result) > 1000 || !strings.HasPrefix(result, "begin lé") || !strings.HasSuffix(result, "end") ||
		!strings.Contains(result, "bytes left out") {
		t.Errorf("result %q", result)
	}
	if len(turns[2].Content) > memory.MaxTurnBytes {
		t.Errorf("a message of %d bytes", len(turns[2].Content))
	}
	if whole, _, err := read(t, text, transcripts.Options{}); err != nil || len(whole[1].Content) != len("begin "+long+"end") {
		t.Errorf("without a limit: %v", err)
	}
}

// What this program has injected and what its tools brought is never read as said.
func TestNothingOfOurs(t *testing.T) {
	text := `{"role":"user","content":` + quoted(injected.Recall("- Ann likes tea")+"\nHello") + `}
{"role":"user","content":` + quoted(injected.Recall("- Ann likes tea")) + `}
{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"r","name":"mcp__memory__memory_recall","arguments":{}},{"id":"x","name":"ls"}]}
{"role":"tool","tool_call_id":"r","content":"Ann likes tea"}
{"role":"tool","tool_call_id":"x","content":"a.go"}
`
	turns, report, err := read(t, text, transcripts.Options{})
	if err != nil || report.Messages != 3 || report.Other != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	if turns[0].Content != "Hello" || told(turns[1]) != "assistant: Let me look. [ls]" || told(turns[2]) != "ls → a.go" {
		t.Errorf("%s\n%s\n%s", told(turns[0]), told(turns[1]), told(turns[2]))
	}
}

func TestOwnTool(t *testing.T) {
	for tool, want := range map[string]bool{
		"mcp__memory__memory_recall": true, "mcp__mcp-memory__memory_save": true,
		"mcp__plugin_mcp-memory_memory__memory_recall": true, "memory-memory_recall": true,
		"mcp_memory_memory_recall": true, "Bash": false, "mcp__github__search": false, "memory": false, "in_memory_cache": false,
	} {
		if transcripts.OwnTool(tool) != want {
			t.Errorf("%s: %v", tool, !want)
		}
	}
}

func quoted(text string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
}
