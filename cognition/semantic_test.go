package cognition_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (m *mind) triple(r cognition.TripleRequest) cognition.SavedTriple {
	m.t.Helper()
	saved, err := m.SaveTriple(m.t.Context(), anna, r)
	if err != nil {
		m.t.Fatal(err)
	}
	return saved
}

// lives saves where Ann lives.
func (m *mind) lives(object, from, until string) cognition.SavedTriple {
	m.t.Helper()
	r := cognition.TripleRequest{Subject: "Ann", Predicate: "lives_in", Object: object, Confidence: 0.9}
	if from != "" {
		r.ValidFrom = day(from)
	}
	if until != "" {
		r.ValidUntil = day(until)
	}
	return m.triple(r)
}

// objects returns the objects that a query gives, newest first.
func (m *mind) objects(q cognition.TripleQuery) []string {
	m.t.Helper()
	found, total, err := m.Triples(m.t.Context(), anna, q)
	if err != nil || total < len(found) {
		m.t.Fatal(found, total, err)
	}
	objects := []string{}
	for _, r := range found {
		objects = append(objects, r.Triple.Object)
	}
	return objects
}

// home returns where Ann lived then, now if the date is empty.
func (m *mind) home(date string) string {
	m.t.Helper()
	q := cognition.TripleQuery{Subject: "Ann", Predicate: "lives_in"}
	if date != "" {
		q.AsOf = day(date)
	}
	return strings.Join(m.objects(q), "+")
}

func TestTripleIsFoundHoweverItIsWritten(t *testing.T) {
	m := newMind(t)
	saved := m.triple(cognition.TripleRequest{
		Subject: " PostgreSQL ", Predicate: "requires-port", Object: "5432", Category: "technical", Confidence: 1, Origin: "documentation",
	})
	if d := saved.Triple; saved.Content != "PostgreSQL requires port 5432" || d.Predicate != "requires_port" || d.Subject != "PostgreSQL" ||
		d.Origin != "documentation" || saved.Category != "technical" {
		t.Errorf("saved %+v %+v", saved.Record, d)
	}
	for _, q := range []cognition.TripleQuery{
		{Subject: "postgresql"}, {Predicate: "requires port"}, {Predicate: "Requires_Port"}, {Object: "5432"}, {},
		{Subject: "POSTGRESQL", Predicate: "requires-port", Object: "5432"},
	} {
		want(t, m.objects(q), []string{"5432"})
	}
	for _, q := range []cognition.TripleQuery{{Subject: "postgres"}, {Object: "5433"}, {Subject: "postgresql", Predicate: "requires"}} {
		want(t, m.objects(q), []string{})
	}
	if found := m.found("Which port does PostgreSQL need?", memory.KindTriple); len(found) != 1 {
		t.Errorf("found %q", found)
	}
	again := m.triple(cognition.TripleRequest{Subject: "postgresql", Predicate: "requires port", Object: "5432", Confidence: 0.5})
	want(t, []any{again.ID, again.Action, again.Confirmations, again.Triple.Confidence}, []any{saved.ID, remember.Duplicate, 2, 1.0})
	want(t, m.history(saved.ID)[0].Confirmations, 2)
	if _, total, _ := m.Triples(t.Context(), boris, cognition.TripleQuery{}); total != 0 {
		t.Errorf("boris has %d", total)
	}
}

func TestNewObjectClosesTheOld(t *testing.T) {
	m := newMind(t)
	oslo := m.lives("Oslo", "2020-01-01", "")
	bergen := m.lives("Bergen", "2024-06-01", "")
	if bergen.Action != remember.Superseded || len(bergen.Closed) != 1 || bergen.Closed[0].ID != oslo.ID ||
		len(bergen.Contradicted()) != 0 {
		t.Errorf("saved %+v", bergen)
	}
	m.later()
	turku := m.triple(cognition.TripleRequest{Subject: "Ann", Predicate: "lives in", Object: "Turku", Confidence: 0.3})
	if surer := turku.Contradicted(); len(surer) != 1 || surer[0].ID != bergen.ID || !turku.ValidFrom.Equal(m.now) {
		t.Errorf("saved %+v", turku)
	}
	m.later()
	for date, home := range map[string]string{"": "Turku", "2019-12-31": "", "2020-01-01": "Oslo", "2024-05-31": "Oslo",
		"2024-06-01": "Bergen", "2026-03-01": "Bergen", "2026-03-02": "Turku"} {
		if got := m.home(date); got != home {
			t.Errorf("on %q in %q, want %q", date, got, home)
		}
	}
	if chain := m.history(oslo.ID); len(chain) != 3 || chain[2].ID != turku.ID || !chain[0].ValidUntil.Equal(day("2024-06-01")) {
		t.Errorf("history %+v", chain)
	}
	// Back again: what was closed is no duplicate.
	back := m.lives("Oslo", "", "")
	if back.ID == oslo.ID || back.Action != remember.Superseded || m.home("") != "Oslo" || m.home("2021-01-01") != "Oslo" {
		t.Errorf("back %+v, at %s", back, m.home(""))
	}
}

