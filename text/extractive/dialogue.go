package extractive

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// What a user tells an assistant comes in bits: half of a fact is in the
// question that it answers, in the message before, or in the words by which
// the assistant confirms it. So a fact of such a conversation is a thread: a
// sentence that stands alone, and behind it what leans on it.
const (
	// maxThread is how many sentences lean on the first of a thread.
	maxThread = 4
	// minPlain is how many words that mean something a sentence has that names
	// neither the user nor anything else.
	minPlain = 3
	// shortFact is the length in bytes up to which a fact is rather a heading
	// of the sentence behind it.
	shortFact = 45
)

// dialogue is what a conversation of a user with an assistant has come to.
type dialogue struct {
	heard map[string]bool // stems that the user said
	just  map[string]bool // of these, in the user's latest turn
	turn  int             // position of that turn, -1 before the first
	from  int             // facts there were before it
	at    time.Time       // when that was
	// unreal is set if something of it was a joke or a supposition, echoed if
	// the assistant's words stand behind its last fact.
	unreal, echoed bool
	open           bool // the last fact was made or completed in that turn
}

// message is a user's turn while its facts are found.
type message struct {
	x     *extraction
	s     said   // of its sentences, without their words
	from  int    // facts there were before it
	asked string // the assistant's question, resolved, until it is answered
	open  bool   // the sentence before became a fact, or part of one
	first bool   // nothing of the turn was taken yet
	apart bool   // it came long after the one before
	// unreal is set if the user's turn before was a supposition.
	unreal bool
}

// pause is the time after which a message is no part of the talk before.
const pause = 3 * time.Hour

// denies reports whether a message begins by saying no.
func denies(content string) bool {
	words := cut(content[:min(len(content), 40)])
	return len(words) > 0 && (words[0].low == "no" || words[0].low == "nope" || words[0].low == "wrong" || words[0].low == "not")
}

// fromUser finds the facts of a user's turn to an assistant.
func (x *extraction) fromUser(position int, who, listener person) {
	t := x.turns[position]
	m := &message{x: x, from: len(x.facts), first: true, asked: x.question(position, who)}
	m.s = said{speaker: who, listener: listener, at: t.SaidAt, turn: position, brief: true}
	question := m.asked
	m.apart = !t.SaidAt.IsZero() && t.SaidAt.Sub(x.talk.at) > pause
	m.unreal, x.talk.unreal = x.talk.unreal, false
	if x.talk.echoed && denies(t.Content) {
		x.facts[len(x.facts)-1].shorten()
	}
	x.talk.echoed = false
	for i, text := range sentencesThat(brief, listed(t.Content)) {
		if foreign(text) {
			m.foreign(text, t)
			continue
		}
		opening := ungreeted(expand(cut(text)))
		if i == 0 {
			if fact, ok := x.answer(position, opening, who); ok {
				x.add(fact)
				m.open, m.first, m.asked = true, false, ""
				continue
			}
		}
		rest, again := reconsidered(strip(opening, x.names))
		if again && m.open && x.exchange(rest, t.SaidAt, m.from) {
			continue
		}
		if again {
			m.retract(i > 0)
			m.asked, m.first = question, true
			if opening = rest; len(opening) == 0 {
				continue
			}
		}
		m.sentence(opening)
	}
	x.talk.from, x.talk.turn, x.talk.at, x.talk.open = m.from, position, t.SaidAt, m.open
	x.talk.hear(t.Content)
}

// retract drops what was said just before: in the same turn, else in the
// user's turn before.
func (m *message) retract(here bool) {
	from := m.from
	if !here {
		from = m.x.talk.from
	} else if len(m.x.facts) > from {
		from = len(m.x.facts) - 1
	}
	for i := from; i < len(m.x.facts); i++ {
		m.x.facts[i].dropped = true
	}
	if n := len(m.x.facts) - 1; from > n && m.open && n >= 0 {
		m.x.facts[n].shorten()
	}
	m.open = false
}

