package remember_test

import (
	"slices"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TestSavesKnowTheUsersName: what is said of the user by name takes the place of
// what was said as "I", and the other way round, whichever was known first.
func TestSavesKnowTheUsersName(t *testing.T) {
	for name, c := range map[string]struct {
		said     []string
		replaces bool // the last the first
	}{
		"by name":      {[]string{"I live in Oslo.", "My name is Ada Kern.", "Ada moved to Bergen."}, true},
		"by full name": {[]string{"I live in Oslo.", "The user's name is Ada Kern.", "Ada Kern moved to Bergen."}, true},
		"as I":         {[]string{"Ada lives in Oslo.", "My name is Ada Kern.", "I moved to Bergen."}, true},
		"as the user":  {[]string{"Ada Kern lives in Oslo.", "My name is Ada Kern.", "The user moved to Bergen."}, true},
		"by an older name": {[]string{"I live in Oslo.", "My name is Ada Berg.", "I changed my name to Ada Holm.",
			"Ada Berg moved to Bergen."}, true},
		"a relation":             {[]string{"Ada's sister lives in Oslo.", "My name is Ada.", "My sister moved to Bergen."}, true},
		"nobody said the name":   {[]string{"I live in Oslo.", "Ada moved to Bergen."}, false},
		"somebody else":          {[]string{"I live in Oslo.", "My name is Ada Kern.", "Tom moved to Bergen."}, false},
		"the same first name":    {[]string{"I live in Oslo.", "My name is Ada Kern.", "Ada Lovelace moved to Bergen."}, false},
		"somebody's name":        {[]string{"I live in Oslo.", "My sister's name is Ada.", "Ada moved to Bergen."}, false},
		"a relation of the user": {[]string{"I live in Oslo.", "My name is Ada.", "Ada's sister moved to Bergen."}, false},
		"whose name was told": {[]string{"Jana lives in Oslo.", "Jana sings.", "My sister Jana plays chess.",
			"My sister moved to Bergen."}, true},
		"told by the role": {[]string{"My sister lives in Oslo.", "My sister sings.", "My sister Jana plays chess.",
			"Jana moved to Bergen."}, true},
		"a word":  {[]string{"The rose costs 5 euros.", "My name is Rose.", "My rent costs 900 euros."}, false},
		"a will":  {[]string{"I live in Oslo.", "My name is Will.", "Will moved to Bergen."}, true},
		"no will": {[]string{"I live in Oslo.", "My name is Will.", "The will moved to Bergen."}, false},
		"a hope":  {[]string{"I live in Oslo.", "My name is Hope.", "We hope to move to Bergen."}, false},
		"a mark":  {[]string{"My bike costs 300 euros.", "My name is Mark.", "The mark costs 2 euros."}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			var first, last remember.SaveResult
			for i, content := range c.said {
				b.later()
				if last = b.say(content); i == 0 {
					first = last
				}
			}
			if got := slices.Contains(last.Superseded, first.ID); got != c.replaces {
				t.Errorf("superseded %t: %+v", got, last)
			}
			b = newBank(t)
			var requests []remember.SaveRequest
			for i, content := range c.said {
				requests = append(requests, remember.SaveRequest{Content: content, OccurredAt: b.now.AddDate(0, 0, i-9), Quiet: true})
			}
			batch, err := b.SaveBatch(t.Context(), anna, requests)
			if err != nil || slices.Contains(batch[len(batch)-1].Superseded, batch[0].ID) != c.replaces {
				t.Errorf("saved together: %+v, %v", batch, err)
			}
		})
	}
}

// TestTheUserOfAnotherAgentIsNobodyHere: what came by a link introduces nobody,
// and a name that was forgotten is nobody's.
func TestTheUserOfAnotherAgentIsNobodyHere(t *testing.T) {
	b := newBank(t)
	home := b.say("I live in Oslo.")
	b.save(remember.SaveRequest{Content: "My name is Ada.", Source: memory.SourceLink})
	b.later()
	if got := b.say("Ada moved to Bergen."); len(got.Superseded) > 0 {
		t.Errorf("by a copied name: %+v", got)
	}
	name := b.say("My name is Mina.")
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{name.ID}}); err != nil {
		t.Fatal(err)
	}
	b.later()
	if got := b.say("Mina moved to Bodø."); len(got.Superseded) > 0 {
		t.Errorf("by a forgotten name: %+v", got)
	}
	b.say("My name is Mina Lund.")
	b.later()
	if got := b.say("Mina lives in Narvik."); !slices.Contains(got.Superseded, home.ID) {
		t.Errorf("by a name that was said again: %+v", got)
	}
}
