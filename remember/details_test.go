package remember_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// told saves a long-term memory of the same words.
func (b *bank) told(d memory.EpisodeDetails, at time.Time) remember.LongTermResult {
	b.t.Helper()
	b.later()
	r, err := b.AddLongTerm(b.t.Context(), anna, remember.SaveRequest{
		Content: "We met at the pier.", OccurredAt: at, KindDetails: memory.KindDetails{Episode: &d},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestRepetitionAddsDetails(t *testing.T) {
	b := newBank(t)
	first := b.told(memory.EpisodeDetails{Participants: []string{"Rui"}}, time.Time{})
	again := b.told(memory.EpisodeDetails{Participants: []string{"rui", "Ann"}, Outcome: "We agreed.", EmotionalValence: 0.5}, time.Time{})
	if again.Action != remember.Duplicate || again.ID != first.ID {
		t.Fatalf("again %+v", again)
	}
	r := b.record(first.ID)
	if got := fmt.Sprint(*r.Episode); got != "{[Rui Ann] We agreed. 0.5}" || r.Confirmations != 2 {
		t.Errorf("details %s, %d confirmations", got, r.Confirmations)
	}
	// Another outcome is a correction, and what it does not say is kept.
	other := b.told(memory.EpisodeDetails{Outcome: "Nobody agreed."}, time.Time{})
	if other.Action != remember.Superseded || other.ID == first.ID {
		t.Fatalf("other %+v", other)
	}
	if got := fmt.Sprint(*b.record(other.ID).Episode); got != "{[Rui Ann] Nobody agreed. 0.5}" {
		t.Errorf("details %s", got)
	}
	if old := b.record(first.ID); old.SupersededBy != other.ID || old.Episode.Outcome != "We agreed." {
		t.Errorf("old %+v", old.Record)
	}
	if repeated := b.told(memory.EpisodeDetails{Outcome: "nobody agreed."}, time.Time{}); repeated.Action != remember.Duplicate ||
		repeated.ID != other.ID {
		t.Errorf("repeated %+v", repeated)
	}
}

func TestSameWordsAtAnotherTimeAreAnotherEvent(t *testing.T) {
	b := newBank(t)
	monday, tuesday := start.AddDate(0, 0, -6), start.AddDate(0, 0, -5)
	first, second := b.told(memory.EpisodeDetails{}, monday), b.told(memory.EpisodeDetails{}, tuesday)
	if second.Action != remember.Created || second.Count != 2 {
		t.Fatalf("second %+v", second)
	}
	for at, want := range map[time.Time]string{monday: first.ID, tuesday: second.ID, {}: first.ID} {
		if again := b.told(memory.EpisodeDetails{}, at); again.Action != remember.Duplicate || again.ID != want {
			t.Errorf("%v: %+v, want %s", at, again, want)
		}
	}
}

func TestRepeatedLearningIsSupplemented(t *testing.T) {
	b := newBank(t)
	learn := func(d memory.LearningDetails) remember.SaveResult {
		d.Type = memory.LearningError
		return b.save(remember.SaveRequest{Content: "Images need a tag.", Kind: memory.KindLearning,
			KindDetails: memory.KindDetails{Learning: &d}})
	}
	first := learn(memory.LearningDetails{Context: "a release"})
	learn(memory.LearningDetails{Context: "a test", Tool: "docker"})
	if got := *b.record(first.ID).Learning; got.Context != "a release" || got.Tool != "docker" {
		t.Errorf("%+v", got)
	}
}

// What a kind is made of is changed by the tool that makes its content.
func TestUpdateOfContentMadeOfDetails(t *testing.T) {
	b := newBank(t)
	for tool, r := range map[string]remember.SaveRequest{
		"save_semantic": {Kind: memory.KindTriple, KindDetails: memory.KindDetails{
			Triple: &memory.TripleDetails{Subject: "Ann", Predicate: "lives_in", Object: "Oslo", Confidence: 1}}},
		"save_procedure": {Kind: memory.KindProcedure, KindDetails: memory.KindDetails{
			Procedure: &memory.ProcedureDetails{Name: "deploy", Steps: []memory.ProcedureStep{{Action: "Test"}}}}},
		"relationship_update": {Kind: memory.KindRelationship, KindDetails: memory.KindDetails{
			Relationship: &memory.RelationshipDetails{Party: "boris", Type: "ally"}}},
		"diary_write": {Kind: memory.KindDiary, KindDetails: memory.KindDetails{Diary: &memory.DiaryDetails{Date: "2026-03-01"}}},
	} {
		r.Content = "Made for " + tool + "."
		id := b.save(r).ID
		_, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: id, Content: ptr("Something else."), Importance: ptr(0.9)})
		wantError(t, err, memory.CodeInvalidArgument, tool)
		if got := b.record(id); got.Importance != memory.DefaultImportance || got.SupersededBy != "" {
			t.Errorf("%s was changed: %+v", r.Kind, got.Record)
		}
		if done, err := b.Update(t.Context(), anna,
			remember.UpdateRequest{ID: id, Content: &r.Content, Importance: ptr(0.9)}); err != nil || done.Action != remember.Updated {
			t.Errorf("%s: %+v, %v", r.Kind, done, err)
		}
	}
	if n := len(b.records()); n != 4 {
		t.Errorf("%d records", n)
	}
}

func TestSoulIsNotUpdatedAway(t *testing.T) {
	b := newBank(t)
	id := b.save(remember.SaveRequest{Content: "I believe in tides.", Kind: memory.KindSoul, KindDetails: memory.KindDetails{
		Soul: &memory.SoulDetails{Type: memory.SoulBelief}}}).ID
	past := start.Add(-time.Hour)
	for _, u := range []remember.UpdateRequest{{ID: id, Content: ptr("I believe in nothing.")}, {ID: id, ValidUntil: &past}} {
		_, err := b.Update(t.Context(), anna, u)
		wantError(t, err, memory.CodeForbidden, "soul_remove")
		wantError(t, err, memory.CodeForbidden, "soul_add")
	}
	if _, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: id, Tags: ptr([]string{"sea"})}); err != nil {
		t.Error(err)
	}
	if r := b.record(id); !r.Live() || !r.ValidUntil.IsZero() || len(b.records()) != 1 {
		t.Errorf("%+v", r.Record)
	}
}

// wantError fails unless err has the code and mentions some words.
func wantError(t *testing.T, err error, code memory.Code, mentions string) {
	t.Helper()
	if memory.CodeOf(err) != code || !strings.Contains(err.Error(), mentions) {
		t.Errorf("error %v, want %s with %q", err, code, mentions)
	}
}
