package remember_test

import (
	"fmt"
	"slices"
	"testing"

	"mcp-memory/remember"
)

func erasing(ids ...string) remember.ForgetRequest {
	return remember.ForgetRequest{IDs: ids, Permanent: true, Confirm: true}
}

// whole is everything about some records, to be compared.
func (b *bank) whole(ids ...string) (all []string) {
	for _, id := range ids {
		all = append(all, fmt.Sprintf("%+v", b.record(id).Record))
	}
	return all
}

func TestForgettingAChangeRevivesWhatHeldBefore(t *testing.T) {
	b := newBank(t)
	old := b.save(remember.SaveRequest{Content: "I live in Groningen.", ValidUntil: start.AddDate(1, 0, 0)})
	before := b.whole(old.ID)
	moved := b.hear("I have moved to Maastricht.")
	after := b.whole(old.ID, moved.ID)

	would := b.forget(remember.ForgetRequest{IDs: []string{moved.ID}, DryRun: true})
	if !slices.Equal(would.Revived, []string{old.ID}) || !slices.Equal(b.whole(old.ID, moved.ID), after) {
		t.Errorf("a dry run: %+v", would)
	}
	got := b.forget(remember.ForgetRequest{IDs: []string{moved.ID}})
	if !slices.Equal(got.Revived, []string{old.ID}) || len(got.Earlier) > 0 || !slices.Equal(got.IDs, []string{moved.ID}) {
		t.Errorf("%+v", got)
	}
	b.wantLive("I live in Groningen.")
	if now := b.whole(old.ID); !slices.Equal(now, before) {
		t.Errorf("it was %s\nand is %s", before, now)
	}
	if chain := b.record(moved.ID).History; len(chain) != 2 || chain[0].ID != old.ID {
		t.Errorf("the history of what was forgotten: %+v", chain)
	}
	if back := b.forget(remember.ForgetRequest{Undo: got.UndoID}); !slices.Equal(back.IDs, []string{moved.ID}) {
		t.Errorf("undo: %+v", back)
	}
	b.wantLive("I have moved to Maastricht.")
	if now := b.whole(old.ID, moved.ID); !slices.Equal(now, after) {
		t.Errorf("undo: it was %s\nand is %s", after, now)
	}
	// And once more, now that the forgetting was undone.
	if got := b.forget(erasing(moved.ID)); !slices.Equal(got.Revived, []string{old.ID}) || !slices.Equal(got.IDs, []string{moved.ID}) {
		t.Errorf("erased: %+v", got)
	}
	b.wantLive("I live in Groningen.")
}

func TestForgettingACorrectionRevivesNothing(t *testing.T) {
	b := newBank(t)
	old := b.say("Anna's cat is called Tofu.")
	content := "Anna's cat is called Tempeh."
	next, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: old.ID, Content: &content})
	if err != nil {
		t.Fatal(err)
	}
	got := b.forget(remember.ForgetRequest{IDs: []string{next.ID}})
	if len(got.Revived) > 0 || !slices.Equal(got.Earlier, []string{old.ID}) {
		t.Errorf("%+v", got)
	}
	b.wantLive()
	if got := b.forget(erasing(next.ID)); !slices.Equal(got.IDs, []string{next.ID, old.ID}) || len(b.records()) > 0 {
		t.Errorf("erased: %+v", got)
	}
}

