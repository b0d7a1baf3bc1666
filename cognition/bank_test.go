package cognition_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

var (
	anna  = memory.Scope{Agent: "anna"}
	boris = memory.Scope{Agent: "boris"}
)

// mind is a service over a real database and workspace, with a clock.
type mind struct {
	*cognition.Service
	t        testing.TB
	remember *remember.Service
	recall   *recall.Service
	store    memory.Store
	dir      string
	now      time.Time
}

func newMind(t testing.TB) *mind {
	t.Helper()
	m := &mind{t: t, now: testbank.Start}
	bank := testbank.New(t, testbank.Options{Clock: func() time.Time { return m.now }, Mirror: true})
	m.store, m.dir, m.remember, m.recall = bank.Store, bank.Dir, bank.Remember, bank.Recall
	m.Service = cognition.New(bank.CognitionOptions())
	return m
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

// day is midnight UTC of a date.
func day(date string) time.Time { return at(date + "T00:00:00Z") }

func (m *mind) later() { m.now = m.now.Add(time.Hour) }

// found returns the contents that a recall shows.
func (m *mind) found(query string, kind memory.Kind) []string {
	m.t.Helper()
	answer, err := m.recall.Recall(m.t.Context(), recall.Request{
		Query: query, Scope: anna, Filter: memory.Filter{Kinds: []memory.Kind{kind}}, MinScore: recall.Floor,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	var contents []string
	for _, r := range answer.Results {
		contents = append(contents, r.Content)
	}
	return contents
}

func (m *mind) history(id string) []memory.Record {
	m.t.Helper()
	chain, err := m.store.History(m.t.Context(), "anna", id)
	if err != nil {
		m.t.Fatal(err)
	}
	return chain
}

// counted returns how many records there are, live or not.
func (m *mind) counted() int {
	m.t.Helper()
	n := 0
	if err := m.store.EachRecord(m.t.Context(), "anna", func(memory.Record) error { n++; return nil }); err != nil {
		m.t.Fatal(err)
	}
	return n
}

func ptr[T any](v T) *T { return &v }

// wantError fails unless err has the code and mentions a text.
func wantError(t testing.TB, err error, code memory.Code, mentions string) {
	t.Helper()
	if memory.CodeOf(err) != code || !strings.Contains(fmt.Sprint(err), mentions) {
		t.Errorf("error %v, want %s with %q", err, code, mentions)
	}
}

func want(t testing.TB, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
