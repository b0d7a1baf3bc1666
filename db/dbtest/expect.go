package dbtest

import (
	"testing"

	"mcp-memory/memory"
)

// contentExpected: that it was announced changes no answer.
func contentExpected(t *testing.T, e *env) {
	contentThatComes(t, e, func(tx memory.Tx) error {
		var all memory.Expected
		for _, project := range []string{"", "garden", "shed"} {
			all.Contents = append(all.Contents, memory.ExpectedContent{Project: project, Kind: memory.KindFact, Content: "The harbour is deep."})
		}
		return memory.Expect(tx, all)
	})
}

// expected: names, what was erased and what another project brings are found also when they come after
// they were announced.
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
		err := memory.Expect(tx, memory.Expected{ExternalIDs: []string{"there", "comes", "never", "there", ""}, Contents: []memory.ExpectedContent{
			{Kind: memory.KindFact, Content: content}, {Kind: memory.KindFact, Content: comes.Content}, {Kind: memory.KindFact, Content: moved.Content},
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
		err = memory.Expect(tx, memory.Expected{Contents: []memory.ExpectedContent{{Project: "shed", Kind: memory.KindFact, Content: content}}})
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
	// What others have done since is not forgotten by the next transaction.
	e.write(t, func(tx memory.Tx) error {
		named(tx, "never", there.ID)
		return nil
	})
}
