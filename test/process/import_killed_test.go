//go:build unix

package process

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// talkLines is a transcript of Claude Code in which one in ten messages of the user says a
// fact.
func talkLines(session, dir string, turns int) string {
	var b strings.Builder
	for i := range turns {
		kind, text := "user", fmt.Sprintf("Have a look at the test number %d of %s, please.", i, session)
		switch {
		case i%2 == 1:
			kind, text = "assistant", fmt.Sprintf("The test number %d is fine.", i)
		case i%10 == 0:
			text = fmt.Sprintf("We decided to name the host number %d of %s after the city of oslo-%d.", i, session, i)
		}
		b.WriteString(object1(object{
			"type": kind, "uuid": fmt.Sprintf("%s-%d", session, i), "sessionId": session, "cwd": dir,
			"timestamp": fmt.Sprintf("2026-11-%02dT10:%02d:%02dZ", 1+i/3600, i/60%60, i%60),
			"message":   object{"role": kind, "content": text},
		}))
	}
	return b.String()
}

// counted is what a bank has, as stats says it.
type counted struct{ Records, Turns, Superseded int }

func count(t *testing.T, dir string) (c counted) {
	t.Helper()
	code, out, log := cli(t, dir, "stats", "--json")
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, log)
	}
	return c
}

// undoSaid is the undo id that a text names, "" for none.
func undoSaid(text string) string {
	_, id, _ := strings.Cut(text, "undo ")
	id, _, _ = strings.Cut(id, "\n")
	return id
}

// killedImport imports, and kills the program once it has said how to take back what is
// durable by then, which is returned, and the bank has so many messages. It reports whether the
// import had not ended.
func killedImport(t *testing.T, dir, from string, after int) (undo string, killed bool) {
	t.Helper()
	cmd := command(t, dir, "import", "--from", "claude-code", "--all", "--yes", from)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	lines := bufio.NewScanner(said)
	for undo == "" && lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		undo = undoSaid(lines.Text())
	}
	for undo != "" && count(t, dir).Turns < after {
	}
	_ = cmd.Process.Signal(syscall.SIGKILL)
	for lines.Scan() {
	}
	killed = cmd.Wait() != nil
	if undo == "" {
		t.Fatalf("the import did not say how to take it back: %s", log.String())
	}
	return undo, killed
}

// An import of conversations is killed in its middle. What was durable is taken back by the
// one id that it named, and the same import again brings what is missing, and nothing twice.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	for i := range 3 {
		name := fmt.Sprintf("s%d", i)
		path := filepath.Join(from, "projects", "-work", name+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(talkLines(name, "/work", 900)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := t.TempDir()
	code, _, log := cli(t, whole, "import", "--from", "claude-code", "--all", "--yes", from)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, log)
	}
	full := count(t, whole)
	if full.Turns != 2700 || full.Records < 200 {
		t.Fatalf("an import that is left alone brings %+v", full)
	}
	middle := 0
	for _, after := range []int{0, 1200} {
		dir := t.TempDir()
		undo, killed := killedImport(t, dir, from, after)
		part := count(t, dir)
		if killed && part.Turns < full.Turns {
			middle++
		}
		t.Logf("killed with %+v of %+v", part, full)
		again := dir + "-again"
		if err := os.CopyFS(again, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(again) })
		if part.Turns+part.Records == 0 {
			t.Errorf("killed after %d: nothing was durable, though the import named %s", after, undo)
		}
		if code, out, log := cli(t, dir, "forget", "--undo", undo); code != 0 || count(t, dir) != (counted{}) {
			t.Errorf("killed after %d with %+v: the undo says %s%s, and %+v is left", after, part, out, log, count(t, dir))
		}
		for range 2 {
			if code, _, log := cli(t, again, "import", "--from", "claude-code", "--all", "--yes", from); code != 0 ||
				count(t, again) != full {
				t.Errorf("killed after %d with %+v, imported again: %+v, want %+v, %s", after, part, count(t, again), full, log)
			}
		}
	}
	if middle == 0 {
		t.Error("no import was killed in its middle")
	}
}
