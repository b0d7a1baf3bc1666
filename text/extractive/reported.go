package extractive

import "strings"

// claims are the words before what a text or somebody says of how things are.
var claims = newPhrases(`
	^ the|our|my|his|her|their|a|an ~ docs|documentation|readme|manual|wiki|comment|website|page|label|ticket|contract|old|customer|client|user says|say|said|claims|claim|claimed|states|state|shows|show
	^ the|our|my|his|her|their|a|an docs|documentation|readme|manual|wiki|comment|website|page|label|customer|client|user says|say|said|claims|claim|claimed|states|state`)

// despite returns what is so where words say so beside what is claimed: "the readme claims
// Node 16, but we are on Node 22". Other words stay as they are.
func despite(words []word) []word {
	if !claims.in(words) {
		return words
	}
	for i := 3; i+3 < len(words); i++ {
		if words[i].low != "but" {
			continue
		}
		if rest := words[i+1:]; verbal(rest) && !lostSubjects[head(rest[0].low)] && !unreal(rest) && stems(rest) >= minStems {
			return rest
		}
		break
	}
	return words
}

// opinions are the words before what somebody says or thinks of the speaker, or of
// anything, of a fact that stands alone.
var opinions = newPhrases("^ the|a|an|my|our|his|her|their ... told|tells|accused|accuses|say|says|said|claim|claims|claimed|think|thinks|thought|believe|believes|believed|insist|insists|insisted|assume|assumes|assumed")

// denials are the openings of a sentence that says that something is not so.
var denials = newPhrases(`
	^ it|that|this|he|she|they is|are|was|were|does|do|did|has|have not
	^ i|we am|are|was|were|do|did|have not
	^ it|that|this|he|she|they isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't
	^ i|we aren't|wasn't|weren't|don't|didn't|haven't`)

// denied drops a claim that the sentence before reported, if this one denies it ("The
// customer says that our API is down. It isn't, his key expired."). It returns what this
// one says instead, which may be nothing, and whether it does.
func (m *message) denied(words []word) (truth []word, denied bool) {
	last, lead := len(m.x.facts)-1, leading(words)
	if !m.open || last < m.from || !denials.in(words) || len(lead) > 4 {
		return nil, false
	}
	if end := lead[len(lead)-1].low; firstPerson[lead[0].low] && end != "not" && !strings.HasSuffix(end, "n't") {
		return nil, false // "I didn't know" denies nothing
	}
	if told := cut(m.x.facts[last].latest()); !claims.in(told) && !opinions.in(told) {
		return nil, false
	}
	if truth = words[len(lead):]; len(truth) < 3 {
		truth = nil
	}
	m.x.facts[last].undo()
	m.open = false
	return truth, true
}

// ofValue returns the value that "it's 8080" is no more than, or the words as they are.
func ofValue(words []word) []word {
	switch {
	case len(words) > 1 && len(words) < 5 && head(words[0].low) == "it" && words[0].low != "it":
		return words[1:]
	case len(words) > 2 && len(words) < 6 && words[0].low == "it" && words[1].low == "is":
		return words[2:]
	}
	return words
}

// rename puts a name or word in the place of what a fact says that something is: "The
// user's login is kestrel." It reports whether the fact is of that form.
func (f *draft) rename(words []word) bool {
	if len(words) == 0 || len(words) > 2 || verbal(words) {
		return false
	}
	all := cut(f.Content)
	for i := len(all) - 2; i > 0 && i >= len(all)-3; i-- {
		if all[i].low == "is" && !leaning[all[i+1].low] && !determiners[all[i+1].low] {
			f.amend(finish(join(all[:i+1]) + " " + join(words)))
			return true
		}
	}
	return false
}
