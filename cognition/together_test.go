package cognition_test

import (
	"fmt"
	"sync"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/remember"
)

// together runs fn n times at once. An error fails the test.
func together(t *testing.T, n int, fn func(i int) error) {
	t.Helper()
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			if err := fn(i); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// What is said at the same moment leaves one truth, and counts are exact.
func TestCallsAtTheSameMoment(t *testing.T) {
	const n = 12
	m := newMind(t)
	ctx := t.Context()
	m.procedure(deploy())
	together(t, n, func(i int) error {
		_, err := m.SaveTriple(ctx, anna,
			cognition.TripleRequest{Subject: "Ann", Predicate: "lives_in", Object: fmt.Sprint("town ", i), Confidence: 1})
		return err
	})
	together(t, n, func(i int) error {
		_, err := m.UpdateRelationship(ctx, anna,
			cognition.RelationshipUpdate{Party: "boris", Notes: ptr(fmt.Sprint(i)), Interaction: true})
		return err
	})
	together(t, n, func(i int) error {
		_, err := m.RunProcedure(ctx, anna, "deploy_api_service", i%3 == 0, "")
		return err
	})
	together(t, n, func(i int) error {
		_, err := m.WriteDiary(ctx, anna, cognition.DiaryRequest{Content: fmt.Sprintf("Paragraph p%d.", i)})
		return err
	})

	if live := m.objects(cognition.TripleQuery{Subject: "Ann"}); len(live) != 1 {
		t.Errorf("Ann lives in %q", live)
	}
	found, total, err := m.Relationships(ctx, "anna", "boris", "", "", 0)
	if err != nil || total != 1 || found[0].Relationship.Interactions != n || len(m.history(found[0].ID)) != n {
		t.Errorf("relationships %+v, %v", found, err)
	}
	if d := m.run("deploy_api_service", true); d.Executed != n+1 || d.Succeeded != n/3+1 {
		t.Errorf("procedure %+v", d)
	}
	for i := range n {
		if _, total := m.dates(cognition.DiaryQuery{Words: fmt.Sprintf("p%d", i)}); total != 1 {
			t.Errorf("paragraph %d is lost", i)
		}
	}
}

// What a repetition adds to an episode is kept, though its words are the same.
func TestEpisodeIsSupplemented(t *testing.T) {
	m := newMind(t)
	save := func(r cognition.EpisodeRequest) cognition.Saved {
		t.Helper()
		m.later()
		r.Event = "Boris's boat sank."
		saved, err := m.SaveEpisode(t.Context(), anna, r)
		if err != nil {
			t.Fatal(err)
		}
		return saved
	}
	first := save(cognition.EpisodeRequest{})
	again := save(cognition.EpisodeRequest{Participants: []string{"Boris"}, Valence: -0.6})
	want(t, again.Action, remember.Duplicate)
	want(t, again.ID, first.ID)
	now := m.history(first.ID)[0]
	want(t, fmt.Sprint(*now.Episode), "{[Boris]  -0.6}")
	better := save(cognition.EpisodeRequest{Valence: 0.4})
	want(t, better.Action, remember.Superseded)
	want(t, fmt.Sprint(*better.Episode), "{[Boris]  0.4}")
	want(t, len(m.history(better.ID)), 2)
}
