//go:build !ncruces && !windows

package fault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

// operation is what is disturbed.
type operation struct {
	name string
	// setup makes of a copy of the base what it begins with.
	setup func(t *testing.T, w *world)
	// open: the bank is open before it begins, else it begins with that or does without.
	open bool
	// begin is done before the faults, by the same process. May be nil.
	begin func(ctx context.Context, w *world) error
	run   func(ctx context.Context, w *world) error
	// before and after are the facts in the bank, of which one state has to be there whole.
	before, after []string
	// promise says what does not hold of what an acknowledgement says of the files as they are. May be nil.
	promise func(t *testing.T, w *world) []string
	// check says what else is wrong, of a bank that was opened and closed again. done: it has to be the state after. May be nil.
	check func(t *testing.T, w *world, done bool) []string
}

const (
	saved  = "The new lantern was delivered on a Tuesday."
	erased = 99 // fact, which is still in the log
	batch  = 20
)

func operations() []operation {
	return []operation{
		{name: "save", open: true, before: first(facts), after: first(facts, saved),
			run: func(ctx context.Context, w *world) error { return w.save(ctx, saved) }},
		{name: "first start", before: nil, after: nil,
			setup: func(t *testing.T, w *world) {
				must(t, os.RemoveAll(w.data()))
				must(t, os.Mkdir(w.data(), 0o700))
			},
			run: func(ctx context.Context, w *world) error { return w.open(ctx) }},
		{name: "import", open: true, before: first(facts), after: first(facts, imported()...), run: importFacts},
		{name: "erase", open: true, before: first(facts, text(erased)), after: first(facts), run: erase,
			begin:   func(ctx context.Context, w *world) error { return w.save(ctx, text(erased)) },
			promise: nothingErased, check: checkErased},
		{name: "backup", open: true, before: first(facts, saved), after: first(facts, saved),
			setup: backupAndSave, run: func(ctx context.Context, w *world) error { return w.backup(ctx) }, check: checkArchive},
		{name: "restore", before: first(facts, saved), after: first(facts),
			setup: backupAndSave, run: func(ctx context.Context, w *world) error { return w.restore(ctx) }},
		{name: "migration", before: first(facts), after: first(facts), setup: makeOlder,
			run: func(ctx context.Context, w *world) error { return w.open(ctx) }, check: checkCopies},
	}
}

func imported() (texts []string) {
	for n := range batch {
		texts = append(texts, text(facts+n))
	}
	return texts
}

func importFacts(ctx context.Context, w *world) error {
	var lines strings.Builder
	for _, one := range imported() {
		fmt.Fprintf(&lines, "{\"text\":%q}\n", one)
	}
	_, err := transfer.Import(ctx, w.bank.Transfer(), strings.NewReader(lines.String()),
		transfer.Options{Format: transfer.Facts, Scope: memory.Scope{Agent: agent}})
	return err
}

// erase forgets a fact for good. If traces are left for later that is not yet an
// acknowledged erasure of every byte, and an error here.
func erase(ctx context.Context, w *world) error {
	words, err := w.bank.Store.MatchWords(ctx, memory.Memories, memory.Filter{Agent: agent}, []string{word(erased)}, 1)
	if err != nil || len(words) != 1 {
		return fmt.Errorf("%d facts have the word: %w", len(words), err)
	}
	docs, err := w.bank.Store.Documents(ctx, memory.Memories, memory.Filter{Agent: agent}, []int64{words[0].Seq})
	if err != nil || len(docs) != 1 {
		return fmt.Errorf("%d documents: %w", len(docs), err)
	}
	result, err := w.bank.Remember.Forget(ctx, memory.Scope{Agent: agent},
		remember.ForgetRequest{IDs: []string{docs[0].ID}, Permanent: true, Confirm: true})
	if err == nil && result.Pending { // it goes on in the background
		if err := w.bank.Store.Scrub(ctx); err != nil {
			return errors.Join(errPending, err)
		}
	}
	return err
}

// errPending is an erasure that is acknowledged, but for traces in the files.
var errPending = errors.New("traces are left")

func checkErased(t *testing.T, w *world, done bool) []string {
	now, err := contents(t.Context(), filepath.Join(w.data(), testbank.FileName))
	must(t, err)
	if !done && slices.Contains(now, text(erased)) {
		return nil
	}
	return nothingErased(t, w)
}

// nothingErased says where there are bytes of what is erased.
func nothingErased(t *testing.T, w *world) []string {
	found, err := testbank.Remains(w.data(), word(erased))
	must(t, err)
	if len(found) > 0 {
		return []string{fmt.Sprintf("what was erased is still in %v", found)}
	}
	return nil
}

// backupAndSave leaves a backup that is older than the bank by one fact.
func backupAndSave(t *testing.T, w *world) {
	must(t, w.open(t.Context()))
	must(t, w.backup(t.Context()))
	must(t, w.save(t.Context(), saved))
	must(t, w.close())
}

// checkArchive wants the backup to be the earlier one or the new one, whole.
func checkArchive(t *testing.T, w *world, done bool) []string {
	r := &world{root: filepath.Join(w.root, "restored")}
	must(t, os.MkdirAll(r.data(), 0o700))
	must(t, os.Link(w.archive(), r.archive()))
	if err := r.restore(t.Context()); err != nil {
		return []string{fmt.Sprintf("the backup cannot be restored: %v", err)}
	}
	now, err := contents(t.Context(), filepath.Join(r.data(), testbank.FileName))
	must(t, err)
	if !slices.Equal(now, first(facts, saved)) && (done || !slices.Equal(now, first(facts))) {
		return []string{fmt.Sprintf("the backup holds %d facts", len(now))}
	}
	return nil
}

// older is the version of the schema that is migrated: the first with text indexes.
const older = 4

func makeOlder(t *testing.T, w *world) {
	path := filepath.Join(w.data(), testbank.FileName)
	newer := path + ".newer"
	must(t, os.Rename(path, newer))
	must(t, testbank.MakeOlder(t.Context(), path, newer, older))
	must(t, os.Remove(newer))
}

// checkCopies wants what has the name of a copy from before the migration to be one.
func checkCopies(t *testing.T, w *world, _ bool) (wrong []string) {
	names, err := filepath.Glob(filepath.Join(w.data(), testbank.FileName+".before-schema-*"))
	must(t, err)
	whole := 0
	for _, name := range names {
		if strings.Count(filepath.Base(name), ".") > 2 {
			continue // was being made
		}
		whole++
		now, err := contents(t.Context(), name)
		if err != nil || !slices.Equal(now, first(facts)) {
			wrong = append(wrong, fmt.Sprintf("%s: %d facts, %v", filepath.Base(name), len(now), err))
		}
	}
	if whole == 0 {
		wrong = append(wrong, "there is no copy from before")
	}
	return wrong
}
