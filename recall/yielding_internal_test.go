package recall

import (
	"testing"
)

// The encoder counts for more where words found little, and the vector then for less.
func TestYieldingToTheEncoder(t *testing.T) {
	at := func(missing, trusted float64) Weights { return recordWeights.yielding(missing, 1, 1, trusted) }
	if half, whole := at(0.5, 1), at(1, 1); half.Encoder >= whole.Encoder {
		t.Errorf("encoder %.2f where half the words were found, %.2f where none were", half.Encoder, whole.Encoder)
	}
	if alone, both := at(1, 0), at(1, 1); alone.Encoder != 0 || both.Vector >= alone.Vector {
		t.Errorf("vector %.2f with the encoder, %.2f without", both.Vector, alone.Vector)
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
