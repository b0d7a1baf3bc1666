package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/db"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
	"mcp-memory/transfer"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock tells a time that only tests move.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// bank is a new database with all that works on it.
type bank struct {
	transfer.Deps
	store  memory.Store
	clock  *clock
	scope  memory.Scope // of load
	queued atomic.Int32
	logged atomic.Int32 // lines of the day's log
}

// remote is the builtin embedder, but one that a save does not wait for.
type remote struct{ *embed.Builtin }

func (remote) Local() bool { return false }

func newBank(t testing.TB) *bank { return newBankWith(t, embed.NewBuiltin()) }

func newBankWith(t testing.TB, embedder memory.Embedder) *bank {
	t.Helper()
	b := &bank{clock: &clock{start}, scope: anna}
	store, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "bank.db"), db.Options{Embedder: embedder.Fingerprint(), Clock: b.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	queued := func() { b.queued.Add(1) }
	ids := memory.NewIDs(b.clock.Now)
	b.store = store
	b.Deps = transfer.Deps{
		Store: store, Embedder: embedder, Clock: b.clock.Now, IDs: ids, Queued: queued, Log: slog.New(slog.DiscardHandler),
		Service: remember.New(remember.Options{
			Store: store, Embedder: embedder, Categories: taxonomy.New(memory.DefaultCategories(), semantics.Builtin),
			Clock: b.clock.Now, IDs: ids, DayLog: func(string) remember.DayLog { return dayLog{&b.logged} }, Queued: queued, Log: slog.New(slog.DiscardHandler),
		}),
	}
	return b
}

// dayLog counts what it was given.
type dayLog struct{ lines *atomic.Int32 }

var _ remember.DayLog = dayLog{}

func (dayLog) DayLogName(memory.Record) string { return "" }

func (dayLog) Erase(context.Context, []memory.Record) error { return nil }

func (l dayLog) AppendDayLog(memory.Record) error {
	l.lines.Add(1)
	return nil
}

var anna = memory.Scope{Agent: "anna"}

func (b *bank) load(format transfer.Format, text string) (transfer.Report, error) {
	return transfer.Import(context.Background(), b.Deps, bytes.NewBufferString(text), transfer.Options{Format: format, Scope: b.scope})
}

func (b *bank) mustLoad(t testing.TB, format transfer.Format, text string) transfer.Report {
	t.Helper()
	report, err := b.load(format, text)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (b *bank) records(t testing.TB, agent string) []memory.Record {
	t.Helper()
	var all []memory.Record
	err := b.store.EachRecord(t.Context(), agent, func(r memory.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (b *bank) turns(t testing.TB, agent string) []memory.Turn {
	t.Helper()
	var all []memory.Turn
	err := b.store.EachTurn(t.Context(), agent, func(turn memory.Turn) error {
		all = append(all, turn)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// factLines returns n different facts; every third has no id.
func factLines(n int) string {
	var text bytes.Buffer
	for i := range n {
		line := map[string]any{"content": fmt.Sprintf("Invoice %d of the harbour café was paid in %d instalments.", i, i%7+2)}
		if i%3 > 0 {
			line["id"] = fmt.Sprintf("f%d", i)
		}
		b, _ := json.Marshal(line)
		text.Write(append(b, '\n'))
	}
	return text.String()
}

// turnLines returns n different messages of four sessions; every third has no id.
func turnLines(n int) string {
	var text bytes.Buffer
	for i := range n {
		line := map[string]any{"session": fmt.Sprintf("s%d", i%4), "speaker": "Anna", "ts": "2026-02-03T04:05:06", "text": fmt.Sprintf("Message %d", i/2)}
		if i%3 > 0 {
			line["id"] = fmt.Sprintf("m%d", i)
		}
		b, _ := json.Marshal(line)
		text.Write(append(b, '\n'))
	}
	return text.String()
}
