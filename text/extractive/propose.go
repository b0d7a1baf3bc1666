package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// settling are verbs of how work is done from then on.
var settling = set("use name call store target pin put place")

// consent returns what an assistant asks whether it may do, nil if it does not or the verb is none of
// verbs.
func consent(words []word, verbs map[string]bool) []word {
	if len(words) == 0 {
		return nil
	}
	n := opening("consents", words)
	if n == 0 || n+1 == len(words) || !verbs[words[n].low] || leaningOn[head(words[n+1].low)] ||
		mentions(words[n+1:min(n+3, len(words))], old) || hasAny(words, "or", "if") {
		return nil
	}
	return words[n:]
}

// proposal returns what an assistant's sentence proposes, without its subject;
// nil if it does not, or offers a choice or its own help.
func proposal(words []word) []word {
	if what := consent(words, settling); what != nil {
		return what
	}
	if len(words) < 2 || hasAny(words, "or", "whether", "if") || in("offers", words) {
		return nil
	}
	if n := opening("proposals", words); n > 0 {
		return words[n:]
	}
	rest := words
	if rest[0].low == "then" && len(rest) > 2 {
		rest = rest[1:]
	}
	if imperatives[rest[0].low] || requests[rest[0].low] || proposed[rest[0].low] {
		return rest
	}
	return nil
}

// old are the words before something that is there already: "the existing helper".
var old = set("existing current same old above following")

// proposed are verbs that begin a proposal as an order does, besides those of imperatives and
// requests.
var proposed = set("store cache move switch split raise lower replace remove drop rename order buy book send plan paint sell wait limit cap skip turn cut")

// maxProposal is how many words of a proposal are kept.
const maxProposal = 24

// accepted keeps a proposal of the assistant as a decision if the user agrees to it: "You could cap
// uploads at 60 seconds." and "Let's do that." are kept as "Agreed: cap uploads at 60 seconds." ok
// reports whether it was kept; besides are the words of the sentence behind the agreement.
func (m *message) accepted(words []word) (besides []word, ok bool) {
	x := m.x
	if len(words) == 0 || strings.Contains(words[len(words)-1].post, "?") {
		return nil, false
	}
	bare := words
	for len(bare) > 1 && (affirmation[bare[0].low] || interjections[bare[0].low]) && !(bare[0].low == "yes" && bare[1].low == "please") {
		bare = bare[1:]
	}
	if limit := limits(words); limit != nil {
		return nil, m.limited(limit)
	}
	if denial[words[0].low] && len(words) > 1 {
		return nil, m.otherwise(chosenWords(strip(words[1:], x.names)), words[0].ends()) // not "no need"
	}
	if n := opening("rather", words); n > 0 {
		return nil, m.otherwise(chosenWords(words[n:]), false)
	}
	short := affirmation[bare[0].low] && idle(bare) || len(bare) == 1 && plainYes[bare[0].low]
	if !short && !in("acceptance", bare) {
		return nil, false
	}
	what, asked := m.proposed()
	if what == nil || short && !asked {
		return nil, false
	}
	least := minStems + 1
	if verb, _, _ := strings.Cut(what[0], " "); settling[verb] || onlyName(cut(what[0])) != "" {
		least = minStems
	}
	return behind(bare), m.decide(what, "Agreed: "+strings.Join(what, "; ")+".", least)
}

// limits returns the words behind a yes that say how far it goes: "until the end of 2027", "but not for
// the legacy folder"; nil if there are none.
func limits(words []word) []word {
	if len(words) < 2 || len(words) > maxLimit || !affirmation[words[0].low] && !plainYes[words[0].low] {
		return nil
	}
	rest := words[1:]
	for len(rest) > 1 && (rest[0].low == "please" || affirmation[rest[0].low]) {
		rest = rest[1:]
	}
	if !in("limits", rest) || unreal(rest) {
		return nil
	}
	return rest
}

// maxLimit is how many words a yes with its limit has at most.
const maxLimit = 14

// otherwise keeps what the assistant proposed with the name or value that the user puts in the place of
// its own: "no, MySQL" to "Should we use Postgres for the jobs?" With things, that may be any thing: "no, spaces".
func (m *message) otherwise(instead []word, things bool) bool {
	what, asked := m.proposed()
	if what == nil || !asked || len(instead) == 0 || len(instead) > 2 {
		return false
	}
	now := strings.TrimRight(join(instead), " ,.!")
	mended, ok := exchangeIn(what[0], now, instead)
	if onlyName(instead) != "" {
		words := cut(what[0])
		old := onlyName(words)
		at := slices.IndexFunc(words, func(w word) bool { return w.text == old })
		if at+1 < len(words) && shape(words[at+1].text) == "number" {
			old += " " + words[at+1].text // "Postgres 15"
		}
		mended, ok = strings.Replace(what[0], old, now, 1), at >= 0
	}
	if !ok && things {
		mended, ok = withObject(cut(what[0]), instead)
	}
	return ok && len(what) == 1 && m.decide([]string{mended}, finish("Agreed: "+mended), minStems)
}

