package extractive

import "strings"

// introduces reads a sentence of a request that tells of somebody on the way ("write a poem for my dog
// Bruno, he's 13 and nearly deaf"), or one behind it ("She is 16"), and returns what is told, with whom
// it is about as its subject. Nil if nothing is.
func (m *message) introduces(words []word) []word {
	if told := aboutThem(m.about, words); told != nil {
		return told
	}
	m.about = nil
	if !m.s.listener.assistant || m.frame {
		return nil
	}
	at, who, rest := introduced(words)
	if who == nil || m.unmeant(words) && words[at-1].low != "for" && words[at-1].low != "to" { // "a story about my boss"
		return nil
	}
	m.about, m.frame = who, false
	return aboutThem(who, rest)
}

// introduced returns the words of a request that name somebody by what they are to the user ("my dog
// Bruno"), at which place they stand, and what follows; nil if there are none.
func introduced(words []word) (at int, who, rest []word) {
	if !asksFor(words) {
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
				who = append([]word(nil), words[i:end]...)
				who[len(who)-1].post = ""
				return i, who, words[end:]
			}
			if last.ends() || named(last) || leaning[last.low] || last.low == "and" {
				break
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

// asksFor reports whether a sentence wants something done now: "write", "could you find".
func asksFor(words []word) bool {
	for len(words) > 2 && (words[0].low == "please" || words[0].low == "hey" || words[0].low == "ok") {
		words = words[1:]
	}
	if len(words) > 3 && modals[words[0].low] && words[1].low == "you" {
		words = words[2:]
	}
	return len(words) > 2 && (oneTime[words[0].low] || requests[words[0].low] || words[0].low == "write" || words[0].low == "make" ||
		words[0].low == "help" || words[0].low == "give")
}

// aboutThem returns what is told of somebody behind their name, or in the next sentence, as a sentence of
// its own: with who as its subject for "he" and "she". Nil for anything else.
func aboutThem(who, words []word) []word {
	if len(who) == 0 || len(words) < 3 || refers(words) {
		return nil
	}
	first := words[0]
	out := append([]word(nil), who...)
	switch pronoun, contracted, _ := strings.Cut(first.low, "'"); {
	case pronoun != "he" && pronoun != "she" && pronoun != "who", first.ends(), pronoun == "who" && possibly[words[1].low]:
		return nil
	case contracted == "s":
		out = append(out, word{text: "is", low: "is"})
	case contracted != "":
		return nil
	}
	out = append(out, words[1:]...)
	if next, ok := following(out, len(who)); ok && out[len(who)].low == "is" && has3(out[next].low) {
		out[len(who)] = word{text: "has", low: "has"}
	}
	if last := &out[len(out)-1]; strings.Contains(last.post, "?") {
		last.post = "."
	}
	if !verbal(out[len(who):]) || unreal(out) || opinion[out[len(who)].low] {
		return nil
	}
	return out
}

// opinion are verbs of what somebody said or thinks of the request: "she thinks it's a bug".
var opinion = set("say said says thinks thought wants wanted asked asks approved knows")

// possibly are verbs by which "who" asks: "who can help here".
var possibly = set("can could should would will might may")

// has3 reports whether "he's" before a word is "he has": "he's been", "she's led".
func has3(low string) bool {
	return low == "led" || low == "seen" || low == "got" || low == "had" || low == "been" || past(low) && !strings.HasSuffix(low, "ed")
}
