//go:build unix

package process

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// paper is the MEMORY.md of an agent, as a person has it open.
type paper struct {
	t         *testing.T
	dir, path string
}

func paperOf(t *testing.T, dir string) paper {
	return paper{t, dir, filepath.Join(dir, "workspaces", "default", "MEMORY.md")}
}

// text waits for the file to be there: a call in another process may be about to make it.
func (p paper) text() string {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		content, err := os.ReadFile(p.path)
		if err == nil {
			return string(content)
		}
		if !errors.Is(err, fs.ErrNotExist) || time.Now().After(until) {
			p.t.Fatal(err)
		}
	}
}

func (p paper) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p paper) run(name string, args ...string) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), name, args...)
	cmd.Dir = filepath.Dir(p.path)
	cmd.Env = append(os.Environ(), "HOME="+home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// save is how most editors save: a new file takes the place of the old one.
func (p paper) save(content string) {
	p.t.Helper()
	p.must(os.WriteFile(p.path+".new", []byte(content), 0o600))
	p.must(os.Rename(p.path+".new", p.path))
}

var lineOfMemory = regexp.MustCompile(`(?m)^- (.*?) <!-- ([0-9a-f-]{36}) `)

// agree has one more process look, and then the file and the bank say the same: each line
// stands for a memory that holds and says that, and all that has to be in the file is.
func (p paper) agree() {
	p.t.Helper()
	for range 2 {
		if code, _, stderr := cli(p.t, p.dir, "workspace"); code != 0 {
			p.t.Fatal(stderr)
		}
	}
	lines := map[string]string{}
	for _, m := range lineOfMemory.FindAllStringSubmatch(p.text(), -1) {
		lines[m[2]] = m[1]
	}
	rows, err := inspect(p.t, p.dir).
		Query(`SELECT id, content FROM records WHERE archived_at IS NULL AND superseded_by IS NULL AND kind = 'fact'`)
	p.must(err)
	defer rows.Close()
	for rows.Next() {
		var id, content string
		p.must(rows.Scan(&id, &content))
		if lines[id] != content {
			p.t.Errorf("the bank holds %s %q, the file says %q", id, content, lines[id])
		}
		delete(lines, id)
	}
	p.must(rows.Err())
	if len(lines) > 0 {
		p.t.Errorf("the file says %q, the bank does not hold that\n%s", lines, p.text())
	}
}

// like saves a memory that MEMORY.md has.
func (h *host) like(content string) {
	h.t.Helper()
	var out struct{ ID string }
	h.must("memory_save", object{"content": content, "category": "preference", "importance": 0.9}, &out)
}

// TestEditors rewords a line in the ways in which programs save, under a running server.
func TestEditors(t *testing.T) {
	t.Parallel()
	for name, save := range map[string]func(p paper, content string){
		"rename": paper.save,
		"truncate and write": func(p paper, content string) {
			f, err := os.OpenFile(p.path, os.O_WRONLY|os.O_TRUNC, 0)
			p.must(err)
			for _, part := range []string{content[:len(content)/2], content[len(content)/2:]} {
				time.Sleep(3 * time.Millisecond)
				_, err := f.WriteString(part)
				p.must(err)
			}
			p.must(f.Close())
		},
		"vim": func(p paper, content string) { // backupcopy=no
			p.must(os.Rename(p.path, p.path+"~"))
			time.Sleep(3 * time.Millisecond)
			p.must(os.WriteFile(p.path, []byte(content), 0o600))
			p.must(os.Remove(p.path + "~"))
		},
		"sed": func(p paper, _ string) { p.run("sed", "-i", "-e", "s/walnut soup/barley bread/", "MEMORY.md") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			h, p := start(t, dir), paperOf(t, dir)
			for _, dish := range []string{"walnut soup", "plum cake", "fennel salad", "mint tea", "rye dumplings"} {
				h.like("Likes " + dish + ".")
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				save(p, strings.Replace(p.text(), "walnut soup", "barley bread", 1))
			}()
			for asking := true; asking; { // while the editor is at it
				h.recall("Which dishes are liked?")
				select {
				case <-done:
					asking = false
				default:
				}
			}
			if found := h.recall("barley bread"); len(found) == 0 || found[0] != "Likes barley bread." {
				t.Errorf("after the edit recall finds %q", found)
			}
			h.hangUp()
			p.agree()
			if n := len(lineOfMemory.FindAllString(p.text(), -1)); n != 5 {
				t.Errorf("the file has %d lines, want 5:\n%s", n, p.text())
			}
			if log := h.log.String(); strings.Contains(log, "keep the files") {
				t.Error(log)
			}
		})
	}
}