// ruled keeps the rule that the user makes of what the assistant asks whether to do: "always", or "never,
// open a PR", to "Can I push to main?" besides are the words behind it.
func (m *message) ruled(words []word) (besides []word, ok bool) {
	text, ok := m.asks()
	if !ok || len(words) == 0 || strings.Contains(words[len(words)-1].post, "?") {
		return nil, false
	}
	asked := strip(expand(cut(text)), m.x.names)
	n, yes, no := opening("consents", asked), affirmation[words[0].low], denial[words[0].low]
	for len(words) > 1 && (affirmation[words[0].low] || denial[words[0].low] || interjections[words[0].low]) {
		words = words[1:]
	}
	if n == 0 || hasAny(asked, "or", "if") || leans(asked[n:]) {
		return nil, false
	}
	rule, lead := " to "+strings.TrimRight(m.s.theirs(asked[n:]), " ?"), leading(words)
	besides = behind(words)
	switch {
	case whole("always", lead):
		rule = " to always" + strings.TrimPrefix(rule, " to")
	case whole("never", lead):
		rule = " to never" + strings.TrimPrefix(rule, " to")
	case lead[0].low == "only" && len(lead) > 1 && leaning[lead[1].low] && !hasAny(lead, "this", "that", "now", "today"):
		rule += " " + small(strings.TrimRight(join(lead), " ,.!"))
	case in("recurs", asked) && (yes || no): // "no just the code" to "Should I explain each step?"
		if no {
			rule = " not" + rule
		}
		if besides = words; affirmation[lead[0].low] || denial[lead[0].low] || idle(words) {
			besides = nil
		}
	default:
		return nil, false
	}
	m.x.note(m.s.turn, memory.FactPreference, agreedImportance, finish(m.s.speaker.name+" wants "+theAssistant+rule))
	return besides, true
}

// withObject returns a proposal with another thing of the same kind in the place of its object: "use pnpm in
// CI" of "use npm in CI" and "pnpm"; false if what is given in its place is no such thing.
func withObject(proposal, instead []word) (string, bool) {
	end := 1
	for end < len(proposal) && kindOf(proposal[end]) == "" {
		end++
	}
	last := len(instead) - 1
	if !settledVerbs[proposal[0].low] || end < 2 || end > 3 || leans(proposal) || (last > 0 || end > 2) &&
		instead[last].low != proposal[end-1].low && !(last == 1 && number(instead[0].low)) {
		return "", false
	}
	for _, w := range instead {
		if analysis.IsStop(w.low) || interjections[w.low] || noNames[w.low] || adverbs[w.low] || nowWords[w.low] || kindOf(w) != "" ||
			past(w.low) || strings.HasSuffix(w.low, "ly") || w.low == "wait" || w.low == "thanks" {
			return "", false
		}
	}
	if last+2 == end && instead[0].low == proposal[1].low {
		return "", false
	}
	thing := slices.Clone(instead)
	thing[last].post = proposal[end-1].post
	return join(slices.Concat(proposal[:1], thing, proposal[end:])), true
}

// limited keeps what the assistant proposed with the limit that the user sets to it.
func (m *message) limited(limit []word) bool {
	what, asked := m.proposed()
	if may := consent(strip(expand(cut(m.s.previous)), m.x.names), settledVerbs); what == nil && may != nil {
		what, asked = []string{strings.TrimRight(join(may), " .!?")}, true
	}
	if what == nil || !asked {
		return false
	}
	content := "Agreed: " + strings.Join(what, "; ") + ", " + small(m.s.ours(limit))
	return m.decide(what, absolute(finish(content), m.s.at).text, minStems)
}

// decide keeps a proposal that was accepted. It is added to the last fact if it refers to that by a
// pronoun ("cap it at 60 seconds"), and left out if it says less than least words.
func (m *message) decide(what []string, content string, least int) bool {
	if leans(cut(what[0])) {
		f := m.x.latest(m.x.talk.from)
		return f != nil && f.join(content)
	}
	if len(stemSet(content)) < least {
		return false
	}
	m.x.note(m.s.turn, memory.FactDecision, agreedImportance, content)
	return true
}

// leaningOn are pronouns by which a proposal refers to something that was named before.
var leaningOn = set("it this that they these those he she him her them")

// leans reports whether words have one of leaningOn.
func leans(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return leaningOn[head(w.low)] })
}

// behind returns the words behind the first clause, nil if there are none.
func behind(words []word) []word {
	for i, w := range words {
		if w.ends() {
			return words[i+1:]
		}
	}
	return nil
}

// proposed returns what the assistant proposed in the turn before, made to stand alone, and whether
// it asked for consent. Of several proposals the last counts, together with the one before if it
// refers to that.
func (m *message) proposed() (what []string, asked bool) {
	consent := false // is asked for behind the proposal: "Is that okay with you?"
	for _, text := range slices.Backward(m.lastSentences(3)) {
		words := unlabelled(strip(expand(cut(text)), m.x.names))
		consent = consent || strings.HasSuffix(text, "?") && in("asksConsent", cut(text))
		found := proposal(words)
		if len(found) == 0 || len(found) > maxProposal || foreign(text) {
			continue
		}
		one := strings.TrimRight(absolute(m.s.theirs(found), m.s.at).text, " .!?")
		if first := found[0]; first.low == words[0].low && !named(word{text: first.text[1:]}) || imperatives[first.low] {
			one = small(one)
		}
		over := errand(found) || running[found[0].low] && !mentions(found, byMeans) || found[len(found)-1].low == "now" // once it is done
		asked = asked || strings.HasSuffix(text, "?") || words[0].low == "proposal" || words[0].low == "suggestion" || consent && !over
		what = append([]string{one}, what...)
		if len(what) > 1 || !leans(found) {
			break
		}
	}
	return what, asked
}

const agreedImportance = 0.8

var plainYes = set("ok okay yes yep yeah sure agreed deal fine perfect great right gladly please")

// lastSentences returns the last sentences of the turn before, if the assistant said it.
func (m *message) lastSentences(count int) []string {
	turn, ok := m.x.turnBefore(m.s.turn, m.s.speaker)
	if !ok {
		return nil
	}
	all := sentencesThat(brief, turn.Content)
	return all[max(0, len(all)-count):]
}
