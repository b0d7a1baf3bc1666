package dbtest

import (
	"errors"
	"slices"
	"testing"

	"mcp-memory/memory"
)

var erasedTests = map[string]func(*testing.T, *env){
	"archived by content": archivedByContent,
	"content that comes":  func(t *testing.T, e *env) { contentThatComes(t, e, func(memory.Tx) error { return nil }) },
	"content expected":    contentExpected,
	"expected":            expected,
	"slots expected":      slotsExpected,
	"expected once":       expectedOnce,
	"erased":              erased,
	"a whole bank":        eraseBank,
	"a session":           eraseSession,
	"some messages":       removeTurns,
}

func archivedByContent(t *testing.T, e *env) {
	first, second := e.record("The harbour is deep."), e.record("the  harbour is deep.")
	other := e.record("The harbour is deep.")
	other.Project = "garden"
	e.save(t, nil, first, second, other)
	find := func(project, content string) (id string) {
		e.write(t, func(tx memory.Tx) error {
			r, err := tx.ArchivedByContent(project, memory.KindFact, content)
			if r != nil {
				id = r.ID
			}
			return err
		})
		return id
	}
	if id := find("", "The harbour is deep."); id != "" {
		t.Errorf("of live records: %s", id)
	}
	for i, r := range []memory.Record{first, second} {
		r.ArchivedAt = day(i + 1)
		e.write(t, func(tx memory.Tx) error { return tx.UpdateRecord(r) })
		if id := find("", "The harbour  is deep."); id != r.ID {
			t.Errorf("archived last: %s, want %s", id, r.ID)
		}
	}
	if find("garden", "The harbour is deep.") != "" || find("", "The harbour is shallow.") != "" {
		t.Error("another project or content")
	}
}

// contentThatComes tests that RecordByContent finds what it did not find before in the same
// transaction, once that has inserted it or moved it to another project, and ArchivedByContent once
// it is archived. before is run first in the transaction.
func contentThatComes(t *testing.T, e *env, before func(memory.Tx) error) {
	r, other := e.record("The harbour is deep."), e.record("The harbour is deep.")
	other.Project = "garden"
	e.save(t, nil, other)
	live := func(tx memory.Tx, project, want string) {
		same, err := tx.RecordByContent(project, r.Kind, r.Content)
		if err != nil || (same == nil) != (want == "") || same != nil && same.ID != want {
			t.Errorf("project %q: %v, %v; want %q", project, same, err, want)
		}
	}
	e.write(t, func(tx memory.Tx) error {
		if err := before(tx); err != nil {
			return err
		}
		live(tx, "", "")
		live(tx, "garden", other.ID)
		live(tx, "", "")
		if err := tx.InsertRecord(r, nil); err != nil {
			return err
		}
		live(tx, "", r.ID)
		live(tx, "shed", "")
		r.Project = "shed"
		if err := tx.UpdateRecord(r); err != nil {
			return err
		}
		live(tx, "shed", r.ID)
		live(tx, "", "")
		if r, err := tx.ArchivedByContent("shed", r.Kind, r.Content); r != nil || err != nil {
			t.Errorf("archived: %v, %v", r, err)
		}
		r.ArchivedAt = day(1)
		if err := tx.UpdateRecord(r); err != nil {
			return err
		}
		live(tx, "shed", "")
		archived, err := tx.ArchivedByContent("shed", r.Kind, r.Content)
		if archived == nil || archived.ID != r.ID {
			t.Errorf("not found archived: %v", archived)
		}
		return err
	})
}

func erased(t *testing.T, e *env) {
	r := e.record("The harbour is deep.")
	e.write(t, func(tx memory.Tx) error { return tx.NoteErased(r, day(1)) })
	e.write(t, func(tx memory.Tx) error { return tx.NoteErased(r, day(2)) })
	e.reopen(t, Fingerprint)
	e.write(t, func(tx memory.Tx) error {
		for _, c := range []struct {
			project string
			kind    memory.Kind
			content string
			there   bool
		}{
			{"", memory.KindFact, "The harbour is deep.", true}, {"", memory.KindFact, " the harbour  is deep. ", true},
			{"x", memory.KindFact, r.Content, false}, {"", memory.KindDiary, r.Content, false}, {"", memory.KindFact, "The harbour", false},
		} {
			at, err := tx.Erased(c.project, c.kind, c.content)
			if err != nil || at.Equal(day(2)) != c.there || at.IsZero() == c.there {
				t.Errorf("%+v: %v, %v", c, at, err)
			}
		}
		return nil
	})
	err := e.Write(t.Context(), "bob", func(tx memory.Tx) error {
		if at, err := tx.Erased("", memory.KindFact, r.Content); !at.IsZero() || err != nil {
			t.Errorf("another's: %v, %v", at, err)
		}
		return tx.NoteErased(r, day(1))
	})
	if err == nil {
		t.Error("a bank notes what another has erased")
	}
}

