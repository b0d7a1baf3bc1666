package extractive

import (
	"slices"
	"strings"
)

// noRoles are words of a game or a piece that is played without being somebody else: "play the
// piano" begins no role play.
var noRoles = set("devil's advocate piano guitar violin drums music song video chess cards football tennis")

// maxPlay is after how many sentences of the user a play is over that nobody
// ended.
const maxPlay = 40

// playing reports whether a sentence is part of a play, and remembers where one
// begins and ends. A sentence that ends it is taken at its word.
func (d *dialogue) playing(words []word) bool {
	switch {
	case d.play > 0 && (in("curtains", words) || in("sobering", words)):
		d.play = 0
		return len(words) < 7 // only says so
	case in("roles", words) && !mentions(words, noRoles):
		d.play = maxPlay
	}
	d.play = max(0, d.play-1)
	return d.play > 0
}

// exampleLabels are the words before an example.
var exampleLabels = set("example sample e.g demo beispiel exemple ejemplo esempio")

// sarcastic reports whether a sentence means the opposite of what it says: by a phrase ("Oh great,
// the build is broken again"), or by a word with a drawn-out letter behind a "yeah" or the like
// ("Yeah, because our tests are sooo stable").
func sarcastic(words []word) bool {
	if in("ironic", words) || in("scorn", words) {
		return true
	}
	return hasAny(words[:1], "yeah", "yes", "right", "sure", "oh", "because") &&
		slices.ContainsFunc(words, func(w word) bool { return drawnOut(w.low) })
}

// drawnOut reports whether a word has a letter three times in a row: "sooo".
func drawnOut(low string) bool {
	for i := 2; i < len(low); i++ {
		if low[i] == low[i-1] && low[i] == low[i-2] && low[i] >= 'a' && low[i] <= 'z' && low[i] != 'w' && low[i] != 'i' && low[i] != 'x' {
			return true
		}
	}
	return false
}

// goesOnJesting reports whether a sentence goes on with the joke of the one
// before: it leans on it, says what would be, or shares a word with it.
func (m *message) goesOnJesting(words []word) bool {
	if m.jest == nil || in("sober", words) || len(words) == 0 {
		return false
	}
	if m.scorned {
		return in("praise", words) || len(words) < 4 && !verbal(words)
	}
	if in("grounded", words) {
		return false
	}
	if m.dream && !finite(words) {
		return true // "Two testers, a lab" behind "I wish we had"
	}
	if first := words[0].low; lostSubjects[head(first)] || wouldDo(words) || mentions(words, intents) || first == "and" || first == "then" {
		return true
	}
	for stem := range stemSet(join(words)) {
		if m.jest[stem] && !weak[stem] {
			return true
		}
	}
	return false
}

// unmeant reports whether a sentence is left out because it does not say what is so: part of a role
// play or a tale, sarcasm, a joke, made-up data, something imagined, or a passing mood. It keeps in
// m and in the dialogue what the next sentence may go on with.
func (m *message) unmeant(words []word) bool {
	if m.x.talk.playing(words) || in("samples", words) ||
		exampleLabels[words[0].low] && (words[0].low == "e.g" || strings.Contains(words[0].post, ":")) {
		return true
	}
	if m.tale && !mentions(words, firstPerson) && !in("grounded", words) && !in("sober", words) {
		return true
	}
	if m.tale = in("tales", words); m.tale && strings.Contains(join(words), ":") {
		return true
	}
	if m.imagined(words) {
		m.x.talk.unreal = true
		return true
	}
	switch {
	case sarcastic(words):
		m.jest, m.scorned = map[string]bool{}, true
	case m.goesOnJesting(words):
	case in("jests", words) || jesting(words) || in("fiction", words):
		m.jest, m.scorned, m.dream = stemSet(join(words)), false, false
	case momentary(words), disproofs[words[len(words)-1].low] && in("refuted", words):
		return true
	case in("cheers", words):
		m.jest, m.scorned = map[string]bool{}, true // what comes next may be meant the other way round
		return false
	case in("dreams", words):
		m.jest, m.scorned, m.dream = stemSet(join(words)), false, true
		return false
	default:
		m.jest = nil
		return false
	}
	m.x.talk.unreal = true
	return true
}

// passingNames are words with a capital, such as a weekday, that leave a feeling a passing one:
// "I'm so tired this Monday" is not kept.
var passingNames = set("i monday tuesday wednesday thursday friday saturday sunday today")

// disproofs end a sentence that tells what was said and denies it ("She said it was broken, which turned out
// to be wrong"). How it is would come in the next sentence.
var disproofs = set("rubbish nonsense wrong untrue false bullshit bs")

// momentary reports whether a sentence tells only how somebody is just now ("I'm
// so tired today"), which is over before anybody asks. With a name, a number, a
// cause or a time from which on it may be more.
func momentary(words []word) bool {
	return in("feelings", words) && !in("enduring", words) && !slices.ContainsFunc(words[1:], func(w word) bool {
		return named(w) && !passingNames[head(w.low)] || number(w.low) && w.low != "one"
	})
}

// imagined reports whether a sentence is part of something that is only imagined, which goes
// on until the question that it leads to, or words that end it.
func (m *message) imagined(words []word) bool {
	switch {
	case m.frame && (in("sober", words) || in("grounded", words) || imperatives[words[0].low] || requests[words[0].low]):
		m.frame = false
		return false
	case m.frame:
	case m.supposed:
		return true
	case in("frames", words) && !in("startled", words) && len(words) > 2:
		m.frame = true
	default:
		return false
	}
	if strings.Contains(words[len(words)-1].post, "?") {
		m.frame = false
	}
	return actual(words) == nil
}

// supposes reports whether the assistant's words before a turn imagine something or give
// an example.
func (m *message) supposes() bool {
	before := m.lastSentences(4)
	if n := len(before); n > 0 && in("ofUser", expand(cut(before[n-1]))) {
		return false
	}
	for _, text := range before {
		words := unlabelled(strip(expand(cut(text)), m.x.names))
		if len(words) > 2 && (in("frames", words) || exampleLabels[words[0].low] && strings.Contains(words[0].post, ":")) {
			return true
		}
	}
	return false
}
