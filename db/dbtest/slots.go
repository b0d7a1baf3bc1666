package dbtest

import (
	"fmt"
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

var slotTests = map[string]func(*testing.T, *env){
	"finds what a change replaces": foundBySlot,
	"what is compared":             comparedBySlot,
	"of the bank and scope alone":  slotsOfScope,
	"after an update and an end":   slotsAfterChanges,
	"the newest of many":           newestOfSlot,
	"of several projects":          factsOfProjects,
}

// bySlot returns the contents of the facts of a project that share a slot with text.
func bySlot(t *testing.T, e *env, of, project string, text string) []string {
	t.Helper()
	contents := []string{}
	err := e.Write(t.Context(), of, func(tx memory.Tx) error {
		found, err := tx.RecordsBySlot(project, memory.KindFact, slots.Seek(slots.Read(text, slots.Options{})))
		for _, r := range found {
			contents = append(contents, r.Content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return contents
}

func wantBySlot(t *testing.T, e *env, of, project string, text string, want ...string) {
	t.Helper()
	if got := bySlot(t, e, of, project, text); !slices.Equal(got, want) {
		t.Errorf("%s, %q: %q finds %q, want %q", of, project, text, got, want)
	}
}

func foundBySlot(t *testing.T, e *env) {
	e.save(t, nil, e.record("I live in Oslo."))
	e.save(t, nil, e.record("My dentist is Dr. Amadi."))
	e.save(t, nil, e.record("Ruben lives in Graz."))
	e.save(t, nil, e.record("The quarterly invoice was late."))
	for range 2 {
		wantBySlot(t, e, agent, "", "I have moved to Bergen.", "I live in Oslo.")
		wantBySlot(t, e, agent, "", "Ruben moved to Linz.", "Ruben lives in Graz.")
		wantBySlot(t, e, agent, "", "Hm.")
		e.reopen(t, Fingerprint)
	}
}

func comparedBySlot(t *testing.T, e *env) {
	want := e.record("I live in Oslo.", func(r *memory.Record) {
		r.Project, r.Pinned, r.Source = "p", true, memory.SourceImport
		r.OccurredAt, r.ValidFrom, r.ValidUntil = day(1), day(2), day(3)
		r.Supersedes, r.SupersededBy, r.SupersededAt = "older", "newer", day(4)
	})
	e.save(t, nil, want)
	e.write(t, func(tx memory.Tx) error {
		found, err := tx.RecordsBySlot("p", memory.KindFact, slots.Seek(slots.Read("I have moved to Bergen.", slots.Options{})))
		if err != nil || len(found) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		got := found[0]
		if got.ID != want.ID || got.Agent != want.Agent || got.Project != want.Project || got.Kind != want.Kind ||
			got.Content != want.Content || !got.Pinned ||
			got.Source != want.Source || !got.CreatedAt.Equal(want.CreatedAt) || !got.OccurredAt.Equal(day(1)) ||
			!got.ValidFrom.Equal(day(2)) ||
			!got.ValidUntil.Equal(day(3)) || got.Supersedes != "older" || got.SupersededBy != "newer" {
			t.Errorf("%+v, want %+v", got, want)
		}
		return nil
	})
}

func slotsOfScope(t *testing.T, e *env) {
	e.save(t, nil, e.record("I live in Oslo."))
	e.save(t, nil, e.record("I live in Molde.", func(r *memory.Record) { r.Project = "p" }))
	e.save(t, nil, e.record("I live in Narvik.", func(r *memory.Record) { r.Kind = memory.KindSoul }))
	e.save(t, nil, e.record("I live in Graz.", func(r *memory.Record) { r.Agent = "other" }))
	wantBySlot(t, e, agent, "", "I have moved to Bergen.", "I live in Oslo.")
	wantBySlot(t, e, agent, "p", "I have moved to Bergen.", "I live in Molde.")
	wantBySlot(t, e, agent, "q", "I have moved to Bergen.")
	wantBySlot(t, e, "other", "", "I have moved to Bergen.", "I live in Graz.")
}

func slotsAfterChanges(t *testing.T, e *env) {
	old, gone, aside := e.record("I live in Oslo."), e.record("I live in Molde."), e.record("I live in Narvik.")
	for _, r := range []memory.Record{old, gone, aside} {
		e.save(t, nil, r)
	}
	e.write(t, func(tx memory.Tx) error {
		aside.ArchivedAt = start
		old.SupersededBy, old.SupersededAt, old.Project = "x", start, "p"
		for _, r := range []memory.Record{aside, old} {
			if err := tx.UpdateRecord(r); err != nil {
				return err
			}
		}
		return tx.EraseRecord(gone.ID)
	})
	wantBySlot(t, e, agent, "", "I have moved to Bergen.")
	wantBySlot(t, e, agent, "p", "I have moved to Bergen.", "I live in Oslo.") // superseded facts are found too
}

func newestOfSlot(t *testing.T, e *env) {
	for i := range 100 {
		e.save(t, nil, e.record(fmt.Sprintf("I live in Borough%d.", i)))
	}
	got := bySlot(t, e, agent, "", "I have moved to Bergen.")
	if len(got) < 5 || len(got) > 50 || got[0] != "I live in Borough99." || got[1] != "I live in Borough98." {
		t.Errorf("%q", got)
	}
}

func factsOfProjects(t *testing.T, e *env) {
	archived := e.record("I live in Narvik.", func(r *memory.Record) { r.ArchivedAt = start })
	old := e.record("I live in Tromsø.", func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "x", start })
	for _, r := range []memory.Record{
		e.record("I live in Oslo."), e.record("I live in Molde.", func(r *memory.Record) { r.Project = "p" }), archived, old,
		e.record("I live in Bodø.", func(r *memory.Record) { r.Kind = memory.KindSoul }),
		e.record("I live in Graz.", func(r *memory.Record) { r.Agent = "other" }), e.record("My dentist is Dr. Amadi."),
	} {
		e.save(t, nil, r)
	}
	keys := slots.Seek(slots.Read("I have moved to Bergen.", slots.Options{}))
	for range 2 {
		for _, c := range []struct {
			of       string
			projects []string
			keys     []uint64
			want     []string
		}{
			{agent, []string{""}, keys, []string{"I live in Tromsø.", "I live in Oslo."}},
			{agent, []string{"", "p"}, keys, []string{"I live in Tromsø.", "I live in Molde.", "I live in Oslo."}},
			{agent, nil, keys, []string{"I live in Tromsø.", "I live in Molde.", "I live in Oslo."}},
			{agent, []string{"q"}, keys, nil}, {agent, nil, nil, nil},
			{"other", nil, keys, []string{"I live in Graz."}}, {"nobody", nil, keys, nil},
		} {
			found, err := e.FactsBySlot(t.Context(), c.of, c.projects, c.keys)
			var got []string
			for _, r := range found {
				got = append(got, r.Content)
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s in %q: %q, %v; want %q", c.of, c.projects, got, err, c.want)
			}
		}
		e.reopen(t, Fingerprint)
	}
}
