package slots

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// grammar are words that the reader has rules for, and some that it has none for.
var grammar = strings.Fields(`I me my mine myself you your we us our he she him her his hers they them their it its who whom whose what which where
	when why how a an the this that these those is am are was were be been being 's 're 've have has had do does did don't doesn't didn't not never no
	any anyone will would can could should must may might shall let's if unless when while until since before after because and or but so than then as at
	in on to from of for with without by over under between into onto about up down out off again still already yet now today tomorrow yesterday once twice
	every each last next first new old former ex current used moved move live lives lived work works worked working job called name names named known born
	Mr Mrs Ms ms Dr Dr. Prof. Sir Anna B Oslo New York St. Bergen mother brother wife husband partner boss dentist doctor cat dog car phone number address
	email birthday flat team project laptop favourite favorite like likes liked hate hates love prefer prefers want wants switched changed replaced instead
	left quit joined married divorced engaged got getting stopped started allergic vegan 3 14 2026 May Monday 09:30 € % km "quoted" (and) - – : ; , . ! ? …`)

// TestAnyWords: no row of words that rules are about makes the reader fail, whatever stands first or last.
func TestAnyWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(grammar), 1, 9)
		for range 20 {
			said, asked := strings.Join(words.Draw(t, "said"), " "), strings.Join(words.Draw(t, "asked"), " ")
			o := Options{}
			statements := Read(said, o)
			Seek(statements)
			SeekAlso(statements, []string{"Anna"})
			Between(Read(asked, o), statements)
			Ask(asked, o)
			if Opposed(said, asked) != Opposed(asked, said) {
				t.Fatal("opposition is not symmetric")
			}
			SameFact(said, asked)
		}
	})
}
