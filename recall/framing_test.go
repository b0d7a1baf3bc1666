package recall_test

import (
	"testing"

	"mcp-memory/recall"
)

func TestUnframed(t *testing.T) {
	for question, want := range map[string]string{
		"What kind of tea does Anna like?":               "What of tea does Anna like?",
		"Which other types of databases were discussed?": "Which other of databases were",
		"What did Ben say about the harbour?":            "What did Ben about the harbour?",
		"Would Anna likely be considered patient?":       "Would Anna be patient?",
		"What do Anna and Ben have in common, lately?":   "What do Anna and Ben have in",
		"Who did we talk to about the lease?":            "Who did we to about the lease?",

		// Names of things stay.
		"Where is the talk on Friday?":       "Where is the talk on Friday?",
		"the type of the column id":          "the type of the column id",
		"a common mistake":                   "a common mistake",
		"What does say.go do?":               "What does say.go do?",
		`Who wrote "together" on the wall?`:  `Who wrote "together" on the wall?`,
		"Which plans were considered first?": "Which plans were considered first?",

		// So do line ends of what has no framing, and questions of nothing else.
		"error\n\tat line 3":    "error\n\tat line 3",
		"What did they say?":    "What did they say?",
		"Together, probably?":   "Together, probably?",
		"what was it likely of": "what was it likely of",
		"":                      "",
	} {
		if got := recall.Unframed(question); got != want {
			t.Errorf("%q: %q, not %q", question, got, want)
		}
	}
}
