package remember_test

import (
	"encoding/json"
	"slices"
	"testing"

	"mcp-memory/remember"
)

// TestWhatIsSupersededStaysWhole: to take the place of a record, to end it or to
// come before it changes nothing about it but its place and its times.
func TestWhatIsSupersededStaysWhole(t *testing.T) {
	importance := 0.9
	for name, c := range map[string]struct {
		known, said string
		days        int // that what is said now was said after what is known
	}{
		"a new state":        {"I live in Oslo.", "I moved to Bergen.", 20},
		"one to come":        {"I live in Oslo.", "I'm moving to Bergen on 1 May 2031.", 20},
		"what came before":   {"I moved to Bergen.", "I live in Oslo.", -20},
		"another preference": {"My favourite colour is blue.", "My favourite colour is now green.", 20},
	} {
		b := newBank(t)
		known := b.save(remember.SaveRequest{
			Content: c.known, Category: "hobby", Tags: []string{"a", "b"}, Importance: &importance, ExternalID: "x1",
			Metadata: json.RawMessage(`{"page":7}`), Provenance: json.RawMessage(`{"turns":["t1"]}`), OccurredAt: b.now.AddDate(0, 0, -40),
		})
		before := b.record(known.ID).Record
		b.later()
		said := b.save(remember.SaveRequest{Content: c.said, OccurredAt: b.now.AddDate(0, 0, c.days-40), Quiet: true, Again: true})
		after := b.record(known.ID).Record
		if said.UndoID == "" {
			t.Errorf("%s: nothing was decided: %+v", name, said)
		}
		if after.Category != before.Category || after.CategoryGuessed != before.CategoryGuessed || !slices.Equal(after.Tags, before.Tags) ||
			after.Importance != before.Importance || after.ExternalID != before.ExternalID ||
			string(after.Metadata) != string(before.Metadata) ||
			string(after.Provenance) != string(before.Provenance) || after.Confirmations != before.Confirmations ||
			!after.OccurredAt.Equal(before.OccurredAt) {
			t.Errorf("%s: %+v, was %+v", name, after, before)
		}
	}
}
