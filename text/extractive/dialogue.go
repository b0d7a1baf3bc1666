package extractive

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/worth"
)

// What a user tells an assistant comes in bits: half of a fact is in the
// question that it answers, in the message before, or in the words by which
// the assistant confirms it. So a fact of such a conversation is a thread: a
// sentence that stands alone, and behind it what leans on it.
const (
	// maxThread is how many sentences can be added to the first one of a fact.
	maxThread = 4
	// minPlain is how many content words a sentence needs to be a fact if it names neither the user
	// nor anything else.
	minPlain = 3
	// shortFact is the length in bytes up to which a fact is rather a heading, to which the next
	// sentence belongs.
	shortFact = 45
)

// dialogue is the state of a conversation between a user and an assistant.
type dialogue struct {
	heard map[string]bool // stems that the user said
	just  map[string]bool // of these, in the user's latest turn
	turn  int             // position of that turn, -1 before the first
	from  int             // facts there were before it
	at    time.Time       // when that was
	// unreal is set if something in that turn was a joke or a supposition; echoed if words of the
	// assistant were added to its last fact.
	unreal, echoed bool
	open           bool // the last fact was made or completed in that turn
	play           int  // how many more of the user's sentences a role play may last
}

// pause is the time after which a message is no part of the talk before.
const pause = 3 * time.Hour

// contradicting begin a message that says no.
var contradicting = set("no nope wrong not")

// behindValue are the words that may follow a value that puts another right, and say no more.
var behindValue = set("please actually instead rather")

// retract drops what was said just before. With here, that is the last fact of this turn, or if it
// gave none, the sentence that it added to an older fact; else it is every fact since the user's
// turn before began, or those of them that share a word with rest, which is said instead.
func (m *message) retract(here bool, rest []word) {
	from := m.from
	if !here {
		from = m.x.talk.from
	} else if len(m.x.facts) > from {
		from = len(m.x.facts) - 1
	}
	about := slices.ContainsFunc(m.x.facts[min(from, len(m.x.facts)):], func(f draft) bool { return shares(f.Content, rest) })
	for i := from; i < len(m.x.facts); i++ {
		m.x.facts[i].dropped = m.x.facts[i].dropped || !about || shares(m.x.facts[i].Content, rest)
	}
	if n := len(m.x.facts) - 1; from > n && m.open && n >= 0 {
		m.x.facts[n].shorten()
	}
	m.open = false
}

// sentence reads a sentence of the turn and keeps what it states. As long as nothing of the turn
// was taken, it may also answer the assistant: confirm what it asked, accept what it proposed or
// offered.
func (m *message) sentence(opening []word) {
	opening = withI(opening)
	for _, answer := range answerers {
		if !m.first {
			break
		}
		if rest, ok := answer(m, opening); ok {
			m.took()
			if len(rest) > 0 {
				m.sentence(rest)
				m.open = true
			}
			return
		}
	}
	stated := statement(asOrder(opening))
	if stated == nil {
		m.open, m.asked = false, ""
		return
	}
	if m.first && m.agreed(stated) {
		m.took()
		return
	}
	s := m.s
	s.words, s.opening, s.later = ungreeted(strip(stated, m.x.names)), stated, m.heard
	s.opposed = m.first && corrective[opening[0].low] && strings.Contains(opening[0].post, ",") && s.previous != "" &&
		!strings.HasSuffix(s.previous, "?")
	m.heard = m.heard || !idle(s.words)
	m.open = m.take(s)
	if m.open {
		m.first, m.asked = false, ""
	}
}

// took remembers that something of the turn was taken, with which the next sentence may go on.
func (m *message) took() { m.open, m.first, m.asked = true, false, "" }

// answerers read a sentence, in this order, as an answer to what the assistant said before. besides are the
// words behind the answer, ok whether it was one.
var answerers = []func(m *message, words []word) (besides []word, ok bool){
	(*message).confirmed, (*message).wanted, (*message).namedAs, (*message).accepted, (*message).chosenOf,
	(*message).ruled,
}

