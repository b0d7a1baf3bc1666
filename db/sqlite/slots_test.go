package sqlite

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

func seek(t *testing.T, s *Store, text string) (found []memory.Record) {
	t.Helper()
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) (err error) {
		found, err = tx.RecordsBySlot("", memory.KindFact, slots.Seek(slots.Read(text, slots.Options{})))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOlderRecordsAreFiled: what is older than the table is found after a few
// writes, the newest first.
func TestOlderRecordsAreFiled(t *testing.T) {
	s := newStore(t, 8)
	records := []memory.Record{fact("ann", "I live in Oslo.")}
	for i := range 2 * dueAtOnce {
		records = append(records, fact("ann", fmt.Sprintf("Kiosk %d opens at eight.", i)))
	}
	records = append(records, fact("ann", "Ruben lives in Graz."))
	insert(t, s, nil, records...)
	if err := s.writer.script(t.Context(),
		`DELETE FROM record_slots; INSERT INTO slots_due (agent, seq) SELECT agent, last_seq + 1 FROM banks`); err != nil {
		t.Fatal(err)
	}
	if found := seek(t, s, "Ruben moved to Linz."); len(found) != 1 {
		t.Errorf("the newest: %+v", found)
	}
	for n := 0; len(seek(t, s, "I have moved to Bergen.")) == 0; n++ {
		if n > 3 {
			t.Fatal("the oldest is never found")
		}
	}
	if n := count(t, s, "slots_due"); n != 0 {
		t.Errorf("%d banks are still due", n)
	}
}

// TestErasedRecordsAreNotFiled: no row of an erased record stays.
func TestErasedRecordsAreNotFiled(t *testing.T) {
	s := newStore(t, 8)
	r := fact("ann", "My sister Anna lives in Lyon and uses Vim.")
	insert(t, s, nil, r)
	if count(t, s, "record_slots") == 0 {
		t.Fatal("nothing is filed")
	}
	if err := s.Write(t.Context(), "ann", func(tx memory.Tx) error { return tx.EraseRecord(r.ID) }); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "record_slots"); n != 0 {
		t.Errorf("%d rows stay", n)
	}
}
