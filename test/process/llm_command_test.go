//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// answering makes of the tests' program one that answers for llm.command: it notes each
// prompt in a directory, calls the memory as a host would that has it, and answers as the
// directory's file "answer" says, or fails.
const answering = "-answer-by-script"

func answerByScript(dir, memory, data string) int {
	prompt, _ := io.ReadAll(os.Stdin)
	notes, err := os.OpenFile(filepath.Join(dir, "prompts"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	fmt.Fprintf(notes, "%s\n=====\n", prompt)
	for _, call := range []struct{ args, input string }{
		{"hook --host claude-code --background",
			`{"event":"session-end","session":"loop","messages":[{"role":"user","text":"We decided to loop for ever."}]}`},
		{"hook --host claude-code", `{"hook_event_name":"SessionStart","session_id":"loop"}`},
		{"hook --host claude-code", `{"hook_event_name":"SessionEnd","session_id":"s1"}`},
		{"serve", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n"},
		{"self-care --mode llm", ""},
	} {
		cmd := exec.Command(memory, append([]string{"--data-dir", data}, strings.Fields(call.args)...)...)
		cmd.Stdin = strings.NewReader(call.input)
		out, err := cmd.CombinedOutput()
		fmt.Fprintf(notes, "CALLED %s: %v %q\n", call.args, err, out)
	}
	answer, err := os.ReadFile(filepath.Join(dir, "answer"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "there is no answer")
		return 1
	}
	os.Stdout.Write(answer)
	return 0
}

// commandDay is a day of Claude Code with llm.command, which answers as is said.
func commandDay(t *testing.T, answer, settings string) (d *hookDay, prompts string) {
	t.Helper()
	d = newHookDay(t, hookHosts[0])
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(d.data, 0o700); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("%s %s %s %s %s", self, answering, d.root, binary.Path(t, os.Getenv("MCP_MEMORY_TEST_TAGS")), d.data)
	if err := os.WriteFile(filepath.Join(d.data, "config.yaml"), []byte("llm.command: "+line+"\n"+settings), 0o600); err != nil {
		t.Fatal(err)
	}
	if answer != "" {
		if err := os.WriteFile(filepath.Join(d.root, "answer"), []byte(answer), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range d.steps() {
		if s.is("PreCompact") || s.is("SessionStart") && strings.Contains(s.payload, "compact") {
			continue
		}
		d.writes("s1")
		d.run("s1", s, decision, 0)
		d.settle()
	}
	noted, err := os.ReadFile(filepath.Join(d.root, "prompts"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return d, string(noted)
}

// factsOf are the facts that the bank has.
func factsOf(t *testing.T, d *hookDay) (facts []string) {
	t.Helper()
	_, out, _ := cli(t, d.data, "export", "-")
	for line := range strings.Lines(out) {
		var one struct{ Content, Kind string }
		if json.Unmarshal([]byte(line), &one) == nil && one.Kind == "fact" {
			facts = append(facts, one.Content)
		}
	}
	return facts
}

// At the end of a session the command reads it once, and what it says is kept where somebody
// said it; the memory that it calls itself gives it nothing and asks nobody.
func TestCommandReads(t *testing.T) {
	t.Parallel()
	d, prompts := commandDay(t, `Here it is: {"facts":[
		{"content":"The invoice service uses PostgreSQL 16 and not MySQL.","type":"decision","importance":0.8,"turn":0},
		{"content":"The invoice service has used PostgreSQL since 2011.","type":"fact","importance":0.8,"turn":0}],
		"summary":"The user decided on PostgreSQL 16. Nothing is open."}`, "")
	if n := strings.Count(prompts, "====="); n != 2 || !strings.Contains(prompts, decision) {
		t.Errorf("asked %d times:\n%s", n, prompts)
	}
	for _, want := range []string{`self-care --mode llm: exit status 1 "mcp-memory: unavailable: no language model`,
		`hook --host claude-code --background: <nil> ""`, `hook --host claude-code: <nil> ""`,
		`serve: exit status 1 "mcp-memory: unavailable: this host answers a memory`} {
		if !strings.Contains(prompts, "CALLED "+want) {
			t.Errorf("no %s in\n%s", want, prompts)
		}
	}
	if facts := factsOf(t, d); len(facts) != 1 || facts[0] != "The invoice service uses PostgreSQL 16 and not MySQL." {
		t.Errorf("facts %q", facts)
	}
	code, out, _ := cli(t, d.data, "stats")
	if code != 0 || !strings.Contains(out, "asked 2 of at most 200 times today") {
		t.Errorf("stats says %s", out)
	}
	if _, out, _ := cli(t, d.data, "handoff", "--project", "invoices"); !strings.Contains(out,
		"- The user decided on PostgreSQL 16.\n- Nothing is open.\n") {
		t.Errorf("handoff says %s", out)
	}
	if sessions := func() int { _, out, _ := cli(t, d.data, "export", "-"); return strings.Count(out, `"loop"`) }(); sessions != 0 {
		t.Errorf("what the command's own host said is remembered")
	}
}

// Where it fails, says nothing that was said, or was asked enough, the rules do it at once.
func TestCommandFallsBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ answer, settings, stats string }{
		"fails":     {"", "", "2 failed"},
		"invents":   {`{"facts":[{"content":"The user flies to Mars in 2031.","turn":0}]}`, "", "asked 3 of"},
		"too often": {"", "llm.calls: 1\nllm.tokens: 5\n", "asked 0 of"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := commandDay(t, c.answer, c.settings)
			if facts := factsOf(t, d); len(facts) != 1 || !strings.Contains(facts[0], "PostgreSQL 16") {
				t.Errorf("facts %q", facts)
			}
			if _, out, _ := cli(t, d.data, "stats"); !strings.Contains(out, c.stats) {
				t.Errorf("stats says %s", out)
			}
		})
	}
}
