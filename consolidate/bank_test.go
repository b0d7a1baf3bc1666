package consolidate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/consolidate"
	"mcp-memory/embed"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

const agent = "anna"

var start = testbank.Start

// bank is a database in a directory with a service over it.
type bank struct {
	*consolidate.Service
	t      testing.TB
	all    *testbank.Bank
	store  memory.Store
	recall *recall.Service
	ids    *memory.IDs
	moved  testbank.Clock
}

func newBank(t testing.TB, edits ...func(*consolidate.Options)) *bank {
	t.Helper()
	return openBank(t, t.TempDir(), edits...)
}

// openBank opens what is in a directory, as a process does that starts.
func openBank(t testing.TB, dir string, edits ...func(*consolidate.Options)) *bank {
	t.Helper()
	b := &bank{t: t}
	b.all = testbank.New(t, testbank.Options{Dir: dir, Clock: b.clock})
	b.store, b.recall, b.ids = b.all.Store, b.all.Recall, b.all.IDs
	b.Service = b.service(edits...)
	return b
}

func (b *bank) clock() time.Time { return b.moved.Now() }

// service is one more service over the bank, as of another process.
func (b *bank) service(edits ...func(*consolidate.Options)) *consolidate.Service {
	o := b.all.ConsolidateOptions()
	for _, edit := range edits {
		edit(&o)
	}
	return consolidate.New(o)
}

// memory is a long-term memory of a category, an hour after the one before.
func (b *bank) memory(i int, category, content string) memory.Record {
	return memory.Record{
		ID: b.ids.New(), Agent: agent, Kind: memory.KindLongTerm,
		Category: category, Content: content, Importance: memory.DefaultImportance,
		Source: memory.SourceAgent, Confirmations: 1, CreatedAt: b.clock(), OccurredAt: start.Add(time.Duration(i-10_000) * time.Hour),
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{}},
	}
}

