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

// What is said of somebody by a pronoun is never said of who says "I".
func TestWhomAPronounMeans(t *testing.T) {
	for text, want := range map[string]string{
		"My best friend is Hannah, she lives in Bristol.":         "user's friend, hannah",
		"The user's best friend is Hannah, she lives in Bristol.": "user's friend, hannah",
		"I married Tom and he lives in Leeds.":                    "user's partner, tom",
		"I work with Ravi and he lives in Pune.":                  "ravi, ",
		"I told the plumber about it, he lives in Bath.":          "he, ",
		"Clara is a nurse and she lives in Lyon.":                 "clara, ",
		"The user moved last year; he lives in Oslo.":             "user, ",
		"I left Bath and I live in Oslo.":                         "user, ",
	} {
		said := slots.Read(text, slots.Options{})
		last := said[len(said)-1]
		if got := last.Subject + ", " + last.Alias; got != want || last.Attribute != "home" {
			t.Errorf("%s: %s of %s, want the home of %s", text, last.Attribute, got, want)
		}
	}
	if got := slots.Between(slots.Read("I live in Leeds.", slots.Options{}),
		slots.Read("My best friend is Hannah, she lives in Bristol.", slots.Options{})); got != slots.None {
		t.Errorf("where a friend lives takes the place of the user's home: %v", got)
	}
}
