package secrets

import "testing"

// Three digits in a row that are spelled out are a number, fewer are not, and nothing else
// of the text changes.
func TestInDigits(t *testing.T) {
	for text, want := range map[string]string{
		"the gate opens with four, seven – two one.":   "the gate opens with 7777 ",
		"one two buckle my shoe":                       "one two buckle my shoe",
		"the safe code is “four seven one two”":        "the safe code is “777 two”",
		"drei fünf acht ist der code":                  "777 ist der code",
		"one two three!":                               "one two three!",
		"someone two three four oneself":               "someone 777 oneself",
		"one two x three four five six":                "one two x 7777 ",
		"":                                             "",
		"one\xff two\xff three\xff of what is no text": "one\xff two\xff three\xff of what is no text",
	} {
		if got := inDigits(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
