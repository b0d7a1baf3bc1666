//go:build !ncruces && !windows

package fault

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
)

var (
	every = flag.Bool("every", false, "disturb every call, not only some of them")
	seed  = flag.Uint64("seed", 0, "of which calls are disturbed; 0 is another one each time")
)

// sample is how many calls of an operation are disturbed in each way, beside the first and
// another one of each kind and file; with -short only that first one.
const sample = 2

func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400) // as in a command; less of the time goes into collecting garbage
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	if err := theDisk.install(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// further is saved afterwards.
const further = "It goes on."

// chosen are the numbers of the calls, of those that an operation makes, that are disturbed.
func chosen(calls []string, chance *rand.Rand) (numbers []int) {
	seen := map[string]bool{}
	for i, n := range chance.Perm(len(calls)) {
		isFirst := slices.Index(calls, calls[n]) == n
		if *every || isFirst || !testing.Short() && (i < sample || !seen[calls[n]]) {
			numbers = append(numbers, n+1)
		}
		seen[calls[n]] = true
	}
	slices.Sort(numbers)
	return numbers
}

// prepared is a world in which an operation can begin.
func (o operation) prepared(t *testing.T, base *world) *world {
	t.Helper()
	w := base.copied(t, t.TempDir())
	if o.open {
		must(t, w.open(t.Context()))
	}
	if o.begin != nil {
		must(t, o.begin(t.Context(), w))
	}
	return w
}

// each runs a test for every operation, with the world that it begins with and the
// calls that it makes until the bank is closed, of which some come before it is acknowledged.
func each(t *testing.T, test func(t *testing.T, o operation, base *world, calls []string, answered int, chance *rand.Rand)) {
	start := base(t)
	for i, o := range operations() {
		t.Run(o.name, func(t *testing.T) {
			base := start.copied(t, t.TempDir())
			if o.setup != nil {
				o.setup(t, base)
			}
			w := o.prepared(t, base)
			var calls []string
			theDisk.arm(func(_ int, c call) int32 {
				calls = append(calls, c.String())
				return sqlite3.SQLITE_OK
			})
			err := o.run(t.Context(), w)
			answered := len(calls)
			err = errors.Join(err, w.close())
			theDisk.lift()
			must(t, err)
			t.Logf("-seed %d: %d calls, %d until the answer", *seed, len(calls), answered)
			o.judge(t, w, "undisturbed", false)
			if answered < 3 {
				t.Errorf("%d calls", answered)
			}
			test(t, o, base, calls, answered, rand.New(rand.NewPCG(*seed, uint64(i))))
		})
	}
}

// judge looks at what an operation has left, and whether the next start goes on with it.
// undone: the answer said that nothing was done.
func (o operation) judge(t *testing.T, w *world, how string, undone bool) {
	t.Helper()
	ctx := t.Context()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, acknowledged %t: %s", how, w.done, fmt.Sprintf(format, args...))
	}
	if w.done && o.promise != nil {
		for _, wrong := range o.promise(t, w) {
			fail("%s", wrong)
		}
	}
	if err := w.open(ctx); err != nil {
		fail("the next start: %v", err)
		return
	}
	if err := errors.Join(w.save(ctx, further), w.close()); err != nil {
		fail("the next save: %v", err)
		return
	}
	path := filepath.Join(w.data(), testbank.FileName)
	for _, wrong := range sound(ctx, path) {
		fail("%s", wrong)
	}
	now, err := contents(ctx, path)
	must(t, err)
	now = slices.DeleteFunc(now, func(s string) bool { return s == further })
	isBefore, isAfter := slices.Equal(now, o.before), slices.Equal(now, o.after)
	switch {
	case !isBefore && !isAfter:
		fail("%d facts are there, %d before and %d after", len(now), len(o.before), len(o.after))
	case w.done && !isAfter:
		fail("what was acknowledged is not there")
	case undone && !isBefore:
		fail("what was refused is there")
	}
	if o.check != nil {
		for _, wrong := range o.check(t, w, w.done) {
			fail("%s", wrong)
		}
	}
}

// faults are what goes wrong with the nth call, or from it on: a result code for a call.
var faults = []struct {
	name string
	code func(n, i int, c call) int32
}{
	{"full", func(n, i int, c call) int32 {
		switch {
		case i < n || !c.grows():
			return sqlite3.SQLITE_OK
		case c.kind == opWrite:
			return sqlite3.SQLITE_FULL
		}
		return failed[c.kind]
	}},
	{"broken once", func(n, i int, c call) int32 {
		if i != n {
			return sqlite3.SQLITE_OK
		}
		return failed[c.kind]
	}},
	{"broken", func(n, i int, c call) int32 {
		if i < n {
			return sqlite3.SQLITE_OK
		}
		return failed[c.kind]
	}},
}