// TestGitUnderARunningServer switches to a branch whose file is another one, and back.
func TestGitUnderARunningServer(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	h, p := start(t, dir), paperOf(t, dir)
	for i := range 6 {
		h.like(fmt.Sprintf("Likes dish number %d of the card.", i))
	}
	p.run("git", "init", "-q", "-b", "main")
	p.run("git", "add", "MEMORY.md")
	p.run("git", "commit", "-qm", "All")
	full := p.text()
	p.run("git", "switch", "-qc", "other")
	p.save("# Memory\n\n- Another branch says this.\n")
	p.run("git", "commit", "-qam", "Other")
	for range 5 {
		h.recall("dish")
		p.run("git", "switch", "-q", "-f", "main")
		h.recall("dish")
		p.run("git", "switch", "-q", "-f", "other")
	}
	h.recall("dish")
	p.run("git", "switch", "-q", "-f", "main")
	h.recall("dish")
	h.hangUp()
	if !strings.HasPrefix(p.text(), strings.TrimSpace(full)) {
		t.Errorf("the branch had\n%s\nand has\n%s", full, p.text())
	}
	var live int
	p.must(inspect(t, dir).
		QueryRow(`SELECT count(*) FROM records WHERE archived_at IS NULL AND superseded_by IS NULL AND content LIKE 'Likes dish%'`).
		Scan(&live))
	if live != 6 {
		t.Errorf("%d of 6 memories hold after Git came back", live)
	}
}

// TestKilledWhileTheFileIsSeenTo kills servers at any moment after an edit.
func TestKilledWhileTheFileIsSeenTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h, p := start(t, dir), paperOf(t, dir)
	h.like("Likes dish number 0 of the card.")
	said, before := []string{"Likes dish number 0 of the card."}, "Likes dish number 0 of the card."
	random := rand.New(rand.NewPCG(1, 2))
	for i := 1; i <= 25; i++ {
		after := fmt.Sprintf("Likes dish number %d of the card.", i)
		added := fmt.Sprintf("Keeps bicycle number %d in the shed.", i)
		p.save(strings.Replace(p.text(), before, after, 1) + "- " + added + "\n")
		said, before = append(said, added), after
		h.write(h.callLine("memory_save",
			object{"content": fmt.Sprintf("Owns boat number %d in the harbour.", i), "category": "preference", "importance": 0.9}))
		time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
		h.kill()
		h = start(t, dir)
		if i%5 == 0 { // else the next edit meets what the dead one left
			h.recall("dish")
			said = append(said, after)
		}
	}
	h.recall("dish")
	h.hangUp()
	p.agree()
	known := contents(t, inspect(t, dir))
	for _, words := range said {
		if n := len(known[words]); n != 1 {
			t.Errorf("the bank has %q %d times", words, n)
		}
	}
}

// TestEverybodyAtOneFile has eight processes save and forget while a person edits.
func TestEverybodyAtOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := paperOf(t, dir)
	var mu sync.Mutex
	var said []string
	note := func(words string) {
		mu.Lock()
		said = append(said, words)
		mu.Unlock()
	}
	first := start(t, dir)
	first.like("Likes the sea.") // makes the file
	first.hangUp()
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			h := start(t, dir)
			for i := range 8 {
				words := fmt.Sprintf("Guest %c%d likes cabin %d.", 'A'+w, i, 31*w+i)
				h.like(words)
				note(words)
			}
			h.hangUp()
		})
	}
	edited := make(chan struct{})
	go func() {
		defer close(edited)
		for i := range 12 {
			words := fmt.Sprintf("Person row %d likes deck %d.", i, 500+i)
			p.save(p.text() + "- " + words + "\n")
			note(words)
			time.Sleep(100 * time.Millisecond)
		}
	}()
	all.Wait()
	<-edited
	p.agree()
	known := contents(t, inspect(t, dir))
	slices.Sort(said)
	for _, words := range said {
		if n := len(known[words]); n != 1 {
			t.Errorf("the bank has %q %d times", words, n)
		}
	}
}

