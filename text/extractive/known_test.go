package extractive

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestKnownLooksAtEnough: whom the rarest stems lead to is whom a look at
// every entry finds.
func TestKnownLooksAtEnough(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("harbour crane ship anchor lantern barrel rope captain tide storm island market 1 2 not")
	k := newKnown("")
	repeated := 0
	for range 3000 {
		var text strings.Builder
		for range 1 + random.IntN(9) {
			// The first words come up more often than the last.
			fmt.Fprintf(&text, "%s ", words[min(random.IntN(len(words)), random.IntN(len(words)))])
		}
		e := entryOf(text.String())
		want := false
		for _, other := range k.entries {
			want = want || other.marks == e.marks && e.saidBy(other)
		}
		if got := k.says(e); got != want {
			t.Fatalf("%q is said: %v, want %v", text.String(), got, want)
		}
		if want {
			repeated++
		}
		k.add(text.String())
	}
	if repeated < 100 || len(k.entries) < 100 {
		t.Errorf("%d texts were said before, %d not", repeated, len(k.entries))
	}
}
