package cognition_test

import (
	"math"
	"strings"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (m *mind) relate(u cognition.RelationshipUpdate) cognition.SavedRelationship {
	m.t.Helper()
	saved, err := m.UpdateRelationship(m.t.Context(), anna, u)
	if err != nil {
		m.t.Fatal(err)
	}
	return saved
}

func TestRelationshipGrows(t *testing.T) {
	m := newMind(t)
	met := m.now
	first := m.relate(cognition.RelationshipUpdate{Party: "boris", Interaction: true})
	d := first.Relationship
	want(t, []any{first.Action, d.Type, d.Trust, d.Interactions, d.FirstMet.Equal(met), d.LastInteraction.Equal(met), len(first.Changed)},
		[]any{remember.Created, "neutral", 0.5, 1, true, true, 0})
	m.later()
	counted := m.relate(cognition.RelationshipUpdate{Party: "Boris", Interaction: true})
	want(t, []any{counted.Action, counted.ID == first.ID, counted.Relationship.Interactions,
		counted.Relationship.LastInteraction.Equal(m.now)},
		[]any{remember.Updated, true, 2, true})
	if n := m.counted(); n != 1 {
		t.Errorf("an interaction made %d records", n)
	}
	m.later()
	changed := m.relate(cognition.RelationshipUpdate{
		Party: "boris", Name: ptr("Boris B."), Type: ptr("ally"), Trust: ptr(0.8), Tone: ptr("warm"), Rationale: ptr("kept his promise"),
		Notes: ptr("Likes chess."), Tags: &[]string{"chess", " chess "}, Interaction: true,
	})
	want(t, changed.Changed, []string{"name", "type", "trust_level", "emotional_tone", "rationale", "notes", "tags"})
	want(t, changed.Content, "Relationship to boris (Boris B.): ally, trust 0.8, tone warm. Why: kept his promise. Notes: Likes chess.")
	if d := changed.Relationship; changed.Action != remember.Superseded || d.Interactions != 3 || !d.FirstMet.Equal(met) ||
		!d.LastInteraction.Equal(m.now) {
		t.Errorf("changed %+v %+v", changed, d)
	}
	spoke := m.now
	m.later()
	trust := m.relate(cognition.RelationshipUpdate{Party: "boris", Type: ptr("ally"), Trust: ptr(0.3), Interaction: false})
	want(t, []any{trust.Changed, trust.Relationship.Interactions, trust.Relationship.LastInteraction.Equal(spoke), trust.Relationship.Notes,
		trust.Tags},
		[]any{[]string{"trust_level"}, 3, true, "Likes chess.", []string{"chess"}})
	tags := m.relate(cognition.RelationshipUpdate{Party: "boris", Tags: &[]string{}})
	want(t, tags.Changed, []string{"tags"})
	same := m.relate(cognition.RelationshipUpdate{Party: "boris", Trust: ptr(0.3)})
	want(t, []any{same.Action, same.ID}, []any{remember.Unchanged, tags.ID})

	versions, err := m.RelationshipHistory(t.Context(), "anna", tags.ID)
	if err != nil || len(versions) != 4 {
		t.Fatalf("versions %+v, %v", versions, err)
	}
	want(t, []any{versions[0].Changed, versions[1].Changed[1], versions[2].Changed, versions[3].Changed},
		[]any{[]string{}, "type", []string{"trust_level"}, []string{"tags"}})
	want(t, []any{versions[0].Relationship.Type, versions[0].Relationship.Interactions, versions[1].Relationship.Trust,
		versions[2].Relationship.Trust, versions[0].CreatedAt.Equal(met)},
		[]any{"neutral", 2, 0.8, 0.3, true})
	if found := m.found("Who is an ally?", memory.KindRelationship); len(found) != 1 || !strings.Contains(found[0], "trust 0.3") {
		t.Errorf("found %q", found)
	}
}

func TestRelationshipsAreListed(t *testing.T) {
	m := newMind(t)
	for party, kind := range map[string]string{"carl": "rival", "dora": "ally", "emil": "ally"} {
		m.later()
		m.relate(cognition.RelationshipUpdate{Party: party, Type: &kind})
	}
	for _, c := range []struct {
		party, kind  string
		limit, total int
	}{{"", "", 0, 3}, {"", "ally", 1, 2}, {"DORA", "", 0, 1}, {"dora", "rival", 0, 0}, {"nobody", "", 0, 0}} {
		found, total, err := m.Relationships(t.Context(), "anna", c.party, c.kind, "", c.limit)
		if err != nil || total != c.total || c.limit > 0 && len(found) != c.limit {
			t.Errorf("%+v: %d of %d, %v", c, len(found), total, err)
		}
	}
	if _, total, _ := m.Relationships(t.Context(), "boris", "", "", "", 0); total != 0 {
		t.Errorf("boris has %d", total)
	}
}

func TestRelationshipsThatAreNone(t *testing.T) {
	m := newMind(t)
	m.relate(cognition.RelationshipUpdate{Party: "boris"})
	for _, trust := range []float64{-0.1, 1.5, math.NaN(), math.Inf(1)} {
		for _, party := range []string{"boris", "new"} {
			_, err := m.UpdateRelationship(t.Context(), anna, cognition.RelationshipUpdate{Party: party, Trust: &trust, Interaction: true})
			wantError(t, err, memory.CodeInvalidArgument, "trust_level")
		}
	}
	_, err := m.UpdateRelationship(t.Context(), anna, cognition.RelationshipUpdate{Party: " "})
	wantError(t, err, memory.CodeInvalidArgument, "agent")
	long := strings.Repeat("x", 20<<10)
	_, err = m.UpdateRelationship(t.Context(), anna, cognition.RelationshipUpdate{Party: "boris", Notes: &long, Rationale: &long})
	wantError(t, err, memory.CodeTooLarge, "notes")
	found, _, err := m.Relationships(t.Context(), "anna", "", "", "", 0)
	if err != nil || len(found) != 1 || found[0].Relationship.Interactions != 0 || m.counted() != 1 {
		t.Errorf("after refusals %+v, %v", found, err)
	}
}
