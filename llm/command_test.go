package llm_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/llm"
	"mcp-memory/memory"
)

// script is the variable that makes of the tests' program one that answers by a script.
const script = "SCRIPTED_ANSWER"

func TestMain(m *testing.M) {
	switch do, said, _ := strings.Cut(os.Getenv(script), ":"); do {
	case "say":
		fmt.Println(said)
	case "repeat": // what it was given, and how
		prompt, _ := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		fmt.Printf("%q %s %q %s %v %s", os.Args[1:], prompt, dir, os.Getenv(llm.Guard), os.Getenv("MCP_MEMORY_LLM_KEY") != "" ||
			os.Getenv("CLAUDECODE") != "", os.Getenv("KEPT"))
	case "fail":
		fmt.Fprintln(os.Stderr, "not logged in:\n run login")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Minute)
	default:
		os.Exit(m.Run())
	}
}

func asked(t *testing.T, does, arguments string, timeout time.Duration) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	chat, err := llm.NewCommand(llm.CommandOptions{
		Line: `"` + self + `" ` + arguments, Timeout: timeout,
		Environ: append(os.Environ(), script+"="+does, "MCP_MEMORY_LLM_KEY=secret", "CLAUDECODE=1", "KEPT=kept"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return chat.Complete(t.Context(),
		llm.Request{Messages: []llm.Message{{Role: memory.RoleSystem, Content: "Do this."},
			{Role: memory.RoleUser, Content: "It's \"this\"\n$HOME."}}})
}

// A program gets the words of its line as they are, the prompt on stdin, a directory with
// nothing in it, and of this program's variables the guard alone.
func TestCommand(t *testing.T) {
	answer, err := asked(t, "repeat", `-a 'b  c' "" x="y z" $HOME`, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`["-a" "b  c" "" "x=y z" "$HOME"]`, "Do this.\n\nIt's \"this\"\n$HOME.", "mcp-memory-ask-",
		" 1 false kept"} {
		if !strings.Contains(answer, part) {
			t.Errorf("no %s in %s", part, answer)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "mcp-memory-ask-*")); len(left) > 0 && strings.Contains(answer, left[0]) {
		t.Errorf("left behind: %s", left)
	}
}

func TestCommandFails(t *testing.T) {
	for does, want := range map[string]string{"fail": "not logged in: run login", "say: ": "blank", "hang": "not done within"} {
		patience := time.Minute
		if does == "hang" {
			patience = 300 * time.Millisecond
		}
		_, err := asked(t, does, "", patience)
		if memory.CodeOf(err) != memory.CodeUnavailable || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", does, err)
		}
	}
	for _, line := range []string{"", "  ", `claude "-p`, `""`} {
		if _, err := llm.NewCommand(llm.CommandOptions{Line: line}); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%q: %v", line, err)
		}
	}
	chat, err := llm.NewCommand(llm.CommandOptions{Line: "/no/such/program"})
	if err == nil {
		_, err = chat.Complete(t.Context(), llm.Request{})
	}
	if memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("a program that is not there: %v", err)
	}
}

// A program that is known is kept from tools, hooks and servers however it is called.
func TestKnownPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ line, want string }{
		"claude":     {"--model haiku", "-p --model haiku --strict-mcp-config --tools  --no-session-persistence"},
		"claude.exe": {"-p --model haiku", "-p --model haiku --strict-mcp-config"},
		"codex":      {"exec -m small -", "exec -m small --ignore-user-config"},
		"gemini":     {"-m flash -p", "-m flash --allowed-mcp-server-names none --extensions none"},
		"ollama":     {"run small", "run small"},
	} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.Link(self, path); err != nil {
			if err := os.Symlink(self, path); err != nil {
				t.Skip(err)
			}
		}
		chat, err := llm.NewCommand(llm.CommandOptions{Line: path + " " + c.line, Environ: append(os.Environ(), script+"=repeat")})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := chat.Complete(t.Context(), llm.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.NewReplacer(`"`, "", "[", "").Replace(answer); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s is called with %s", name, c.line, got)
		}
	}
}

// What a model says is kept only as far as somebody has said it.
func TestExtractKeepsWhatWasSaid(t *testing.T) {
	turns := talk("We use PostgreSQL 16 for the invoices; the port is 5433.", "And the dentist?", "Yesterday, for an hour.",
		"I have three cats.")
	for fact, ok := range map[string]bool{
		`"content":"Invoices use PostgreSQL 16 on port 5433.","turn":0`:        true,
		`"content":"Invoices use PostgreSQL 16 on port 5432.","turn":0`:        false, // another number
		`"content":"The user loves MySQL and hates Oracle.","turn":0`:          false, // other words
		`"content":"Invoices use PostgreSQL since 2019.","turn":0`:             false, // a year that nobody said
		`"content":"Invoices use PostgreSQL 16.","turn":3`:                     true,  // said up to three before
		`"content":"The user was at the dentist on 14 January 2025.","turn":2`: true,  // resolved
		`"content":"The user was at the dentist on 13 January 2025.","turn":2`: false,
		`"content":"The user has 3 cats.","turn":3`:                            true,
		`"content":"The user has 4 cats.","turn":3`:                            false,
	} {
		facts, err := summarizer(t, serve(t, says(`{"facts":[{`+fact+`}]}`)), llm.Options{}).
			Extract(t.Context(), memory.ExtractRequest{Turns: turns, Now: now})
		if got := err == nil && len(facts) == 1; got != ok || !ok && !unavailable(err) {
			t.Errorf("%s: %+v, %v", fact, facts, err)
		}
	}
	facts, err := summarizer(t, serve(t, says(`{"facts":[
		{"content":"The user was at the dentist.","type":"event","occurred_at":"2025-01-14","turn":2},
		{"content":"The user was at the dentist for an hour.","type":"event","occurred_at":"2024-06-01","turn":2},
		{"content":"The user flies to Mars.","turn":2}]}`)),
		llm.Options{}).Extract(t.Context(), memory.ExtractRequest{Turns: turns, Now: now})
	if err != nil || len(facts) != 2 || facts[0].OccurredAt.IsZero() || !facts[1].OccurredAt.IsZero() {
		t.Errorf("%+v, %v", facts, err)
	}
}

// counting allows so many requests, and notes the tokens of each and of its answer.
type counting struct {
	allowed int
	tokens  []int
}

func (c *counting) Allow(_ context.Context, tokens int) error {
	if len(c.tokens) >= 2*c.allowed {
		return memory.Errorf(memory.CodeUnavailable, "enough").WithHint("tomorrow")
	}
	c.tokens = append(c.tokens, tokens)
	return nil
}

func (c *counting) Answered(_ context.Context, tokens int, _ error) {
	c.tokens = append(c.tokens, tokens)
}

func TestMetered(t *testing.T) {
	server := serve(t, says("four words of answer"))
	meter := &counting{allowed: 1}
	chat := llm.Metered{Chat: chat(t, server.URL, nil), Meter: meter, Counter: counter}
	request := llm.Request{Messages: []llm.Message{{Role: memory.RoleUser, Content: "three words here"}}, MaxTokens: 9}
	if _, err := chat.Complete(t.Context(), request); err != nil || !slices.Equal(meter.tokens, []int{3, 4}) {
		t.Errorf("%v, %v", meter.tokens, err)
	}
	if _, err := chat.Complete(t.Context(), request); !unavailable(err) || len(server.got()) != 1 {
		t.Errorf("over the limit: %v after %d requests", err, len(server.got()))
	}
}
