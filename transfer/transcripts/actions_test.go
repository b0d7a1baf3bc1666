package transcripts_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer/transcripts"
)

// actionsOf reads a transcript and tells each action in a line.
func actionsOf(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	ids := map[string]bool{}
	_, err := transcripts.Read(strings.NewReader(text),
		transcripts.Options{Session: "of", Dir: "/h", Own: transcripts.OwnTool, MaxResult: transcripts.KeptResult,
			Act: func(a memory.Action) {
				if ids[a.ID] {
					return
				}
				ids[a.ID] = true
				fmt.Fprintf(&b, "%s %s %d/%d %s in %s: %s / %s / %s %d\n", a.Session, a.Kind, a.Outcome, a.Exit, a.Text, a.Dir,
					a.Asked, a.About,
					strings.ReplaceAll(a.Tail, "\n", "|"), len(a.Hunks)/8)
			}}, func(transcripts.Turn) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const secretWord = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

func TestActions(t *testing.T) {
	claude := func(role, content string) string {
		return `{"type":"` + role + `","sessionId":"s","cwd":"/w","uuid":"` + fmt.Sprint(len(content), role) +
			`","timestamp":"2026-03-01T12:00:00Z","message":{"role":"` + role + `","content":` + content + `}}` + "\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"claude": {
			claude("user", `"Start it."`) +
				claude("assistant",
					`[{"type":"text","text":"Now."},{"type":"tool_use","id":"1","name":"Bash","input":{"command":"make up TOKEN=`+
						secretWord+`","description":"Start"}}]`) +
				claude("user",
					`[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"Exit code 2\nmake: *** no rule to make target 'up'"}]`) +
				claude("assistant",
					`[{"type":"tool_use","id":"2","name":"Edit","input":{"file_path":"/w/a.go","old_string":"x","new_string":"a line that is long\n}\nanother line"}}]`) +
				claude("user", `[{"type":"tool_result","tool_use_id":"2","content":"ok"}]`) +
				claude("assistant",
					`[{"type":"tool_use","id":"3","name":"Bash","input":{"command":"go test ./..."}},{"type":"tool_use","id":"4","name":"mcp__memory__memory_save","input":{}}]`) +
				claude("user",
					`[{"type":"tool_result","tool_use_id":"3","content":"ok  \tpkg"},{"type":"tool_result","tool_use_id":"4","content":"saved"}]`) +
				claude("assistant", `[{"type":"tool_use","id":"5","name":"Bash","input":{"command":"rm -rf /"}}]`) +
				claude("user",
					`[{"type":"tool_result","tool_use_id":"5","is_error":true,"content":"The user doesn't want to proceed with this tool use."}]`),
			"s command 2/2 make up TOKEN=[secret] in /w: Start it. / Start / make: *** no rule to make target 'up' 0\n" +
				"s edit 1/0 /w/a.go in /w: Start it. / Now. /  2\n" +
				"s test 1/0 go test ./... in /w: Start it. / Now. / ok  \tpkg 0\n",
		},
		"cursor, which never says how it ended": {
			`{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>Sunday, Mar 1, 2026, 1:00 PM (UTC+3)</timestamp>\n<user_query>\nRun the tests.\n</user_query>"}]}}` + "\n" +
				`{"role":"assistant","message":{"content":[{"type":"text","text":"Now."},{"type":"tool_use","name":"Shell","input":{"command":"go test"}}]}}` + "\n" +
				`{"type":"tool_call","name":"Write","args":{"path":"a.go","contents":"a line of it"}}` + "\n",
			"of test 0/0 go test in /h: Run the tests. / Now. /  0\n" +
				"of write 0/0 /h/a.go in /h: Run the tests. / Now. /  1\n",
		},
		"codex": {
			`{"timestamp":"2026-03-01T12:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}` + "\n" +
				`{"timestamp":"2026-03-01T12:00:01Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"npm ci\"],\"workdir\":\"web\"}","call_id":"1"}}` + "\n" +
				`{"timestamp":"2026-03-01T12:00:03Z","type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":"Exit code: 1\nWall time: 2 seconds\nOutput:\nnpm error code EUSAGE"}}` + "\n" +
				`{"timestamp":"2026-03-01T12:00:04Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.go\n@@\n-old line here\n+new line here\n*** Add File: b.go\n+package main\n*** End Patch","call_id":"2"}}` + "\n" +
				`{"timestamp":"2026-03-01T12:00:05Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"2","output":"{\"output\":\"Success\",\"metadata\":{\"exit_code\":0}}"}}` + "\n",
			"s command 2/1 npm ci in /w/web:  /  / npm error code EUSAGE 0\n" +
				"s edit 1/0 /w/a.go in /w:  /  /  1\n" +
				"s write 1/0 /w/b.go in /w:  /  /  1\n",
		},
		"gemini": {
			`{"sessionId":"s","projectHash":"x","startTime":"2026-03-01T12:00:00Z","lastUpdated":"2026-03-01T12:00:00Z","kind":"main","directories":["/w"]}` + "\n" +
				`{"id":"m1","timestamp":"2026-03-01T12:00:00Z","type":"gemini","content":"Look.","toolCalls":[{"id":"1","name":"run_shell_command","args":{"command":"pytest"},"status":"success","result":[{"functionResponse":{"response":{"output":"Command: pytest\nOutput: 1 failed\nE  ModuleNotFoundError: No module named x\nExit Code: 1"}}}]}]}` + "\n",
			"s test 2/1 pytest in /w:  /  / 1 failed|E  ModuleNotFoundError: No module named x 0\n",
		},
		"copilot": {
			`{"type":"session.start","timestamp":"2026-03-01T12:00:00Z","data":{"sessionId":"s","context":{"cwd":"/w"}}}` + "\n" +
				`{"type":"assistant.message","id":"a","timestamp":"2026-03-01T12:00:00Z","data":{"content":"","toolRequests":[{"toolCallId":"1","name":"bash","arguments":{"command":"make"}},{"toolCallId":"2","name":"view","arguments":{"path":"/w/x"}}]}}` + "\n" +
				`{"type":"tool.execution_complete","id":"b","timestamp":"2026-03-01T12:00:01Z","data":{"toolCallId":"1","success":true,"result":{"content":"done\n<exited with exit code 0>"}}}` + "\n" +
				`{"type":"tool.execution_complete","id":"c","timestamp":"2026-03-01T12:00:01Z","data":{"toolCallId":"2","success":false,"error":{"message":"no such file"}}}` + "\n",
			"s command 1/0 make in /w:  /  / done 0\ns read 2/0 /w/x in /w:  /  / no such file 0\n",
		},
	} {
		if got := actionsOf(t, c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

// What a tool was given and brought is kept without the secrets in it.
func TestCallsWithoutSecrets(t *testing.T) {
	line := func(role, content string) string {
		return `{"type":"` + role + `","sessionId":"s","cwd":"/w","uuid":"` + fmt.Sprint(len(content), role) +
			`","timestamp":"2026-03-01T12:00:00Z","message":{"role":"` + role + `","content":` + content + `}}` + "\n"
	}
	text := line("user", `"Start it."`) +
		line("assistant", `[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"make up TOKEN=`+secretWord+
			` KEPT=1","timeout":5}},{"type":"tool_use","id":"2","name":"Read","input":{"file_path":"/w/.env"}}]`) +
		line("user", `[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"refused `+secretWord+
			`"},{"type":"tool_result","tool_use_id":"2","content":"PORT=80\nTOKEN=`+secretWord+`"}]`)
	var all strings.Builder
	_, err := transcripts.Read(strings.NewReader(text),
		transcripts.Options{Session: "of", Dir: "/h", Own: transcripts.OwnTool, MaxResult: transcripts.KeptResult},
		func(turn transcripts.Turn) error {
			return json.NewEncoder(&all).Encode(turn)
		})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(all.String(), secretWord) {
		t.Errorf("kept: %s", all.String())
	}
	for _, kept := range []string{"make up", "KEPT=1", `"timeout":5`, "refused", "PORT=80", "[secret]"} {
		if !strings.Contains(all.String(), kept) {
			t.Errorf("no %s in %s", kept, all.String())
		}
	}
}
