package remember_test

import (
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestOnlyASoulTakesThePlaceOfASoul: by no other door than its own is who somebody is set aside.
func TestOnlyASoulTakesThePlaceOfASoul(t *testing.T) {
	b := newBank(t)
	value := memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulValue}}
	soul := b.save(remember.SaveRequest{Content: "I value honesty.", Kind: memory.KindSoul, KindDetails: value})
	if _, err := b.Save(t.Context(), anna,
		remember.SaveRequest{Content: "I value flattery.", Supersedes: soul.ID}); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("a fact in place of a soul entry: %v", err)
	}
	b.wantLive("I value honesty.")
	b.save(remember.SaveRequest{Content: "I value honesty and tact.", Kind: memory.KindSoul, KindDetails: value, Supersedes: soul.ID})
	b.wantLive("I value honesty and tact.")
}

// TestWhatIsForgottenComesBackOnlyIfWanted repeats, as an import does, what was forgotten since.
func TestWhatIsForgottenComesBackOnlyIfWanted(t *testing.T) {
	b := newBank(t)
	again := remember.SaveRequest{Content: "The ferry leaves at nine.", ExternalID: "x1", Again: true}
	first := b.save(again)
	b.forget(remember.ForgetRequest{IDs: []string{first.ID}})
	if got := b.save(again); got.Action != remember.Duplicate || got.ID != first.ID {
		t.Errorf("repeated: %+v", got)
	}
	b.wantLive()
	again.Revive = true
	if got := b.save(again); got.Action != remember.Revived || got.ID != first.ID {
		t.Errorf("wanted: %+v", got)
	}
	b.wantLive("The ferry leaves at nine.")
}

// TestFollowsWhatIsOfItsKindAndProject: an external id of something else, or of what is forgotten, is not followed.
func TestFollowsWhatIsOfItsKindAndProject(t *testing.T) {
	b := newBank(t)
	b.save(remember.SaveRequest{Content: "The ferry leaves at nine.", ExternalID: "fact"})
	b.save(remember.SaveRequest{Content: "We met at the pier.", Kind: memory.KindEpisode, ExternalID: "episode",
		KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{}}})
	if _, err := b.Save(t.Context(), memory.Scope{Agent: anna.Agent, Project: "harbour", Chosen: true},
		remember.SaveRequest{Content: "The well of the harbour is dry.", ExternalID: "there"}); err != nil {
		t.Fatal(err)
	}
	gone := b.save(remember.SaveRequest{Content: "The lock is open.", ExternalID: "gone"})
	b.forget(remember.ForgetRequest{IDs: []string{gone.ID}})
	for i, id := range []string{"episode", "there", "gone", "fact"} {
		got := b.save(remember.SaveRequest{Content: []string{"The mill has a new wheel.", "The bridge is closed.", "The lock is shut.",
			"The ferry leaves at ten."}[i], Again: true, Follows: id, ExternalID: "next " + id})
		if followed := len(got.Superseded) > 0 || got.UndoID != ""; followed != (id == "fact") {
			t.Errorf("%s: %+v", id, got)
		}
	}
	b.wantLive("We met at the pier.", "The well of the harbour is dry.", "The mill has a new wheel.", "The bridge is closed.",
		"The lock is shut.", "The ferry leaves at ten.")
}

// TestWhatWasToldLateIsTakenBack: it stood behind what was known from the beginning, which is no
// change since.
func TestWhatWasToldLateIsTakenBack(t *testing.T) {
	b := newBank(t)
	b.save(remember.SaveRequest{Content: "I moved to Celle.", OccurredAt: start.AddDate(0, 0, -10)})
	late := b.save(remember.SaveRequest{Content: "I live in Basel.", OccurredAt: start.AddDate(0, 0, -20)})
	if b.record(late.ID).SupersededBy == "" {
		t.Fatal("it does not stand behind the other")
	}
	b.takeBack(late.ID)
	b.wantLive("I moved to Celle.")
	if r := b.record(late.ID); r.ArchivedAt.IsZero() {
		t.Errorf("%+v", r)
	}
}

// TestEditsAreTakenBackAsFarAsTheyStand takes back what was added by another part of the program:
// not what has been corrected since, and what was forgotten since stays as it was forgotten.
func TestEditsAreTakenBackAsFarAsTheyStand(t *testing.T) {
	b := newBank(t)
	add := func(content string) (id string) {
		t.Helper()
		err := b.Change(t.Context(), anna, func(c *remember.Change) error {
			r, err := c.Put(remember.SaveRequest{Content: content})
			id = r.ID
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	corrected := add("The ferry leaves at nine.")
	change := b.log(anna)[0].ID
	b.save(remember.SaveRequest{Content: "The ferry leaves at ten.", Supersedes: corrected})
	if _, err := b.TakeBack(t.Context(), anna, change); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("corrected since: %v", err)
	}
	b.later()
	forgotten := add("The mill has a new wheel.")
	change = b.log(anna)[0].ID
	b.forget(remember.ForgetRequest{IDs: []string{forgotten}})
	before := b.whole(forgotten)
	b.later()
	if got := b.takeBack(change); got.TakenBack != 0 {
		t.Errorf("forgotten since: %+v", got)
	}
	if after := b.whole(forgotten); after[0] != before[0] {
		t.Errorf("it was %s\nand is %s", before, after)
	}
}

// TestChangedBackByAnImport: what comes again under its external id, of a later time, is news.
func TestChangedBackByAnImport(t *testing.T) {
	b := newBank(t)
	say := func(content string, day int) remember.SaveResult {
		return b.save(remember.SaveRequest{Content: content, ExternalID: "city", Again: true, OccurredAt: start.AddDate(0, 0, day-10)})
	}
	say("Anna is based in Oslo.", 1)
	say("Anna is based in Bergen.", 2)
	if again := say("Anna is based in Oslo.", 1); again.Action != remember.Duplicate {
		t.Errorf("the same again: %+v", again)
	}
	b.wantLive("Anna is based in Bergen.")
	say("Anna is based in Oslo.", 3)
	b.wantLive("Anna is based in Oslo.")
}

// TestThePlaceIsTakenInItsProject: that a record has been corrected in another project is no answer here.
func TestThePlaceIsTakenInItsProject(t *testing.T) {
	b := newBank(t)
	old := b.say("The ferry leaves at nine.")
	request := remember.SaveRequest{Content: "The ferry leaves at ten.", Supersedes: old.ID}
	if _, err := b.Save(t.Context(), memory.Scope{Agent: anna.Agent, Project: "harbour", Chosen: true}, request); err != nil {
		t.Fatal(err)
	}
	_, err := b.Save(t.Context(), anna, request)
	wantCode(t, err, memory.CodeConflict)
}
