package remember_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestUpdateInPlace(t *testing.T) {
	b := newBank(t)
	saved := b.say("Anna plays the oboe.")
	b.later()
	until := start.Add(time.Hour)
	got, err := b.Update(t.Context(), anna, remember.UpdateRequest{
		ID: saved.ID, Content: ptr(" Anna plays the oboe. "), Category: ptr("Music"), Importance: ptr(0.0), Tags: ptr([]string{"a"}),
		ValidUntil: &until, Pinned: ptr(true), Metadata: ptr(json.RawMessage(`{"a":1}`)),
	})
	if err != nil || got.ID != saved.ID || got.Action != remember.Updated {
		t.Fatalf("%+v, %v", got, err)
	}
	r := b.record(saved.ID)
	if r.Category != "music" || r.CategoryGuessed || r.Importance != 0 || len(r.Tags) != 1 || !r.ValidUntil.Equal(until) || !r.Pinned ||
		string(r.Metadata) != `{"a":1}` || !r.CreatedAt.Equal(start) || r.History != nil {
		t.Errorf("%+v", r)
	}
	for _, u := range []remember.UpdateRequest{{ID: saved.ID}, {ID: saved.ID, Content: ptr("Anna plays the oboe.")}} {
		if got, err := b.Update(t.Context(), anna, u); err != nil || got.Action != remember.Unchanged {
			t.Errorf("nothing new: %+v, %v", got, err)
		}
	}
}

func TestUpdateOfContentSupersedes(t *testing.T) {
	b := newBank(t)
	saved := b.save(remember.SaveRequest{Content: "The ferry leaves at noon.", Category: "travel", ExternalID: "ferry",
		Tags: []string{"sea"}})
	b.later()
	got, err := b.Update(t.Context(), anna,
		remember.UpdateRequest{ID: saved.ID, Content: ptr("The ferry leaves at one."), Importance: ptr(0.8)})
	if err != nil || got.ID == saved.ID || got.Action != remember.Superseded {
		t.Fatalf("%+v, %v", got, err)
	}
	old, now := b.record(saved.ID), b.record(got.ID)
	if old.SupersededBy != now.ID || !old.ValidUntil.Equal(b.now) || old.Importance != 0.5 {
		t.Errorf("old %+v", old)
	}
	if now.Supersedes != old.ID || !now.ValidFrom.Equal(b.now) || !now.CreatedAt.Equal(b.now) || now.Category != "travel" ||
		now.Importance != 0.8 || now.ExternalID != "ferry" || len(now.Tags) != 1 || len(now.History) != 2 {
		t.Errorf("new %+v", now)
	}
	for at, want := range map[time.Time]string{start: "[The ferry leaves at noon.]", b.now: "[The ferry leaves at one.]"} {
		if got := fmt.Sprint(b.search("ferry", memory.Filter{AsOf: at})); got != want {
			t.Errorf("as of %v: %s", at, got)
		}
	}
	_, err = b.Update(t.Context(), anna, remember.UpdateRequest{ID: saved.ID, Content: ptr("x")})
	wantCode(t, err, memory.CodeConflict)
	if again := b.save(remember.SaveRequest{Content: "The ferry leaves at two.",
		ExternalID: "ferry"}); b.record(got.ID).SupersededBy != again.ID {
		t.Error("the external id did not move to the correction")
	}
}

func TestUpdateRefuses(t *testing.T) {
	b := newBank(t)
	saved := b.save(remember.SaveRequest{Content: "Anna plays the oboe.", ValidFrom: start})
	for name, u := range map[string]remember.UpdateRequest{
		"empty content": {Content: ptr(" ")}, "importance": {Importance: ptr(math.Inf(1))}, "category": {Category: ptr("?")},
		"valid_until": {ValidUntil: ptr(start.Add(-time.Hour))}, "metadata": {Metadata: ptr(json.RawMessage(`"x"`))},
		"metadata with content": {Content: ptr("New."), Metadata: ptr(json.RawMessage(`7`))},
	} {
		u.ID = saved.ID
		if _, err := b.Update(t.Context(), anna, u); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.Update(t.Context(), boris, remember.UpdateRequest{ID: saved.ID, Pinned: ptr(true)})
	wantCode(t, err, memory.CodeNotFound)
	if r := b.record(saved.ID); r.Pinned || len(b.records()) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestUpdateWithoutALocalEmbedder(t *testing.T) {
	b := newBankWith(t, remote{embed.NewBuiltin()})
	saved := b.say("Anna plays the oboe.")
	if _, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: saved.ID, Content: ptr("Anna plays the tuba.")}); err != nil {
		t.Fatal(err)
	}
	if n, err := b.store.VectorBacklog(t.Context()); err != nil || n != 2 || b.queued.Load() != 2 {
		t.Errorf("%d queued, told %d times, %v", n, b.queued.Load(), err)
	}
}
