package remember_test

import (
	"testing"

	"mcp-memory/remember"
)

// TestRelationAndName: what is said of a name takes the place of what was said of the
// relation, wherever the bank says that both are one.
func TestRelationAndName(t *testing.T) {
	b := newBank(t)
	b.hear("Jana is my sister.")
	b.hear("My sister lives in Dresden.")
	if got := b.hear("Jana has moved to Kiel."); got.Action != remember.Superseded {
		t.Errorf("%+v", got)
	}
	if got := b.hear("My sister moved to Rostock."); got.Action != remember.Superseded {
		t.Errorf("%+v", got)
	}
	b.wantLive("Jana is my sister.", "My sister moved to Rostock.")
}

// TestTwoOfAName: where there are two sisters, or two of a name, nothing is replaced.
func TestTwoOfAName(t *testing.T) {
	for _, facts := range [][]string{
		{"Jana is my sister.", "Mia is my sister.", "Jana lives in Dresden.", "My sister moved to Kiel."},
		{"Jana is my sister.", "Jana is my dentist.", "My sister lives in Dresden.", "Jana moved to Kiel."},
		{"My friend Ada lives in Lund.", "My friend Bo lives in Ystad."},
		{"On staging we use Postgres 15.", "In production we use Postgres 13."},
		{"I get up at 6:30 on weekdays.", "I get up at 9:00 on weekends."},
	} {
		b := newBank(t)
		for _, fact := range facts {
			b.hear(fact)
		}
		b.wantLive(facts...)
	}
}
