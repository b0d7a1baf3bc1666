//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/internal/testbinary"
)

// TestEveryCommandHasAnExample wants one of each that a help shows, and none of others.
func TestEveryCommandHasAnExample(t *testing.T) {
	there := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(parent *cobra.Command) {
		for _, cmd := range parent.Commands() {
			if !cmd.IsAvailableCommand() || cmd.Name() == "completion" || cmd.Name() == "help" { // cobra's own
				continue
			}
			there[commandName(cmd)] = true
			example := exampleOf(cmd)
			if !strings.Contains(example, "mcp-memory "+commandName(cmd)) &&
				!strings.Contains(example, "mcp-memory "+commandName(cmd)+" list") {
				t.Errorf("%s has the example %q", commandName(cmd), example)
			}
			walk(cmd)
		}
	}
	walk((&Program{Args: []string{manualName}}).root())
	for _, one := range examples {
		if !there[one.command] {
			t.Errorf("there is no command %s", one.command)
		}
	}
	if help := newMachine(t).ok("recall", "--help"); !strings.Contains(help, "Examples:\n  mcp-memory recall \"When") {
		t.Errorf("the help shows no example:\n%s", help)
	}
}

// idsFrom are the commands that say the ids for the examples of others, by the first word
// of these; "" is for all others.
var idsFrom = map[string]string{
	"": "list --json", "soul": "soul list --json", "episode": "episode list --json",
	"triples": "triples list --json", "procedures": "procedures list --json",
	"people": "people list --json", "learnings": "learnings list --json", "todo": "todo list --json", "calendar": "calendar list --json",
	"link": "link list --json", "token": "token list --json", "memory-tool": "memory-tool history --json",
}

// failing are the examples that cannot work here, and what they say.
var failing = map[string]string{
	"browse":       "needs a terminal",
	"model pull":   "cannot be reached",
	"model remove": "there is no model",

	"workspace sync": "is a folder already", // where it is for files in a database
}

// TestExamples runs every example of the help in a shell, one after the other, as somebody
// would who copies them.
func TestExamples(t *testing.T) {
	var binary testbinary.Binary // that of other tests is there on Linux only
	t.Cleanup(func() { _ = binary.Remove() })
	s := newShell(t, binary.Path(t, ""))
	for _, one := range examples {
		for line := range strings.SplitSeq(one.lines, "\n") {
			switch one.command {
			case "restore":
				s.end()
				s.try(one.command, line)
			case "notes watch": // goes on until it is ended
				s.watch(line, "memories/README.md")
			case "serve", "web":
				s.start(line)
			case "link revoke", "link decline": // what was asked before is agreed to
				s.must(`mcp-memory link request default --agent scout`)
				s.try(one.command, line)
			default:
				s.try(one.command, line)
			}
		}
	}
}

// shell is where somebody tries examples: a home and a folder with a little project.
type shell struct {
	t        *testing.T
	running  []*exec.Cmd
	dir, url string
	last     string // id
	env      []string
}

func newShell(t *testing.T, binary string) *shell {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	bin := filepath.Join(home, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(bin, "mcp-memory")); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{t: t, dir: dir, url: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	s.env = []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "TMPDIR=" + home, "HTTPS_PROXY=http://127.0.0.1:1",
		"MCP_MEMORY_PROJECT=acme/shop", // git may be slow to say it
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org"}
	s.must(`mkdir -p notes ~/.gemini && printf '# Plan\n\n## Port\n\nThe dev server listens on port 4000.\n' > notes/plan.md`)
	s.must(`printf '%s\n' '{"role":"user","content":"Which port does staging have?"}' '{"role":"assistant","content":"Port 4010."}' > chat.jsonl`)
	s.must(`seq 30 > main.go && printf 'test:\n\t@echo "no rule for this"; exit 1\n' > Makefile`)
	s.must(`git init -q . && git add . && git commit -q -m "Release 1.2 with the new checkout"`)
	t.Cleanup(s.end)
	return s
}

// shown puts what is here in place of what examples have.
func (s *shell) shown(line string) string {
	return strings.NewReplacer("127.0.0.1:8765", s.url, "/tmp/memory-copy", filepath.Join(s.dir, "memory-copy")).Replace(line)
}

func (s *shell) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", s.shown(line))
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

func (s *shell) must(line string) string {
	s.t.Helper()
	out, err := s.command(line).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

var firstID = regexp.MustCompile(`"(?:id|link_id)": ?"([0-9a-f-]+)"`)

// try runs an example, with an id that there is.
func (s *shell) try(command, line string) {
	s.t.Helper()
	if strings.Contains(line, exampleID) {
		family, _, _ := strings.Cut(command, " ")
		from := idsFrom[family]
		if from == "" {
			from = idsFrom[""]
		}
		if id := firstID.FindStringSubmatch(s.must("mcp-memory " + from)); id != nil {
			s.last = id[1] // else it is what was shown before
		}
		line = strings.ReplaceAll(line, exampleID, s.last)
	}
	out, err := s.command(line).CombinedOutput()
	switch said, fails := failing[command]; {
	case fails && (err == nil || !strings.Contains(string(out), said)):
		s.t.Errorf("%s: %v\n%s", line, err, out)
	case !fails && err != nil:
		s.t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// watch runs what goes on until it is interrupted, which it is when a file is there.
func (s *shell) watch(line, file string) {
	s.t.Helper()
	cmd := s.command("exec " + line)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 600 {
		if _, err := os.Stat(filepath.Join(s.dir, file)); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
		s.t.Errorf("%s: %v", line, err)
	}
	s.must("ls " + file)
}

// end ends what was started.
func (s *shell) end() {
	for _, cmd := range s.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	s.running = nil
}

// start runs what goes on until it is ended, and waits until it answers.
func (s *shell) start(line string) {
	s.t.Helper()
	var said strings.Builder
	cmd := s.command("exec " + line)
	out, err := cmd.StdoutPipe()
	cmd.Stderr = cmd.Stdout
	if err != nil || cmd.Start() != nil {
		s.t.Fatal(err)
	}
	s.running = append(s.running, cmd)
	if strings.Contains(line, s.shown("127.0.0.1:8765")) || strings.Contains(line, "8765") {
		for range 600 {
			if s.command("mcp-memory ping http://127.0.0.1:8765").Run() == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		s.t.Fatalf("%s does not answer", line)
	}
	part := make([]byte, 4096)
	for !strings.Contains(said.String(), "http://127.0.0.1:") {
		n, err := out.Read(part)
		if said.Write(part[:n]); err != nil {
			s.t.Fatalf("%s: %v\n%s", line, err, fmt.Sprint(said.String()))
		}
	}
}
