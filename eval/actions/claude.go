package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// object is a JSON object whose keys stand in order.
type object = map[string]any

// transcript writes a session as its host would, and returns the path below the home.
func (s script) transcript(root string) (path string, content []byte, err error) {
	switch s.host {
	case "claude-code":
		cwd := filepath.Join(root, s.dir)
		folder := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(cwd, "-")
		content, err = s.claude(cwd)
		return filepath.Join(".claude", "projects", folder, s.id+".jsonl"), content, err
	case "codex":
		content, err = s.codex(filepath.Join(root, s.dir))
		name := "rollout-" + s.start.Format("2006-01-02T15-04-05") + "-" + s.id + ".jsonl"
		return filepath.Join(".codex", "sessions", s.start.Format("2006/01/02"), name), content, err
	case "gemini":
		content, err = s.gemini(filepath.Join(root, s.dir))
		name := "session-" + s.start.Format("2006-01-02T15-04") + "-" + s.id[:8] + ".json"
		return filepath.Join(".gemini", "tmp", s.dir, "chats", name), content, err
	}
	return "", nil, fmt.Errorf("no host is called %q", s.host)
}

// clock is how hosts write times.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// jsonLines collects lines of JSON.
type jsonLines struct {
	out []byte
	err error
}

func (l *jsonLines) add(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		l.err = err
		return
	}
	l.out = append(append(l.out, line...), '\n')
}

// claude is the session in the lines of Claude Code.
func (s script) claude(cwd string) ([]byte, error) {
	var lines jsonLines
	var parent any
	line := func(i int, part, role string, at time.Time, message object, more object) {
		id := made(fmt.Sprint(s.id, i, part), 16)
		uuid := id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
		l := object{
			"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": cwd, "sessionId": s.id, "version": "2.1.240",
			"gitBranch": s.branch, "type": role, "message": message, "uuid": uuid, "timestamp": clock(at),
		}
		for k, v := range more {
			l[k] = v
		}
		lines.add(l)
		parent = uuid
	}
	answer := func(i int, at time.Time, block object) {
		line(i, "a", "assistant", at, object{
			"id": "msg_" + made(fmt.Sprint(s.id, i), 10), "type": "message",
			"role": "assistant", "model": "claude-sonnet-4-5", "content": []object{block},
			"stop_reason": nil, "usage": object{"input_tokens": 4, "cache_read_input_tokens": 18231 + 97*i, "output_tokens": 120},
		}, object{"requestId": "req_" + made(fmt.Sprint(s.id, i, "r"), 10)})
	}
	lines.add(object{"type": "file-history-snapshot", "messageId": s.id, "snapshot": object{}})
	for i, t := range s.steps {
		switch t.kind {
		case says:
			line(i, "u", "user", t.at, object{"role": "user", "content": t.text}, nil)
			continue
		case tells:
			answer(i, t.at, object{"type": "text", "text": t.text})
			continue
		}
		name, input, result, detail := t.claudeCall(cwd)
		call := "toolu_" + made(fmt.Sprint(s.id, i, "c"), 11)
		answer(i, t.at, object{"type": "tool_use", "id": call, "name": name, "input": input})
		block := object{"tool_use_id": call, "type": "tool_result", "content": result, "is_error": t.exit != 0}
		line(i, "r", "user", t.at.Add(t.took), object{"role": "user", "content": []object{block}}, object{"toolUseResult": detail})
	}
	return lines.out, lines.err
}

// claudeCall is a call as Claude Code notes it: the tool, what it was given, what
// the model and what the host saw of the result.
func (t step) claudeCall(cwd string) (name string, input object, result string, detail any) {
	path, output := filepath.Join(cwd, t.text), strings.Join(t.output, "\n")
	before, after := strings.Join(t.old, "\n"), strings.Join(t.new, "\n")
	switch t.kind {
	case reads:
		numbered := ""
		for i, l := range t.output {
			numbered += fmt.Sprintf("%6d\t%s\n", i+1, l)
		}
		return "Read", object{"file_path": path}, numbered,
			object{"type": "text",
				"file": object{"filePath": path, "content": output, "numLines": len(t.output), "startLine": 1, "totalLines": len(t.output)}}
	case edits:
		return "Edit", object{"file_path": path, "old_string": before, "new_string": after, "replace_all": false},
			"The file " + path + " has been updated successfully.",
			object{"filePath": path, "oldString": before, "newString": after, "originalFile": before + "\n", "structuredPatch": []object{},
				"userModified": false, "replaceAll": false}
	case writes:
		return "Write", object{"file_path": path, "content": after}, "File created successfully at: " + path,
			object{"type": "create", "filePath": path, "content": after, "structuredPatch": []object{}}
	}
	input = object{"command": t.text}
	if t.about != "" {
		input["description"] = t.about
	}
	if t.exit != 0 {
		failure := fmt.Sprintf("Exit code %d\n%s", t.exit, output)
		return "Bash", input, failure, "Error: " + failure
	}
	return "Bash", input, output,
		object{"stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": output == ""}
}
