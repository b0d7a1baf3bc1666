package slots_test

import (
	"testing"

	"mcp-memory/text/slots"
)

// A wish takes the place of another only if both are about the same.
var wishes = []struct {
	older, newer string
	replaces     bool
}{
	{"The user wants the assistant to never force-push to main.", "The user wants the assistant to always open a PR instead.", false},
	{"The user wants the assistant to never force-push to main.", "The user wants the assistant to write tests first now.", false},
	{"The user wants the assistant to use tabs.", "The user wants the assistant to use pytest now.", false},
	{"The user wants the team to meet on Mondays.", "The user wants the team to write tests first now.", false},
	{"I want you to use tabs.", "I want you to write tests first now.", false},
	{"The user wants the assistant to keep answers short.", "The user wants the assistant to keep the changelog up to date now.", false},
	{"The user wants the assistant to always answer in German.", "The user wants the assistant to answer in English from now on.", true},
	{"The user wants the assistant to answer in German.", "The user wants the assistant to answer with sources from now on.", false},
	{"I want you to answer in German.", "I want you to answer in English from now on.", true},
	{"The user wants me to never touch main.", "The user wants me to run the tests first now.", false},
	{"The user's assistant is Kim.", "The user's assistant is Bo now.", true},
}

func TestWishes(t *testing.T) {
	for _, c := range wishes {
		older, newer := slots.Read(c.older, slots.Options{}), slots.Read(c.newer, slots.Options{})
		if got := slots.Replaces(older, newer, slots.Certain); got != c.replaces {
			t.Errorf("%s\n%s\n  replaces: %v, %s", c.older, c.newer, got, slots.Between(older, newer))
		}
	}
}
