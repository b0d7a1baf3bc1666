package recall

import (
	"math"
	"slices"
	"testing"
)

func TestSigns(t *testing.T) {
	q := asked("What squad am I on?")
	q.Explain = true
	pool := []*candidate{scored("old", "I'm on the Payments squad.", 1, 0), scored("new", "They moved me to Growth.", 0.3, 30)}
	q.byVersion(pool)
	if len(q.pairs) != 1 || q.pairs[0].Older != "old" || q.pairs[0].Newer != "new" {
		t.Fatalf("%v", q.pairs)
	}
	names, weights := len(PairSignNames()), pairWeights()
	if len(q.pairs[0].Signs) != names || len(weights.asked) != names+1 || len(weights.said) != names+1 {
		t.Errorf("%d signs of %d names, %d and %d weights", len(q.pairs[0].Signs), names, len(weights.said), len(weights.asked))
	}
	for i, x := range weights.said {
		if i > SaidSigns && x != 0 {
			t.Errorf("%s counts without a question", PairSignNames()[i-1])
		}
	}
	q = asked("What squad am I on?")
	q.byVersion(pool)
	if q.pairs != nil {
		t.Error("pairs of what nobody explains")
	}
}

// What no rule knows is told by what the signs add up to.
func TestSuccession(t *testing.T) {
	for _, c := range []struct {
		question string
		facts    []string // in order of time, of which the first has most of the question
		first    string
	}{
		{"What does the web shop run on?", []string{"The web shop runs on PHP.", "The warehouse app is in .NET.", "Web shop relaunched with Shopify."}, "Web shop relaunched with Shopify."},
		{"Who looks over our contracts?", []string{"Our lawyer for contracts is Duval.", "The NDA template is v4.", "Duval's too slow. Contracts go to Nyström & Partners."}, "Duval's too slow. Contracts go to Nyström & Partners."},
		{"What laptop do I have?", []string{"Company laptop is a ThinkPad.", "I write with a fountain pen.", "IT swapped my ThinkPad for a MacBook."}, "IT swapped my ThinkPad for a MacBook."},
		{"Where do I pick up parcels?", []string{"Parcels come to the kiosk on Mill Lane.", "My sister breeds rabbits.", "We changed the doctor."}, "Parcels come to the kiosk on Mill Lane."},
		{"Which lane is for slow swimmers?", []string{"Lane 4 is for slow swimmers.", "The pool opens at 7.", "Energy crisis: the pool opens at 9."}, "Lane 4 is for slow swimmers."},
	} {
		var pool []*candidate
		for i, text := range c.facts {
			score := 0.2
			if i == 0 {
				score = 1
			}
			pool = append(pool, scored(text, text, score, 30*i))
		}
		asked(c.question).byVersion(pool)
		if got := ids(pool)[0]; got != c.first {
			t.Errorf("%s %q", c.question, got)
		}
	}
}

// Of candidates for which nothing speaks none has a sign that is no number.
func TestSignsOfNothing(t *testing.T) {
	q := asked("Who is my flatmate?")
	q.Explain = true
	q.byVersion([]*candidate{scored("old", "I share the flat with Igor.", 0, 0), scored("new", "Igor has moved out and Precious has his room.", 0, 30)})
	if len(q.pairs) != 1 || slices.ContainsFunc(q.pairs[0].Signs, math.IsNaN) {
		t.Errorf("%v", q.pairs)
	}
}

// A large bank has too much in common for that.
func TestSuccessionOfFew(t *testing.T) {
	pool := []*candidate{scored("old", "Our lawyer for contracts is Duval.", 1, 0), scored("new", "Duval's too slow. Contracts go to Nyström & Partners.", 0.2, 40)}
	for i := range few {
		pool = append(pool, scored("x"+string(rune('a'+i)), "Something about ferries", 0.5, 1))
	}
	q := asked("Who looks over our contracts?")
	q.Explain = true
	q.byVersion(pool)
	if q.pairs != nil || !slices.Equal(ids(pool)[:1], []string{"old"}) {
		t.Errorf("%q first, %d pairs", pool[0].ID, len(q.pairs))
	}
}
