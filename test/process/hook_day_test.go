//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the user says on the first day, and what the model answers.
const (
	decision = "We decided to use PostgreSQL 16 for the invoice service, not MySQL."
	answered = "Understood, the invoice service gets PostgreSQL 16, and the migration runs tonight."
	failing  = "fatal: the remote end hung up unexpectedly"
)

// hookHost is a host as it calls hooks and writes its transcript.
type hookHost struct {
	name string
	// transcript is its file, and write what it writes there of the first day; nil for a host without.
	transcript string
	write      func(session string, dir string) string
	// prompts and compacts say what it takes something to show for.
	starts, prompts, compacts bool
}

var hookHosts = []hookHost{
	{name: "claude-code", transcript: "projects/x/@.jsonl", write: claudeTranscript, starts: true, prompts: true, compacts: true},
	{name: "codex", transcript: "sessions/2026/11/22/rollout-2026-11-22T10-00-00-@.jsonl", write: codexTranscript, starts: true,
		prompts: true, compacts: true},
	{name: "gemini", transcript: ".gemini/tmp/x/chats/session-@.json", write: geminiTranscript, starts: true, prompts: true},
	{name: "cursor", transcript: "agent-transcripts/@.jsonl", write: cursorTranscript, starts: true, prompts: true},
	{name: "copilot-cli", transcript: "session-state/@/events.jsonl", write: copilotTranscript, starts: true, prompts: true},
	{name: "vscode", transcript: "transcripts/@.jsonl", write: copilotTranscript, starts: true},
	{name: "devin", starts: true, prompts: true},
	{name: "droid", starts: true, prompts: true},
	{name: "goose"},
	{name: "opencode", starts: true, prompts: true},
}

