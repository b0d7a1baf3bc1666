package remember_test

import (
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var start = testbank.Start

var (
	anna  = memory.Scope{Agent: "anna"}
	boris = memory.Scope{Agent: "boris"}
)

// bank is a new database and workspace with a service over them.
type bank struct {
	*remember.Service
	t      *testing.T
	store  memory.Store
	dir    string // data directory, for the workspaces
	now    time.Time
	queued *atomic.Int32
}

// remote is the builtin embedder, but one that a save does not wait for.
type remote struct{ *embed.Builtin }

func (remote) Local() bool { return false }

func newBank(t *testing.T) *bank { return newBankWith(t, embed.NewBuiltin()) }

func newBankWith(t *testing.T, embedder memory.Embedder) *bank {
	t.Helper()
	b := &bank{t: t, now: start}
	all := testbank.New(t, testbank.Options{Embedder: embedder, Clock: func() time.Time { return b.now }})
	b.Service, b.store, b.dir, b.queued = all.Remember, all.Store, all.Dir, &all.Waiting
	return b
}

// newBankOf is a bank that supersedes in another way.
func newBankOf(t *testing.T, how remember.Supersede) *bank {
	t.Helper()
	return newBankAs(t, func(o *remember.Options) { o.Supersede = how })
}

// newBankScoping is a bank that judges whose a memory is.
func newBankScoping(t *testing.T, how remember.Scoping) *bank {
	t.Helper()
	return newBankAs(t, func(o *remember.Options) { o.Scoping = how })
}

func newBankAs(t *testing.T, set func(*remember.Options)) *bank {
	t.Helper()
	b := &bank{t: t, now: start}
	all := testbank.New(t, testbank.Options{Clock: func() time.Time { return b.now }})
	o := all.RememberOptions()
	set(&o)
	b.Service, b.store, b.dir = remember.New(o), all.Store, all.Dir
	return b
}

// later moves the clock by a minute.
func (b *bank) later() { b.now = b.now.Add(time.Minute) }

func (b *bank) save(r remember.SaveRequest) remember.SaveResult {
	b.t.Helper()
	result, err := b.Save(b.t.Context(), anna, r)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

func (b *bank) say(content string) remember.SaveResult {
	b.t.Helper()
	return b.save(remember.SaveRequest{Content: content})
}

func (b *bank) record(id string) remember.Found {
	b.t.Helper()
	found, missing, err := b.Get(b.t.Context(), anna, []string{id})
	if err != nil || len(missing) > 0 {
		b.t.Fatalf("record %s: %v, %v", id, missing, err)
	}
	return found[0]
}

func (b *bank) records() []memory.Record {
	b.t.Helper()
	var all []memory.Record
	err := b.store.EachRecord(b.t.Context(), "anna", func(r memory.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// search returns the contents that a word finds.
func (b *bank) search(word string, f memory.Filter) []string {
	b.t.Helper()
	f.Agent = "anna"
	hits, err := b.store.MatchWords(b.t.Context(), memory.Memories, f, []string{word}, 100)
	if err != nil {
		b.t.Fatal(err)
	}
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = h.Seq
	}
	docs, err := b.store.Documents(b.t.Context(), memory.Memories, f, seqs)
	if err != nil {
		b.t.Fatal(err)
	}
	contents := []string{}
	for _, d := range docs {
		contents = append(contents, d.Content)
	}
	return contents
}

func ptr[T any](v T) *T { return &v }

// wantCode fails unless err has the code and is not nil.
func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Errorf("error %v, want code %q", err, code)
	}
}
