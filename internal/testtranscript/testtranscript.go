// Package testtranscript generates transcripts in the format of Claude Code, for tests and
// measurements: sessions of a person who asks for fixes. As in real ones, most bytes are results of
// tools.
package testtranscript

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Session describes one conversation.
type Session struct {
	ID    string
	Dir   string // the project's directory
	Start time.Time
	Seed  uint64
	Bytes int // least size of the transcript
}

// writer generates the lines of a session.
type writer struct {
	Session
	random *rand.Rand
	out    bytes.Buffer
	at     time.Time
	lines  int
	calls  int
}

var (
	subjects = strings.Fields("billing scheduler importer parser cache gateway exporter indexer mailer uploader registry planner")
	nouns    = strings.Fields("timeout retry index migration token header queue lock buffer schema checksum cursor socket budget handler fixture limit deadline")
	verbs    = strings.Fields("read write open close parse merge split retry flush check store fetch build start stop update count send")
)

func (w *writer) pick(words []string) string { return words[w.random.IntN(len(words))] }

// ClaudeCode returns the transcript of a session; the same for equal sessions.
func ClaudeCode(s Session) []byte {
	w := &writer{Session: s, random: rand.New(rand.NewPCG(s.Seed, 7)), at: s.Start}
	w.line(map[string]any{"type": "summary", "summary": "Work on the " + w.pick(subjects), "leafUuid": w.uuid()})
	for w.out.Len() < s.Bytes {
		w.request()
	}
	return w.out.Bytes()
}

// request writes what a person asks for, and the steps and the answer that follow.
func (w *writer) request() {
	subject, noun := w.pick(subjects), w.pick(nouns)
	w.line(map[string]any{"type": "file-history-snapshot", "messageId": w.uuid(),
		"snapshot": map[string]any{"trackedFileBackups": map[string]any{}}})
	asked := fmt.Sprintf("The %s in the %s fails when the %s is full. Please find out why and fix it.", noun, subject, w.pick(nouns))
	switch w.random.IntN(5) {
	case 0:
		asked += fmt.Sprintf(" We decided that the %s keeps %d connections to %s-%d.", subject, w.random.IntN(90)+10,
			w.pick(nouns), w.lines)
	case 1:
		asked += fmt.Sprintf(" I prefer small functions in the %s, and no %s in package %s%d.", subject, w.pick(nouns), noun, w.lines)
	}
	w.message("user", asked)
	for range 3 + w.random.IntN(8) {
		w.step()
	}
	w.assistant(map[string]any{"type": "text",
		"text": fmt.Sprintf("The %s was fixed: the %s now waits for the %s before it is closed. All %d tests pass.", noun, subject,
			w.pick(nouns), w.random.IntN(300))})
	w.line(map[string]any{"type": "system", "subtype": "turn_duration", "durationMs": w.random.IntN(90000), "uuid": w.uuid(),
		"sessionId": w.ID})
}

