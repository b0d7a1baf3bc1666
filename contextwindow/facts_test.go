package contextwindow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// watched is a store that tells of every write transaction.
type watched struct {
	memory.Store
	before func() error // may refuse it; may be nil
	after  func()       // once it is done; may be nil
}

func (w watched) Write(ctx context.Context, agent string, fn func(memory.Tx) error) error {
	if w.before != nil {
		if err := w.before(); err != nil {
			return err
		}
	}
	err := w.Store.Write(ctx, agent, fn)
	if w.after != nil && err == nil {
		w.after()
	}
	return err
}

// watch lets a service and what it saves memories with use stores that tell.
func (b *bank) watch(service, facts watched) func(*contextwindow.Options) {
	return func(o *contextwindow.Options) {
		service.Store, facts.Store = b.store, b.store
		saves := b.rememberOptions()
		saves.Store, o.Store = facts, service
		o.Remember = remember.New(saves)
	}
}

// TestTransactions: a compaction takes as many write transactions as it has
// steps, and two more: one for the lease, one for all facts. Looking for what is
// remembered already takes none.
func TestTransactions(t *testing.T) {
	for _, facts := range []int{1, 30} {
		b := newBank(t)
		writes := 0
		service := b.service(b.watch(watched{after: func() { writes++ }}, watched{after: func() { writes++ }}))
		var messages []contextwindow.Message
		for i := range facts {
			messages = append(messages, filler(i, 13))
		}
		for len(messages) < 35 {
			messages = append(messages, say("Hm."))
		}
		if r, err := service.Append(t.Context(),
			contextwindow.AppendRequest{Scope: anna, Session: session, Messages: messages,
				Total: 1 << 20}); err != nil || r.Action != contextwindow.ActionNone {
			t.Fatal(r.Action, err)
		}
		writes = 0
		r, err := service.Compact(t.Context(), contextwindow.CompactRequest{Scope: anna, Session: session})
		if err != nil || r.Action != contextwindow.ActionCompacted || len(r.FactsSaved) != facts {
			t.Fatalf("%s, %d facts, %v", r.Action, len(r.FactsSaved), err)
		}
		if want := len(contextwindow.Steps()) + 2; writes != want {
			t.Errorf("%d facts take %d write transactions, want %d", facts, writes, want)
		}
	}
}

// TestFactsOneByOne: each fact of a batch has its own fate, and the ids are in
// the order of the facts.
func TestFactsOneByOne(t *testing.T) {
	b := newBank(t)
	known := save(b, remember.SaveRequest{Content: "The harbour has nine cranes."})
	b.append(say("a"), say("b"))
	data := `{"mode": "flush", "from": 0, "to": 2, "keep": 0, "facts_given": true, "facts": [
		{"content": "Anna moors at pier four.", "turn": 1},
		{"content": "This one is refused.", "category": "a/b", "turn": 1},
		{"content": "the harbour has NINE cranes", "turn": 1},
		{"content": "Anna sails on Sundays.", "turn": -1},
		{"content": "anna moors at pier four", "turn": 1}]}`
	err := b.store.Write(t.Context(), anna.Agent, func(tx memory.Tx) error {
		return tx.PutJob(memory.Job{
			ID: "left", Agent: anna.Agent, Kind: "compaction", Subject: session, Step: contextwindow.StepFacts, Data: json.RawMessage(data),
			CreatedAt: start, UpdatedAt: start,
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := b.Resume(t.Context(), anna.Agent); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	s := b.status()
	if s.PendingJobs != 0 || s.Flushed != 2 || len(s.FactsSaved) != 4 {
		t.Fatalf("%+v", s)
	}
	var got []string
	for _, id := range s.FactsSaved {
		records, err := b.store.Records(t.Context(), anna.Agent, []string{id})
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		got = append(got, records[0].Content)
	}
	if want := []string{"Anna moors at pier four.", "The harbour has nine cranes.", "Anna sails on Sundays.",
		"Anna moors at pier four."}; !slices.Equal(got, want) {
		t.Errorf("saved %q, want %q", got, want)
	}
	if s.FactsSaved[1] != known || len(b.facts()) != 3 {
		t.Errorf("facts %q", b.facts())
	}
}

// TestSavedButNotRecorded: the facts are in the database, but the process did
// not come to record it. The next attempt saves none twice, and brings none back
// that was forgotten meanwhile, nor does it write that one to MEMORY.md.
func TestSavedButNotRecorded(t *testing.T) {
	b := newBank(t)
	var saved, failed bool
	service := b.service(b.watch(watched{before: func() error {
		if saved && !failed {
			failed = true
			return errors.New("the power is cut")
		}
		return nil
	}}, watched{after: func() { saved = true }}))
	b.append(filler(1, 13), filler(2, 13), filler(3, 13))
	request := contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}
	r, err := service.Compact(t.Context(), request)
	if err != nil || r.Action != contextwindow.ActionFlushStarted || !failed || b.status().Step != contextwindow.StepFacts {
		t.Fatalf("%s, %v, status %+v", r.Action, err, b.status())
	}
	facts := b.facts()
	var forgotten string
	err = b.store.EachRecord(t.Context(), anna.Agent, func(r memory.Record) error {
		if strings.Contains(r.Content, "number 2 ") {
			forgotten = r.ID
		}
		return nil
	})
	if err == nil {
		_, err = remember.New(b.rememberOptions()).Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{forgotten}})
	}
	if err != nil || forgotten == "" {
		t.Fatal(forgotten, err)
	}
	b.later(time.Hour)
	r, err = service.Compact(t.Context(), request)
	if err != nil || r.Action != contextwindow.ActionFlushed || len(r.FactsSaved) != 3 || r.FactsSaved[1] != forgotten {
		t.Errorf("%s with %q, %v", r.Action, r.FactsSaved, err)
	}
	if got := b.facts(); !slices.Equal(got, facts) || len(got) != 3 {
		t.Errorf("facts %q, then %q", facts, got)
	}
	if strings.Contains(b.file("MEMORY.md"), "locker number 2 ") {
		t.Errorf("MEMORY.md has what was forgotten:\n%s", b.file("MEMORY.md"))
	}
	for _, n := range []int{1, 3} {
		if fact := fmt.Sprintf("locker number %d is blue", n); strings.Count(b.file("MEMORY.md"), fact) != 1 {
			t.Errorf("MEMORY.md does not have %q once", fact)
		}
	}
}

// TestChangeWithinAConversation: of a state that changes while it is told, the
// last one holds, in the bank and in MEMORY.md.
func TestChangeWithinAConversation(t *testing.T) {
	b := newBank(t)
	service := b.service(func(o *contextwindow.Options) { o.Summarizers = b.all.Summarizers() })
	messages := []contextwindow.Message{say("My manager is Petra."), answer("Good."), say("My manager is Samir now.")}
	if _, err := service.Append(t.Context(),
		contextwindow.AppendRequest{Scope: anna, Session: session, Messages: messages, Total: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Compact(t.Context(),
		contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}); err != nil {
		t.Fatal(err)
	}
	var live, all []string
	err := b.store.EachRecord(t.Context(), anna.Agent, func(r memory.Record) error {
		if all = append(all, r.Content); r.Live() {
			live = append(live, r.Content)
		}
		return nil
	})
	if err != nil || len(all) != 2 || len(live) != 1 || !strings.Contains(live[0], "Samir") {
		t.Errorf("live %q of %q, %v", live, all, err)
	}
}