func TestHistoryDoesNotCloseThePresent(t *testing.T) {
	m := newMind(t)
	m.lives("Bergen", "2024-06-01", "")
	oslo := m.lives("Oslo", "2020-01-01", "")
	if oslo.Action != remember.Created || len(oslo.Closed) != 0 || !oslo.ValidUntil.Equal(day("2024-06-01")) {
		t.Errorf("saved %+v", oslo)
	}
	rome := m.lives("Rome", "2010-01-01", "2012-01-01")
	if len(rome.Closed) != 0 || !rome.ValidUntil.Equal(day("2012-01-01")) {
		t.Errorf("saved %+v", rome)
	}
	paris := m.lives("Paris", "", "2009-01-01") // over, since nobody knows when
	if len(paris.Closed) != 0 || !paris.ValidFrom.IsZero() {
		t.Errorf("saved %+v", paris)
	}
	visit := m.lives("Kiev", "2025-01-01", "2025-02-01") // over, inside the present
	if len(visit.Closed) != 0 {
		t.Errorf("saved %+v", visit)
	}
	for date, home := range map[string]string{"": "Bergen", "2008-01-01": "Paris", "2011-01-01": "Rome", "2021-01-01": "Oslo",
		"2024-07-01": "Bergen", "2025-01-15": "Kiev+Bergen"} {
		if got := m.home(date); got != home {
			t.Errorf("on %q in %q, want %q", date, got, home)
		}
	}
}

// What is known to end later is true until then.
func TestFutureObject(t *testing.T) {
	m := newMind(t)
	bergen := m.lives("Bergen", "2024-06-01", "")
	if turku := m.lives("Turku", "2027-01-01", ""); turku.Supersedes != "" || len(turku.Closed) != 1 {
		t.Errorf("saved %+v", turku)
	}
	if got := m.home(""); got != "Bergen" {
		t.Errorf("now in %q", got)
	}
	if r := m.history(bergen.ID)[0]; !r.Live() || !r.ValidUntil.Equal(day("2027-01-01")) {
		t.Errorf("%+v", r)
	}
	m.now = day("2027-01-02")
	if got := m.home(""); got != "Turku" {
		t.Errorf("then in %q", got)
	}
}

// What was forgotten is neither repeated nor closed.
func TestForgottenTriples(t *testing.T) {
	m := newMind(t)
	oslo := m.lives("Oslo", "", "")
	if _, err := m.remember.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{oslo.ID}}); err != nil {
		t.Fatal(err)
	}
	if again := m.lives("Oslo", "", ""); again.ID == oslo.ID || again.Action != remember.Created {
		t.Errorf("again %+v", again)
	}
	if bergen := m.lives("Bergen", "", ""); len(bergen.Closed) != 1 {
		t.Errorf("bergen %+v", bergen)
	}
}

func TestRepetitionAddsStartAndEnd(t *testing.T) {
	m := newMind(t)
	first := m.lives("Oslo", "", "")
	if again := m.lives("Oslo", "2020-01-01", "2026-12-31"); again.ID != first.ID || again.Action != remember.Duplicate {
		t.Errorf("again %+v", again)
	}
	if r := m.history(first.ID)[0]; !r.ValidFrom.Equal(day("2020-01-01")) || !r.ValidUntil.Equal(day("2026-12-31")) || !r.Live() {
		t.Errorf("%+v", r)
	}
	if m.home("2019-01-01") != "" || m.home("2027-01-01") != "" || m.home("") != "Oslo" {
		t.Error("the times are wrong")
	}
}

func TestMultiValuedPredicates(t *testing.T) {
	m := newMind(t)
	say := func(predicate, object string, multi *bool) cognition.SavedTriple {
		m.t.Helper()
		m.now = m.now.Add(time.Minute)
		return m.triple(cognition.TripleRequest{Subject: "Ann", Predicate: predicate, Object: object, Confidence: 1, MultiValued: multi})
	}
	objects := func(predicate string) string {
		return strings.Join(m.objects(cognition.TripleQuery{Predicate: predicate}), " ")
	}
	for _, object := range []string{"tea", "jazz", "rain"} {
		if saved := say("likes", object, nil); len(saved.Closed) != 0 || !saved.Triple.Multi {
			t.Errorf("saved %+v", saved)
		}
	}
	want(t, objects("likes"), "rain jazz tea")
	if saved := say("likes", "silence", ptr(false)); len(saved.Closed) != 3 || saved.Action != remember.Superseded {
		t.Errorf("saved %+v", saved)
	}
	want(t, objects("likes"), "silence")

	say("drives", "a van", ptr(true))
	say("drives", "a bus", ptr(true))
	say("drives", "a car", nil) // does not close what was said to be one of several
	want(t, objects("drives"), "a car a bus a van")
	say("drives", "a bike", nil)
	want(t, objects("drives"), "a bike a bus a van")
	if saved := say("has-child", "Tim", nil); !saved.Triple.Multi {
		t.Errorf("saved %+v", saved)
	}
}