func TestForgettingInAChainOfChanges(t *testing.T) {
	for name, c := range map[string]struct {
		forget  []int
		erase   bool
		revived []int
		live    []string
		chain   []int // versions of the last record that is left
	}{
		"the last":             {forget: []int{2}, revived: []int{1}, live: []string{"I moved to Basel."}, chain: []int{0, 1, 2}},
		"the middle":           {forget: []int{1}, live: []string{"I moved to Celle."}, chain: []int{0, 1, 2}},
		"the last two":         {forget: []int{1, 2}, revived: []int{0}, live: []string{"I live in Aarau."}, chain: []int{0, 1, 2}},
		"the last two, turned": {forget: []int{2, 1}, revived: []int{0}, live: []string{"I live in Aarau."}, chain: []int{0, 1, 2}},
		"all":                  {forget: []int{0, 1, 2}, chain: []int{0, 1, 2}},
		"the last, for good": {forget: []int{2}, erase: true, revived: []int{1}, live: []string{"I moved to Basel."},
			chain: []int{0, 1}},
		"the middle, for good":    {forget: []int{1}, erase: true, live: []string{"I moved to Celle."}, chain: []int{0, 2}},
		"the last two, for good":  {forget: []int{1, 2}, erase: true, revived: []int{0}, live: []string{"I live in Aarau."}},
		"the first two, for good": {forget: []int{0, 1}, erase: true, live: []string{"I moved to Celle."}, chain: []int{2}},
		"first and last, for good": {forget: []int{0, 2}, erase: true, revived: []int{1}, live: []string{"I moved to Basel."},
			chain: []int{1}},
		"the first alone, for good": {forget: []int{0}, erase: true, live: []string{"I moved to Celle."}, chain: []int{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			var ids []string
			for _, content := range []string{"I live in Aarau.", "I moved to Basel.", "I moved to Celle."} {
				ids = append(ids, b.hear(content).ID)
			}
			named := func(places []int) (list []string) {
				for _, i := range places {
					list = append(list, ids[i])
				}
				return list
			}
			before := fmt.Sprintf("%+v", b.records())
			request := remember.ForgetRequest{IDs: named(c.forget)}
			if c.erase {
				request = erasing(request.IDs...)
			}
			got := b.forget(request)
			if !slices.Equal(got.Revived, named(c.revived)) || !slices.Equal(got.IDs, named(c.forget)) {
				t.Errorf("%+v", got)
			}
			b.wantLive(c.live...)
			all := b.records()
			last := b.record(all[len(all)-1].ID)
			var chain []string
			for _, v := range last.History {
				chain = append(chain, v.ID)
			}
			if !slices.Equal(chain, named(c.chain)) {
				t.Errorf("the chain is %v, want %v of %v", chain, named(c.chain), ids)
			}
			for i := range c.chain[:max(0, len(c.chain)-1)] {
				if next := b.record(chain[i+1]); next.Supersedes != chain[i] {
					t.Errorf("%q supersedes %q in %v", next.Content, next.Supersedes, chain)
				}
			}
			if c.erase {
				return
			}
			b.forget(remember.ForgetRequest{Undo: got.UndoID})
			if after := fmt.Sprintf("%+v", b.records()); after != before {
				t.Errorf("undo: it was %s\nand is %s", before, after)
			}
		})
	}
}

// What was told late stands before what was known already; each of the two can
// be forgotten.
func TestForgettingWhatWasToldLate(t *testing.T) {
	for _, forgetsLate := range []bool{true, false} {
		b := newBank(t)
		later := b.save(remember.SaveRequest{Content: "I moved to Celle.", OccurredAt: start.AddDate(0, 0, -10)})
		late := b.save(remember.SaveRequest{Content: "I live in Basel.", OccurredAt: start.AddDate(0, 0, -20)})
		b.wantLive("I moved to Celle.")
		if forgetsLate {
			if got := b.forget(remember.ForgetRequest{IDs: []string{late.ID}}); len(got.Revived) > 0 {
				t.Errorf("%+v", got)
			}
			b.wantLive("I moved to Celle.")
			continue
		}
		got := b.forget(remember.ForgetRequest{IDs: []string{later.ID}})
		if !slices.Equal(got.Revived, []string{late.ID}) {
			t.Errorf("%+v", got)
		}
		b.wantLive("I live in Basel.")
		b.forget(remember.ForgetRequest{Undo: got.UndoID})
		b.wantLive("I moved to Celle.")
		if got := b.forget(erasing(later.ID)); !slices.Equal(got.Revived, []string{late.ID}) {
			t.Errorf("erased: %+v", got)
		}
	}
}