func eraseBank(t *testing.T, e *env) {
	twoBanks(t, e)
	e.admit(t, e.token("secret"))
	e.request(t, e.ask())
	before := e.changes(t, agent)
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(tx.InsertTodo(e.todo("Sweep the quay")), tx.SetState("k", []byte(`{"a":1}`)),
			tx.NoteErased(e.record("Gone."), start))
	})
	for range 2 { // an empty bank can be erased as well
		e.write(t, func(tx memory.Tx) error { return tx.EraseBank() })
	}
	if err := e.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.reopen(t, Fingerprint)
	stats, err := e.Stats(t.Context(), agent)
	if err != nil || stats.Records+stats.Archived+stats.Superseded+stats.Turns+stats.Sessions+stats.Vectors+stats.VectorsQueued != 0 {
		t.Errorf("%+v, %v", stats, err)
	}
	if agents, err := e.Agents(t.Context()); !slices.Equal(agents, []string{"bob"}) || err != nil {
		t.Errorf("agents %q, %v", agents, err)
	}
	for _, c := range memory.Corpora() {
		hits, err := searches["words"](t.Context(), e, c, memory.Filter{Agent: agent}, 10)
		theirs, err3 := searches["words"](t.Context(), e, c, memory.Filter{Agent: "bob"}, 10)
		if err3 != nil || len(theirs) != 1 {
			t.Errorf("%s: of bob %v, %v", c, theirs, err3)
		}
		if counted, err2 := e.Statistics(t.Context(), agent, c, []string{"harbour"}); err != nil || err2 != nil || len(hits) > 0 ||
			counted.Documents+counted.Frequency["harbour"] != 0 {
			t.Errorf("%s: %v and %+v, %v, %v", c, hits, counted, err, err2)
		}
	}
	bobs, err := e.Stats(t.Context(), "bob")
	if err != nil || bobs.Records != 1 || bobs.Turns != 1 || bobs.Vectors != 2 {
		t.Errorf("bob's bank has %+v, %v", bobs, err)
	}
	if after := e.changes(t, agent); after.Rewrites <= before.Rewrites {
		t.Errorf("caches are not told: %+v after %+v", after, before)
	}
	tokens, err := e.Tokens(t.Context(), agent)
	if there, err2 := e.HasTokens(t.Context()); err != nil || err2 != nil || !there || len(tokens) != 1 || tokens[0].RevokedAt.IsZero() {
		t.Errorf("tokens %+v, %v, %v", tokens, err, err2)
	}
	if todos := e.todos(t, agent, memory.TodoAll); len(todos) > 0 {
		t.Errorf("%d to-dos", len(todos))
	}
	e.write(t, func(tx memory.Tx) error {
		state, err := tx.State("k")
		at, err2 := tx.Erased("", memory.KindFact, "Gone.")
		if state != nil || !at.IsZero() {
			t.Errorf("state %s, erased %v", state, at)
		}
		return errors.Join(err, err2)
	})
	// An erased bank can be written to again.
	e.save(t, towards(1), e.record("A new harbour."))
	hits, err := searches["words"](t.Context(), e, memory.Memories, memory.Filter{Agent: agent}, 10)
	if agents, err2 := e.Agents(t.Context()); err != nil || err2 != nil || len(hits) != 1 || !slices.Equal(agents, []string{agent, "bob"}) {
		t.Errorf("anew: %v and %q, %v, %v", hits, agents, err, err2)
	}
}

