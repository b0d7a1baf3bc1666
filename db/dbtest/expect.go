package dbtest

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// contentExpected tests that Expect changes no answer of RecordByContent.
func contentExpected(t *testing.T, e *env) {
	contentThatComes(t, e, func(tx memory.Tx) error {
		var all memory.Expected
		for _, project := range []string{"", "garden", "shed"} {
			all.Contents = append(all.Contents,
				memory.ExpectedContent{Project: project, Kind: memory.KindFact, Content: "The harbour is deep."})
		}
		return memory.Expect(tx, all)
	})
}

// expected tests that lookups announced by Expect find what the transaction adds after it: a name,
// a note of an erased content, and a record moved from another project.
func expected(t *testing.T, e *env) {
	const content = "The harbour is deep."
	there, comes, moved := e.record(content), e.record("The quay is long."), e.record("The boat is old.")
	there.ExternalID, comes.ExternalID, moved.Project = "there", "comes", "garden"
	e.save(t, nil, there, moved)
	named := func(tx memory.Tx, name, want string) {
		r, err := tx.RecordByExternalID(name)
		if err != nil || (r == nil) != (want == "") || r != nil && r.ID != want {
			t.Errorf("by the name %q: %v, %v; want %q", name, r, err, want)
		}
	}
	e.write(t, func(tx memory.Tx) error {
		err := memory.Expect(tx,
			memory.Expected{ExternalIDs: []string{"there", "comes", "never", "there", ""}, Contents: []memory.ExpectedContent{
				{Kind: memory.KindFact, Content: content},
				{Kind: memory.KindFact, Content: comes.Content}, {Kind: memory.KindFact, Content: moved.Content},
				{Kind: memory.KindFact, Content: moved.Content},
			}})
		if err != nil {
			return err
		}
		named(tx, "there", there.ID)
		named(tx, "comes", "")
		if err := tx.InsertRecord(comes, nil); err != nil {
			return err
		}
		named(tx, "comes", comes.ID)
		if err := tx.NameRecord("never", there.ID); err != nil {
			return err
		}
		named(tx, "never", there.ID)
		if _, err := tx.MoveProject("garden", "", nil); err != nil {
			return err
		}
		if r, err := tx.RecordByContent("", memory.KindFact, moved.Content); err != nil || r == nil || r.ID != moved.ID {
			t.Errorf("moved: %v, %v", r, err)
		}
		err = memory.Expect(tx,
			memory.Expected{Contents: []memory.ExpectedContent{{Project: "shed", Kind: memory.KindFact, Content: content}}})
		if err != nil {
			return err
		}
		gone := there
		gone.Project = "shed"
		if err := tx.NoteErased(gone, day(1)); err != nil {
			return err
		}
		if at, err := tx.Erased("shed", memory.KindFact, content); err != nil || at.IsZero() {
			t.Errorf("erased: %v, %v", at, err)
		}
		return nil
	})
	// A transaction must not take over what an earlier one knew to be absent.
	e.write(t, func(tx memory.Tx) error {
		named(tx, "never", there.ID)
		return nil
	})
}

// slotsExpected tests that RecordsBySlot returns the same for announced slots as without Expect,
// whatever the transaction does to the records. Adding the slot nobodys, which was not announced,
// makes it query the database.
func slotsExpected(t *testing.T, e *env) {
	keys := slots.Seek(slots.Read("I have moved to Bergen.", slots.Options{}))
	const nobodys = 12345
	first, gone, aside := e.record("I live in Oslo."), e.record("I live in Molde."), e.record("I live in Narvik.")
	elsewhere := e.record("I live in Graz.", func(r *memory.Record) { r.Project, r.OccurredAt, r.Pinned = "p", day(1), true })
	e.save(t, nil, first, gone, aside, elsewhere)
	e.write(t, func(tx memory.Tx) error {
		if err := memory.Expect(tx, memory.Expected{Slots: keys}); err != nil {
			return err
		}
		same := func(when string, least int) {
			t.Helper()
			for _, project := range []string{"", "p", "q"} {
				got, err := tx.RecordsBySlot(project, memory.KindFact, keys)
				want, failed := tx.RecordsBySlot(project, memory.KindFact, append(slices.Clone(keys), nobodys))
				if err != nil || failed != nil || !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
					t.Errorf("%s, project %q: %+v, want %+v (%v, %v)", when, project, got, want, err, failed)
				}
				if project == "" && len(got) < least {
					t.Errorf("%s: %d are found, at least %d", when, len(got), least)
				}
			}
		}
		same("before", 3)
		for i, step := range []func() error{
			func() error { return tx.InsertRecord(e.record("I live in Hamar."), nil) },
			func() error {
				return tx.InsertRecord(e.record("I live in Bodø.", func(r *memory.Record) { r.Kind = memory.KindSoul }), nil)
			},
			func() error { aside.ArchivedAt = start; return tx.UpdateRecord(aside) },
			func() error {
				first.SupersededBy, first.SupersededAt, first.Project, first.ValidUntil = "x", start, "q", day(2)
				return tx.UpdateRecord(first)
			},
			func() error { _, err := tx.MoveProject("p", "", nil); return err },
			func() error { return memory.Expect(tx, memory.Expected{Slots: keys}) },
			func() error { return tx.EraseRecord(gone.ID) },
			func() error { return memory.Expect(tx, memory.Expected{Slots: keys}) },
		} {
			if err := step(); err != nil {
				return err
			}
			same(fmt.Sprint("after step ", i), 1)
		}
		for i := range 20 {
			if err := tx.InsertRecord(e.record(fmt.Sprintf("I live in Borough%d.", i)), nil); err != nil {
				return err
			}
			same(fmt.Sprint("with more, ", i), 1)
		}
		return nil
	})
}

// expectedOnce tests that Expect reads under the bank's lock: several writers that save a fact only
// if they do not find it save it once, also if the first of them creates the bank.
func expectedOnce(t *testing.T, e *env) {
	stores := []memory.Store{e.Store, e.another(t, Fingerprint)}
	const facts = 5
	contents := make([]memory.ExpectedContent, facts)
	for i := range contents {
		contents[i] = memory.ExpectedContent{Kind: memory.KindFact, Content: fmt.Sprintf("Quay %d is closed.", i)}
	}
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for _, c := range contents {
				err := memory.WriteExpecting(t.Context(), stores[w%2], agent, memory.Expected{Contents: []memory.ExpectedContent{c}},
					func(tx memory.Tx) error {
						known, err := tx.RecordByContent(c.Project, c.Kind, c.Content)
						if err != nil || known != nil {
							return err
						}
						return tx.InsertRecord(e.record(c.Content), nil)
					})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	err := e.EachRecord(t.Context(), agent, func(memory.Record) error { n++; return nil })
	if err != nil || n != facts {
		t.Errorf("%d records are there, want %d (%v)", n, facts, err)
	}
}
