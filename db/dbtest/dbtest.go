// Package dbtest tests what every backend of [memory.Store] must do. It uses a backend only through
// the interfaces of package memory and compares its answers with those of a simple implementation
// of their documentation: a filter is a function over the records, a ranking is computed exactly,
// statistics are counted.
//
// The test of a backend calls [Run]. What only one backend has (its query plans, its damaged files)
// is tested in its own package.
package dbtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"mcp-memory/memory"
)

// Open opens the store in dir, creating it if there is none, and ends the test if it cannot. The
// suite closes what it opened, sometimes twice, which must do no harm.
type Open func(t *testing.T, dir string, f memory.Fingerprint, clock memory.Clock) memory.Store

// Fingerprint is the embedder of the suite's stores. It embeds nothing: the tests make their own
// vectors.
var Fingerprint = memory.Fingerprint{Model: "dbtest/first", Dimensions: 8}

// Run runs the suite, one subtest a behaviour.
func Run(t *testing.T, open Open) {
	groups := []struct {
		name  string
		tests map[string]func(*testing.T, *env)
	}{
		{"save", saveTests},
		{"names", nameTests},
		{"slots", slotTests},
		{"banks", bankTests},
		{"filter", filterTests},
		{"words", wordTests},
		{"vectors", vectorTests},
		{"statistics", statisticsTests},
		{"counts", countTests},
		{"turns", turnTests},
		{"calls", callTests},
		{"log", logTests},
		{"sessions", sessionTests},
		{"told", toldTests},
		{"actions", actionTests},
		{"projects", projectTests},
		{"queue", queueTests},
		{"mirror", mirrorTests},
		{"turn details", detailTests},
		{"working", workingTests},
		{"planning", planningTests},
		{"links", linkTests},
		{"tokens", tokenTests},
		{"details", kindDetailTests},
		{"catalog", catalogTests},
		{"scrub", scrubTests},
		{"erased", erasedTests},
		{"care", careTests},
		{"concurrency", concurrencyTests},
	}
	for _, g := range groups {
		for name, test := range g.tests {
			t.Run(g.name+"/"+name, func(t *testing.T) { test(t, newEnv(t, open)) })
		}
	}
}

// agent owns the bank that tests use unless they need two.
const agent = "ann"

var start = time.Date(2026, 3, 1, 9, 30, 0, 123456000, time.UTC)

// env is the store of a test, with a clock that advances only when it is read, and ids made by that
// clock.
type env struct {
	memory.Store
	open Open
	dir  string
	ids  *memory.IDs

	mu  sync.Mutex
	now time.Time
}

func newEnv(t *testing.T, open Open) *env {
	e := &env{open: open, dir: t.TempDir(), now: start}
	e.ids = memory.NewIDs(e.clock)
	e.Store = e.another(t, Fingerprint)
	return e
}

func (e *env) clock() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now = e.now.Add(time.Millisecond)
	return e.now
}

// another opens the same database as a further store.
func (e *env) another(t *testing.T, f memory.Fingerprint) memory.Store {
	s := e.open(t, e.dir, f, e.clock)
	t.Cleanup(func() { s.Close() })
	return s
}

// reopen closes the store and opens it again with an embedder.
func (e *env) reopen(t *testing.T, f memory.Fingerprint) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	e.Store = e.another(t, f)
}

// record makes a fact of the usual agent, changed by edits.
func (e *env) record(content string, edits ...func(*memory.Record)) memory.Record {
	r := memory.Record{
		ID: e.ids.New(), Agent: agent, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: e.clock(),
	}
	for _, edit := range edits {
		edit(&r)
	}
	return r
}

// turn makes a message of the usual agent's session "s", changed by edits.
func (e *env) turn(content string, edits ...func(*memory.Turn)) memory.Turn {
	t := memory.Turn{
		ID: e.ids.New(), Agent: agent, Session: "s", Role: memory.RoleUser, Speaker: "user", Content: content,
		SaidAt: e.clock(), CreatedAt: e.clock(),
	}
	for _, edit := range edits {
		edit(&t)
	}
	return t
}

// write runs fn over the usual agent's bank and fails the test on an error.
func (e *env) write(t testing.TB, fn func(memory.Tx) error) {
	t.Helper()
	if err := e.Write(t.Context(), agent, fn); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// save stores records in the bank of the first one's agent, one transaction
// for all, with the given vector or none.
func (e *env) save(t testing.TB, vector []float32, records ...memory.Record) {
	t.Helper()
	err := e.Write(t.Context(), records[0].Agent, func(tx memory.Tx) error {
		for _, r := range records {
			if err := tx.InsertRecord(r, vector); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("save: %v", err)
	}
}

// say stores turns without vectors and returns how many were new.
func (e *env) say(t testing.TB, turns ...memory.Turn) (stored int) {
	t.Helper()
	err := e.Write(t.Context(), turns[0].Agent, func(tx memory.Tx) (err error) {
		stored, err = tx.InsertTurns(turns, nil)
		return err
	})
	if err != nil {
		t.Fatalf("say: %v", err)
	}
	return stored
}

// names returns the contents of the documents that hits are of, in their order.
func (e *env) names(t testing.TB, c memory.Corpus, who string, hits []memory.Hit, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	everything := memory.Filter{Agent: who, IncludeArchived: true, IncludeSuperseded: true}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	docs, err := e.Documents(t.Context(), c, everything, seqs)
	if err != nil {
		t.Fatalf("documents: %v", err)
	}
	content := map[int64]string{}
	for _, d := range docs {
		content[d.Seq] = d.Content
	}
	names := make([]string, len(hits))
	for i, seq := range seqs {
		names[i] = content[seq]
	}
	return names
}

func wantCode(t testing.TB, err error, code memory.Code) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Errorf("error is %v, want code %q", err, code)
	}
}

// searches are the three ways to search a corpus, each for what the documents of the tests have in
// common: the word harbour, the part "arbo", and the vector towards(1).
var searches = map[string]func(ctx context.Context, s memory.Searcher, c memory.Corpus, f memory.Filter, limit int) ([]memory.Hit, error){
	"words": func(ctx context.Context, s memory.Searcher, c memory.Corpus, f memory.Filter, limit int) ([]memory.Hit, error) {
		return s.MatchWords(ctx, c, f, []string{"harbour"}, limit)
	},
	"parts": func(ctx context.Context, s memory.Searcher, c memory.Corpus, f memory.Filter, limit int) ([]memory.Hit, error) {
		return s.MatchSubstrings(ctx, c, f, []string{"arbo"}, limit)
	},
	"vectors": func(ctx context.Context, s memory.Searcher, c memory.Corpus, f memory.Filter, limit int) ([]memory.Hit, error) {
		return s.NearestVectors(ctx, c, f, towards(1), limit)
	},
}

// towards returns a vector of length 1 with the given cosine to the first axis.
func towards(cosine float64) []float32 {
	return direction(cosine, 1)
}
