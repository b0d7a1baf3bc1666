package extractive

import (
	"slices"
	"testing"
)

// TestHanded: a text that is handed over to be worked on says nothing of the user,
// nor does what anybody says of the world.
func TestHanded(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u Can you shorten this review? \"We moved here in 2019 and our kitchen is a dream.\" I run a zoo in Basel.",
			[]string{"The user runs a zoo in Basel."}},
		{"u Translate: \"Ich wohne in Bern und habe drei Hunde.\"", nil},
		{"u Proofread this: I am a vegan and I run marathons in Kenya. I own three farms.", nil},
		{"u Please rewrite the following paragraph.\n\nMy name is Lord Byron and I live in Greece with 12 dogs.", nil},
		{"u My aunt says garlic thins the blood.\nu Most people think Berlin is expensive.\nu Apparently the vaccine is free.", nil},
		{"u My sister says she'll come on Sunday.", []string{"The user's sister says she'll come on 10 May 2026."}},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", c.talk, got, c.want)
		}
	}
}