// Once it was undone that a save superseded something, forgetting it changes
// nothing else.
func TestForgettingWhatSupersedesNothingAnyMore(t *testing.T) {
	b := newBank(t)
	b.hear("I live in Groningen.")
	moved := b.hear("I have moved to Maastricht.")
	b.forget(remember.ForgetRequest{Undo: moved.UndoID})
	if got := b.forget(remember.ForgetRequest{IDs: []string{moved.ID}}); len(got.Revived) > 0 {
		t.Errorf("%+v", got)
	}
	b.wantLive("I live in Groningen.")
	if r := b.record(moved.ID); r.Supersedes != "" {
		t.Errorf("%+v", r)
	}
}

// One that was told late stands between two; the three are taken apart in the
// order in which they were put together.
func TestForgettingFromBothSides(t *testing.T) {
	b := newBank(t)
	at := func(days int, content string) string {
		b.later()
		return b.save(remember.SaveRequest{Content: content, OccurredAt: start.AddDate(0, 0, days)}).ID
	}
	first, last := at(-30, "I live in Aarau."), at(-10, "I moved to Celle.")
	middle := at(-20, "I moved to Basel.")
	if r := b.record(first); r.SupersededBy != middle || b.record(middle).SupersededBy != last {
		t.Fatalf("the chain is %s, %s", r.SupersededBy, b.record(middle).SupersededBy)
	}
	before := b.whole(first, middle, last)
	for _, ids := range [][]string{{middle, last}, {last, middle}} {
		got := b.forget(remember.ForgetRequest{IDs: ids})
		if !slices.Equal(got.Revived, []string{first}) {
			t.Errorf("%+v", got)
		}
		b.wantLive("I live in Aarau.")
		b.forget(remember.ForgetRequest{Undo: got.UndoID})
		if after := b.whole(first, middle, last); !slices.Equal(after, before) {
			t.Errorf("undo: it was %s\nand is %s", before, after)
		}
	}
	// The middle alone: the first one is followed by the last again.
	got := b.forget(remember.ForgetRequest{IDs: []string{middle}})
	if r := b.record(first); len(got.Revived) > 0 || r.SupersededBy != last || b.record(last).Supersedes != first {
		t.Errorf("%+v: %+v", got, r)
	}
	b.forget(remember.ForgetRequest{Undo: got.UndoID})
	if after := b.whole(first, middle, last); !slices.Equal(after, before) {
		t.Errorf("undo: it was %s\nand is %s", before, after)
	}
}

// TestForgettingWhatIsSaidToBeWrongMeanwhile: that it is no later state was said once, and then that it corrects the other
// after all. What is corrected does not come back, and of what is forgotten too nobody is told that it stays.
func TestForgettingWhatIsSaidToBeWrongMeanwhile(t *testing.T) {
	b := newBank(t)
	old := b.hear("I live in Groningen.")
	moved := b.hear("I have moved to Maastricht.")
	b.forget(remember.ForgetRequest{Undo: moved.UndoID})
	b.wantLive("I live in Groningen.", "I have moved to Maastricht.")
	b.save(remember.SaveRequest{Content: "I have moved to Maastricht.", Supersedes: old.ID})
	if by := b.record(old.ID).SupersededBy; by != moved.ID {
		t.Fatalf("it is superseded by %q", by)
	}
	got := b.forget(remember.ForgetRequest{IDs: []string{moved.ID}, DryRun: true})
	if len(got.Revived) > 0 || !slices.Equal(got.Earlier, []string{old.ID}) {
		t.Errorf("%+v", got)
	}
	b.forget(remember.ForgetRequest{IDs: []string{old.ID}})
	if got := b.forget(remember.ForgetRequest{IDs: []string{moved.ID}}); len(got.Revived)+len(got.Earlier) > 0 {
		t.Errorf("with the other forgotten before: %+v", got)
	}
}