// sentence takes a sentence of the turn.
func (m *message) sentence(opening []word) {
	stated := statement(opening)
	if stated == nil {
		m.open, m.asked = false, ""
		return
	}
	s := m.s
	s.words, s.opening = ungreeted(strip(stated, m.x.names)), stated
	m.open = m.take(s)
	if m.open {
		m.first, m.asked = false, ""
	}
}

func (m *message) take(s said) bool {
	x := m.x
	if x.replace(s) {
		return true
	}
	if fact, ok := x.corrected(s); ok {
		x.add(fact)
		return true
	}
	if len(s.words) == 0 || unreal(s.words) {
		x.talk.unreal = true
		return false
	}
	if idle(s.words) || chat.in(s.words) || noise.in(s.words) && !binding(s) || strings.HasSuffix(s.words[len(s.words)-1].post, ":") {
		return m.open
	}
	if x.changed(s) {
		return false
	}
	s.words = ordered(s.words, s)
	if !(m.first && m.asked != "" && gerund(s.words[0].low)) {
		s.words = withSubject(s.words, s.speaker)
	}
	bare := lostSubjects[head(s.words[0].low)] || elliptical(s.words)
	switch {
	case m.first && m.unreal && (bare || refers(s.words)):
		x.talk.unreal = true
		return false
	case m.first && m.asked != "" && (bare || !finite(s.words)):
		return x.answered(m.asked, s)
	case m.first && m.apart:
		return x.state(s, minPlain)
	case m.first && (bare || refers(s.words)):
		return x.lean(s, x.talk.from) || x.state(s, minPlain)
	case m.open && stems(s.words) < minPlain && !mentions(s.words, firstPerson):
		return x.lean(s, 0) || x.state(s, minPlain)
	case bare, m.open && (refers(s.words) || x.continues(s)):
		return m.open && x.lean(s, 0) || !bare && x.state(s, minPlain)
	}
	return x.state(s, minPlain)
}

// elliptical reports whether words have no subject and verb of their own.
func elliptical(words []word) bool {
	return !verbal(words) || number(words[0].low) && len(words) < 4 || leaning[words[0].low]
}

// finite reports whether a sentence surely has a verb of its own; the plural of
// a noun may look like one.
func finite(words []word) bool {
	return !number(words[0].low) && slices.ContainsFunc(words, func(w word) bool {
		return modals[w.low] || agreement[w.low] != "" || past(w.low) || firstPerson[w.low] || strings.HasSuffix(w.low, "'s")
	})
}

// leaning are words that begin only what another sentence goes on with.
var leaning = set("in on at by for from with without since until because than to during before after")

// refers reports whether the object of a sentence was named before: "fixed it by".
func refers(words []word) bool {
	for i := 1; i < min(5, len(words)); i++ {
		switch words[i].low {
		case "it", "them", "this":
			return i+1 == len(words) || words[i].ends() || analysis.IsStop(words[i+1].low) || gerund(words[i+1].low)
		}
	}
	return false
}

// chat are phrases of sentences that end a topic or keep the talk going.
var chat = newPhrases(`
	^ that|this|it is|was|will all|it|done|why|fine|ok|okay|good|great
	^ that's|it's all|it|done|why|fine|ok|okay|good|great
	^ talk|speak|see|back tomorrow|tonight|on|later|soon|you|to
	^ good man|girl|boy|thing|one
	^ not that simple|bad|sure
	^ let|lemme me sleep|think
	^ i|we ~ think|believe|hope|guess so|yes|no|not
	^ as i said
	^ oh well
	^ ha|haha|lol`)

// idle reports whether a sentence consists of words that say nothing.
func idle(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool {
		return !interjections[w.low] && !idleWords[w.low] && (len(analysis.Content(w.text)) > 0 || number(w.low))
	})
}

var idleWords = set("please exactly well good fine done final example perfect seriously yes yeah noted correct fair bye day night later")

