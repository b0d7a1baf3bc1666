package recall

import (
	"testing"
)

func TestNamesOne(t *testing.T) {
	for question, want := range map[string]bool{
		"Where does Ana live":        true,
		"what is CI for":             true,
		"Where do I live?":           false,
		"What I'd like to eat?":      false,
		"I moved. Where is my desk?": false,
		"":                           false,
		"Über was denkt Änne nach":   true,
		"which drink do i have first thing in may": false,
	} {
		if got := namesOne(question); got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

// In a question without a name the encoder counts for more where words found little,
// and the vector then for less; with a name both keep closer to the words.
func TestYieldingToTheEncoder(t *testing.T) {
	at := func(missing, trusted float64, named bool) Weights {
		return recordWeights.yielding(missing, 1, 1, trusted, named)
	}
	if half, whole := at(0.5, 1, false), at(1, 1, false); half.Encoder >= whole.Encoder {
		t.Errorf("encoder %.2f where half the words were found, %.2f where none were", half.Encoder, whole.Encoder)
	}
	if plain, named := at(0.5, 1, false), at(0.5, 1, true); named.Encoder >= plain.Encoder {
		t.Errorf("encoder %.2f with a name, %.2f without", named.Encoder, plain.Encoder)
	}
	if alone, both := at(1, 0, false), at(1, 1, false); alone.Encoder != 0 || both.Vector >= alone.Vector {
		t.Errorf("vector %.2f with the encoder, %.2f without", both.Vector, alone.Vector)
	}
	if w := recordWeights.yielding(1, 0, 0, 1, false); w.Encoder != 0 {
		t.Errorf("encoder %.2f of a question of unknown words", w.Encoder)
	}
}

// What happened is no state; the German "was" asks for what is.
func TestAsksHowItIs(t *testing.T) {
	for question, want := range map[string]bool{
		"What does Irma think of leeks?": true,
		"Was hält Irma von Lauch?":       true,
		"Why does Irma eat leeks?":       false,
		"When did Irma move?":            false,
	} {
		if got := about(question).asksHowItIs(); got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}
