//go:build postgres

package postgres

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/rows"
	"mcp-memory/internal/testbinary"
	"mcp-memory/test/backend"
)

// TestEveryColumnIsCarried: what is not carried to another store is made anew there.
func TestEveryColumnIsCarried(t *testing.T) {
	_, url := open(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	found, err := conn.Query(t.Context(), `SELECT c.table_name || '.' || c.column_name FROM information_schema.columns c
		WHERE c.table_schema = current_schema AND c.column_name <> 'agent' AND c.table_name IN (
			SELECT table_name FROM information_schema.columns WHERE table_schema = current_schema AND column_name = 'agent')`)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	derived := []string{"record_slots", "memories_text", "conversations_text", "memories_words", "conversations_words", "memories_terms",
		"conversations_terms", "corpus_totals", "record_counts", "vectors", "vector_queue", "shared_state"}
	files := []string{"workspaces", "workspace_files", "workspace_parts", "workspace_locks"} // carried as files
	own := []string{"banks.bank", "banks.changes", "banks.rewrites"}
	columns = slices.DeleteFunc(columns, func(c string) bool {
		table, _, _ := strings.Cut(c, ".")
		return slices.Contains(derived, table) || slices.Contains(files, table) || slices.Contains(own, c)
	})
	var carried []string
	for _, table := range rows.Carried() {
		for _, column := range table.Columns {
			carried = append(carried, table.Name+"."+column)
		}
	}
	slices.Sort(columns)
	slices.Sort(carried)
	if !slices.Equal(columns, carried) {
		t.Errorf("in the tables\n%v\ncarried\n%v", columns, carried)
	}
}

// copied is what the command prints.
type copied struct {
	Copied, Already, Resumed, Written int
	Rows                              map[string]int
	SumFrom                           string `json:"sum_from"`
	SumTo                             string `json:"sum_to"`
}

// exportedAt is what differs between two exports of the same bank.
var exportedAt = regexp.MustCompile(`"exported_at":"[^"]+",`)

// TestCopyIsKilled kills a copy to the server and one back, again and again; each goes on
// until it is done, and what comes back is what had gone.
func TestCopyIsKilled(t *testing.T) {
	binary, err := testbinary.Build(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	dir, back, url := t.TempDir(), filepath.Join(t.TempDir(), "back"), backend.Database(t.TempDir(), "copy")
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Env, cmd.Stderr = append(os.Environ(), "HOME="+dir), os.Stderr
		return cmd
	}
	run := func(args ...string) []byte {
		t.Helper()
		out, err := command(args...).Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	const facts = 8000
	var lines bytes.Buffer
	for i := range facts {
		fmt.Fprintf(&lines, "{\"id\":\"f%d\",\"content\":\"Boat %d lies at quay %d of the harbour.\"}\n", i, i, i%97)
	}
	file := filepath.Join(t.TempDir(), "facts.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	run("--data-dir", dir, "import", file, "--format", "facts")
	secret := run("--data-dir", dir, "token", "create", "--agent", "bob")
	export := func(args ...string) string {
		return exportedAt.ReplaceAllString(string(run(append(args, "export", "-")...)), "")
	}
	want, kills, resumed := export("--data-dir", dir), 0, 0
	for _, way := range [][2]string{{dir, url}, {url, back}} {
		for after := 100 * time.Millisecond; ; after += 150 * time.Millisecond {
			cmd := command("copy", "--from", way[0], "--to", way[1], "--json")
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
			err := cmd.Wait()
			if timer.Stop(); err != nil {
				if cmd.ProcessState.Exited() {
					t.Fatal(err)
				}
				kills++
				continue
			}
			var r copied
			if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.SumFrom != r.SumTo || r.Rows["records"] != facts ||
				r.Rows["tokens"] != 1 {
				t.Fatalf("%s, %v", out.Bytes(), err)
			}
			resumed += r.Resumed
			break
		}
	}
	t.Logf("%d kills; %d copies went on", kills, resumed)
	if kills == 0 {
		t.Error("no copy was killed")
	}
	if got := export("--database", url); got != want {
		t.Error("what is on the server is something else")
	}
	if got := export("--data-dir", back); got != want {
		t.Error("what came back is something else")
	}
	if tokens := run("--data-dir", back, "token", "list"); !bytes.Contains(tokens, []byte("bob")) || len(secret) == 0 {
		t.Errorf("%s", tokens)
	}
	// The copy back is used, and so its own.
	run("--data-dir", back, "save", "The harbour is closed.")
	cmd := command("copy", "--from", url, "--to", back)
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("to a bank that is used: %v", err)
	}
	if cmd = command("copy", "--from", url, "--to", url); cmd.Run() == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Error("to itself")
	}
}