// ungreeted removes a greeting from the start of a sentence, and what else is
// there only by habit.
func ungreeted(words []word) []word {
	for i := 1; i < min(4, len(words)); i++ {
		if words[i-1].ends() && greetings[words[0].low] && !greetings[words[i].low] {
			words = words[i:]
			break
		}
	}
	for i := 0; i < min(3, len(words)-1) && (notes[words[i].low]); i++ {
		if strings.ContainsAny(words[i].post, ":") {
			words = words[i+1:]
			break
		}
	}
	for len(words) > 2 && fillers[words[0].low] && (firstPerson[words[1].low] || determiners[words[1].low]) {
		words = words[1:]
	}
	if len(words) > 3 && prefaces.in(words) {
		for i, w := range words[:4] {
			if prefaceEnds[w.low] && i+1 < len(words) && (firstPerson[words[i+1].low] || determiners[words[i+1].low] || w.low == "that") {
				words = words[i+1:]
				break
			}
		}
		if len(words) > 2 && words[0].low == "that" && (firstPerson[words[1].low] || determiners[words[1].low]) {
			words = words[1:]
		}
	}
	if len(words) > 1 && words[1].low == "here" && words[1].ends() && !lostSubjects[words[0].low] && !interjections[words[0].low] && len(words[0].low) > 2 {
		name := words[0]
		name.text, name.post = capital(name.text), words[1].post
		words = append([]word{{text: "I", low: "i"}, {text: "am", low: "am"}, name}, words[2:]...)
	}
	for i := 0; i+2 < len(words); i++ {
		if words[i].low == "by" && words[i+1].low == "the" && words[i+2].low == "way" {
			end := words[i+2].post
			words = slices.Delete(slices.Clone(words), i, i+3)
			if i > 0 && words[i-1].post == "" {
				words[i-1].post = end
			}
		}
	}
	return words
}

// prefaces ask an assistant to keep what follows.
var prefaces = newPhrases(`
	^ please? remember|note that?
	^ please? keep in mind that?
	^ please? don't forget that?`)

var (
	prefaceEnds = set("remember note mind forget that")
	notes       = set("one more another thing update quick also ps fyi note last next btw")
	greetings   = set("good morning evening afternoon day hi hello hey there again everyone")
	fillers     = set("ok okay yes yeah yep btw anyway meanwhile right well so sure oh alright")
	determiners = set("the a an my our his her their this that these those no all")
)

// state makes a fact of a sentence that stands alone.
func (x *extraction) state(s said, plain int) bool {
	if lostSubjects[head(s.words[0].low)] && s.words[0].low != "there" && s.words[0].low != "one" {
		return false
	}
	fact, ok := x.fact(s)
	if ok {
		x.add(fact)
		return true
	}
	if request(s.words) || fragment(s.words) || stems(s.words) < plain {
		return false
	}
	content, at, ok := x.content(s)
	if !ok {
		return false
	}
	fact = memory.Extracted{Content: content, Type: memory.FactOther, Importance: thirdImportance, Turn: x.turns[s.turn].Index}
	if r, ok := ruleOf(s); ok {
		fact.Type, fact.Importance = r.is, r.importance
	} else if !at.IsZero() && pastTense(s.words) {
		fact.Type, fact.Importance, fact.OccurredAt = memory.FactEvent, eventImportance, at
	}
	if orders.in(s.words) {
		fact.Type, fact.Importance = memory.FactOther, orderImportance
	}
	x.add(fact)
	return true
}

// request reports whether a sentence wants something done now.
func request(words []word) bool {
	if words[0].low == "please" && len(words) > 1 {
		words = words[1:]
	}
	return advice(words) || requests[words[0].low]
}

var denial = set("no nope")

var requests = set(`explain show help describe summarize summarise translate suggest list compare fix implement generate
	provide rewrite refactor draft please now`)

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