// step writes a call of a tool with its result.
func (w *writer) step() {
	w.assistant(map[string]any{"type": "thinking", "thinking": w.prose(2), "signature": w.noise(300)})
	if w.random.IntN(3) == 0 {
		w.assistant(map[string]any{"type": "text", "text": "Let me look at the " + w.pick(subjects) + ". " + w.prose(1)})
	}
	w.calls++
	id := fmt.Sprintf("toolu_%s_%d", w.ID, w.calls)
	file := fmt.Sprintf("%s/%s/%s.go", w.Dir, w.pick(subjects), w.pick(nouns))
	call := func(tool string, input map[string]any) {
		w.assistant(map[string]any{"type": "tool_use", "id": id, "name": tool, "input": input})
	}
	switch n := w.random.IntN(10); {
	case n < 4: // the content of the file is in the line twice
		call("Read", map[string]any{"file_path": file})
		code := w.code(60 + w.random.IntN(240))
		w.result(id, code, false, map[string]any{"type": "text", "file": map[string]any{"filePath": file, "content": code}})
	case n < 7:
		call("Bash", map[string]any{"command": "go test ./" + w.pick(subjects) + "/...", "description": "Run the tests"})
		output, failed := w.output(5+w.random.IntN(60)), w.random.IntN(4) == 0
		if failed {
			output = fmt.Sprintf("--- FAIL: Test%s (0.0%ds)\n", w.pick(nouns), w.random.IntN(9)) + output
		}
		w.result(id, output, failed, map[string]any{"stdout": output, "stderr": "", "interrupted": false})
	case n < 9:
		before, after := w.code(4), w.code(6)
		call("Edit", map[string]any{"file_path": file, "old_string": before, "new_string": after})
		w.result(id, "The file "+file+" has been updated.", false,
			map[string]any{"filePath": file, "oldString": before, "newString": after, "originalFile": w.code(150)})
	default:
		call("Grep", map[string]any{"pattern": w.pick(nouns), "path": w.Dir})
		w.result(id, w.output(40), false, map[string]any{"mode": "content", "numLines": 40})
	}
}

func (w *writer) result(call, content string, failed bool, raw map[string]any) {
	block := map[string]any{"type": "tool_result", "tool_use_id": call, "content": content}
	if failed {
		block["is_error"] = true
	}
	w.write("user", map[string]any{"role": "user", "content": []any{block}}, raw)
}

func (w *writer) message(role, text string) {
	w.write(role, map[string]any{"role": role, "content": text}, nil)
}

func (w *writer) assistant(block map[string]any) {
	w.write("assistant", map[string]any{
		"role": "assistant", "id": "msg_" + w.noise(12), "type": "message", "model": "a-model", "content": []any{block}, "stop_reason": nil,
		"usage": map[string]any{"input_tokens": w.random.IntN(1000), "cache_read_input_tokens": w.random.IntN(100000),
			"output_tokens": w.random.IntN(900), "service_tier": "standard"},
	}, nil)
}

func (w *writer) write(kind string, message, raw map[string]any) {
	w.at = w.at.Add(time.Duration(1+w.random.IntN(20)) * time.Second)
	line := map[string]any{
		"type": kind, "message": message, "uuid": w.uuid(),
		"parentUuid": w.uuid(), "isSidechain": false, "userType": "external", "cwd": w.Dir,
		"sessionId": w.ID, "version": "2.1.240", "gitBranch": "main", "timestamp": w.at.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if raw != nil {
		line["toolUseResult"] = raw
	}
	w.line(line)
}

func (w *writer) line(value map[string]any) {
	w.lines++
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	w.out.Write(append(b, '\n'))
}

func (w *writer) uuid() string {
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", w.random.Uint32(), w.random.IntN(1<<16), w.random.Uint64()>>16)
}

func (w *writer) noise(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.random.Uint32())
	}
	return base64.StdEncoding.EncodeToString(b)
}

func (w *writer) prose(sentences int) string {
	var b strings.Builder
	for range sentences {
		fmt.Fprintf(&b, "The %s has to %s the %s before it can %s a %s. ", w.pick(subjects), w.pick(verbs), w.pick(nouns), w.pick(verbs),
			w.pick(nouns))
	}
	return strings.TrimSpace(b.String())
}

func (w *writer) code(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%6d\t%sif err := %s.%s(ctx, %q, %d); err != nil {\n", i+1, strings.Repeat("\t", i%4), w.pick(subjects),
			w.pick(verbs), w.pick(nouns), w.random.IntN(999))
	}
	return b.String()
}

func (w *writer) output(lines int) string {
	var b strings.Builder
	for range lines {
		fmt.Fprintf(&b, "%s/%s.go:%d: %s %s %s\n", w.pick(subjects), w.pick(nouns), w.random.IntN(900), w.pick(verbs), w.pick(nouns),
			w.pick(subjects))
	}
	return b.String()
}