func eraseSession(t *testing.T, e *env) {
	in := func(session string) func(*memory.Turn) { return func(t *memory.Turn) { t.Session = session } }
	e.say(t, e.turn("The harbour is deep.", in("one")), e.turn("The harbour is wide.", in("one")),
		e.turn("The harbour is old.", in("other")))
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(
			tx.PutWindow(memory.Window{Agent: agent, Session: "one", Summary: "Deep."}),
			tx.PutWindow(memory.Window{Agent: agent, Session: "other"}),
			tx.SetState(memory.StateNotice+"one", []byte(`{"a":1}`)), tx.SetState(memory.StateNotice+"other", []byte(`{"a":1}`)),
			tx.SetState(memory.StateHook+"one", []byte(`{"a":1}`)), tx.SetState(memory.StateHook+"other", []byte(`{"a":1}`)))
	})
	e.put(t, e.job(memory.JobCompaction, "one"))
	e.put(t, e.job("other kind", "one"))
	e.write(t, func(tx memory.Tx) error {
		n, err := tx.EraseSession("one")
		if n != 2 {
			t.Errorf("%d messages", n)
		}
		return err
	})
	e.write(t, func(tx memory.Tx) error {
		one, err1 := tx.Window("one")
		other, err2 := tx.Window("other")
		news, err3 := tx.State(memory.StateNotice + "one")
		others, err4 := tx.State(memory.StateNotice + "other")
		hook, err9 := tx.State(memory.StateHook + "one")
		hooks, err10 := tx.State(memory.StateHook + "other")
		if err := errors.Join(err9, err10); err != nil || hook != nil || hooks == nil {
			t.Errorf("of hooks %s and %s, %v", hook, hooks, err)
		}
		job, err5 := tx.Job(memory.JobCompaction, "one")
		kept, err6 := tx.Job("other kind", "one")
		if one != nil || other == nil || news != nil || others == nil || job != nil || kept == nil {
			t.Errorf("windows %v and %v, state %s and %s, jobs %v and %v", one, other, news, others, job, kept)
		}
		n, err7 := tx.EraseSession("one")
		if n != 0 {
			t.Errorf("again: %d messages", n)
		}
		return errors.Join(err1, err2, err3, err4, err5, err6, err7)
	})
	hits, err := searches["words"](t.Context(), e, memory.Conversations, memory.Filter{Agent: agent}, 10)
	counted, err2 := e.Statistics(t.Context(), agent, memory.Conversations, []string{"harbour"})
	if err != nil || err2 != nil || len(hits) != 1 || counted.Documents != 1 {
		t.Errorf("left %v and %+v, %v, %v", hits, counted, err, err2)
	}
	if names, err := e.Sessions(t.Context(), agent, "", 10); !slices.Equal(names, []string{"other"}) || err != nil {
		t.Errorf("sessions %q, %v", names, err)
	}
}

func removeTurns(t *testing.T, e *env) {
	in := func(id, session string) func(*memory.Turn) {
		return func(t *memory.Turn) { t.ID, t.ExternalID, t.Session = id, "x"+id, session }
	}
	first := e.turn("The harbour is deep.", in("t1", "one"))
	e.say(t, first, e.turn("The harbour is wide.", in("t2", "one")), e.turn("The harbour is old.", in("t3", "other")))
	e.write(t, func(tx memory.Tx) error {
		n, err := tx.RemoveTurns([]string{"t1", "t3", "unknown"})
		if n != 2 {
			t.Errorf("%d messages", n)
		}
		none, err2 := tx.RemoveTurns(nil)
		if none != 0 {
			t.Errorf("%d messages of none", none)
		}
		return errors.Join(err, err2)
	})
	hits, err := searches["words"](t.Context(), e, memory.Conversations, memory.Filter{Agent: agent}, 10)
	counted, err2 := e.Statistics(t.Context(), agent, memory.Conversations, []string{"harbour"})
	if err != nil || err2 != nil || len(hits) != 1 || counted.Documents != 1 {
		t.Errorf("left %v and %+v, %v, %v", hits, counted, err, err2)
	}
	if names, err := e.Sessions(t.Context(), agent, "", 10); !slices.Equal(names, []string{"one"}) || err != nil {
		t.Errorf("sessions %q, %v", names, err)
	}
	e.say(t, first) // a removed turn can be stored again
	if hits, err := searches["words"](t.Context(), e, memory.Conversations, memory.Filter{Agent: agent}, 10); err != nil || len(hits) != 2 {
		t.Errorf("said again: %v, %v", hits, err)
	}
}
