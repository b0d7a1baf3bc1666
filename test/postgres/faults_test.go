//go:build postgres

package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

func now() time.Time { return time.Now() }

var ids = memory.NewIDs(now)

func fact(agent, content string) memory.Record {
	return memory.Record{
		ID: ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: now(),
	}
}

func trySave(ctx context.Context, s memory.Store, agent, content string) error {
	return s.Write(ctx, agent, func(tx memory.Tx) error { return tx.InsertRecord(fact(agent, content), nil) })
}

func save(t *testing.T, s memory.Store, agent, content string) {
	t.Helper()
	if err := trySave(t.Context(), s, agent, content); err != nil {
		t.Fatal(err)
	}
}

// contents returns what a bank has, in order of arrival.
func contents(t *testing.T, s memory.Store, agent string) (all []string) {
	t.Helper()
	if err := s.EachRecord(t.Context(), agent, func(r memory.Record) error {
		all = append(all, r.Content)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// underLoad saves from several goroutines while disturb does its worst, and then compares
// what was acknowledged with what is there: nothing is lost, and nothing is doubled.
func underLoad(t *testing.T, s memory.Store, disturb func()) {
	t.Helper()
	const writers = 4
	var acknowledged, refused atomic.Int64
	var mu sync.Mutex
	kept := map[string]bool{}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for w := range writers {
		agent := fmt.Sprint("agent", w%2)
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				content := fmt.Sprintf("%d of writer %d", n, w)
				if err := trySave(t.Context(), s, agent, content); err == nil {
					mu.Lock()
					kept[agent+": "+content] = true
					mu.Unlock()
					acknowledged.Add(1)
				} else if memory.CodeOf(err) != memory.CodeUnavailable {
					t.Errorf("%v", err)
					return
				} else {
					refused.Add(1)
				}
			}
		})
	}
	disturb()
	before := acknowledged.Load()
	for acknowledged.Load() < before+10 && !t.Failed() { // it recovers without a restart
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	wg.Wait()
	found := map[string]int{}
	for _, agent := range []string{"agent0", "agent1"} {
		for _, content := range contents(t, s, agent) {
			found[agent+": "+content]++
		}
	}
	lost, doubled := 0, 0
	for what := range kept {
		if found[what] == 0 {
			lost++
		}
	}
	for _, n := range found {
		if n > 1 {
			doubled++
		}
	}
	t.Logf("%d acknowledged, %d refused, %d lost, %d doubled", acknowledged.Load(), refused.Load(), lost, doubled)
	if lost > 0 || doubled > 0 {
		t.Errorf("%d lost, %d doubled", lost, doubled)
	}
}

// TestBackendsAreKilled ends every session of the store, time and again.
func TestBackendsAreKilled(t *testing.T) {
	s, url := open(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	underLoad(t, s, func() {
		for range 10 {
			time.Sleep(50 * time.Millisecond)
			if _, err := conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mcp-memory' AND usename = current_user`); err != nil {
				t.Error(err)
			}
		}
	})
}

// ownServer starts a server of the test's own, which may be ended.
func ownServer(t *testing.T) (url string, script func(args ...string)) {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp-memory-pg-*")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	home := dir + "/pg"
	run := func(args ...string) string {
		cmd := exec.Command("bash", append([]string{"server.sh"}, args...)...)
		cmd.Env = append(os.Environ(), "MCP_MEMORY_PG_DURABLE=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	url = run(home)
	t.Cleanup(func() {
		run("--stop", home)
		os.RemoveAll(dir)
	})
	return url[:len(url)-1], func(args ...string) { run(append(args, home)...) }
}

// TestServerIsKilled ends the whole server without warning and starts it again, while
// others write: a call waits for it, or says that it is away.
func TestServerIsKilled(t *testing.T) {
	url, server := ownServer(t)
	s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now, BusyTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	underLoad(t, s, func() {
		for range 3 {
			time.Sleep(200 * time.Millisecond)
			server("--kill")
			server("--start")
		}
	})
	if h := s.Health(); h.Broken() {
		t.Errorf("afterwards: %+v", h)
	}
}

// TestTwoServersMigrate opens an empty database by several servers at once.
func TestTwoServersMigrate(t *testing.T) {
	url := backend.Database(t.TempDir(), "banks")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := trySave(t.Context(), s, "ann", ids.New()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s, err := db.Open(t.Context(), url, db.Options{Embedder: fingerprint, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := len(contents(t, s, "ann")); n != 6 {
		t.Errorf("%d records of 6", n)
	}
}

// TestCannotBeUsed: what is wrong with a database is said in words, and nothing is changed.
func TestCannotBeUsed(t *testing.T) {
	admin := func(url, statement string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	newer, others := backend.Database(t.TempDir(), "newer"), backend.Database(t.TempDir(), "others")
	s, err := db.Open(t.Context(), newer, db.Options{Embedder: fingerprint, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	admin(newer, `UPDATE mcp_memory_schema SET version = version + 1`)
	schema := others[strings.LastIndex(others, "=")+1:]
	admin(others, `CREATE SCHEMA `+schema+`; CREATE TABLE `+schema+`.records (a int)`)
	for _, c := range []struct {
		url, says string
		code      memory.Code
	}{
		{newer, "newer than this program", memory.CodeUnavailable},
		{others, "tables of another program", memory.CodeUnavailable},
		{"postgres://tester@127.0.0.1:1/tests", "cannot be reached", memory.CodeUnavailable},
		{backend.Server() + "nothere", "does not exist", memory.CodeUnavailable},
		{"postgres://%zz", "URL cannot be read", memory.CodeInvalidArgument},
	} {
		_, err := db.Open(t.Context(), c.url, db.Options{Embedder: fingerprint, Clock: now, BusyTimeout: time.Millisecond})
		if memory.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s: %s", c.url, err, c.code, c.says)
		}
	}
}