func (b *bank) save(records ...memory.Record) {
	b.t.Helper()
	texts := make([]string, len(records))
	for i, r := range records {
		texts[i] = r.Content
	}
	vectors, err := embed.NewBuiltin().EmbedDocuments(b.t.Context(), texts)
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(func(tx memory.Tx) error {
		for i, r := range records {
			if err := tx.InsertRecord(r, vectors[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *bank) write(fn func(memory.Tx) error) {
	b.t.Helper()
	if err := b.store.Write(b.t.Context(), agent, fn); err != nil {
		b.t.Fatal(err)
	}
}

// edit changes a record.
func (b *bank) edit(id string, change func(*memory.Record)) {
	b.t.Helper()
	b.write(func(tx memory.Tx) error {
		r, err := tx.Record(id)
		if err != nil {
			return err
		}
		change(&r)
		return tx.UpdateRecord(r)
	})
}

// say stores turns of a conversation, a minute apart.
func (b *bank) say(project string, from, n int) {
	b.t.Helper()
	var turns []memory.Turn
	for i := from; i < from+n; i++ {
		role, text := memory.RoleUser,
			fmt.Sprintf("I moved %d crates to the warehouse in %s with %s.", 100+i, places[abs(i)%len(places)], people[abs(i)%len(people)])
		if i%2 != 0 {
			role, text = memory.RoleAssistant, "That sounds good. What would you like to do next?"
		}
		turns = append(turns, memory.Turn{
			ID: b.ids.New(), Agent: agent, Project: project, Session: "s" + project, Role: role, Speaker: string(role), Content: text,
			SaidAt: start.Add(time.Duration(i-20_000) * time.Minute), CreatedAt: b.clock(),
		})
	}
	b.write(func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, nil); return err })
}

func abs(i int) int { return max(i, -i) }

var (
	people = strings.Fields("Priya Tomasz Ingrid Okonkwo Beatriz Hiroshi Fatima Lachlan")
	places = strings.Fields("Gdansk Porto Osaka Lagos Bergen Quito Perth")
	topics = []struct{ category, form string }{
		{"technical", "%s repaired the database server in %s after %d errors."},
		{"financial", "%s paid an invoice of the supplier in %s over %d euros."},
		{"social", "%s invited the neighbours in %s to dinner for %d people."},
	}
)

// fill saves n memories of three themes and returns them.
func (b *bank) fill(from, n int) []memory.Record {
	b.t.Helper()
	var list []memory.Record
	for i := from; i < from+n; i++ {
		topic := topics[i%len(topics)]
		list = append(list, b.memory(i, topic.category, fmt.Sprintf(topic.form, people[i%len(people)], places[i%len(places)], 1000+i)))
	}
	b.save(list...)
	return list
}

// care does self-care that has to succeed.
func (b *bank) care(r consolidate.Request) consolidate.Result {
	b.t.Helper()
	r.Agent = agent
	result, err := b.SelfCare(b.t.Context(), r)
	if err != nil {
		b.t.Fatal(err, errors.Unwrap(err))
	}
	return result
}

// refuse does self-care that has to fail.
func (b *bank) refuse(r consolidate.Request, code memory.Code, mentions string) {
	b.t.Helper()
	if r.Agent == "" {
		r.Agent = agent
	}
	_, err := b.SelfCare(b.t.Context(), r)
	if memory.CodeOf(err) != code || !strings.Contains(err.Error(), mentions) {
		b.t.Errorf("%+v: error %v, want %s that mentions %q", r, err, code, mentions)
	}
}

func (b *bank) record(id string) memory.Record {
	b.t.Helper()
	list, err := b.store.Records(b.t.Context(), agent, []string{id})
	if err != nil || len(list) != 1 {
		b.t.Fatalf("record %s: %v, %v", id, list, err)
	}
	return list[0]
}

// live returns the live records of a kind, oldest event first.
func (b *bank) live(k memory.Kind) []memory.Record {
	b.t.Helper()
	list, _, err := b.store.List(b.t.Context(), memory.CatalogFilter{Agent: agent, Kind: k})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// found is an answer to every question, whole, over memories and conversations.
func (b *bank) found(f memory.Filter, questions ...string) string {
	b.t.Helper()
	var all []recall.Answer
	for _, q := range questions {
		for _, c := range memory.Corpora() {
			answer, err := b.recall.Recall(b.t.Context(), recall.Request{
				Query: q, Scope: memory.Scope{Agent: agent, Project: memory.AllProjects},
				Corpora: []memory.Corpus{c}, Filter: f, Limit: 20, Explain: true,
			})
			if err != nil {
				b.t.Fatal(err)
			}
			all = append(all, answer)
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// everything is the whole state of a bank, without what the store counts.
func (b *bank) everything() string {
	b.t.Helper()
	var lines []any
	err := b.store.EachRecord(b.t.Context(), agent, func(r memory.Record) error { lines = append(lines, r); return nil })
	if err == nil {
		err = b.store.EachTurn(b.t.Context(), agent, func(t memory.Turn) error { lines = append(lines, t); return nil })
	}
	if err != nil {
		b.t.Fatal(err)
	}
	jobs, err := b.store.Jobs(b.t.Context(), agent, "self_care")
	if err != nil {
		b.t.Fatal(err)
	}
	state, err := b.store.State(b.t.Context(), agent, "conversations_summarised_until")
	if err != nil {
		b.t.Fatal(err)
	}
	data, err := json.Marshal(append(lines, jobs, state))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// model is a summarizer that is not local. It says what it was told to say.
type model struct {
	fail  error
	text  string // empty is a list of all that it got
	asked atomic.Int32
	hook  func() // before it answers; may be nil
}

func (m *model) Name() string { return "llm" }
func (m *model) Local() bool  { return false }
func (m *model) Extract(context.Context, memory.ExtractRequest) ([]memory.Extracted, error) {
	return nil, errors.New("not asked for")
}

func (m *model) Summarize(_ context.Context, r memory.SummaryRequest) (string, error) {
	m.asked.Add(1)
	if m.hook != nil {
		m.hook()
	}
	if m.fail != nil || m.text != "" {
		return m.text, m.fail
	}
	var first string
	for _, t := range r.Texts {
		first += t.Text + " "
	}
	return first[:min(len(first), 2*r.MaxTokens)], nil
}