// continues reports whether a sentence goes on with what the last fact is
// about: that is little more than a heading, or both share a word.
func (x *extraction) continues(s said) bool {
	f := x.facts[len(x.facts)-1]
	if len(f.Content) <= shortFact || f.intro {
		return true
	}
	before := stemSet(f.Content)
	for stem := range stemSet(join(s.words)) {
		if before[stem] {
			return true
		}
	}
	return false
}

// lean adds a sentence to the last fact, if that is no older than the fact
// from and the thread is short enough.
func (x *extraction) lean(s said, from int) bool {
	last := len(x.facts) - 1
	if last < 0 || last < from || x.facts[last].dropped || x.facts[last].added >= maxThread {
		return false
	}
	content, _, ok := x.content(s)
	return ok && x.facts[last].join(content)
}

// join adds a sentence to a fact, if there is room.
func (f *draft) join(content string) bool {
	if len(f.Content)+1+len(content) > maxFactBytes {
		return false
	}
	f.ends = append(f.ends, len(f.Content))
	f.Content += " " + content
	f.added++
	return true
}

// shorten takes the sentence back that was added last.
func (f *draft) shorten() {
	if n := len(f.ends) - 1; n >= 0 {
		f.Content, f.ends = f.Content[:f.ends[n]], f.ends[:n]
	}
}

// answered keeps an answer behind the question that it answers; both go to the
// thread before, if the question goes on with it.
func (x *extraction) answered(question string, s said) bool {
	content, at, ok := x.content(s)
	if !ok {
		return false
	}
	if question = alternatives(question); question != "" {
		if denial[s.opening[0].low] && !denial[s.words[0].low] {
			content = "No, " + uncapital(content)
		}
		content = question + " " + content
	}
	if last := len(x.facts) - 1; last >= x.talk.from && last >= 0 && !x.facts[last].dropped && goesOn(question) && x.facts[last].added < maxThread {
		if x.facts[last].join(content) {
			return true
		}
	}
	if question == "" && stems(s.words) < minStems {
		return false
	}
	fact := memory.Extracted{Content: content, Type: memory.FactOther, Importance: plainImportance, Turn: x.turns[s.turn].Index}
	if r, ok := ruleOf(s); ok {
		fact.Type, fact.Importance = r.is, r.importance
	} else if !at.IsZero() {
		fact.Type, fact.Importance, fact.OccurredAt = memory.FactEvent, eventImportance, at
	}
	if orders.in(s.words) {
		fact.Type, fact.Importance = memory.FactOther, orderImportance
	}
	x.add(fact)
	return true
}

var pointers = set("it this that they he she these those him her them his their one ones else")

// uncapital undoes the capital of a function word.
func uncapital(text string) string {
	if first, _, _ := strings.Cut(text, " "); analysis.IsStop(strings.ToLower(first)) {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}

// goesOn reports whether a question makes sense only behind what was said
// before it.
func goesOn(question string) bool {
	return slices.ContainsFunc(cut(question), func(w word) bool { return pointers[head(w.low)] }) ||
		len(stemSet(question)) < 2
}

// restarts are where somebody begins anew without a capital.
var restarts = lazyregexp.New(`([.!…]) ((?i:correction|scratch that|scrap that|no wait|wait|no|sorry|actually)[,: ])`)

// listed writes a list under a line that ends with a colon into that line.
func listed(text string) string {
	text = restarts().ReplaceAllString(text, "$1\n$2")
	if !strings.Contains(text, ":\n") {
		return text
	}
	var out []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		item := listMarks().ReplaceAllString(strings.TrimSpace(line), "")
		last := len(out) - 1
		if open && item != strings.TrimSpace(line) && len(out[last])+len(item) < maxSentenceBytes-2 {
			separator := "; "
			if strings.HasSuffix(out[last], ":") {
				separator = " "
			}
			out[last] = strings.TrimRight(out[last], ".;,") + separator + strings.TrimRight(item, ".;,")
			continue
		}
		open = strings.HasSuffix(line, ":")
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