// TestEachFileIsSeenAndEachChangeIsInIt writes by hand in each file that sessions are given
// and looks for it where they are given it; where a tool changes what a file says, it is
// seen there.
func TestEachFileIsSeenAndEachChangeIsInIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		text         string
		instructions bool
		tool         string // that changes what the file says
		args         object
		says         string // what the file says then
		kept         bool   // what was written by hand is given as a memory or entry
	}{
		{name: "AGENTS.md", text: "Sign with quincunx.\n", instructions: true},
		{name: "../_shared/AGENTS.md", text: "Sign with quincunx.\n", instructions: true},
		{name: "USER.md", text: "Collects quincunx coins.\n", instructions: true},
		{name: "HEARTBEAT.md", text: "Look after the quincunx.\n"},
		{name: "MEMORY.md", text: "\nThe quincunx is prose.\n"},
		{name: "MEMORY.md", text: "\n## Preference\n\n- Likes the quincunx best.\n", kept: true, instructions: true,
			tool: "memory_save",
			args: object{"content": "Likes plums.", "category": "preference", "importance": 0.9}, says: "- Likes plums. <!-- "},
		{name: "SOUL.md", text: "\nI am the quincunx.\n",
			tool: "soul_add", args: object{"content": "Honesty before comfort.", "kind": "value"},
			says: "## Values\n\n- Honesty before comfort. <!-- "},
		{name: "learnings/errors.md", text: "# Errors\n\n## Build\n\nThe quincunx needs GNU make.\n", kept: true, instructions: true,
			tool: "learning_record", args: object{"content": "The port is taken after a crash.", "kind": "error"},
			says: "The port is taken after a crash. <!-- "},
		{name: "learnings/corrections.md", text: "# Corrections\n\n## Style\n\nThe quincunx is spelled small.\n", kept: true,
			instructions: true,
			tool:         "learning_record", args: object{"content": "Dates are written day first.", "kind": "correction"},
			says: "Dates are written day first. <!-- "},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "workspaces", "default", c.name)
			h := start(t, dir, "--tools", "all")
			h.save("The harbour closes at nine.") // makes the files
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = f.WriteString(c.text); errors.Join(err, f.Close()) != nil {
				t.Fatal(err)
			}
			var ignored object
			seen := map[string]string{
				"context_assemble": string(h.call("context_assemble",
					object{"session_id": "s", "system_prompt": "Help.", "query": "quincunx"}).StructuredContent),
				"the page":   h.request("resources/read", `{"uri":"memory://session-start"}`),
				"the prompt": h.request("prompts/get", `{"name":"session-start"}`),
			}
			for where, text := range seen {
				if !strings.Contains(text, "quincunx") {
					t.Errorf("%s lacks what %s says:\n%s", where, c.name, text)
				}
			}
			if c.tool != "" {
				h.must(c.tool, c.args, &ignored)
				content, err := os.ReadFile(path)
				if err != nil || !strings.Contains(string(content), c.says) || !strings.Contains(string(content), "quincunx") {
					t.Errorf("after %s the file is\n%s\n%v", c.tool, content, err)
				}
			}
			if c.kept {
				if found := h.recall("quincunx"); len(found) == 0 || !strings.Contains(found[0], "quincunx") {
					t.Errorf("recall finds %q", found)
				}
			}
			h.hangUp()
			next := start(t, dir)
			greeting := next.says(hello)
			if strings.Contains(greeting, "quincunx") != c.instructions {
				t.Errorf("the instructions have it: %v, want %v:\n%s", !c.instructions, c.instructions, greeting)
			}
			next.hangUp()
		})
	}
}
