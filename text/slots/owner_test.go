package slots_test

import (
	"testing"

	"mcp-memory/text/slots"
)

// Whose something is stands before it or behind "of"; nobody's is the user's.
func TestOwnerBehindOf(t *testing.T) {
	for text, want := range map[string]string{
		"The sister of Anna lives in Oslo.":          "anna's sister",
		"Anna's sister lives in Oslo.":               "anna's sister",
		"The sister lives in Oslo.":                  "user's sister",
		"The parrot of Theo Kowalski is called Bob.": "theo kowalski",
	} {
		said := slots.Read(text, slots.Options{})
		if len(said) != 1 || said[0].Subject != want {
			t.Errorf("%s: %+v, want the subject %q", text, said, want)
		}
	}
}

// The name of one thing is no answer to the question for that of another.
func TestNamesOfOtherThings(t *testing.T) {
	question := slots.Ask("Which name does my kitty have?", slots.Options{})
	for text, fits := range map[string]bool{
		"The name of the plumber's project in Malmö is Operation terrier.": false,
		"My cat's name is Whiskerino.":                                     true,
	} {
		said := slots.Read(text, slots.Options{})
		if len(said) != 1 || (question.Fits(&said[0]) >= slots.FitSlot) != fits {
			t.Errorf("%s: %+v, want fits = %t", text, said, fits)
		}
	}
}
