//go:build unix

package process

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
)

// killedAt starts a command and kills it after a while, unless it has ended. It
// reports whether it was killed.
func killedAt(t *testing.T, dir string, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := command(t, dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Signal(syscall.SIGKILL)
	return cmd.Wait() != nil
}

// state is which of two states a directory is in, by all that differs between
// them: the database, the settings, a workspace.
func state(t *testing.T, dir string) string {
	t.Helper()
	code, stats, log := cli(t, dir, "stats")
	_, settings, _ := cli(t, dir, "settings")
	if code != 0 {
		t.Fatalf("stats: %s", log)
	}
	page, err := os.ReadFile(filepath.Join(dir, "workspaces", "default", "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	many := strings.Contains(stats, rememberedLive)
	if many != strings.Contains(settings, "  40  ") || many != strings.Contains(string(page), "new") {
		t.Errorf("half of each: %s\n%s\n%s", stats, page, settings)
	}
	if many {
		return "new"
	}
	return "old"
}

// TestRestoreKilledAtRandom kills a restore again and again.
func TestRestoreKilledAtRandom(t *testing.T) {
	t.Parallel()
	fresh, old := rememberedBank(t), t.TempDir()
	if code, _, log := cli(t, old, "save", "The harbour closes at nine."); code != 0 {
		t.Fatal(log)
	}
	for dir, name := range map[string]string{fresh: "new", old: "old"} {
		window := map[string]string{"new": "40", "old": "30"}[name]
		for file, text := range map[string]string{"config.yaml": "memory_window: " + window + "\n",
			"workspaces/default/MEMORY.md": name + "\n"} {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "backup.tar.gz")
	// Killed backups leave no file of the name, or a whole one.
	begun := time.Now()
	if code, _, log := cli(t, fresh, "backup", file); code != 0 {
		t.Fatal(log)
	}
	whole := time.Since(begun)
	chance := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for range 2 {
		other := filepath.Join(t.TempDir(), "backup.tar.gz")
		killedAt(t, fresh, time.Duration(chance.Int64N(int64(whole))), "backup", other)
		if _, err := os.Stat(other); err == nil {
			if code, _, log := cli(t, t.TempDir(), "restore", "--yes", other); code != 0 {
				t.Errorf("a killed backup has left a file that cannot be restored: %s", log)
			}
		}
	}
	begun = time.Now()
	if code, _, log := cli(t, copyOf(t, old), "restore", "--yes", file); code != 0 {
		t.Fatal(log)
	}
	whole = time.Since(begun)
	seen := map[string]int{}
	for round := range 6 {
		dir := copyOf(t, old)
		after := time.Duration(chance.Int64N(int64(whole)))
		if round%2 == 0 { // the exchange is at the end
			after = whole*9/10 + after/10
		}
		killed := killedAt(t, dir, after, "restore", "--yes", file)
		s := state(t, dir)
		if seen[s]++; !killed && s != "new" {
			t.Errorf("round %d: a restore that was not killed left the state as it was", round)
		}
		if code, _, log := cli(t, dir, "restore", "--yes", file); code != 0 || state(t, dir) != "new" {
			t.Errorf("round %d: the next restore: %s", round, log)
		}
	}
	t.Log(seen)
}

// TestMigrationKilledAtRandom kills the first start after an update again and again: the
// next one goes on, and the copy from before is whole or not there.
func TestMigrationKilledAtRandom(t *testing.T) {
	t.Parallel()
	older := rememberedBank(t)
	path := filepath.Join(older, "memory.db")
	handle, err := testbank.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_,
		err = handle.Exec(`DROP TABLE actions; ALTER TABLE todos DROP COLUMN project; ALTER TABLE records DROP COLUMN mentions; ALTER TABLE records DROP COLUMN checksum; ALTER TABLE turns DROP COLUMN checksum; DROP TABLE checksums_due;
		DROP TABLE record_counts; DROP TABLE told; ALTER TABLE tokens DROP COLUMN operator;
		DROP INDEX records_by_project; CREATE INDEX records_by_category ON records (agent, category); PRAGMA user_version = 14; PRAGMA wal_checkpoint(TRUNCATE)`)
	if err := errors.Join(err, handle.Close()); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(rand.Uint64(), 0))
	begun := time.Now()
	if code, _, log := cli(t, copyOf(t, older), "stats"); code != 0 {
		t.Fatal(log)
	}
	whole := time.Since(begun)
	for round := range 8 {
		dir := copyOf(t, older)
		killedAt(t, dir, time.Duration(chance.Int64N(int64(whole))), "stats")
		if code, out, log := cli(t, dir, "stats"); code != 0 || !strings.Contains(out, rememberedLive) {
			t.Errorf("round %d: %s%s", round, out, log)
		}
		if code, out, log := cli(t, dir, "doctor"); code != 0 {
			t.Errorf("round %d: %s%s", round, out, log)
		}
		copies, err := filepath.Glob(filepath.Join(dir, "memory.db.before-schema-*"))
		if err != nil || len(copies) == 0 {
			t.Errorf("round %d: copies %v, %v", round, copies, err)
		}
		for _, one := range copies {
			if info, err := os.Stat(one); !strings.Contains(filepath.Base(one)[len("memory.db.before-schema-"):], ".") &&
				(err != nil || info.Size() < 1<<20) {
				t.Errorf("round %d: %s: %v, %v", round, one, info, err)
			}
		}
	}
}
