package extractive

import (
	"slices"
	"strings"
)

// introduces reads a sentence of a request that tells of somebody on the way ("write a poem for my dog
// Bruno, he's 13 and nearly deaf"), or one behind it ("She is 16"), and returns what is told, with whom
// it is about as its subject. Nil if nothing is, or if it may be invented ("a story about my boss").
func (m *message) introduces(words []word) []word {
	if told := aboutThem(m.about, words); told != nil {
		return told
	}
	m.about = nil
	at, who, rest := introduced(words)
	if who == nil || m.frame || words[at-1].low == "about" {
		return nil
	}
	m.about = who
	return aboutThem(who, rest)
}

// introduced returns the words of a request that name somebody by what they are to the user ("my dog
// Bruno"), at which place they stand, and what follows; nil if there are none.
func introduced(words []word) (at int, who, rest []word) {
	asks := words // for something now: "write", "could you find"
	if len(asks) > 3 && modals[asks[0].low] && asks[1].low == "you" {
		asks = asks[2:]
	}
	if len(asks) < 3 || !request(asks) && !errand(asks) {
		return 0, nil, nil
	}
	for i := 1; i+1 < len(words); i++ {
		if words[i].low != "my" && words[i].low != "our" || words[i].ends() {
			continue
		}
		for end := i + 2; end <= len(words) && end <= i+maxIntroduced; end++ {
			last := words[end-1]
			if persons[last.low] {
				for end < len(words) && !words[end-1].ends() && named(words[end]) { // "my dog Bruno"
					end++
				}
				who = slices.Clone(words[i:end])
				who[len(who)-1].post = ""
				return i, who, words[end:]
			}
			if named(last) || leaning[last.low] || last.low == "about" {
				break // "my notes about the client"
			}
		}
	}
	return 0, nil, nil
}

// maxIntroduced is how many words name somebody, at most, but for their name: "my very old younger sister".
const maxIntroduced = 5

// persons are what people and animals are to somebody.
var persons = set(`mother mum mom father dad parent son daughter child kid baby brother sister sibling twin nephew niece cousin aunt uncle
	grandmother grandfather grandma grandpa gran granny grandson granddaughter wife husband partner spouse girlfriend boyfriend fiancé
	fiancée ex godson goddaughter stepson stepdaughter stepmother stepfather mother-in-law father-in-law sister-in-law brother-in-law
	friend neighbour neighbor colleague coworker co-worker teammate boss manager mentor intern assistant client customer landlord landlady
	tenant flatmate roommate teacher tutor coach doctor dentist therapist vet nanny babysitter lawyer accountant
	dog cat puppy kitten horse pony rabbit hamster parrot budgie tortoise bird`)

// aboutThem returns what is told of somebody behind their name, or in the next sentence, as a sentence of
// its own: with who as its subject for "he" and "she". Nil for anything else.
func aboutThem(who, words []word) []word {
	if len(who) == 0 || len(words) < 2 || refers(words) {
		return nil
	}
	pronoun, told := words[0].low, slices.Clone(words[1:])
	switch pronoun {
	case "he's", "she's", "who's":
		verb := "is"
		if next, ok := following(words, 0); ok && participles[words[next].low] {
			verb = "has" // "he's led the team"
		}
		told = append(cut(verb), told...)
	case "he", "she", "who":
	default:
		return nil
	}
	switch verb := told[0].low; {
	case pronoun == "who" && (guesses[verb] || verb == "can" || verb == "will"): // "who can help here?"
		return nil
	case speaking[verb], verb == "wants", verb == "wanted": // "she thinks it's a bug" is about the request
		return nil
	}
	if last := &told[len(told)-1]; strings.Contains(last.post, "?") {
		last.post = "."
	}
	if unreal(told) {
		return nil
	}
	return slices.Concat(who, told)
}
