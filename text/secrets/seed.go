package secrets

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed bip39.txt
var seedFile string

var seedWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(seedFile) {
		words[w] = true
	}
	return words
})

// plainWords are the words of the list that are frequent in sentences. A random
// choice seldom has many of them.
var plainWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`about above after again all also any around become before between both bring can come
		cannot change check day depend during each end enough ever every example feel find first follow give good great
		group have help high into just keep kind know large learn leave like little long look make more most much must
		need never next now off often once one only open other over own people person place point problem provide put
		question reason right same say see should show similar small some start still such sure than that there they
		thing think this time together turn two under until use very wait want way what when where whole will with word
		work world year yes you young your`) {
		words[w] = true
	}
	return words
})

// maxPlain is the most plainWords that a seed phrase may have.
const maxPlain = 3

// minSeed is the least number of words in a seed phrase.
const minSeed = 12

// hasSeed reports whether a text in lower case has at least minSeed words of
// the list in a row, however they are numbered or separated.
func hasSeed(folded string) bool {
	if len(folded) < minSeed*4-1 { // words have at least three letters, and a blank between them
		return false
	}
	n, plain := 0, 0
	for _, field := range strings.Fields(folded) {
		word := strings.Trim(field, `0123456789.,;:)("'-#*`)
		switch {
		case word == "" && strings.Trim(field, `0123456789.)(#`) == "": // the number of a word
			continue
		case len(word) < 3 || len(word) > 8 || !seedWords()[word]:
			n, plain = 0, 0
			continue
		case plainWords()[word]:
			plain++
		}
		if n++; n >= minSeed && plain <= maxPlain {
			return true
		}
		if strings.HasSuffix(field, ".") { // the end of a sentence
			n, plain = 0, 0
		}
	}
	return false
}
