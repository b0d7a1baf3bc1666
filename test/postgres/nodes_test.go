//go:build postgres

package postgres

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/postgres"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// cluster makes an empty database that has what this program asks of Citus, and returns its URL.
func cluster(t *testing.T, name string) string {
	t.Helper()
	admin(t, backend.Server(), `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`, `CREATE DATABASE `+name+` OWNER tester`)
	at := strings.Replace(backend.Server(), "/tests", "/"+name, 1)
	standIn, err := os.ReadFile("testdata/cluster.sql")
	if err != nil {
		t.Fatal(err)
	}
	admin(t, at, string(standIn), `GRANT ALL ON SCHEMA public TO tester`)
	return at
}

// TestNodeIsLost: calls for banks on a node that is away are refused in the time that was promised, all others
// go on, and the health tells until the node is back.
func TestNodeIsLost(t *testing.T) {
	at := cluster(t, "nodes")
	s, err := postgres.Open(t.Context(), at,
		postgres.Options{Embedder: fingerprint, Clock: now, Patience: 2 * time.Second, Citus: postgres.CitusAuto})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	is := func(state string) {
		admin(t, at, `UPDATE pg_catalog.pg_dist_node SET state = '`+state+`' WHERE nodename = 'two'`)
	}
	admin(t, at, `ALTER TABLE banks ENABLE ROW LEVEL SECURITY`, `ALTER TABLE banks FORCE ROW LEVEL SECURITY`,
		`CREATE POLICY nodes ON banks AS RESTRICTIVE USING (agent <> 'bob' OR pg_catalog.answers('two'))`)
	for _, agent := range []string{"ann", "bob"} {
		save(t, s, agent, "The harbour of "+agent+".")
	}
	if c, err := s.Cluster(t.Context()); err != nil || c.Nodes != 2 || c.Spread < 30 || c.Whole != 4 || c.Local != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	one, err := s.Stats(t.Context(), "ann")
	if err != nil || one.DatabaseBytes < 10*30*8192 || len(s.Health().Problems) > 0 {
		t.Errorf("%d bytes, %v, %v", one.DatabaseBytes, s.Health(), err)
	}
	for _, state := range []string{"away", "silent"} {
		is(state)
		for what, call := range map[string]func() error{
			"a write": func() error { return s.Write(t.Context(), "bob", func(memory.Tx) error { return nil }) },
			"a read":  func() error { _, err := s.Changes(t.Context(), "bob"); return err },
		} {
			began := time.Now()
			if err := call(); memory.CodeOf(err) != memory.CodeUnavailable || time.Since(began) > time.Minute {
				t.Errorf("%s of a node that is %s: %v after %s", what, state, err, time.Since(began))
			}
		}
		save(t, s, "ann", "The node is "+state+".")
		if h := s.Health(); h.Broken() || len(h.Problems) != 1 || h.Problems[0].Check != memory.CheckNodes {
			t.Errorf("%s: %+v", state, h)
		}
	}
	is("up")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go s.Tend(ctx)
	for began := time.Now(); len(s.Health().Problems) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("the node is back: %+v", s.Health())
		}
	}
	save(t, s, "bob", "The node is back.")
}

// TestCopyToACluster: the tables of the copy are spread, and it is said.
func TestCopyToACluster(t *testing.T) {
	at, dir := cluster(t, "copied"), t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(built.Path(t, ""), args...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("--data-dir", dir, "save", "The harbour is open.")
	if said := run("copy", "--from", dir, "--to", at); !strings.Contains(said,
		"tables are spread over a Citus cluster by agent, 4 are on each node; nodes with rows: 2.") {
		t.Error(said)
	}
	if said := run("--data-dir", dir, "--database", at, "doctor"); !strings.Contains(said, "spread over a Citus cluster") ||
		!strings.Contains(said, "they take") {
		t.Error(said)
	}
	if said := run("copy", "--from", dir, "--to", cluster(t, "kept"), "--citus", "off"); !strings.Contains(said, "no table is spread") {
		t.Error(said)
	}
}
