//go:build !ncruces && !windows

package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/upkeep"
)

// agent is whose bank it is.
const agent = "ada"

// word is in the nth fact and nowhere else.
func word(n int) string { return fmt.Sprintf("q%03dzx", n) }

// text is the nth fact.
func text(n int) string {
	return fmt.Sprintf("The %s lighthouse was painted in the year %d, and its keeper wrote %d letters about the harbour.", word(n),
		1800+n, n*7)
}

// facts is how many of them a bank begins with.
const facts = 30

// world is a directory with a data directory, and beside it what is made of that.
type world struct {
	root string
	bank *testbank.Bank // nil while it is closed
	done bool           // the operation was acknowledged
}

func (w *world) data() string    { return filepath.Join(w.root, "data") }
func (w *world) archive() string { return filepath.Join(w.root, "backup.tar.gz") }

func (w *world) open(ctx context.Context) (err error) {
	w.bank, err = testbank.Open(ctx, testbank.Options{Dir: w.data(), Patience: time.Second})
	return err
}

func (w *world) close() error {
	if w.bank == nil {
		return nil
	}
	bank := w.bank
	w.bank = nil
	return bank.Store.Close()
}

func (w *world) save(ctx context.Context, content string) error {
	_, err := w.bank.Remember.Save(ctx, memory.Scope{Agent: agent}, remember.SaveRequest{Content: content, Quiet: true})
	return err
}

func (w *world) backup(ctx context.Context) error {
	_, err := upkeep.Backup(ctx, w.archive(), upkeep.BackupOptions{
		Dir: w.data(), Store: w.bank.Store, Verify: sqlite.Verify, Program: "test", Clock: w.bank.Clock, Replace: true,
	})
	return err
}

func (w *world) restore(ctx context.Context) error {
	_, err := upkeep.Restore(ctx, w.archive(), upkeep.RestoreOptions{Dir: w.data(), Verify: sqlite.Verify})
	return err
}

// base is the world that others are copies of: a bank that was closed.
func base(t *testing.T) *world {
	t.Helper()
	w := &world{root: t.TempDir()}
	if err := os.Mkdir(w.data(), 0o700); err != nil {
		t.Fatal(err)
	}
	must(t, w.open(t.Context()))
	for n := range facts {
		must(t, w.save(t.Context(), text(n)))
	}
	must(t, w.close())
	return w
}

// copied is a copy of a world at another place.
func (w *world) copied(t *testing.T, root string) *world {
	t.Helper()
	must(t, os.CopyFS(root, os.DirFS(w.root)))
	return &world{root: root, done: w.done}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// contents are the facts in a database file, sorted.
func contents(ctx context.Context, path string) (all []string, err error) {
	handle, err := testbank.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, handle.Close()) }()
	rows, err := handle.QueryContext(ctx, `SELECT content FROM records ORDER BY content`)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, errors.Join(rows.Err(), rows.Close())
}

// first are the texts of the first n facts, and further ones, sorted.
func first(n int, more ...string) []string {
	for k := range n {
		more = append(more, text(k))
	}
	slices.Sort(more)
	return more
}

// sound says what is wrong with a database that nobody uses: its structure, its indexes, its vectors, the checksum of each text.
func sound(ctx context.Context, path string) (wrong []string) {
	for _, f := range sqlite.Examine(ctx, path) {
		if f.Condition == memory.ConditionBroken {
			wrong = append(wrong, f.Check+": "+f.Detail)
		}
	}
	return wrong
}

// leftovers are files that only somebody who was killed may leave.
func (w *world) leftovers(t *testing.T) (left []string) {
	t.Helper()
	for _, pattern := range []string{".mcp-memory-backup-*", "data/.new-*", "data/memory.db.before-schema-*.*", "data/exchange.json"} {
		found, err := filepath.Glob(filepath.Join(w.root, pattern))
		must(t, err)
		left = append(left, found...)
	}
	return left
}
