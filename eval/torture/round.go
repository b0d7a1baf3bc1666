package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mcp-memory/eval/child"
)

// round is one play of a scenario.
type round struct {
	*suite
	chance *rand.Rand
	dir    string // for this round only
	tally
	wrong []string // what is lost or half made, in words
}

func (r *round) losing(n int, format string, args ...any) {
	r.lost += n
	r.wrong = append(r.wrong, "lost: "+fmt.Sprintf(format, args...))
}

func (r *round) halving(format string, args ...any) {
	r.half++
	r.wrong = append(r.wrong, "half made: "+fmt.Sprintf(format, args...))
}

// at is the program with another data directory, one of this round.
func (r *round) at(name string) child.Program {
	p := r.program
	p.Data = filepath.Join(r.dir, name)
	return p
}

// copyOf is the program with a copy of a bank as data directory.
func (r *round) copyOf(name string, of base) (child.Program, error) {
	p := r.at(name)
	return p, os.CopyFS(p.Data, os.DirFS(of.dir))
}

// base is a bank that rounds begin with, and its contents.
type base struct {
	dir      string
	contents contents
}

// contents counts the texts of a bank.
type contents map[string]int

// prepare makes the banks that rounds begin with, once.
func (s *suite) prepare(ctx context.Context) error {
	s.bases = map[string]base{}
	for name, facts := range map[string]int{"old": oldFacts, "new": newFacts} {
		p := s.program
		p.Data = filepath.Join(s.dir, "base-"+name)
		file := filepath.Join(s.dir, name+".jsonl")
		if err := writeFacts(file, name, facts); err != nil {
			return err
		}
		if _, err := p.Run(ctx, "import", file, "--format", "facts"); err != nil {
			return err
		}
		page := filepath.Join(p.Data, "workspaces", "default", "MEMORY.md")
		if err := os.MkdirAll(filepath.Dir(page), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(page, []byte(name+"\n"), 0o600); err != nil {
			return err
		}
		all, err := contentsOf(ctx, p)
		if err != nil {
			return err
		}
		if len(all) != facts {
			return fmt.Errorf("%d facts were imported, the export has %d", facts, len(all))
		}
		s.bases[name] = base{p.Data, all}
	}
	return nil
}

const (
	oldFacts = 400
	newFacts = 900
)

// fact is a text with a word that no other has.
func fact(name string, n int) string {
	return fmt.Sprintf("Entry %s of the harbour log says that crate %d goes to berth %d before noon.", word(name, n), 7*n, n%9)
}

func word(name string, n int) string { return fmt.Sprintf("q%sx%dq", name, n) }

func writeFacts(path, name string, n int) error {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, `{"id":"%s-%d","content":"%s"}`+"\n", name, i, fact(name, i))
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

// record is one of an export.
type record struct {
	id, content string
	damaged     bool // and is said to be
}

// exported returns the records of a bank. An export that is complete but names what is damaged ends as a failure, which it is not here.
func exported(ctx context.Context, p child.Program) ([]record, error) {
	file := p.Data + ".export"
	out, err := p.Run(ctx, "export", file, "--force", "--json")
	defer os.Remove(file)
	var report struct{ Damaged []string }
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || json.Unmarshal(out, &report) != nil || len(report.Damaged) == 0) {
		return nil, err
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	damaged := strings.Join(report.Damaged, "\n")
	var all []record
	for line := range bytes.Lines(text) {
		var one struct{ Type, ID, Content string }
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("export: %w in %.200q", err, line)
		}
		if one.Type == "record" {
			all = append(all, record{one.ID, one.Content, strings.Contains(damaged, one.ID)})
		}
	}
	return all, nil
}

// contentsOf returns the texts of a bank in which nothing is damaged.
func contentsOf(ctx context.Context, p child.Program) (contents, error) {
	records, err := exported(ctx, p)
	all := contents{}
	for _, r := range records {
		if r.damaged {
			return nil, fmt.Errorf("%q is not what was saved", r.content)
		}
		all[r.content]++
	}
	return all, err
}

// equal reports whether two banks hold the same.
func (c contents) equal(o contents) bool {
	if len(c) != len(o) {
		return false
	}
	for text, n := range c {
		if o[text] != n {
			return false
		}
	}
	return true
}