var titles = set("dr mr mrs ms prof")

// withI adds the "I" that is missing in a sentence such as "Don't love it". Nobody is ordered not
// to love, so with a verb of statives it is no order.
func withI(words []word) []word {
	if len(words) < 3 || !negations[words[0].low] || !statives[words[1].low] || !strings.Contains(words[0].low, "n't") ||
		strings.Contains(words[len(words)-1].post, "?") {
		return words
	}
	words = slices.Clone(words)
	words[0].text = words[0].low
	return append(cut("I"), words...)
}

// agreed keeps a question that was answered only by yes or no, with the answer: "Does the user own
// a car? Yes."
func (m *message) agreed(words []word) bool {
	first, _, _ := strings.Cut(strings.ToLower(m.asked), " ")
	yes := affirmation[words[0].low]
	if !polar[first] || len(words) > 2 || !yes && !denial[words[0].low] || !idle(words) && (yes || len(words) > 1) ||
		len(stemSet(m.asked)) < minStems ||
		in("actsOnce", cut(m.asked)) && !worth.ReadRule(m.asked).Standing() {
		return false
	}
	answer := " No."
	if yes {
		answer = " Yes."
	}
	m.x.note(m.s.turn, memory.FactOther, plainImportance, m.asked+answer)
	return true
}

var (
	affirmation = set("yes yep yeah yup correct exactly sure indeed absolutely")
	polar       = set("do does did are is was were has have had")
)

// take makes a fact of a sentence, adds it to an earlier one, or leaves it out if it states nothing
// that is so. It returns what m.open is to be: whether the next sentence may go on with this one.
func (m *message) take(s said) bool {
	x := m.x
	if x.replace(s, m.first) {
		return true
	}
	if n := opening("admission", s.words); n > 0 && n+2 < len(s.words) && s.words[n-1].ends() { // not one that says how it was wrong
		s.words = s.words[n:]
	}
	if fact, ok := x.corrected(s); ok {
		x.add(fact)
		return true
	}
	s.words = certainPart(s.words)
	heard := false // from others, which is no supposition that the next turn goes on with
	if len(s.words) > 0 && (unreal(s.words) || in("wouldBut", s.words)) {
		heard = in("hearsay", s.words) || alleged(s.words)
		s.words = actual(s.words)
	}
	if len(s.words) == 0 {
		x.talk.unreal = x.talk.unreal || !heard
		return false
	}
	if strings.Contains(join(s.words), quoted) {
		return false
	}
	if in("noise", s.words) || in("chat", s.words) {
		s.words = besidesNoise(s.words)
	}
	if idle(s.words) || in("chat", s.words) || in("noise", s.words) && !binding(s) && !anybody(s.words) ||
		strings.HasSuffix(s.words[len(s.words)-1].post, ":") || promises(s.words) || once(s.words) {
		return m.open
	}
	if x.changed(s) {
		s.words = behind(s.words) // "I was wrong about Jenkins, we use Buildkite"
		return len(s.words) > 2 && !lostSubjects[head(s.words[0].low)] && (verbal(s.words) || firstPerson[s.words[0].low]) &&
			!unreal(s.words) && x.state(s, minPlain)
	}
	if len(s.words) > 2 && s.words[0].low == "this" && wholeWork[s.words[1].low] { // all that is worked on: "this repo"
		s.words = slices.Clone(s.words)
		s.words[0].set("the")
	}
	told := s.words
	if s.words = ordered(told, s); len(told) > 1 && s.words[0].low == told[0].low && (errand(told) || in("thisTime", told)) {
		return false
	}
	// Of "Is it still 30 June?" and "Moved to 15 July" the user is no subject.
	if !(m.first && m.asked != "" && (gerund(s.words[0].low) || !has(m.asked, s.speaker.name) && !refers(s.words))) {
		s.words = withSubject(s.words, s.speaker)
	}
	bare := lostSubjects[head(s.words[0].low)] || elliptical(s.words)
	_, questioned := m.asks()
	switch {
	case s.words[0].low == "i" && len(s.words) > 1 && s.words[1].low == "allow": // the end of a ban, see lifted
		return x.state(s, minStems)
	case m.first && m.asked == "" && len(s.words) == 1 && !questioned:
		return false // nothing by itself
	case m.open && isOrdered(s.words) && hasAny(s.words[min(4, len(s.words)):min(8, len(s.words))], "it", "them", "there") &&
		x.state(s, minPlain): // "never restart it"
		x.about()
		return true
	case m.first && m.unreal && (bare && !acting(s.words) || refers(s.words)):
		x.talk.unreal = true
		return false
	case m.first && m.asked != "" && m.answers(s, bare):
		return x.answered(m.asked, s)
	case m.first && m.apart:
		return x.state(s, minPlain) || lostSubjects[head(s.words[0].low)] && x.lean(s, x.talk.from)
	case m.first && (bare || refers(s.words)):
		return x.lean(s, x.talk.from) || x.state(s, minPlain)
	case m.open && stems(s.words) < minPlain && !mentions(s.words, firstPerson):
		return x.lean(s, 0) || x.state(s, minPlain)
	case bare, m.open && (refers(s.words) || !standing(s.words) && x.goesOn(s)):
		return m.open && x.lean(s, 0) || !bare && x.state(s, minPlain)
	}
	return x.state(s, minPlain)
}

