package recall

import "testing"

// TestRest: what a newer fact replaces in part comes behind it only where that
// part is asked for, and is not said to be out of date.
func TestRest(t *testing.T) {
	const (
		cello    = "I play the cello in the town orchestra; rehearsal is on Tuesdays."
		thursday = "Rehearsals are on Thursdays now."
		husband  = "I live in Aarhus with my husband Mikkel."
		moved    = "We moved to Odense."
	)
	for _, c := range []struct{ question, older, newer, first, outdated, doubted string }{
		{"What instrument do I play?", cello, thursday, "old", "", ""},
		{"When is rehearsal?", cello, thursday, "new", "", "new"},
		{"What's my husband's name?", husband, moved, "old", "", ""},
		{"Where do I live?", husband, moved, "new", "", "new"},
		{"Where do I live?", "I live in Aarhus.", moved, "new", "new", ""},
	} {
		old, newer := scored("old", c.older, 1, 0), scored("new", c.newer, 0.9, 40)
		ranked := []*candidate{old, newer}
		asked(c.question).byVersion(ranked)
		if r := old.result(false); ranked[0].ID != c.first || r.OutdatedBy != c.outdated || r.DoubtedBy != c.doubted {
			t.Errorf("%s: %s first, outdated by %q, may be by %q", c.question, ranked[0].ID, r.OutdatedBy, r.DoubtedBy)
		}
	}
}
