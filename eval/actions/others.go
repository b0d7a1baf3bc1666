package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// codex is the session as a rollout.
func (s script) codex(cwd string) ([]byte, error) {
	var lines jsonLines
	line := func(at time.Time, kind string, payload object) {
		lines.add(object{"timestamp": clock(at), "type": kind, "payload": payload})
	}
	text := func(kind, text string) []object { return []object{{"type": kind, "text": text}} }
	line(s.start, "session_meta", object{
		"id": s.id, "timestamp": clock(s.start), "cwd": cwd, "originator": "codex_cli_rs",
		"cli_version": "0.155.0", "source": "cli", "model_provider": "openai",
		"base_instructions": object{"text": "You are a coding agent running in a terminal."},
		"git":               object{"branch": s.branch, "commit_hash": made(s.id, 20)},
	})
	line(s.start, "response_item",
		object{"type": "message", "role": "user",
			"content": text("input_text", "<environment_context>\n  <cwd>"+cwd+"</cwd>\n  <shell>bash</shell>\n</environment_context>")})
	line(s.start, "turn_context", object{"cwd": cwd, "approval_policy": "on-request", "model": "gpt-5.2-codex"})
	for i, t := range s.steps {
		call := "call_" + made(fmt.Sprint(s.id, i), 12)
		end := t.at.Add(t.took)
		switch t.kind {
		case says:
			line(t.at, "response_item", object{"type": "message", "role": "user", "content": text("input_text", t.text)})
			line(t.at, "event_msg", object{"type": "user_message", "message": t.text, "images": []string{}})
		case tells:
			line(t.at, "event_msg", object{"type": "agent_message", "message": t.text})
			line(t.at, "response_item", object{"type": "message", "role": "assistant", "content": text("output_text", t.text)})
		case edits, writes:
			patch, done := t.patch()
			line(t.at, "response_item",
				object{"type": "custom_tool_call", "status": "completed", "call_id": call, "name": "apply_patch", "input": patch})
			line(end, "response_item",
				object{"type": "custom_tool_call_output", "call_id": call,
					"output": asText(object{"output": done, "metadata": object{"exit_code": 0, "duration_seconds": 0.0}})})
		default:
			if t.kind == reads {
				t.text = "sed -n '1,200p' " + t.text
			}
			name, arguments, output := t.codexCall(s.form, cwd, call)
			line(t.at, "response_item", object{"type": "function_call", "name": name, "arguments": asText(arguments), "call_id": call})
			line(end, "response_item", object{"type": "function_call_output", "call_id": call, "output": output})
			line(end, "event_msg", object{"type": "token_count", "info": nil})
		}
	}
	return lines.out, lines.err
}

func asText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of strings and numbers alone
	}
	return string(b)
}

// patch is a change as apply_patch takes it, and what it answers.
func (t step) patch() (patch, done string) {
	mark, letter := "*** Update File: ", "M "
	if t.kind == writes {
		mark, letter = "*** Add File: ", "A "
	}
	lines := []string{"*** Begin Patch", mark + t.text}
	if t.kind == edits {
		lines = append(lines, "@@")
	}
	for _, l := range t.old {
		lines = append(lines, "-"+l)
	}
	for _, l := range t.new {
		lines = append(lines, "+"+l)
	}
	return strings.Join(append(lines, "*** End Patch"), "\n"), "Success. Updated the following files:\n" + letter + t.text + "\n"
}

// codexCall is a command in the form of one of three versions.
func (t step) codexCall(form, cwd, call string) (name string, arguments object, output string) {
	printed, seconds := strings.Join(t.output, "\n"), t.took.Seconds()
	switch form {
	case "shell":
		return "shell", object{"command": []string{"bash", "-lc", t.text}, "workdir": cwd, "timeout_ms": 120000},
			asText(object{"output": printed, "metadata": object{"exit_code": t.exit, "duration_seconds": seconds}})
	case "command":
		return "shell_command", object{"command": t.text, "workdir": cwd},
			fmt.Sprintf("Exit code: %d\nWall time: %.1f seconds\nOutput:\n%s", t.exit, seconds, printed)
	}
	return "exec_command", object{"cmd": t.text, "workdir": cwd, "yield_time_ms": 10000},
		fmt.Sprintf("Chunk ID: %s\nWall time: %.4f seconds\nProcess exited with code %d\nOriginal token count: %d\nOutput:\n%s", call[5:11],
			seconds, t.exit, len(printed)/4, printed)
}

// geminiSession is a whole file, whose head stands before its messages.
type geminiSession struct {
	SessionID   string   `json:"sessionId"`
	ProjectHash string   `json:"projectHash"`
	StartTime   string   `json:"startTime"`
	LastUpdated string   `json:"lastUpdated"`
	Kind        string   `json:"kind"`
	Directories []string `json:"directories"`
	Messages    []object `json:"messages"`
}

// gemini is the session as one object, the way Gemini CLI keeps it.
func (s script) gemini(cwd string) ([]byte, error) {
	var messages []object
	for i, t := range s.steps {
		m := object{"id": made(fmt.Sprint(s.id, i), 16), "timestamp": clock(t.at), "type": "gemini", "content": t.text}
		switch t.kind {
		case says:
			m["type"] = "user"
		case tells:
			m["thoughts"], m["model"] = []object{}, "gemini-3-pro"
		default:
			name, arguments, output := t.geminiCall(cwd)
			id := fmt.Sprintf("%s-%d-%s", name, t.at.UnixMilli(), made(fmt.Sprint(s.id, i, "c"), 6))
			m["content"], m["model"] = "", "gemini-3-pro"
			m["toolCalls"] = []object{{
				"id": id, "name": name, "args": arguments, "status": "success",
				"timestamp": clock(t.at.Add(t.took)), "displayName": name, "renderOutputAsMarkdown": false,
				"result":        []object{{"functionResponse": object{"id": id, "name": name, "response": object{"output": output}}}},
				"resultDisplay": strings.Join(t.output, "\n"),
			}}
		}
		messages = append(messages, m)
	}
	return json.MarshalIndent(geminiSession{
		SessionID: s.id, ProjectHash: made(cwd, 32), StartTime: clock(s.start),
		LastUpdated: clock(s.steps[len(s.steps)-1].at), Kind: "main",
		Directories: []string{cwd}, Messages: messages,
	}, "", " ")
}

// geminiCall is a call as Gemini CLI notes it. A command that fails is a call
// that succeeded, with an exit code in its text.
func (t step) geminiCall(cwd string) (name string, arguments object, output string) {
	path, printed := filepath.Join(cwd, t.text), strings.Join(t.output, "\n")
	before, after := strings.Join(t.old, "\n"), strings.Join(t.new, "\n")
	switch t.kind {
	case reads:
		return "read_file", object{"file_path": path}, printed
	case edits:
		return "replace", object{"file_path": path, "instruction": "Change " + t.text, "old_string": before, "new_string": after},
			"Successfully modified file: " + path + " (1 replacements)."
	case writes:
		return "write_file", object{"file_path": path, "content": after}, "Successfully created and wrote to new file: " + path + "."
	}
	if printed == "" {
		printed = "(empty)"
	}
	output = "Output: " + printed
	if t.exit != 0 {
		output += fmt.Sprintf("\nExit Code: %d", t.exit)
	}
	return "run_shell_command", object{"command": t.text, "description": t.about},
		output + fmt.Sprintf("\nProcess Group PGID: %d", 20000+number(t.text)%9000)
}
