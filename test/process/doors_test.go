//go:build unix

package process

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A killed import leaves whole batches, and the same import again the rest.
func TestImportKilledAndRepeated(t *testing.T) {
	t.Parallel()
	const lines = 10_000
	dir, file := t.TempDir(), factFile(t, facts(lines), true)
	cmd := command(t, dir, "import", file, "--format", "facts")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	grown := time.Now().Add(patience)
	for size := int64(0); size < 4<<20; { // some batches are in, most are not
		if info, err := os.Stat(filepath.Join(dir, "memory.db-wal")); err == nil {
			size = info.Size()
		}
		if time.Now().After(grown) {
			t.Fatal("the import does not write")
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the import was done before it was killed")
	}
	partly := records(t, dir)
	if partly == 0 || partly >= lines || partly%500 != 0 {
		t.Errorf("the killed import left %d records", partly)
	}
	for range 2 {
		if code, _, stderr := cli(t, dir, "import", file, "--format", "facts"); code != 0 {
			t.Fatalf("import: exit %d, %s", code, stderr)
		}
		if n := records(t, dir); n != lines {
			t.Errorf("%d records after the import", n)
		}
	}
	sound(t, inspect(t, dir), lines)
}

// records counts the memories, with those that others have superseded.
func records(t *testing.T, dir string) int {
	t.Helper()
	code, stdout, stderr := cli(t, dir, "stats", "--json")
	var stats struct{ Records, Superseded int }
	if code != 0 || json.Unmarshal([]byte(stdout), &stats) != nil {
		t.Fatalf("stats: exit %d, %s%s", code, stdout, stderr)
	}
	return stats.Records + stats.Superseded
}

// What comes in one breath is done in its order, and what is not protocol is
// answered and does no harm.
func TestPipeline(t *testing.T) {
	t.Parallel()
	h := start(t, t.TempDir())
	h.write("\uFEFF\r\n\n" + h.callLine("memory_save", object{"content": "The harbour closes at nine."}) +
		h.callLine("memory_recall", object{"query": "When does the harbour close?"}))
	if r := h.answer(1); r.IsError {
		t.Fatal(r.text())
	}
	if r := h.answer(2); !strings.Contains(r.text(), "closes at nine") {
		t.Errorf("the recall behind the save says %q", r.text())
	}
	for name, line := range map[string]string{
		"half a message": `{"jsonrpc":"2.0","id":7,"method":"tools/`,
		"a batch":        `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`,
		"not UTF-8":      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}",
		"too long":       `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 5<<20) + `"}`,
		"unknown method": `{"jsonrpc":"2.0","id":7,"method":"memory/steal"}`,
	} {
		h.write(line + "\n")
		if m := h.next(); m.Error == nil || m.Error.Code >= 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if got := h.recall("harbour"); len(got) != 1 {
		t.Errorf("afterwards it recalls %q", got)
	}
	h.hangUp()
}

// startTwo starts the servers of two agents over one data directory, ann's with
// a secret whose id is returned.
func startTwo(t *testing.T) (dir string, ann, bob *host, id string) {
	t.Helper()
	dir = t.TempDir()
	ann, bob = start(t, dir, "--agent", "ann"), start(t, dir, "--agent", "bob")
	id = ann.save("The vault code is quincunx.")
	bob.save("The vault is in the cellar.")
	return dir, ann, bob, id
}

// Nothing of one agent's bank is seen or touched by another.
func TestAgentsDoNotMeet(t *testing.T) {
	t.Parallel()
	_, ann, bob, id := startTwo(t)
	for tool, args := range map[string]object{
		"memory_get":    {"ids": []string{id}},
		"memory_update": {"id": id, "pinned": true},
		"memory_forget": {"ids": []string{id}, "permanent": true, "confirm": true},
		"memory_save":   {"content": "The vault code is 1.", "supersedes": id},
		"memory_recall": {"query": "vault code quincunx", "include_archived": true, "min_score": 0, "project": "*"},
		"memory_search": {"query": "vault code quincunx"},
	} {
		r := bob.call(tool, args)
		if bytes.Contains(r.StructuredContent, []byte("quincunx")) || strings.Contains(r.text(), "quincunx") {
			t.Errorf("%s shows another agent's memory: %s", tool, r.text())
		}
		if tool != "memory_recall" && tool != "memory_search" && tool != "memory_get" && !strings.HasPrefix(r.text(), "not_found") {
			t.Errorf("%s says %q", tool, r.text())
		}
	}
	if got := ann.recall("What is the vault code?"); len(got) != 1 || got[0] != "The vault code is quincunx." {
		t.Errorf("ann recalls %q", got)
	}
	ann.hangUp()
	bob.hangUp()
}