// answers reports whether a sentence is an answer to the assistant's question that is kept with it, as it
// says little without. bare is whether it has no subject or verb.
func (m *message) answers(s said, bare bool) bool {
	first, open := s.words[0], openly(m.asked)
	return bare || len(s.words) == 1 || !finite(s.words) || first.low == "only" || pronoun(s.words) || elided(s) ||
		past(first.low) && !refers(s.words) || open && in("suffices", s.words) ||
		(open || leaning[first.low]) && !finite(leading(s.words)) || // "Katrin, she's our CFO"
		strings.HasSuffix(m.asked, ":") && !firstPerson[first.low] && !determiners[first.low]
}

// besidesNoise returns what is said behind a compliment or an apology: of "Sounds good, but we stay with
// MariaDB 11" it is "we stay with MariaDB 11"; all words if that is nothing.
func besidesNoise(words []word) []word {
	rest := actual(words)
	next := behind(words)
	for len(next) > 4 && in("noise", next) { // "No worries, sorry for the short message, …"
		next = behind(next)
	}
	if rest == nil && len(next) > 4 && firstPerson[next[0].low] && (definite(next) || stems(next) > minStems) && !unreal(next) &&
		!strings.HasPrefix(next[1].low, "mean") && strings.HasSuffix(words[len(words)-len(next)-1].post, ",") {
		rest = next
	}
	if rest == nil || hasAny(rest, "it", "them", "that") || !mentions(rest, firstPerson) && !definite(rest) || stems(rest) < minStems {
		return words
	}
	return rest
}

// promises reports whether somebody only says what they will do with what is at hand: "I'll test it."
func promises(words []word) bool {
	return len(words) > 2 && len(words) < 6 && firstPerson[words[0].low] && words[1].low == "will" && refers(words) &&
		stems(words) < minStems
}

// once reports whether words are an order about what is at hand, or for this time: "chunk this list in groups
// of 50", "skip lint this time".
func once(words []word) bool {
	if len(words) < 3 || words[0].ends() || analysis.IsStop(words[0].low) || past(words[0].low) || toMind[words[0].low] {
		return false
	}
	return (words[1].low == "this" || words[1].low == "these") && !words[1].ends() && !wholeWork[words[2].low] &&
		!spans[words[2].low] ||
		in("forOnce", words[1:]) && !finite(words[:2])
}

// toMind begin a request to remember: "keep this in mind: …".
var toMind = set("keep bear note remember")

// spans are what "this" and "these" stand before where they say when: "Helix these days".
var spans = set("day days week month year morning afternoon evening spring summer autumn fall winter season")