func TestMultiValuedList(t *testing.T) {
	for _, p := range []string{"likes", "Knows", "uses", "speaks", "owns", "has_child", "has child", "HAS-CHILD", "visited",
		"member_of", "can"} {
		if !cognition.MultiValued(p) {
			t.Errorf("%q is single-valued", p)
		}
	}
	for _, p := range []string{"lives_in", "requires_port", "name", "#", "", "born_in", "works_at"} {
		if cognition.MultiValued(p) {
			t.Errorf("%q is multi-valued", p)
		}
	}
}

func TestTriplesThatAreNone(t *testing.T) {
	m := newMind(t)
	good := cognition.TripleRequest{Subject: "Ann", Predicate: "lives_in", Object: "Oslo", Confidence: 1}
	for name, c := range map[string]struct {
		change   func(*cognition.TripleRequest)
		code     memory.Code
		mentions string
	}{
		"subject":    {func(r *cognition.TripleRequest) { r.Subject = " " }, memory.CodeInvalidArgument, "subject"},
		"predicate":  {func(r *cognition.TripleRequest) { r.Predicate = "_ -" }, memory.CodeInvalidArgument, "predicate"},
		"object":     {func(r *cognition.TripleRequest) { r.Object = "" }, memory.CodeInvalidArgument, "object"},
		"long":       {func(r *cognition.TripleRequest) { r.Object = strings.Repeat("x", 32<<10) }, memory.CodeTooLarge, "object"},
		"confidence": {func(r *cognition.TripleRequest) { r.Confidence = 1.1 }, memory.CodeInvalidArgument, "confidence"},
		"backwards": {func(r *cognition.TripleRequest) { r.ValidFrom, r.ValidUntil = day("2026-02-01"), day("2026-01-01") },
			memory.CodeInvalidArgument, "valid_until"},
		"category": {func(r *cognition.TripleRequest) { r.Category = "a/b" }, memory.CodeInvalidArgument, "category"},
		"NUL":      {func(r *cognition.TripleRequest) { r.Subject = "a\x00" }, memory.CodeInvalidArgument, "NUL"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.change(&r)
			_, err := m.SaveTriple(t.Context(), anna, r)
			wantError(t, err, c.code, c.mentions)
		})
	}
	_, _, err := m.Triples(t.Context(), anna, cognition.TripleQuery{Predicate: "_"})
	wantError(t, err, memory.CodeInvalidArgument, "predicate")
	if n := m.counted(); n != 0 {
		t.Errorf("%d records after nothing but refusals", n)
	}
}

// What is known in one project says nothing about another.
func TestTriplesOfProjects(t *testing.T) {
	m := newMind(t)
	shop, blog := anna, anna
	shop.Project, blog.Project = "shop", "blog"
	for scope, port := range map[memory.Scope]string{shop: "8080", blog: "9090"} {
		if _, err := m.SaveTriple(t.Context(), scope,
			cognition.TripleRequest{Subject: "server", Predicate: "port", Object: port, Confidence: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for scope, port := range map[memory.Scope]string{shop: "8080", blog: "9090"} {
		found, total, err := m.Triples(t.Context(), scope, cognition.TripleQuery{Subject: "server"})
		if err != nil || total != 1 || found[0].Triple.Object != port {
			t.Errorf("%+v, %d, %v", found, total, err)
		}
	}
}

// BenchmarkTriples asks for a subject among 100,000 triples; the budget is a
// median of 5 ms.
func BenchmarkTriples(b *testing.B) {
	m := newMind(b)
	ids := memory.NewIDs(func() time.Time { return m.now })
	for batch := range 100 {
		err := m.store.Write(b.Context(), "anna", func(tx memory.Tx) error {
			for i := range 1000 {
				n := batch*1000 + i
				t := memory.TripleDetails{Subject: fmt.Sprintf("subject %d", n/20), Predicate: fmt.Sprintf("predicate_%d", n%20),
					Object: fmt.Sprint(n), Confidence: 1}
				r := memory.Record{
					ID: ids.New(), Agent: "anna", Kind: memory.KindTriple,
					Category: memory.CategoryOther, Source: memory.SourceAgent, Importance: 0.5,
					Confirmations: 1, CreatedAt: m.now,
					Content: t.Subject + " " + t.Predicate + " " + t.Object, KindDetails: memory.KindDetails{Triple: &t},
				}
				if err := tx.InsertRecord(r, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	n := 0
	for b.Loop() {
		n++
		found, total, err := m.Triples(b.Context(), anna, cognition.TripleQuery{Subject: fmt.Sprintf("subject %d", n*7919%5000), Limit: 10})
		if err != nil || len(found) != 10 || total != 20 {
			b.Fatal(len(found), total, err)
		}
	}
}