// check looks at a bank after whatever has happened to it. What was acknowledged has to be there, once; what is
// under way may be; nothing else is. And a doctor finds nothing.
func (r *round) check(ctx context.Context, p child.Program, acknowledged, underway contents) error {
	r.acknowledged += len(acknowledged)
	all, err := contentsOf(ctx, p)
	if err != nil {
		r.losing(len(acknowledged), "the bank cannot be read: %v", err)
		return nil
	}
	r.compare(all, acknowledged, underway)
	return r.healthy(ctx, p)
}

func (r *round) compare(all, acknowledged, underway contents) {
	missing := 0
	for text := range acknowledged {
		if all[text] == 0 {
			missing++
		}
	}
	if missing > 0 {
		r.losing(missing, "%d of %d that were acknowledged", missing, len(acknowledged))
	}
	for text, n := range all {
		switch {
		case n > 1:
			r.halving("%d times %q", n, text)
		case acknowledged[text] == 0 && underway[text] == 0:
			r.halving("nobody saved %q", text)
		}
	}
}

// finding is one of a doctor.
type finding struct{ Check, Condition, Detail string }

// doctor returns what is broken.
func doctor(ctx context.Context, p child.Program) ([]finding, error) {
	cmd := p.Command(ctx, "doctor", "--json")
	out, err := cmd.Output()
	var report struct {
		Healthy  bool
		Findings []finding
	}
	if failed := json.Unmarshal(out, &report); failed != nil {
		return nil, fmt.Errorf("doctor: %w: %s", errors.Join(err, failed), out)
	}
	var broken []finding
	for _, f := range report.Findings {
		if f.Condition == "broken" {
			broken = append(broken, f)
		}
	}
	if report.Healthy != (len(broken) == 0) || report.Healthy != (err == nil) {
		return nil, fmt.Errorf("doctor says %v with %v and ends with %v", report.Healthy, broken, err)
	}
	return broken, nil
}

func (r *round) healthy(ctx context.Context, p child.Program) error {
	broken, err := doctor(ctx, p)
	if err == nil && len(broken) > 0 {
		r.halving("doctor finds %v", broken)
	}
	return err
}

// firstGuess is what a command takes, until it is known better.
const firstGuess = 300 * time.Millisecond

// soonAfter is how long after a sign a command is killed, or up to 32 times that.
const soonAfter = 300 * time.Microsecond

// killedIn runs a command and kills it after some part of the time that it usually takes, or, every other time, just
// after the sign, a file of this name pattern, has come. It reports whether it was killed.
func (r *round) killedIn(ctx context.Context, p child.Program, sign string, args ...string) (bool, error) {
	usual := r.usual[args[0]]
	if usual == 0 {
		usual = firstGuess
	}
	after, late := r.moment(usual), time.Duration(r.chance.Int64N(int64(soonAfter<<r.chance.IntN(6))))
	if sign == "" || r.chance.IntN(2) == 0 {
		sign = ""
	}
	cmd := p.Command(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var err error
	select {
	case <-moment(sign, after, late):
		_ = cmd.Process.Kill() // it may just have ended
		err = <-done
	case err = <-done:
	}
	switch {
	case err == nil:
		r.usual[args[0]] = time.Since(begun)
		return false, nil
	case cmd.ProcessState.ExitCode() >= 0:
		return false, fmt.Errorf("%s: %w: %s", args[0], err, &stderr)
	}
	if sign == "" && after > usual*9/10 { // perhaps its end is never reached
		r.usual[args[0]] = usual * 6 / 5
	}
	r.kills++
	return true, nil
}

// moment comes after a time, or, with a sign, some time after it was there for the first time. A sign that
// does not come within patience is not waited for.
func moment(sign string, after, late time.Duration) <-chan time.Time {
	if sign == "" {
		return time.After(after)
	}
	come := make(chan time.Time, 1)
	go func() {
		for begun := time.Now(); time.Since(begun) < patience; time.Sleep(10 * time.Microsecond) {
			if found, err := filepath.Glob(sign); err != nil || len(found) > 0 {
				time.Sleep(late)
				break
			}
		}
		come <- time.Now()
	}()
	return come
}

// moment is when something is killed that takes so long. What cannot be taken back is done at the end, so
// every other one is in the last third.
func (r *round) moment(usual time.Duration) time.Duration {
	at := time.Duration(r.chance.Int64N(int64(usual)))
	if r.chance.IntN(2) == 0 {
		at = usual*2/3 + at/3
	}
	return at
}