// openly reports whether a question asks for more than a yes: "Who approves the budget?"
func openly(question string) bool {
	first, _, _ := strings.Cut(strings.ToLower(question), " ")
	return openQuestions[first]
}

// elliptical reports whether words are no complete clause, as they lack a subject or a verb: "On
// Monday", "Starts at nine".
func elliptical(words []word) bool {
	i := indexOf(words[:max(0, min(6, len(words)-1))], "i", "we")
	sinceThen := i > 1 && !verbal(words[1:i]) // "Since the spring I work in Zed"
	return !verbal(words) || number(words[0].low) && len(words) < 4 || leaning[words[0].low] && !sinceThen ||
		ofIt[words[0].low] && len(words) > 1 && !words[0].ends()
}

// ofIt are verbs that begin a sentence about what was named before: "Starts on
// Monday".
var ofIt = set("starts takes costs needs comes goes runs ends begins lasts opens closes weighs includes contains leaves arrives happens fits")

// auxiliary are verbs that stand for that of the question: "we do, with swarm".
var auxiliary = set("does did is was has can will")

// pronoun reports whether a sentence has "one" near its start in the place of a noun of the
// question before ("the next one is in April"), without which it cannot be understood.
func pronoun(words []word) bool {
	for i := 1; i < min(4, len(words)-1); i++ {
		if words[i].low == "one" && (determiners[words[i-1].low] || i > 1 && determiners[words[i-2].low]) && !named(words[i-1]) {
			return true
		}
	}
	return false
}

// elided reports whether a yes or no goes on in words that lean on the question: with an auxiliary whose
// verb is there ("no but my husband is"), or a list without a verb ("nope, Hetzner, self managed").
func elided(s said) bool {
	if len(s.words) > 1 && (firstPerson[s.words[0].low] || named(s.words[0])) && s.words[1].ends() &&
		(auxiliary[s.words[1].low] || agreement[s.words[1].low] != "") {
		return true // "we do, with swarm"
	}
	if !affirmation[s.opening[0].low] && !denial[s.opening[0].low] {
		return false
	}
	last := s.words[len(s.words)-1].low
	return s.words[0].ends() || len(s.words) > 2 && (beForms[last] || last == "do" || last == "does" || last == "has" || last == "did")
}

// finite reports whether a sentence surely has a verb of its own. Unlike verbal, it does not count
// words that only end in "s", which may be plural nouns.
func finite(words []word) bool {
	for i, w := range words {
		if modals[w.low] || firstPerson[w.low] || strings.HasSuffix(w.low, "'s") ||
			(agreement[w.low] != "" || past(w.low)) && (i == 0 || !single[words[i-1].low] && !named(w)) { // "a bit", "near Split"
			return !number(words[0].low)
		}
	}
	return false
}

// leaning are words that begin a phrase without a subject ("without sugar"), which needs the
// sentence before it.
var leaning = set("in on at by for from with without since until because than to during before after")

// refers reports whether the object of a sentence was named before: "fixed it by".
func refers(words []word) bool {
	i := indexOf(words[:min(5, len(words))], "it", "them", "this")
	return i > 0 && (i+1 == len(words) || words[i].ends() || analysis.IsStop(words[i+1].low) || gerund(words[i+1].low))
}

// state makes a fact of a sentence that stands alone, and reports whether it did. A sentence that
// names neither the user nor anything else needs plain content words for that. Of a request only
// the reason behind it is kept, see reasonOf.
func (x *extraction) state(s said, plain int) bool {
	if lostSubjects[head(s.words[0].low)] && s.words[0].low != "there" && s.words[0].low != "one" {
		return false
	}
	fact, ok := x.fact(s)
	if ok {
		x.add(fact)
		return true
	}
	if request(s.words) {
		if s.words = reasonOf(s.words); s.words == nil {
			return false
		}
		plain = minStems
	}
	if at := indexOf(s.words, "not"); at > 1 && strings.HasSuffix(s.words[at-1].post, ",") { // "Tests go into tests/, not src/."
		plain = minStems
	}
	ofNamed := len(s.words) > 1 && named(s.words[0]) && past(s.words[1].low) && stems(s.words) >= minStems && // "Hanna quit."
		slices.ContainsFunc(x.facts[max(0, len(x.facts)-maxBack):], func(f draft) bool { return has(f.Content, s.words[0].text) })
	if stems(s.words) < plain && !ofNamed {
		return false
	}
	content, _, ok := x.content(s)
	if ok {
		x.keep(s, content, thirdImportance, time.Time{})
	}
	return ok
}

