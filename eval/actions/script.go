package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// script is a session: who it was of, and what was said and done in it.
type script struct {
	name   string // two digits: the number of the script
	id     string // of the session
	host   string
	form   string // of Codex: the way in which its version calls the shell
	dir    string // name of the project's folder
	branch string
	start  time.Time
	steps  []step
}

// kind is what a step is.
type kind int

const (
	says kind = iota // the user
	tells
	runs
	reads
	edits
	writes
)

// step is a message or a call of a tool with its result.
type step struct {
	kind     kind
	text     string // message, command or path
	about    string // what hosts let the model say about a command
	output   []string
	exit     int
	old, new []string
	at       time.Time
	took     time.Duration
}

// readScripts reads all scripts of a directory, in which "~" stands for root.
func readScripts(dir, root string) (all []script, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "scripts", "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		s, err := readScript(path, root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no scripts", dir)
	}
	return all, nil
}

func readScript(path, root string) (script, error) {
	base := filepath.Base(path)
	s := script{name: base[:2], id: made(base, 16)}
	s.id = s.id[:8] + "-" + s.id[8:12] + "-4" + s.id[13:16] + "-a" + s.id[17:20] + "-" + s.id[20:32]
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if err := s.line(strings.ReplaceAll(lines.Text(), "~/", root+"/")); err != nil {
			return s, fmt.Errorf("line %d: %w", n, err)
		}
	}
	s.time(base)
	return s, lines.Err()
}

// line reads a line: its first word says what it is.
func (s *script) line(line string) error {
	mark, rest, _ := strings.Cut(line, " ")
	last := &step{}
	if len(s.steps) > 0 {
		last = &s.steps[len(s.steps)-1]
	}
	add := func(k kind) { s.steps = append(s.steps, step{kind: k, text: rest}) }
	var err error
	switch mark {
	case "#host":
		s.host, s.form, _ = strings.Cut(rest, " ")
	case "#start":
		s.start, err = time.Parse(time.RFC3339, rest)
	case "#dir":
		s.dir = rest
	case "#branch":
		s.branch = rest
	case "U:":
		add(says)
	case "A:":
		add(tells)
	case "$":
		command, about, _ := strings.Cut(rest, " ## ")
		s.steps = append(s.steps, step{kind: runs, text: command, about: about})
	case "<":
		add(reads)
	case "e":
		add(edits)
	case "w":
		add(writes)
	case ">":
		last.output = append(last.output, rest)
	case "!":
		last.exit, err = strconv.Atoi(rest)
	case "-":
		last.old = append(last.old, rest)
	case "+":
		last.new = append(last.new, rest)
	case "noise":
		language, count, _ := strings.Cut(rest, " ")
		var n int
		n, err = strconv.Atoi(count)
		s.steps = append(s.steps, noise(language, len(s.steps), n)...)
	default:
		err = fmt.Errorf("%q begins nothing that is known", mark)
	}
	return err
}

// time gives each step its time and each command its duration, always the same.
func (s *script) time(seed string) {
	now := s.start
	for i := range s.steps {
		t := &s.steps[i]
		n := number(fmt.Sprint(seed, i))
		t.at = now
		if t.kind != says && t.kind != tells {
			t.took = time.Duration(80+n%9000) * time.Millisecond
		}
		now = now.Add(t.took + time.Duration(4+n%40)*time.Second)
	}
}

// made is n bytes of hexadecimal digits that are always the same for a seed.
func made(seed string, n int) string {
	sum := sha256.Sum256([]byte(seed))
	return hex.EncodeToString(sum[:n])
}

func number(seed string) uint32 {
	sum := sha256.Sum256([]byte(seed))
	return binary.BigEndian.Uint32(sum[:])
}

// ordinary is what every session is full of, and answers nothing.
var ordinary = map[string][]string{
	"": {"ls -la", "git status --short", "git log --oneline -5", "git diff --stat", "cat README.md | head -40", "pwd && ls"},
	"go": {"cat go.mod", "ls internal cmd", `grep -rn "TODO" internal | head`, "wc -l internal/*/*.go | tail -1",
		"go env GOVERSION"},
	"node": {"cat package.json | head -60", "ls src src/lib", `grep -rn "useEffect" src | head`, "node --version",
		"cat tsconfig.json"},
	"python": {"cat pyproject.toml", "ls forecast tests", "python --version", `grep -rn "def test_" tests | wc -l`,
		"head -5 data/sample.csv"},
	"rust": {"cat Cargo.toml", "ls src benches", "rustc --version", `grep -rn "unsafe" src | head`, "wc -l src/*.rs"},
	"terraform": {"ls modules env", "cat env/staging.tfvars", "terraform version", `grep -rn "source" modules | head`,
		"cat .terraform-version"},
	"ruby": {"cat Gemfile | head -30", "ls app/models", "ruby -v", `grep -rn "FIXME" app | head`, "cat config/routes.rb | head"},
	"make": {"cat Makefile | head -40", "ls src tests tools", `grep -n "include" src/*.c | head`, "file build/* | head", "uname -a"},
}

// noise is n ordinary commands and readings, beginning somewhere.
func noise(language string, from, n int) (steps []step) {
	commands := append(append([]string{}, ordinary[language]...), ordinary[""]...)
	for i := range n {
		command := commands[(from+i)%len(commands)]
		t := step{kind: runs, text: command, about: "Look around"}
		for l := range 6 {
			t.output = append(t.output, fmt.Sprintf("%s %s", made(command+fmt.Sprint(from, i, l), 4), strings.Fields(command)[0]))
		}
		if i%3 == 2 {
			t.kind, t.text = reads, "README.md"
		}
		steps = append(steps, t)
	}
	return steps
}
