package remember_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestARepetitionBringsWhatItSays keeps what is said about a memory that is there
// already from being dropped without a word.
func TestARepetitionBringsWhatItSays(t *testing.T) {
	b := newBank(t)
	high, low := 0.9, 0.1
	first := b.save(remember.SaveRequest{Content: "The port is 8443.", Tags: []string{"web"}, Metadata: json.RawMessage(`{"page":7}`)})
	before := b.states()
	b.later()
	end := b.now.Add(time.Hour)
	again := b.save(remember.SaveRequest{
		Content: "the port is 8443", Tags: []string{"web", "tls"}, Metadata: json.RawMessage(`{"page":8,"by":"Anna"}`),
		Importance: &high, Category: "ports", ValidUntil: end,
	})
	if again.Action != remember.Duplicate || again.ID != first.ID || again.Category != "ports" {
		t.Fatalf("%+v", again)
	}
	r := b.record(first.ID)
	if !slices.Equal(r.Tags, []string{"web", "tls"}) || string(r.Metadata) != `{"by":"Anna","page":7}` || r.Importance != high ||
		r.Category != "ports" || !r.ValidUntil.Equal(end) {
		t.Errorf("%+v", r)
	}
	b.takeBack(b.log(anna)[0].ID)
	if after := b.states(); after != before {
		t.Errorf("taken back:\n%s\nbefore:\n%s", after, before)
	}
	b.save(remember.SaveRequest{Content: "The port is 8443.", Importance: &high})
	for _, less := range []*float64{&low, nil} {
		b.save(remember.SaveRequest{Content: "The port is 8443.", Importance: less})
		if r := b.record(first.ID); r.Importance != high {
			t.Errorf("said once more with less, it has the importance %v", r.Importance)
		}
	}
	b.save(remember.SaveRequest{Content: "The port is 8443.", Tags: []string{"imported"}, Again: true, Quiet: true})
	if r := b.record(first.ID); slices.Contains(r.Tags, "imported") {
		t.Error("an import has changed what was there")
	}
}

// TestWhatHasEndedHoldsAgain says anew what was ended: no answer would have it, were
// that only counted as a confirmation of what is history.
// TestMetadataOfNothing: null is what programs write that have none, and no object to add to.
func TestMetadataOfNothing(t *testing.T) {
	b := newBank(t)
	var id string
	for _, metadata := range []string{"null", `{"page":7}`, "null"} {
		r, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: "The port is 8080.", Metadata: json.RawMessage(metadata)})
		if id = r.ID; err != nil {
			t.Fatal(err)
		}
	}
	if r, err := b.store.Records(t.Context(), "anna", []string{id}); err != nil || string(r[0].Metadata) != `{"page":7}` {
		t.Errorf("%+v, %v", r, err)
	}
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error { // of an earlier version
		r, err := tx.Record(id)
		if err != nil {
			return err
		}
		r.Metadata = json.RawMessage("null")
		return tx.UpdateRecord(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Save(t.Context(), anna, remember.SaveRequest{Content: "The port is 8080.", Metadata: json.RawMessage(`{"page":8}`)}); err != nil {
		t.Fatal(err)
	}
	if r, err := b.store.Records(t.Context(), "anna", []string{id}); err != nil || string(r[0].Metadata) != `{"page":8}` {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWhatHasEndedHoldsAgain(t *testing.T) {
	b := newBank(t)
	first := b.save(remember.SaveRequest{Content: "The staging server is down.", ExternalID: "probe-1"})
	b.later()
	end := b.now
	if _, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: first.ID, ValidUntil: &end}); err != nil {
		t.Fatal(err)
	}
	b.later()
	for name, r := range map[string]remember.SaveRequest{
		"the same name":     {ExternalID: "probe-1"},
		"an import":         {Again: true, Quiet: true},
		"of before its end": {ValidUntil: end},
	} {
		r.Content = "The staging server is down."
		if got := b.save(r); got.Action != remember.Duplicate || got.ID != first.ID {
			t.Errorf("%s: %+v", name, got)
		}
	}
	again := b.say("The staging server is down.")
	if again.Action != remember.Superseded || again.ID == first.ID {
		t.Fatalf("%+v", again)
	}
	now, before := b.record(again.ID), b.record(first.ID)
	if now.Supersedes != first.ID || !now.ValidFrom.Equal(b.now) || !now.ValidUntil.IsZero() || !before.ValidUntil.Equal(end) {
		t.Errorf("now %+v\nbefore %+v", now, before)
	}
	if same := b.say("The staging server is down."); same.Action != remember.Duplicate || same.ID != again.ID {
		t.Errorf("once more: %+v", same)
	}
	b.takeBack(b.log(anna)[0].ID)
	if r := b.record(first.ID); r.SupersededBy != "" || !r.ValidUntil.Equal(end) || b.record(again.ID).Live() {
		t.Errorf("taken back: %+v", r)
	}
}
