package remember_test

import (
	"fmt"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// log returns all changes in pages of two, so that no page is the whole.
func (b *bank) log(scope memory.Scope) (all []remember.Changed) {
	b.t.Helper()
	for before := ""; ; {
		page, err := b.Log(b.t.Context(), scope, before, 2)
		if err != nil {
			b.t.Fatal(err)
		}
		if all = append(all, page...); len(page) < 2 {
			return all
		}
		before = page[1].ID
	}
}

func (b *bank) takeBack(id string) remember.ForgetResult {
	b.t.Helper()
	r, err := b.TakeBack(b.t.Context(), anna, id)
	if err != nil {
		b.t.Fatalf("take %s back: %v", id, err)
	}
	return r
}

// TestEveryChangeIsTakenBack changes a bank in every way, and takes all of it back,
// the last first: then it is as before each time.
func TestEveryChangeIsTakenBack(t *testing.T) {
	b := newBankOf(t, remember.SupersedeAuto)
	kept := b.say("Anna plays the oboe.")
	b.later()
	type step struct {
		name string
		did  remember.Did
		do   func()
	}
	var city, moved, coffee string
	text, high := "Anna drinks coffee with milk.", 0.9
	for _, s := range []step{
		{"save", remember.DidSave, func() { city = b.say("I live in Oslo.").ID }},
		{"a later state", remember.DidUpdate, func() { moved = b.say("I live in Bergen now.").ID }},
		{"a save", remember.DidSave, func() { coffee = b.say("Anna drinks coffee.").ID }},
		{"an update of the text", remember.DidUpdate, func() {
			r, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: coffee, Content: &text})
			if err != nil {
				t.Fatal(err)
			}
			coffee = r.ID
		}},
		{"an update in place", remember.DidUpdate, func() {
			if _, err := b.Update(t.Context(), anna,
				remember.UpdateRequest{ID: kept.ID, Importance: &high, Tags: &[]string{"music"}}); err != nil {
				t.Fatal(err)
			}
		}},
		{"a correction", remember.DidUpdate, func() {
			b.save(remember.SaveRequest{Content: "Anna drinks tea.", Supersedes: coffee})
		}},
		{"a forgetting", remember.DidForget, func() { b.forget(remember.ForgetRequest{IDs: []string{kept.ID}}) }},
	} {
		before := b.states()
		s.do()
		if moved == "" && city != "" && s.name != "save" {
			t.Fatal("no step moved")
		}
		after := b.states()
		if after == before {
			t.Fatalf("%s changes nothing", s.name)
		}
		last := b.log(anna)[0]
		if last.Action != s.did || last.Count != 1 {
			t.Errorf("%s is logged as %+v", s.name, last)
		}
		b.takeBack(last.ID)
		if after := b.states(); after != before {
			t.Errorf("%s, taken back:\n%s\nbefore:\n%s", s.name, after, before)
		}
		if _, err := b.TakeBack(t.Context(), anna, last.ID); memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("%s, a second time: %v", s.name, err)
		}
		if got := b.log(anna)[0]; got.UndoneAt.IsZero() {
			t.Errorf("%s is not marked as taken back", s.name)
		}
		b.later()
		if r, err := b.Redo(t.Context(), anna, ""); err != nil || len(r.IDs) == 0 {
			t.Fatalf("%s, redone: %+v, %v", s.name, r, err)
		}
		if again := b.states(); again != after {
			t.Errorf("%s, redone:\n%s\nafter it was done:\n%s", s.name, again, after)
		}
		if got := b.log(anna)[0]; got.ID != last.ID || !got.UndoneAt.IsZero() {
			t.Errorf("%s, redone, is logged as %+v", s.name, got)
		}
		if _, err := b.Redo(t.Context(), anna, ""); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%s, redone twice: %v", s.name, err)
		}
		b.takeBack(last.ID)
		if again := b.states(); again != before {
			t.Errorf("%s, taken back again:\n%s\nbefore:\n%s", s.name, again, before)
		}
		b.later()
		s.do() // again, for the next ones
		b.later()
	}
	if _, err := b.TakeBack(t.Context(), boris, kept.ID); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("by somebody else: %v", err)
	}
	if got := b.log(boris); len(got) > 0 {
		t.Errorf("the log of somebody else has %+v", got)
	}
}

// TestTheLastIsTakenBackFirst keeps a change in the middle from being taken back
// while a later one stands on it.
func TestTheLastIsTakenBackFirst(t *testing.T) {
	b := newBank(t)
	first := b.say("The deploy is on Mondays.")
	b.later()
	text := "The deploy is on Tuesdays."
	if _, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: first.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	before := b.states()
	if _, err := b.TakeBack(t.Context(), anna, first.ID); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("taken back under a correction: %v", err)
	}
	if after := b.states(); after != before {
		t.Errorf("a refusal changed\n%s\nto\n%s", before, after)
	}
	log := b.log(anna)
	if len(log) != 2 || log[1].ID != first.ID || len(log[0].Records) == 0 || log[0].Records[0].Content != text {
		t.Fatalf("log %+v", log)
	}
	b.takeBack(log[0].ID)
	b.takeBack(log[1].ID)
	if again := b.say("The deploy is on Mondays."); again.Action != remember.Created {
		t.Errorf("said again after it was taken back: %+v", again)
	}
}

// states tells what holds in Anna's bank and how, without what is set aside.
func (b *bank) states() (all string) {
	b.t.Helper()
	err := b.store.EachRecord(b.t.Context(), "anna", func(r memory.Record) error {
		if r.ArchivedAt.IsZero() {
			all += fmt.Sprintln(r.Content, r.Importance, r.Tags, r.Pinned, r.Category, r.Supersedes, r.SupersededBy, r.ValidFrom,
				r.ValidUntil)
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// TestWhatNothingWasKeptAbout takes back records as earlier versions of the program made them. Only of what nobody has
// changed since, and what changed nothing, is it known how it came to be.
func TestWhatNothingWasKeptAbout(t *testing.T) {
	b := newBank(t)
	insert := func(id, supersedes, by string, archived time.Time) {
		r := memory.Record{
			ID: id, Agent: anna.Agent, Kind: memory.KindFact, Category: memory.CategoryOther,
			Content: "The ferry " + id + " leaves at nine.", Importance: memory.DefaultImportance,
			Source: memory.SourceUser, Confirmations: 1, CreatedAt: start, Supersedes: supersedes, SupersededBy: by, ArchivedAt: archived,
		}
		if err := b.store.Write(t.Context(), anna.Agent, func(tx memory.Tx) error { return tx.InsertRecord(r, nil) }); err != nil {
			t.Fatal(err)
		}
	}
	insert("alone", "", "", time.Time{})
	insert("former", "", "latter", time.Time{})
	insert("latter", "former", "", time.Time{})
	insert("forgotten", "", "", start)
	before := b.states()
	for _, id := range []string{"former", "latter", "forgotten"} {
		if _, err := b.TakeBack(t.Context(), anna, id); memory.CodeOf(err) != memory.CodeConflict {
			t.Errorf("%s: %v", id, err)
		}
	}
	if after := b.states(); after != before {
		t.Errorf("refusals changed\n%s\nto\n%s", before, after)
	}
	if got := b.takeBack("alone"); got.TakenBack != 1 || b.record("alone").ArchivedAt.IsZero() {
		t.Errorf("%+v", got)
	}
}
