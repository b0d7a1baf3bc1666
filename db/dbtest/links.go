package dbtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"mcp-memory/memory"
)

var linkTests = map[string]func(*testing.T, *env){
	"round trip":                linkRoundTrip,
	"both sides see it":         bothSides,
	"newest first":              newestLinks,
	"pending":                   pendingLinks,
	"one decides":               oneDecides,
	"origins":                   origins,
	"linked records":            linkedRecords,
	"filter":                    linkFilter,
	"an erased copy is unknown": erasedCopy,
	"agents":                    agentNames,
	"audit log":                 auditLog,
	"audit log is pruned":       auditPruned,
}

// ask returns a pending link by which ann asks bob, changed by edits.
func (e *env) ask(edits ...func(*memory.Link)) memory.Link {
	l := memory.Link{ID: e.ids.New(), To: agent, From: "bob", Status: memory.LinkPending, RequestedAt: e.clock(), ExpiresAt: day(1)}
	for _, edit := range edits {
		edit(&l)
	}
	return l
}

// request stores links in the banks of the agents who ask.
func (e *env) request(t *testing.T, links ...memory.Link) {
	t.Helper()
	for _, l := range links {
		if err := e.Write(t.Context(), l.To, func(tx memory.Tx) error { return tx.InsertLink(l) }); err != nil {
			t.Fatal(err)
		}
	}
}

func linkRoundTrip(t *testing.T, e *env) {
	plain := e.ask()
	full := e.ask(func(l *memory.Link) {
		l.Message, l.Kinds, l.Categories, l.Since = "Please — 🌕",
			[]memory.Kind{memory.KindFact, memory.KindSoul}, []string{"goal", "ö"}, day(-9)
		l.SharedKinds, l.SharedCategories, l.SharedSince,
			l.Note = []memory.Kind{memory.KindFact}, []string{"goal"}, day(-3), "With pleasure."
		l.Status, l.DecidedAt, l.Copied, l.Skipped = memory.LinkShared, day(1), 12, 3
	})
	e.request(t, plain, full)
	e.reopen(t, Fingerprint)
	check := func(want memory.Link) {
		t.Helper()
		e.write(t, func(tx memory.Tx) error {
			got, err := tx.Link(want.ID)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %s\nwant %s", asJSON(got), asJSON(want))
			}
			return err
		})
	}
	check(plain)
	check(full)
	changed := full
	changed.ID, changed.From, changed.ExpiresAt, changed.RequestedAt = plain.ID, "carol", day(9), day(9)
	e.write(t, func(tx memory.Tx) error { return tx.UpdateLink(changed) })
	want := plain // what was asked for stays as it was
	want.SharedKinds, want.SharedCategories, want.SharedSince,
		want.Note = full.SharedKinds, full.SharedCategories, full.SharedSince, full.Note
	want.Status, want.DecidedAt, want.Copied, want.Skipped = full.Status, full.DecidedAt, full.Copied, full.Skipped
	check(want)
	unknown := e.ask()
	wantCode(t, e.Write(t.Context(), agent, func(tx memory.Tx) error { return tx.UpdateLink(unknown) }), memory.CodeNotFound)
}

// bothSides tests that only the two agents of a link can read it, and that only the one who asked
// has it in its bank and can change it.
func bothSides(t *testing.T, e *env) {
	l := e.ask()
	e.request(t, l, e.ask(func(l *memory.Link) { l.To, l.From = "carol", "dave" }))
	for who, sees := range map[string]bool{agent: true, "bob": true, "carol": false, "nobody": false, "": false} {
		got, err := e.LinkOf(t.Context(), who, l.ID)
		if sees && (!reflect.DeepEqual(got, l) || err != nil) {
			t.Errorf("%s sees %s, %v", who, asJSON(got), err)
		}
		if !sees && memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s sees %s, %v", who, asJSON(got), err)
		}
		list, err := e.Links(t.Context(), who, 10)
		if err != nil || slices.ContainsFunc(list, func(one memory.Link) bool { return one.ID == l.ID }) != sees {
			t.Errorf("%s lists %s, %v", who, asJSON(list), err)
		}
	}
	for name, fn := range map[string]func(memory.Tx) error{
		"Link":       func(tx memory.Tx) error { _, err := tx.Link(l.ID); return err },
		"UpdateLink": func(tx memory.Tx) error { return tx.UpdateLink(l) },
	} {
		if err := e.Write(t.Context(), "bob", fn); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := e.Write(t.Context(), "bob", func(tx memory.Tx) error { return tx.InsertLink(e.ask()) }); err == nil {
		t.Error("bob asked in ann's name")
	}
}

