package worth_test

import (
	"testing"

	"mcp-memory/text/worth"
)

// TestAsksToForget: a request for what was said is one wherever it stands, an idiom is none.
func TestAsksToForget(t *testing.T) {
	for text, want := range map[string]worth.Forgetting{
		"Forget that.":                   {Of: worth.Last},
		"forget my phone number, please": {Of: worth.Own, Named: "phone number"},
		"ok. Forget that I mentioned citalopram please. It was wrong.":         {Of: worth.About, Named: "citalopram", Rest: "It was wrong."},
		"We broke up, please forget what I told you about Ida.":                {Of: worth.About, Named: "Ida", Rest: "We broke up."},
		"It's over, so forget about Ida please.":                               {Of: worth.About, Named: "Ida", Rest: "It's over."},
		"Please forget about Ida.":                                             {Of: worth.About, Named: "Ida"},
		"The offer is off; forget everything I said about Nordwind. We go on.": {Of: worth.About, Named: "Nordwind", Rest: "The offer is off. We go on."},
		"I moved. Forget that I live in Trier.":                                {Of: worth.Fact, Named: "I live in Trier", Rest: "I moved."},
	} {
		if got, ok := worth.AsksToForget(text); !ok || got != want {
			t.Errorf("%s: %+v, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"It's too slow, forget about Redis, we take Valkey.", "I always forget what time it is", "Don't forget that I live in Trier.",
		"He said, forget about it", "Why does it forget everything?", "So, forget about caching for now.", "In Vim, forget everything about arrow keys",
	} {
		if got, ok := worth.AsksToForget(text); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
