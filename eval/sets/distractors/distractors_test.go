package distractors

import (
	"slices"
	"strings"
	"testing"
)

func TestFacts(t *testing.T) {
	for _, topic := range []string{Everyday, Technical, Mixed} {
		many, err := Facts(topic, 3000)
		if err != nil {
			t.Fatal(err)
		}
		few, err := Facts(topic, 300)
		if err != nil {
			t.Fatal(err)
		}
		if len(many) != 3000 || !slices.Equal(few, many[:300]) {
			t.Errorf("%s: %d facts, and 300 of them do not begin them", topic, len(many))
		}
		sorted := slices.Sorted(slices.Values(many))
		if distinct := slices.Compact(sorted); len(distinct) != 3000 {
			t.Errorf("%s: %d different facts", topic, len(distinct))
		}
		for _, fact := range many {
			if strings.ContainsAny(fact, "{}") {
				t.Errorf("%s: %s", topic, fact)
			}
		}
	}
	if _, err := Facts("weather", 1); err == nil {
		t.Error("an unknown topic has facts")
	}
}
