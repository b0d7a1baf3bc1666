package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
)

var start = testbank.Start

// clock tells a time that only tests move.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// bank is a new database with all that works on it.
type bank struct {
	transfer.Deps
	store  memory.Store
	clock  *clock
	scope  memory.Scope // of load
	queued *atomic.Int32
	logged atomic.Int32 // lines of the day's log
}

// remote is the builtin embedder, but one that a save does not wait for.
type remote struct{ *embed.Builtin }

func (remote) Local() bool { return false }

func newBank(t testing.TB) *bank { return newBankWith(t, embed.NewBuiltin()) }

func newBankWith(t testing.TB, embedder memory.Embedder) *bank {
	t.Helper()
	b := &bank{clock: &clock{start}, scope: anna}
	all := testbank.New(t, testbank.Options{Embedder: embedder, Clock: b.clock.Now})
	o := all.RememberOptions()
	o.DayLog = func(string) remember.DayLog { return dayLog{&b.logged} }
	all.Remember = remember.New(o)
	b.store, b.queued, b.Deps = all.Store, &all.Waiting, all.Transfer()
	return b
}

// dayLog counts what it was given.
type dayLog struct{ lines *atomic.Int32 }

var _ remember.DayLog = dayLog{}

func (dayLog) DayLogName(memory.Record) string { return "" }

func (dayLog) EraseSession(context.Context, string) error   { return nil }
func (dayLog) EraseAll(context.Context) error               { return nil }
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
		line := map[string]any{"session": fmt.Sprintf("s%d", i%4), "speaker": "Anna", "ts": "2026-02-03T04:05:06",
			"text": fmt.Sprintf("Message %d", i/2)}
		if i%3 > 0 {
			line["id"] = fmt.Sprintf("m%d", i)
		}
		b, _ := json.Marshal(line)
		text.Write(append(b, '\n'))
	}
	return text.String()
}
