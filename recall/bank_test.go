package recall_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/embed/encoder/minilm"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// bank is a database in a file with a clock that the test moves.
type bank struct {
	memory.Store
	all      *testbank.Bank
	ids      *memory.IDs
	embedder memory.Embedder
	now      atomic.Int64 // nanoseconds since start
}

func newBank(t testing.TB, e memory.Embedder) *bank {
	t.Helper()
	return newBankWith(t, testbank.Options{Embedder: e})
}

// newEncodedBank has the sentence encoder, as a server has.
func newEncodedBank(t testing.TB) *bank {
	t.Helper()
	return newBankWith(t, testbank.Options{Embedder: builtin(), Encoder: minilm.New()})
}

func newBankWith(t testing.TB, o testbank.Options) *bank {
	t.Helper()
	b := &bank{embedder: o.Embedder}
	o.Clock = b.clock
	b.all = testbank.New(t, o)
	b.Store, b.ids = b.all.Store, b.all.IDs
	return b
}

func (b *bank) clock() time.Time { return start.Add(time.Duration(b.now.Load())) }

func (b *bank) pass(d time.Duration) { b.now.Add(int64(d)) }

// open opens the file once more, as another process would.
func (b *bank) open(t testing.TB) memory.Store {
	t.Helper()
	s, err := testbank.OpenStore(t.Context(), testbank.Options{Dir: b.all.Dir, Embedder: b.embedder, Clock: b.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// service answers from a store with an index that is always there at once.
func (b *bank) service(s recall.Store) *recall.Service {
	o := b.all.RecallOptions()
	o.Store = s
	service := recall.New(o)
	service.IndexAtOnce(math.MaxInt)
	return service
}

// unreadable is a store from which no index can be built.
type unreadable struct {
	memory.Store
	tried atomic.Int32
}

func (u *unreadable) After(context.Context, memory.Corpus, string, int64, int) ([]memory.Document, error) {
	u.tried.Add(1)
	return nil, errors.New("no reading today")
}

// fallback answers from the database alone.
func (b *bank) fallback() *recall.Service {
	s := b.service(&unreadable{Store: b.Store})
	s.IndexAtOnce(-1)
	return s
}

func (b *bank) record(content string, edits ...func(*memory.Record)) memory.Record {
	r := memory.Record{
		ID: b.ids.New(), Agent: "ann", Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: b.clock(),
	}
	for _, edit := range edits {
		edit(&r)
	}
	return r
}

// save stores records, with vectors if the embedder is local.
func (b *bank) save(t testing.TB, s memory.Store, records ...memory.Record) {
	t.Helper()
	vectors := make([][]float32, len(records))
	if b.embedder.Local() {
		for i, r := range records {
			one, err := b.embedder.EmbedDocuments(t.Context(), []string{r.Content})
			if err != nil {
				t.Fatal(err)
			}
			vectors[i] = one[0]
		}
	}
	err := s.Write(t.Context(), records[0].Agent, func(tx memory.Tx) error {
		for i, r := range records {
			if err := tx.InsertRecord(r, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// change edits a stored record.
func (b *bank) change(t testing.TB, id string, edit func(*memory.Record)) {
	t.Helper()
	err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
		r, err := tx.Record(id)
		if err != nil {
			return err
		}
		edit(&r)
		return tx.UpdateRecord(r)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ask asks in all projects and returns the results.
func ask(t testing.TB, s *recall.Service, query string, edits ...func(*recall.Request)) []recall.Result {
	t.Helper()
	r := recall.Request{Query: query, Scope: memory.Scope{Agent: "ann", Project: memory.AllProjects}, Limit: 100}
	for _, edit := range edits {
		edit(&r)
	}
	a, err := s.Recall(t.Context(), r)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return a.Results
}

func contents(results []recall.Result) (list []string) {
	for _, r := range results {
		list = append(list, r.Content)
	}
	return list
}

// same reports the first difference between two lists of results.
func same(got, want []recall.Result) error {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got) || i >= len(want):
			return fmt.Errorf("%d results, want %d", len(got), len(want))
		case got[i].ID != want[i].ID:
			return fmt.Errorf("result %d is %q with %v, want %q with %v", i, got[i].Content, got[i].Score, want[i].Content, want[i].Score)
		case math.Abs(got[i].Score-want[i].Score) > 1e-6:
			return fmt.Errorf("score of %q is %v, want %v", got[i].Content, got[i].Score, want[i].Score)
		}
	}
	return nil
}

var (
	subjects = strings.Fields("Anna Boris Carla Deniz Emil Farah Goran Hanna Ivan Jonas")
	verbs    = []string{"moved the billing service to", "prefers the quiet corner of", "fixed a timeout in", "met the owner of",
		"wrote a report about"}
	things = strings.Fields("harbour library database router kitchen orchestra garden bakery ferry compiler clinic museum tractor invoice stadium bridge")
)

// sentence makes one that no other number makes.
func sentence(random *rand.Rand, n int) string {
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	return fmt.Sprintf("%s %s the %s %s near %s, see ticket K-%04d.", pick(subjects), pick(verbs), pick(things), pick(things),
		pick(things), n)
}

// questions are of every kind: words, other words for them, names, typing
// errors, identifiers.
var questions = []string{
	"Who fixed the database?", "Where is the physician?", "What did Anna write about the museum garden?", "harbor ferrys", "K-0042",
	"the quiet corner of the libary", "router timeout", "Which report mentions a bridge near the stadium?", "tract", "ship music",
}

func builtin() memory.Embedder { return embed.NewBuiltin() }