// keep adds a fact of the sort that its sentence is by the rules, or else an event of a day if there
// is one.
func (x *extraction) keep(s said, content string, importance float64, at time.Time) {
	fact := memory.Extracted{Content: content, Type: memory.FactOther, Importance: importance, Turn: x.turns[s.turn].Index}
	if r, ok := ruleOf(s); ok {
		fact.Type, fact.Importance = r.is, r.importance
	} else if !at.IsZero() {
		fact.Type, fact.Importance, fact.OccurredAt = memory.FactEvent, eventImportance, at
	}
	x.add(fact)
}

var denial = set("no nope nah")

// stems counts the distinct words that mean something.
func stems(words []word) int { return len(stemSet(join(words))) }

func stemSet(text string) map[string]bool {
	all := map[string]bool{}
	for _, stem := range analysis.Content(text) {
		if len(stem) > 2 || number(stem) {
			all[stem] = true
		}
	}
	return all
}

// answered keeps an answer behind the question that it answers; both go to the
// thread before, if the question goes on with it.
func (x *extraction) answered(question string, s said) bool {
	if last := len(s.words) - 1; last > 0 && s.words[last].low == "please" {
		s.words = slices.Clone(s.words[:last])
		s.words[last-1].post = strings.TrimRight(s.words[last-1].post, " ,") + "."
	}
	if last := len(s.words) - 1; last > 0 && s.words[last].low == "one" && places[s.words[last-1].low] > 0 ||
		s.words[0].low == "these" || s.words[0].low == "those" {
		return false // "the second one", of what is on the screen
	}
	s.ofPast = hasAny(cut(question), "did", "was", "were", "had") && !denial[s.opening[0].low] // "No, tomorrow."
	content, at, ok := x.content(s)
	if !ok {
		return false
	}
	if claim, ok := strings.CutSuffix(question, "."); ok && !affirmation[s.opening[0].low] && !leaning[s.words[0].low] {
		question = claim + "?" // which an answer of its own does not confirm: "You prefer tea, right?" "Coffee actually"
	}
	if question = unproposed(alternatives(question), s); question != "" {
		if denial[s.opening[0].low] && !denial[s.words[0].low] {
			content = "No, " + uncapital(content)
		} else if first, _, _ := strings.Cut(strings.ToLower(question),
			" "); polar[first] && affirmation[s.opening[0].low] && !affirmation[s.words[0].low] {
			content = "Yes, " + uncapital(content)
		}
		if rest, ok := strings.CutPrefix(content, "No but "); ok {
			content = "No, but " + rest
		}
		if (strings.HasSuffix(question, ":") || hasAny(cut(question), "call", "name")) && !named(s.words[0]) {
			content = small(content)
		}
		content = question + " " + content
	}
	if f := x.latest(x.talk.from); f != nil && goesOn(question) && f.added < maxThread && f.join(content) {
		return true
	}
	if question == "" && stems(s.words) < minStems || mentions(cut(question), hollow) && len(stemSet(question)) < minStems {
		return false
	}
	x.keep(s, content, plainImportance, at)
	return true
}

// pointers are words that refer to something said before.
var pointers = set("it this that they he she these those him her them his their one ones else")

// hollow are the words of a question for one of some things, which says nothing without them: "Which
// one?"
var hollow = set("one ones these those them")

// goesOn reports whether a question makes sense only behind what was said
// before it.
func goesOn(question string) bool {
	return slices.ContainsFunc(cut(question), func(w word) bool { return pointers[head(w.low)] }) ||
		len(stemSet(question)) < 2
}