// TestFaults lets the file system refuse one call, or be full or broken from one on. The operation succeeds or says
// why not, and with the fault gone the same process goes on.
func TestFaults(t *testing.T) {
	each(t, func(t *testing.T, o operation, base *world, calls []string, answered int, chance *rand.Rand) {
		for _, f := range faults {
			for _, n := range chosen(calls[:answered], chance) {
				o.disturb(t, base, fmt.Sprintf("%s at call %d", f.name, n), func(i int, c call) int32 { return f.code(n, i, c) })
			}
		}
	})
}

// says is what an operation answers to a call that fails.
var says = map[kind][]string{
	opOpen: {"the database cannot be opened", "the disk reported an error"}, // where more fails behind it
	opWrite: {"the disk is full", "the disk reported an error",
		"the database cannot be opened"}, // sqlite-vec passes on the last of several; the hint names free space
	opTruncate: {"the disk reported an error"},
	opSync:     {"the disk reported an error"},
	opDelete:   {"the disk reported an error"},
	opShare:    {"the disk reported an error"},
}

// disturb does an operation with a fault, and then without it.
func (o operation) disturb(t *testing.T, base *world, how string, fault func(int, call) int32) {
	t.Helper()
	w := o.prepared(t, base)
	defer os.RemoveAll(w.root)
	var met call
	theDisk.arm(func(n int, c call) int32 {
		code := fault(n, c)
		if code != sqlite3.SQLITE_OK && met.path == "" {
			met = c
		}
		return code
	})
	err := o.run(t.Context(), w)
	theDisk.lift()
	how = fmt.Sprintf("%s (%v)", how, met)
	w.done = err == nil
	if w.done && o.promise != nil {
		for _, wrong := range o.promise(t, w) {
			t.Errorf("%s: acknowledged: %s", how, wrong)
		}
	}
	if err != nil && !errors.Is(err, errPending) {
		public := memory.Public(err)
		if memory.CodeOf(err) != memory.CodeUnavailable || public.Hint == "" || !slices.Contains(says[met.kind], public.Message) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if left := w.leftovers(t); len(left) > 0 {
		t.Errorf("%s: left over: %v", how, left)
	}
	if w.bank != nil {
		if err := w.save(t.Context(), further); err != nil {
			t.Errorf("%s: with the fault gone: %v", how, err)
		}
		if err := w.close(); err != nil {
			t.Errorf("%s: close: %v", how, err)
		}
	}
	o.judge(t, w, how, err != nil && !errors.Is(err, errPending))
}

// TestDeaths takes what is on the disk before a call, in the middle of it, and what a power cut
// would leave of it, and starts from there.
func TestDeaths(t *testing.T) {
	const together = 25 // whose remains are kept at once
	each(t, func(t *testing.T, o operation, base *world, calls []string, _ int, chance *rand.Rand) {
		for points := range slices.Chunk(chosen(calls, chance), together) {
			o.die(t, base, points, chance)
		}
	})
}

// die does an operation once and looks at what would be left of it at some points.
func (o operation) die(t *testing.T, base *world, points []int, chance *rand.Rand) {
	t.Helper()
	w := o.prepared(t, base)
	graves := t.TempDir()
	defer os.RemoveAll(w.root)
	defer os.RemoveAll(graves)
	type death struct {
		how string
		w   *world
	}
	var all []death
	theDisk.arm(func(n int, c call) int32 {
		if slices.Contains(points, n) {
			for _, left := range theDisk.deaths(c, chance) {
				dead := w.copied(t, filepath.Join(graves, fmt.Sprint(len(all))))
				for path, text := range left.files {
					name, err := filepath.Rel(w.root, path)
					must(t, err)
					must(t, os.WriteFile(filepath.Join(dead.root, name), text, 0o600))
				}
				all = append(all, death{fmt.Sprintf("%s at call %d (%v)", left.how, n, c), dead})
			}
		}
		return sqlite3.SQLITE_OK
	})
	err := o.run(context.WithoutCancel(t.Context()), w)
	w.done = err == nil
	err = errors.Join(err, w.close())
	theDisk.lift()
	must(t, err)
	for _, d := range all {
		o.judge(t, d.w, d.how, false)
	}
}
