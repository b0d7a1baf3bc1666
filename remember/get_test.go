package remember_test

import (
	"fmt"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

func TestGet(t *testing.T) {
	b := newBank(t)
	first := b.say("Anna lives in Graz.")
	second := b.save(remember.SaveRequest{Content: "Anna lives in Linz.", Supersedes: first.ID})
	other := b.say("Anna plays the oboe.")
	theirs, err := b.Save(t.Context(), boris, remember.SaveRequest{Content: "Boris sings."})
	if err != nil {
		t.Fatal(err)
	}
	found, missing, err := b.Get(t.Context(), anna, []string{other.ID, "nobody", first.ID, theirs.ID, other.ID})
	if err != nil || len(found) != 2 || found[0].ID != other.ID || found[1].ID != first.ID {
		t.Fatalf("%+v, %v", found, err)
	}
	if got, want := fmt.Sprint(missing), fmt.Sprint([]string{"nobody", theirs.ID}); got != want {
		t.Errorf("missing %s", got)
	}
	if h := found[1].History; found[0].History != nil || len(h) != 2 || h[1].ID != second.ID {
		t.Errorf("history %+v", h)
	}
	for _, n := range []int{0, memory.MaxIDs + 1} {
		_, _, err := b.Get(t.Context(), anna, manyTags(n))
		wantCode(t, err, memory.CodeInvalidArgument)
	}
}

func TestAddLongTerm(t *testing.T) {
	b := newBank(t)
	for i := 1; i <= 31; i++ {
		got, err := b.AddLongTerm(t.Context(), anna, remember.SaveRequest{Content: fmt.Sprintf("Walk number %d.", i)})
		if err != nil || got.Action != remember.Created || got.Count != i || got.SelfCareSuggested != (i >= 30) {
			t.Fatalf("%d: %+v, %v", i, got, err)
		}
		if i == 1 {
			if r := b.record(got.ID); r.Kind != memory.KindLongTerm || r.Episode == nil {
				t.Errorf("%+v", r)
			}
		}
	}
	again, err := b.AddLongTerm(t.Context(), anna, remember.SaveRequest{Content: "walk number 1"})
	if err != nil || again.Action != remember.Duplicate || again.Count != 31 {
		t.Errorf("%+v, %v", again, err)
	}
	_, err = b.AddLongTerm(t.Context(), anna, remember.SaveRequest{})
	wantCode(t, err, memory.CodeInvalidArgument)
}
