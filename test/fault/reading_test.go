//go:build !ncruces && !windows

package fault

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/transfer"
)

// obstructed are operations that only read, beside those that write.
func obstructed() []operation {
	all := operations()
	return append(slices.DeleteFunc(all,
		func(o operation) bool { return !slices.Contains([]string{"save", "erase", "first start"}, o.name) }),
		operation{name: "start", before: first(facts), after: first(facts),
			run: func(ctx context.Context, w *world) error { return w.open(ctx) }},
		operation{name: "recall", open: true, before: first(facts), after: first(facts), run: recallOne},
		operation{name: "export", open: true, before: first(facts), after: first(facts), run: exportAll},
	)
}

func recallOne(ctx context.Context, w *world) error {
	answer, err := recall.New(w.bank.RecallOptions()).
		Recall(ctx, recall.Request{Query: "Who painted the " + word(7) + " lighthouse?", Scope: memory.Scope{Agent: agent}})
	if err == nil && len(answer.Results) == 0 {
		err = fmt.Errorf("nothing was found, and nothing said why")
	}
	return err
}

// exportAll exports everything, or says that it is not all.
func exportAll(ctx context.Context, w *world) error {
	report, err := transfer.Export(ctx, w.bank.Transfer(), agent, io.Discard, nil)
	if err == nil && report.Records < facts {
		err = fmt.Errorf("%d facts were exported, and nothing said why", report.Records)
	}
	return err
}

// hindrances are what a file system does to who only reads or waits: a call fails, once or from one on, or somebody else
// has the lock.
var hindrances = []struct {
	name  string
	kinds []kind
	code  int32
	once  bool
	slow  bool // a writer waits for its turn as long as it is told to
	says  []string
}{
	{"not to be read once", []kind{opRead}, sqlite3.SQLITE_IOERR_READ, true, false, saysOfReads},
	{"not to be read", []kind{opRead}, sqlite3.SQLITE_IOERR_READ, false, false, saysOfReads},
	{"locked once", []kind{opLock, opLockPart}, sqlite3.SQLITE_BUSY, true, false, saysOfLocks},
	{"locked", []kind{opLock, opLockPart}, sqlite3.SQLITE_BUSY, false, true, saysOfLocks},
}

var (
	// sqlite-vec does not tell why it could not read.
	saysOfReads = []string{"the disk reported an error", "the database cannot be opened", "the vectors of the database cannot be read"}
	saysOfLocks = []string{"the database is locked by another process", "the call was cancelled or took too long",
		"the write-ahead log is in use", "the disk reported an error"}
)

// TestHindrances lets the file system refuse to read or to lock. The operation succeeds or says why not, what it says
// it has done is done, and with the hindrance gone the same process goes on.
func TestHindrances(t *testing.T) {
	start := base(t)
	for i, o := range obstructed() {
		t.Run(o.name, func(t *testing.T) {
			base := start.copied(t, t.TempDir())
			if o.setup != nil {
				o.setup(t, base)
			}
			calls := o.watched(t, base)
			t.Logf("-seed %d: %d calls", *seed, len(calls))
			for k, h := range hindrances {
				chance := rand.New(rand.NewPCG(*seed, uint64(100*i+k)))
				numbers := ofKinds(calls, h.kinds, chance)
				if h.slow && !*every {
					numbers = numbers[:1]
				}
				for _, n := range numbers {
					o.hinder(t, base, fmt.Sprintf("%s at call %d", h.name, n), h.says, func(at int, c call) int32 {
						if at < n || at > n && h.once || !slices.Contains(h.kinds, c.kind) {
							return sqlite3.SQLITE_OK
						}
						return h.code
					})
				}
			}
		})
	}
}

// watched returns the calls of an operation that nothing hinders.
func (o operation) watched(t *testing.T, base *world) (calls []call) {
	t.Helper()
	w := o.prepared(t, base)
	theDisk.armAll(func(_ int, c call) int32 {
		calls = append(calls, call{kind: c.kind, path: c.path})
		return sqlite3.SQLITE_OK
	}, false)
	err := o.run(t.Context(), w)
	theDisk.lift()
	must(t, err)
	must(t, w.close())
	return calls
}

// ofKinds chooses among the calls of some kinds.
func ofKinds(calls []call, kinds []kind, chance *rand.Rand) (numbers []int) {
	var names []string
	var at []int
	for i, c := range calls {
		if slices.Contains(kinds, c.kind) {
			names, at = append(names, c.String()), append(at, i+1)
		}
	}
	for _, n := range chosen(names, chance) {
		numbers = append(numbers, at[n-1])
	}
	return numbers
}

// hinder does an operation that is hindered, and goes on without that.
func (o operation) hinder(t *testing.T, base *world, how string, says []string, fault func(int, call) int32) {
	t.Helper()
	w := o.prepared(t, base)
	defer os.RemoveAll(w.root)
	var met call
	theDisk.armAll(func(n int, c call) int32 {
		code := fault(n, c)
		if code != sqlite3.SQLITE_OK && met.path == "" {
			met = call{kind: c.kind, path: c.path}
		}
		return code
	}, false)
	err := o.run(t.Context(), w)
	theDisk.lift()
	how = fmt.Sprintf("%s (%v)", how, met)
	if w.done = err == nil; w.done && o.promise != nil {
		for _, wrong := range o.promise(t, w) {
			t.Errorf("%s: acknowledged: %s", how, wrong)
		}
	}
	if err != nil {
		public := memory.Public(err)
		if memory.CodeOf(err) != memory.CodeUnavailable || public.Hint == "" || !slices.Contains(says, public.Message) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if w.bank != nil {
		if err := w.save(t.Context(), further); err != nil {
			t.Errorf("%s: without the hindrance: %v", how, err)
		}
		if err := o.run(t.Context(), w); !w.done && err != nil && !o.writes() {
			t.Errorf("%s: once more, without the hindrance: %v", how, err)
		}
		if err := w.close(); err != nil {
			t.Errorf("%s: close: %v", how, err)
		}
	}
	o.judge(t, w, how, false)
}

// writes reports whether the facts change.
func (o operation) writes() bool { return !slices.Equal(o.before, o.after) }