func object1(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

func claudeTranscript(session, dir string) string {
	line := func(kind, id string, content any) string {
		return object1(object{"type": kind, "uuid": id, "sessionId": session, "cwd": dir, "timestamp": "2026-11-22T10:00:0" + id[1:] + "Z",
			"message": object{"role": kind, "content": content}})
	}
	return object1(object{"type": "file-history-snapshot", "messageId": "x"}) +
		line("user", "m1", "<system-reminder>\nPrefer tabs.\n</system-reminder>\n"+decision+
			"\n<mcp-memory-recall>\n- The user likes Oracle.\n</mcp-memory-recall>") +
		line("assistant", "m2", []object{{"type": "tool_use", "id": "toolu_1", "name": "Bash",
			"input": object{"command": "git push origin main"}}}) +
		line("user", "m3", []object{{"type": "tool_result", "tool_use_id": "toolu_1", "content": failing, "is_error": true}}) +
		line("assistant", "m4", []object{{"type": "text", "text": answered}})
}

func codexTranscript(session, dir string) string {
	line := func(at int, kind string, payload object) string {
		return object1(object{"timestamp": fmt.Sprintf("2026-11-22T10:00:0%dZ", at), "type": kind, "payload": payload})
	}
	message := func(role, kind, text string) object {
		return object{"type": "message", "role": role, "content": []object{{"type": kind, "text": text}}}
	}
	return line(0, "session_meta", object{"id": session, "cwd": dir}) +
		line(1, "response_item", message("developer", "input_text", "Be careful.")) +
		line(2, "response_item", message("user", "input_text", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>")) +
		line(3, "response_item", message("user", "input_text", decision)) +
		line(4, "response_item",
			object{"type": "function_call", "name": "Bash", "arguments": `{"command":"git push origin main"}`, "call_id": "call_1"}) +
		line(5, "response_item",
			object{"type": "function_call_output", "call_id": "call_1",
				"output": `{"output":"` + failing + `","metadata":{"exit_code":128}}`}) +
		line(6, "response_item", message("assistant", "output_text", answered))
}

func geminiTranscript(session, dir string) string {
	return object1(object{"sessionId": session, "projectHash": "x", "startTime": "2026-11-22T10:00:00Z",
		"lastUpdated": "2026-11-22T10:00:05Z", "messages": []object{
			{"id": "g1", "timestamp": "2026-11-22T10:00:01Z", "type": "user", "content": decision},
			{"id": "g2", "timestamp": "2026-11-22T10:00:02Z", "type": "gemini", "content": answered},
		}})
}

func cursorTranscript(session, dir string) string {
	return object1(object{"role": "user",
		"message": object{"content": []object{{"type": "text", "text": "<user_query>\n" + decision + "\n</user_query>"}}}}) +
		object1(object{"role": "assistant", "message": object{"content": []object{{"type": "text", "text": answered}}}})
}

func copilotTranscript(session, dir string) string {
	line := func(at int, kind string, data object) string {
		return object1(object{"type": kind, "id": "e" + strconv.Itoa(at), "timestamp": fmt.Sprintf("2026-11-22T10:00:0%dZ", at),
			"data": data})
	}
	return line(0, "session.start", object{"sessionId": session}) + line(1, "user.message", object{"content": decision}) +
		line(2, "assistant.message", object{"content": answered, "messageId": "a"})
}

// hookDay plays the payloads that are recorded of a host.
type hookDay struct {
	t    *testing.T
	host hookHost
	root string // of everything that the host has
	data string
	// kill, if it is not negative, is the step at which all is killed, and after how long.
	kill  int
	delay time.Duration
	// patience is how long a hook looks for what it shows.
	patience string
}

func newHookDay(t *testing.T, h hookHost) *hookDay {
	d := &hookDay{t: t, host: h, root: t.TempDir(), kill: -1, patience: "60s"}
	d.data = filepath.Join(d.root, "data")
	if err := os.MkdirAll(filepath.Join(d.root, "project"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.root, "project", ".mcp-memory.yaml"), []byte("project: invoices\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// transcript is where the session's file is, "" for a host without.
func (d *hookDay) transcript(session string) string {
	if d.host.transcript == "" {
		return ""
	}
	return filepath.Join(d.root, strings.ReplaceAll(d.host.transcript, "@", session))
}

// writes writes the transcript of a session, as far as it is there after an answer.
func (d *hookDay) writes(session string) {
	path := d.transcript(session)
	if path == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	text := d.host.write(session, filepath.Join(d.root, "project"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// step is a recorded payload.
type step struct{ event, payload string }

func (d *hookDay) steps() (list []step) {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "hooks", "testdata", d.host.name+".txt"))
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		event, payload, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, step{strings.TrimPrefix(event, "-"), payload})
	}
	return list
}

// is reports whether a step is about one of some events, by any of their names.
func (s step) is(names ...string) bool {
	var sent struct{ Hook_event_name, HookEventName, Event string }
	if err := json.Unmarshal([]byte(s.payload), &sent); err != nil {
		panic(err)
	}
	name := strings.ToLower(s.event + sent.Hook_event_name + sent.HookEventName + sent.Event)
	for _, n := range names {
		if name == strings.ToLower(n) {
			return true
		}
	}
	return false
}

// run calls the hook with a step and returns what is shown; it must not fail in any case.
func (d *hookDay) run(session string, s step, prompt string, killAfter time.Duration) string {
	d.t.Helper()
	payload := strings.NewReplacer("@SESSION@", session, "@TRANSCRIPT@", d.transcript(session), "@DIR@", filepath.Join(d.root, "project"),
		"@HOME@", d.root, "@PROMPT@", prompt, "@ANSWER@", answered).Replace(s.payload)
	args := []string{"hook", "--host", d.host.name, "--patience", d.patience, "--log-file", filepath.Join(d.root, "log")}
	if s.event != "" {
		args = append(args, s.event)
	}
	cmd := command(d.t, d.data, args...)
	cmd.Stdin = strings.NewReader(payload)
	if killAfter > 0 {
		if err := cmd.Start(); err != nil {
			d.t.Fatal(err)
		}
		time.Sleep(killAfter)
		d.killAll()
		_ = cmd.Wait() // it was killed, or it was done
		d.killAll()    // what it had started meanwhile
		return ""
	}
	code, out, stderr := runCommand(d.t, cmd)
	if code != 0 || stderr != "" {
		d.t.Fatalf("%s %s: exit %d, stderr %q", d.host.name, payload, code, stderr)
	}
	if out != "" && !json.Valid([]byte(out)) {
		d.t.Fatalf("%s %s answers %q", d.host.name, payload, out)
	}
	return out
}

// processes are those of this day, by their data directory.
func (d *hookDay) processes() (pids []int) {
	out, err := exec.Command("ps", "-eo", "pid=,args=").Output()
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		number, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pid, err := strconv.Atoi(number); err == nil && strings.Contains(args, d.data) && strings.Contains(args, "hook") {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (d *hookDay) killAll() {
	for _, pid := range d.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// settle waits until nothing works in the background.
func (d *hookDay) settle() {
	d.t.Helper()
	for deadline := time.Now().Add(patience); len(d.processes()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(d.root, "log"))
			d.t.Fatalf("still working in the background:\n%s", log)
		}
	}
}

// first plays the first day.
func (d *hookDay) first() {
	d.t.Helper()
	for i, s := range d.steps() {
		if s.is("Stop", "AfterAgent", "agentStop", "afterAgentResponse") {
			d.writes("s1")
		}
		killed := time.Duration(0)
		if i == d.kill {
			killed = d.delay
		}
		out := d.run("s1", s, decision, killed)
		switch {
		case killed > 0:
		case s.is("SessionStart", "sessionStart") && i > 0 && d.host.compacts:
			if d.kill < 0 && !strings.Contains(out, "PostgreSQL 16") {
				d.t.Errorf("%s, after the host forgot: %q", d.host.name, out)
			}
		case i < 2 && out != "":
			d.t.Errorf("%s, of an empty bank: %q", d.host.name, out)
		}
		d.settle()
	}
}

// second plays the start of the next day, which says what was decided.
func (d *hookDay) second() {
	d.t.Helper()
	start, prompt, again := "", "", ""
	for _, s := range d.steps() {
		switch {
		case s.is("SessionStart", "sessionStart") && start == "":
			start = d.run("s2", s, decision, 0)
		case s.is("UserPromptSubmit", "userPromptSubmitted", "beforeSubmitPrompt", "BeforeAgent"):
			prompt = d.run("s3", s, "Which database does the invoice service use?", 0)
			again = d.run("s3", s, "Which database does the invoice service use?", 0)
		}
	}
	d.settle()
	if strings.Contains(start, "PostgreSQL 16") != d.host.starts || strings.Contains(start, "Oracle") {
		d.t.Errorf("%s, the next day starts with %q", d.host.name, start)
	}
	if strings.Contains(prompt, "PostgreSQL 16") != d.host.prompts || again != "" {
		d.t.Errorf("%s, a prompt shows %q and then %q", d.host.name, prompt, again)
	}
}

// check compares what the bank has with what was said: each thing once.
func (d *hookDay) check() {
	d.t.Helper()
	var bundle []string
	code, out, stderr := cli(d.t, d.data, "export", "-")
	if code != 0 {
		d.t.Fatalf("export: %s", stderr)
	}
	said, decided, failed := 0, 0, 0
	for line := range strings.Lines(out) {
		var one struct {
			Text, Content, Kind, Session, Project string
			Confirmations                         int
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			d.t.Fatal(err)
		}
		text := one.Text + one.Content
		bundle = append(bundle, line)
		switch {
		case one.Session == "s1" && (strings.Contains(text, decision) || strings.Contains(text, answered)):
			said++
		case one.Kind == "fact" && strings.Contains(text, "PostgreSQL 16"):
			decided++
		case one.Kind == "learning" && strings.Contains(text, "hung up"):
			failed += max(1, one.Confirmations)
		}
		if strings.Contains(text, "Oracle") || strings.Contains(text, "Prefer tabs") {
			d.t.Errorf("%s: learned from what was injected: %s", d.host.name, line)
		}
	}
	if said != 2 || decided != 1 || failed > 1 {
		log, _ := os.ReadFile(filepath.Join(d.root, "log"))
		d.t.Errorf("%s: %d of 2 messages, %d decisions, %d failures in\n%s\n%s", d.host.name, said, decided, failed,
			strings.Join(bundle, ""), log)
	}
	if failed != 1 && d.kill < 0 && d.host.name != "vscode" {
		d.t.Errorf("%s: the failure is not learned", d.host.name)
	}
}

// A day with each host: what was decided is known the next day, once.
func TestHookDay(t *testing.T) {
	t.Parallel()
	for i, h := range hookHosts {
		t.Run(h.name, func(t *testing.T) {
			d := newHookDay(t, h)
			if i < 2 { // what is encoded behind the answer is the same for all
				withOwnModel(d.data)
			}
			d.first()
			s := sentencesOf(t, d.data, "default")
			if i < 2 && s.Encoded == 0 && runtime.GOMAXPROCS(0) > 1 { // with one processor there is no encoder
				t.Errorf("what hooks kept in the background is not encoded: %+v", s)
			}
			for until := time.Now().Add(time.Minute); s.Queued > s.Encoded && time.Now().Before(until); { // a slow machine leaves some
				cli(t, d.data, "recall", "harbour")
				s = sentencesOf(t, d.data, "default")
			}
			if s.Queued > s.Encoded {
				t.Errorf("what hooks left is not encoded: %+v", s)
			}
			d.second()
			d.check()
		})
	}
}

// A hook that is killed at any step loses nothing, and nothing is there twice.
func TestHookDayKilled(t *testing.T) {
	t.Parallel()
	h := hookHosts[0]
	for i, s := range newHookDay(t, h).steps() {
		if s.is("PreToolUse", "PostToolUse") {
			continue
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := newHookDay(t, h)
			d.kill, d.delay = i, []time.Duration{5 * time.Millisecond, 60 * time.Millisecond}[i%2]
			d.first()
			d.second()
			d.check()
		})
	}
}
