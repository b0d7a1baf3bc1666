package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Guard is the environment variable that a [Command] sets for the programs that it starts. A
// process in which it is set must ask no model, answer no hook and serve nobody: the started
// program may itself be a host that uses this memory, which would start further ones.
const Guard = "MCP_MEMORY_ANSWERING"

// CommandOptions say which program answers, and how it is started.
type CommandOptions struct {
	// Line is the command line: words separated by blanks; a word with blanks is in quotation
	// marks. No shell reads it. Programs that are known (see Known) get flags that keep them from
	// using tools, hooks, servers and memory of their own.
	Line string
	// Environ is the environment, as in [os.Environ]. Variables of this program, and those that
	// tell a host that it runs inside of another, are not passed on.
	Environ []string
	// Timeout bounds one answer; 5 min by default.
	Timeout time.Duration
}

// Command is a [Chat] that starts a program for each answer. The program reads the prompt from
// stdin and prints the answer. Safe for concurrent use.
type Command struct {
	words   []string
	environ []string
	files   map[string]string
	timeout time.Duration
}

var _ Chat = (*Command)(nil)

const (
	// maxComplaint is how many bytes of a program's stderr are kept.
	maxComplaint = 2 << 10
	// endPatience is how long to wait for a killed program's pipes, which its children may keep
	// open.
	endPatience = 2 * time.Second
)

// NewCommand returns a chat without starting anything. [memory.CodeInvalidArgument] if o.Line is
// empty or has an open quotation mark.
func NewCommand(o CommandOptions) (*Command, error) {
	words, err := splitWords(o.Line)
	if err != nil {
		return nil, err
	}
	c := &Command{words: words, timeout: o.Timeout}
	if c.timeout <= 0 {
		c.timeout = 5 * time.Minute
	}
	c.environ = append(slices.DeleteFunc(slices.Clone(o.Environ), notPassed), Guard+"=1")
	if known := programNamed(words[0]); known != nil {
		c.words = known.isolated(words)
		c.environ = append(c.environ, known.environ...)
		c.files = known.files
	}
	return c, nil
}

// notPassed reports whether a variable is not passed on to programs: those of this program, since
// keys are among them, and those of the host that runs this process, with which Claude Code would
// refuse to start.
func notPassed(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return strings.HasPrefix(name, "MCP_MEMORY_") || name == "CLAUDECODE" || name == "CLAUDE_CODE_ENTRYPOINT" ||
		name == "CLAUDE_PROJECT_DIR" ||
		name == "GEMINI_PROJECT_DIR" || name == "GEMINI_SESSION_ID" || name == "CODEX_THREAD_ID"
}

// Complete starts the program. [memory.CodeUnavailable] if it cannot be started, fails, prints
// nothing or takes too long.
func (c *Command) Complete(ctx context.Context, r Request) (string, error) {
	return Sampling(func(ctx context.Context, system, user string, _ int) (string, error) {
		return c.run(ctx, system+"\n\n"+user)
	}).complete(ctx, r, func(cause error) error {
		return memory.Errorf(memory.CodeUnavailable, "%s gives no usable answer: %s", filepath.Base(c.words[0]),
			oneLine(cause.Error(), maxProblemRunes)).
			WithHint("run the line of llm.command by hand, with a question on stdin").WithCause(cause)
	})
}

// run starts the program in a new empty directory, so that it finds no project there.
func (c *Command) run(ctx context.Context, prompt string) (string, error) {
	dir, err := os.MkdirTemp("", "mcp-memory-ask-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range c.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return "", err
		}
	}
	inside := strings.NewReplacer("{dir}", filepath.ToSlash(dir))
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("not done within %s", c.timeout))
	defer cancel()
	var words, environ []string
	for _, w := range c.words {
		words = append(words, inside.Replace(w))
	}
	for _, v := range c.environ {
		environ = append(environ, inside.Replace(v))
	}
	process := exec.CommandContext(ctx, words[0], words[1:]...)
	process.Dir, process.Env, process.WaitDelay = dir, environ, endPatience
	ownGroup(process)
	answer, complaint := &bounded{limit: maxAnswerBytes + 1}, &bounded{limit: maxComplaint}
	process.Stdin, process.Stdout, process.Stderr = strings.NewReader(prompt), answer, complaint
	if err := process.Run(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return "", cause
		}
		said := strings.TrimSpace(complaint.String())
		if said == "" {
			said = strings.TrimSpace(answer.String())
		}
		return "", errors.Join(err, errors.New(oneLine(said, maxProblemRunes)))
	}
	return answer.String(), nil
}

// bounded keeps the first limit bytes that are written.
type bounded struct {
	bytes.Buffer
	limit int
}

// Write implements [io.Writer]. It never fails.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, b.limit-b.Len()))])
	return len(p), nil
}

// splitWords cuts a command line at blanks outside of quotation marks.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inside := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inside = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		words = append(words, word.String())
	}
	if quote != 0 || len(words) == 0 || words[0] == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "llm.command is %q", line).
			WithHint("a program and its arguments, such as: claude -p --model haiku")
	}
	return words, nil
}