func idsOf(links []memory.Link) (ids []string) {
	for _, l := range links {
		ids = append(ids, l.ID)
	}
	return ids
}

func pendingLinks(t *testing.T, e *env) {
	after := func(days int, status memory.LinkStatus, from string) func(*memory.Link) {
		return func(l *memory.Link) { l.ExpiresAt, l.Status, l.From = day(days), status, from }
	}
	e.request(t, e.ask(after(1, memory.LinkPending, "bob")), e.ask(after(9, memory.LinkShared, "bob")),
		e.ask(after(9, memory.LinkPending, "carol")))
	newest := e.ask(after(3, memory.LinkPending, "bob"))
	e.request(t, newest)
	for _, c := range []struct {
		to, from string
		at       int
		want     string
	}{{agent, "bob", 2, newest.ID}, {agent, "bob", 3, newest.ID}, {agent, "bob", 4, ""}, {"bob", agent, 2, ""}, {agent, "dave", 2, ""}} {
		got, err := e.PendingLink(t.Context(), c.to, c.from, day(c.at))
		if err != nil || (got == nil) != (c.want == "") || got != nil && got.ID != c.want {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
		err = e.Write(t.Context(), c.to, func(tx memory.Tx) error {
			within, err := tx.PendingLink(c.from, day(c.at))
			if !reflect.DeepEqual(within, got) {
				t.Errorf("%+v: %+v within a transaction", c, within)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func newestLinks(t *testing.T, e *env) {
	var want []string
	for i := range 6 {
		l := e.ask(func(l *memory.Link) { l.RequestedAt = day(i / 2) })
		if i%3 == 1 {
			l.To, l.From = "bob", agent
		}
		e.request(t, l)
		want = append([]string{l.ID}, want...)
	}
	for limit := range 8 {
		links, err := e.Links(t.Context(), agent, limit)
		if got := idsOf(links); err != nil || !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Errorf("limit %d: %q, %v; want %q", limit, got, err, want)
		}
	}
	e.write(t, func(tx memory.Tx) error {
		l := e.ask(func(l *memory.Link) { l.RequestedAt = day(9) })
		if err := tx.InsertLink(l); err != nil {
			return err
		}
		links, err := tx.Links(3)
		if got := idsOf(links); !slices.Equal(got, append([]string{l.ID}, want[:2]...)) {
			t.Errorf("inside a transaction: %q, %v", got, err)
		}
		return err
	})
}

// oneDecides lets two stores share and decline the same request at once: only one decision may
// succeed.
func oneDecides(t *testing.T, e *env) {
	l := e.ask()
	e.request(t, l)
	stores := []memory.Store{e.Store, e.another(t, Fingerprint)}
	var wg sync.WaitGroup
	var decided atomic.Int32
	for i := range 6 {
		wg.Go(func() {
			err := stores[i%2].Write(t.Context(), agent, func(tx memory.Tx) error {
				now, err := tx.Link(l.ID)
				if err != nil {
					return err
				}
				if now.Status != memory.LinkPending {
					return memory.Errorf(memory.CodeConflict, "decided already")
				}
				now.Status, now.Copied = []memory.LinkStatus{memory.LinkShared, memory.LinkDeclined}[i%2], i
				return tx.UpdateLink(now)
			})
			if err == nil {
				decided.Add(1)
			} else if memory.CodeOf(err) != memory.CodeConflict {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := decided.Load(); n != 1 {
		t.Errorf("decided %d times", n)
	}
}

// origin returns the record that is a copy of another agent's record, or nil.
func (e *env) origin(t *testing.T, from, id string) (copied *memory.Record) {
	t.Helper()
	e.write(t, func(tx memory.Tx) (err error) {
		copied, err = tx.RecordByOrigin(from, id)
		return err
	})
	return copied
}

func origins(t *testing.T, e *env) {
	one, two := e.record("one"), e.record("two")
	e.save(t, nil, one, two)
	note := func(id, link, from, original string) {
		t.Helper()
		e.write(t, func(tx memory.Tx) error { return tx.NoteOrigin(id, link, from, original) })
	}
	note(one.ID, "l1", "bob", "b1")
	note(two.ID, "l1", "carol", "b1")
	e.reopen(t, Fingerprint)
	for _, c := range []struct {
		from, id string
		want     *memory.Record
	}{{"bob", "b1", &one}, {"carol", "b1", &two}, {"bob", "b2", nil}, {"dave", "b1", nil}, {agent, one.ID, nil}} {
		if got := e.origin(t, c.from, c.id); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s of %s: %s", c.id, c.from, asJSON(got))
		}
	}
	note(two.ID, "l2", "bob", "b1") // copied once more
	if got := e.origin(t, "bob", "b1"); got == nil || got.ID != two.ID {
		t.Errorf("after: %s", asJSON(got))
	}
	two.ArchivedAt = day(1)
	e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(two) })
	if got := e.origin(t, "bob", "b1"); got == nil || got.ID != two.ID {
		t.Errorf("archived: %s", asJSON(got))
	}
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if r, err := tx.RecordByOrigin("carol", "b1"); r != nil || err != nil {
			t.Errorf("bob sees %v, %v", r, err)
		}
		return tx.NoteOrigin(one.ID, "l1", "carol", "b1")
	})
	wantCode(t, err, memory.CodeNotFound)
}

func linkedRecords(t *testing.T, e *env) {
	var ids []string
	for i := range 6 {
		r := e.record(fmt.Sprint("harbour ", i))
		e.save(t, nil, r)
		ids = append(ids, r.ID)
		link := []string{"even", "odd"}[i%2]
		e.write(t, func(tx memory.Tx) error {
			if err := tx.NoteOrigin(r.ID, link, "bob", fmt.Sprint(9-i)); err != nil {
				return err
			}
			return tx.NoteOrigin(r.ID, link, "bob", fmt.Sprint("twin of ", i)) // says the same
		})
	}
	check := func(who, link string, want ...string) {
		t.Helper()
		if got, err := e.LinkedRecords(t.Context(), who, link); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s of %s: %q, %v; want %q", link, who, got, err, want)
		}
	}
	check(agent, "even", ids[0], ids[2], ids[4])
	e.write(t, func(tx memory.Tx) error {
		for i, edit := range map[int]func(*memory.Record){
			2: func(r *memory.Record) { r.ArchivedAt = day(1) },
			3: func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "x", day(1) },
		} {
			r, err := tx.Record(ids[i])
			if err != nil {
				return err
			}
			edit(&r)
			if err := tx.UpdateRecord(r); err != nil {
				return err
			}
		}
		return tx.EraseRecord(ids[1])
	})
	check(agent, "even", ids[0], ids[4])
	check(agent, "odd", ids[5])
	check(agent, "neither")
	check("bob", "even")
}

// linkFilter tests that a filter can select the records that came by a link.
func linkFilter(t *testing.T, e *env) {
	var records []memory.Record
	for i, link := range []string{"one", "two", "", "one"} {
		r := e.record(fmt.Sprint("harbour ", i), func(r *memory.Record) {
			if i == 3 {
				r.ArchivedAt = day(1)
			}
		})
		e.save(t, towards(0.9), r)
		records = append(records, r)
		for twin := range 2 * len(link) / 3 { // copied twice, or never
			e.write(t, func(tx memory.Tx) error { return tx.NoteOrigin(r.ID, link, "bob", fmt.Sprint(i, "-", twin)) })
		}
	}
	turn := e.turn("harbour of a conversation")
	e.write(t, func(tx memory.Tx) error {
		_, err := tx.InsertTurns([]memory.Turn{turn}, [][]float32{towards(0.9)})
		return err
	})
	seqs := allSeqs(t, e, memory.Memories, len(records))
	for name, c := range map[string]struct {
		filter memory.Filter
		want   []string
	}{
		"live":      {memory.Filter{Agent: agent, Link: "one"}, []string{"harbour 0"}},
		"archived":  {memory.Filter{Agent: agent, Link: "one", IncludeArchived: true}, []string{"harbour 0", "harbour 3"}},
		"and since": {memory.Filter{Agent: agent, Link: "two", Since: day(9)}, nil},
		"another":   {memory.Filter{Agent: agent, Link: "two"}, []string{"harbour 1"}},
		"unknown":   {memory.Filter{Agent: agent, Link: "three"}, nil},
		"bob's":     {memory.Filter{Agent: "bob", Link: "one"}, nil},
	} {
		checkFilter(t, e, memory.Memories, name, c.filter, seqs, c.want)
	}
	turns := allSeqs(t, e, memory.Conversations, 1)
	checkFilter(t, e, memory.Conversations, "turns", memory.Filter{Agent: agent, Link: "one"}, turns, nil)
}

// erasedCopy tests that a record whose copy was erased can be copied again.
func erasedCopy(t *testing.T, e *env) {
	r := e.record("harbour")
	e.save(t, nil, r)
	e.write(t, func(tx memory.Tx) error { return tx.NoteOrigin(r.ID, "l", "bob", "b1") })
	e.write(t, func(tx memory.Tx) error { return tx.EraseRecord(r.ID) })
	if got := e.origin(t, "bob", "b1"); got != nil {
		t.Errorf("%s", asJSON(got))
	}
	r.ID = e.ids.New()
	e.save(t, nil, r)
	e.write(t, func(tx memory.Tx) error { return tx.NoteOrigin(r.ID, "l", "bob", "b1") })
	if got := e.origin(t, "bob", "b1"); got == nil || got.ID != r.ID {
		t.Errorf("%s", asJSON(got))
	}
}

func agentNames(t *testing.T, e *env) {
	if got, err := e.Agents(t.Context()); len(got) != 0 || err != nil {
		t.Errorf("at first: %q, %v", got, err)
	}
	for _, who := range []string{"zoë", agent, "bob", agent} {
		e.save(t, nil, e.record("x", func(r *memory.Record) { r.Agent = who }))
	}
	if got, err := e.Agents(t.Context()); !slices.Equal(got, []string{agent, "bob", "zoë"}) || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func auditLog(t *testing.T, e *env) {
	var want []memory.AuditEntry
	for i := range 4 {
		one := memory.AuditEntry{Agent: agent, Actor: "bob", Action: "link.share", Subject: fmt.Sprint(i),
			At: day(-i)} // the log is in order of arrival, whatever At says
		if i%2 == 1 {
			one.Details = json.RawMessage(`{"n": "<1>"}`)
		}
		bobs := one
		bobs.Agent = "bob"
		want = append([]memory.AuditEntry{one}, want...)
		for _, entry := range []memory.AuditEntry{one, bobs} {
			if err := e.Write(t.Context(), entry.Agent, func(tx memory.Tx) error { return tx.Audit(entry) }); err != nil {
				t.Fatal(err)
			}
		}
		if i == 1 {
			e.reopen(t, Fingerprint)
		}
	}
	for limit := range 6 {
		got, err := e.AuditLog(t.Context(), agent, limit)
		if n := min(limit, len(want)); err != nil || len(got) != n || n > 0 && !reflect.DeepEqual(got, want[:n]) {
			t.Errorf("limit %d: %s, %v", limit, asJSON(got), err)
		}
	}
	if got, err := e.AuditLog(t.Context(), "nobody", 9); len(got) != 0 || err != nil {
		t.Errorf("of nobody: %v, %v", got, err)
	}
	if err := e.Write(t.Context(), "bob", func(tx memory.Tx) error { return tx.Audit(want[0]) }); err == nil {
		t.Error("bob wrote into ann's log")
	}
}

// auditPruned tests that PruneAudit removes the oldest entries, at most limit at a time, and none
// of other banks, and that entries noted after the last one was removed are listed newest first.
func auditPruned(t *testing.T, e *env) {
	note := func(who string, i int) {
		t.Helper()
		entry := memory.AuditEntry{Agent: who, Actor: "bob", Action: "save", Subject: fmt.Sprint(i), At: day(i)}
		if err := e.Write(t.Context(), who, func(tx memory.Tx) error { return tx.Audit(entry) }); err != nil {
			t.Fatal(err)
		}
	}
	left := func(who string, want ...string) {
		t.Helper()
		entries, err := e.AuditLog(t.Context(), who, 99)
		var got []string
		for _, one := range entries {
			got = append(got, one.Subject)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s has %q, %v; want %q", who, got, err, want)
		}
	}
	for i := range 6 {
		note(agent, i)
		note("bob", i)
	}
	for _, want := range []int{3, 1, 0} {
		if n, err := e.PruneAudit(t.Context(), agent, day(4), 3); err != nil || n != want {
			t.Errorf("%d, %v; want %d", n, err, want)
		}
	}
	left(agent, "5", "4")
	if n, err := e.PruneAudit(t.Context(), agent, day(9), 9); err != nil || n != 2 {
		t.Errorf("%d, %v; want 2", n, err)
	}
	note(agent, 7)
	note(agent, 8)
	left(agent, "8", "7")
	left("bob", "5", "4", "3", "2", "1", "0")
	if n, err := e.PruneAudit(t.Context(), "nobody", day(9), 9); err != nil || n != 0 {
		t.Errorf("of nobody: %d, %v", n, err)
	}
}
