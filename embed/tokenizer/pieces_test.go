package tokenizer

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestPieces: a table of pieces finds what a map finds, whatever room it was made with.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, want := newPieces(rapid.IntRange(0, 40).Draw(t, "room")), map[string]int32{}
		for i := range rapid.IntRange(0, 200).Draw(t, "texts") {
			text := fmt.Sprint(rapid.IntRange(0, 150).Draw(t, "text"))
			p.add(text, int32(i))
			want[text] = int32(i)
		}
		for n := range 160 {
			text := fmt.Sprint(n)
			id, found := p.find(text)
			if wanted, there := want[text]; found != there || id != wanted {
				t.Fatalf("%q is %d, %v, not %d, %v", text, id, found, wanted, there)
			}
		}
	})
}
