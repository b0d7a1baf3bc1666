package recall

import (
	"testing"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
)

func TestLevels(t *testing.T) {
	for name, c := range map[string]struct {
		Signs
		want Confidence
	}{
		"all signs":         {Signs{Score: 0.6, Margin: 0.9, Coverage: 1, Slot: 1, Vector: 0.6}, High},
		"words alone":       {Signs{Score: 0.5, Margin: 0.8, Coverage: 0.8, Vector: 0.3, Strange: 0.2}, Medium},
		"some of the words": {Signs{Score: 0.3, Margin: 0.4, Coverage: 0.4, Vector: 0.2, Strange: 0.5}, Low},
		"no number in it":   {Signs{Score: 0.3, Margin: 0.4, Coverage: 0.4, Vector: 0.2, Strange: 0.5, Unmet: 1}, None},
		"none":              {Signs{}, None},
	} {
		if got := c.level(); got != c.want {
			t.Errorf("%s: %s (%.2f), want %s", name, got, c.chance(), c.want)
		}
	}
	better := Signs{0.4, 0.4, 0.4, 0.5, 0.4, 0, 0, 0.4}
	for name, less := range map[string]Signs{
		"score": {0.3, 0.4, 0.4, 0.5, 0.4, 0, 0, 0.4}, "margin": {0.4, 0.3, 0.4, 0.5, 0.4, 0, 0, 0.4}, "coverage": {0.4, 0.4, 0.3, 0.5, 0.4, 0, 0, 0.4},
		"slot": {0.4, 0.4, 0.4, 0, 0.4, 0, 0, 0.4}, "vector": {0.4, 0.4, 0.4, 0.5, 0.3, 0, 0, 0.4}, "unfilled": {0.4, 0.4, 0.4, 0.5, 0.4, 1, 0, 0.4},
		"unmet": {0.4, 0.4, 0.4, 0.5, 0.4, 0, 1, 0.4}, "strange": {0.4, 0.4, 0.4, 0.5, 0.4, 0, 0, 0.5},
	} {
		if less.chance() >= better.chance() {
			t.Errorf("%s: no less sure", name)
		}
	}
	if len(better.Values()) != len(SignNames()) || len(signWeights) != len(SignNames()) {
		t.Error("as many names, values and weights")
	}
}

func TestConfidence(t *testing.T) {
	q := about("Which firm cleans the office?")
	q.stems = []string{"firm", "clean", "offic"}
	old, pulled := scored("old", "The office is cleaned by Blankwerk.", 1, 0), scored("new", "Blankwerk was dropped, Seifenblase comes.", 0.05, 9)
	old.Hit = index.Hit{Coverage: 0.9, Vector: 0.6}
	alone := q.confidence([]*candidate{pulled})
	ranked := []*candidate{old, pulled}
	q.byVersion(ranked)
	if got := q.confidence(ranked); ranked[0] != pulled || !got.Sure() || alone.Sure() {
		t.Errorf("%s pulled in, %s alone", got, alone)
	}
	if got := q.confidence(nil); got != None {
		t.Errorf("nothing: %s", got)
	}
	word := scored("w", "anything", 0.1, 0)
	word.verbatim = 1
	if got := q.confidence([]*candidate{word}); got != High {
		t.Errorf("word for word: %s", got)
	}
	q.broadly = true
	if one, three := q.confidence(ranked[:1]), q.confidence([]*candidate{old, pulled, word}); one != Medium || three != High {
		t.Errorf("broad: %s and %s", one, three)
	}
}

// An answer that is not sure is shown and reinforces nothing.
func TestNoiseIsNoAccess(t *testing.T) {
	s := ferries().service()
	s.recalled = func(_ memory.Scope, ids []string) { t.Errorf("recalled %q", ids) }
	a, err := s.Recall(t.Context(), Request{Query: "submarine", Lenient: true})
	if err != nil || a.Confidence != None || len(a.Results) != 5 {
		t.Errorf("%s with %d results, %v", a.Confidence, len(a.Results), err)
	}
}
