package extractive

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

const (
	// maxFactBytes bounds a fact to which sentences are added.
	maxFactBytes = 360
	// maxAdded is how many sentences are added to one fact.
	maxAdded = 2
	// minStems is how many content words a fact has at least, besides names of the people.
	minStems = 2
)

// extraction collects the facts of some turns.
type extraction struct {
	turns []memory.Turn
	cast  cast
	names []string
	known *known
	facts []draft
	talk  dialogue
}

// draft is a fact that sentences may still be added to.
type draft struct {
	memory.Extracted
	added   int
	ends    []int // lengths before each sentence that was added
	dropped bool
	amended bool // in the latest turn of the user
}

// said is one sentence in its context.
type said struct {
	words    []word // expanded, stripped
	opening  []word // the same before stripping
	speaker  person
	listener person
	at       time.Time
	previous string // see [extraction.before]
	turn     int    // position in the request
	brief    bool   // may say little, as in a dialogue
	later    bool   // is not the first sentence that a user's turn says anything in
	opposed  bool   // begins by a denial of what the assistant did or said
	ofPast   bool   // answers a question about what was
}

// turn finds the facts of the turn at a position.
func (x *extraction) turn(position int) {
	t := x.turns[position]
	who, ok := speaker(t)
	if !ok {
		return
	}
	listener := x.cast.listener(who)
	if listener.assistant && !who.assistant {
		x.fromUser(position, who, listener)
		return
	}
	if x.cast.log && who.assistant && !listener.assistant && listener.name != "" {
		x.confirm(position, who, listener)
	}
	open, previous := false, x.before(position, who) // the sentence before became a fact, or part of one
	for _, text := range sentences(t.Content) {
		if foreign(text) {
			open = false
			x.foreign(text, who, t)
			continue
		}
		opening := expand(cut(text))
		stated := statement(opening)
		if stated == nil {
			open = false
			continue
		}
		s := said{words: strip(stated, x.names), opening: stated, speaker: who, listener: listener, at: t.SaidAt,
			previous: previous, turn: position}
		open = x.sentence(s, open)
	}
}

// sentence makes a fact of a sentence, or adds it to the one before; it
// reports whether it did.
func (x *extraction) sentence(s said, open bool) bool {
	if len(s.words) == 0 {
		return false
	}
	if s.speaker.assistant { // of which only decisions and commitments count: what else it says is its answer
		if r, ok := ruleOf(s); !ok || !r.assistant || in("ownAnswer", s.words) {
			return false
		}
	}
	fact, ok := x.corrected(s)
	if ok {
		x.add(fact)
		return true
	}
	if in("noise", s.words) && !binding(s) || in("hypothetical", s.words) || strings.HasSuffix(s.words[len(s.words)-1].post, ":") {
		return false
	}
	s.words = withSubject(ordered(s.words, s), s.speaker)
	if lostSubjects[head(s.words[0].low)] { // it leans on the one before: "It was great"
		f := x.latest(0)
		return open && f != nil && f.Turn == x.turns[s.turn].Index && f.added < maxAdded && x.lean(s, 0)
	}
	fact, ok = x.fact(s)
	if ok {
		x.add(fact)
	}
	return ok
}

// binding reports whether a sentence decides or promises something, which
// counts however politely it begins.
func binding(s said) bool {
	r, ok := ruleOf(s)
	return ok && (r.is == memory.FactCommitment || r.is == memory.FactDecision || r.is == memory.FactCorrection && complains(s))
}

// head returns a word without what an apostrophe joins to it.
func head(low string) string {
	before, _, _ := strings.Cut(low, "'")
	return before
}

// fact makes a fact of a sentence that has a subject of its own; ok is false if the sentence is not
// worth keeping.
func (x *extraction) fact(s said) (memory.Extracted, bool) {
	content, at, ok := x.content(s)
	if !ok {
		return memory.Extracted{}, false
	}
	mine := mentions(s.words, firstPerson)
	proper := x.details(s.words)
	if !verbal(s.words) && !acting(s.words) || !mine && !proper {
		return memory.Extracted{}, false
	}
	fact := memory.Extracted{Content: content, Type: memory.FactOther, Importance: thirdImportance, Turn: x.turns[s.turn].Index}
	if r, ok := ruleOf(s); ok {
		fact.Type, fact.Importance = r.is, r.importance
	} else if mine {
		fact.Importance = plainImportance
		if i := indexOf(s.words, "i", "we"); i >= 0 {
			if v, ok := following(s.words, i); ok && (past(s.words[v].low) || hasAny(s.words[v:v+1], "was", "were")) {
				fact.Importance = pastImportance
			}
		}
	}
	if fact.Type == memory.FactOther && advice(s.words) {
		return memory.Extracted{}, false
	}
	if !at.IsZero() && fact.Type == memory.FactOther && mine {
		fact.Type, fact.Importance = memory.FactEvent, max(fact.Importance, eventImportance)
	}
	if fact.Type == memory.FactEvent {
		fact.OccurredAt = at
	}
	if proper || slices.ContainsFunc(s.words, func(w word) bool { return number(w.low) }) {
		fact.Importance += detailBonus
	}
	return fact, true
}

var subordinators = set("since because while although though whereas until when as if unless which who especially")

// advice reports whether a sentence tells somebody what to do, and nothing
// about the speaker.
func advice(words []word) bool {
	return imperatives[words[0].low] && !hasAny(words, "i", "we")
}

// verbal reports whether a sentence has a verb, as far as forms tell.
func verbal(words []word) bool {
	for i, w := range words {
		if w.low == "left" && i+1 < len(words) && !w.ends() && !analysis.IsStop(words[i+1].low) ||
			w.low == "left" && i > 0 && analysis.IsStop(words[i-1].low) && !firstPerson[words[i-1].low] {
			continue // a side
		}
		if modals[w.low] || agreement[w.low] != "" || past(w.low) || secondVerbs[w.low] || doubtfulVerbs[w.low] ||
			strings.HasSuffix(w.low, "'s") || strings.HasSuffix(w.low, "s") && !strings.HasSuffix(w.low, "ss") && len(w.low) > 3 {
			return true
		}
	}
	return false
}

// acting reports whether words are "I" or "we" with a verb that has no form to tell it by: "We wait
// for the permit".
func acting(words []word) bool {
	return len(words) > 2 && (words[0].low == "i" || words[0].low == "we") && !words[0].ends() && !analysis.IsStop(words[1].low)
}

// content writes a sentence so that it stands alone.
func (x *extraction) content(s said) (content string, at time.Time, ok bool) {
	resolved, ok := resolve(s.words, s.speaker, s.listener)
	if n := stems(s.words); !ok || n < minStems && !(s.brief && n > 0) {
		return "", at, false
	}
	text := finish(join(resolved))
	if !s.ofPast {
		d := absolute(text, s.at)
		return d.text, d.at, true
	}
	d := absolute("It was "+small(text), s.at) // so that "Saturday" is the last one
	return capital(strings.TrimPrefix(d.text, "It was ")), d.at, true
}

// secretLast ends with a password or the like, of which a mark at its end may be part: "Hunter2!"
var secretLast = lazyregexp.New(`(?i)\b(?:pass(?:word|wort|phrase|code)|pw|pwd|pin|token|secret|key|kennwort)s?\b(?: (?:for|of|to|on|in|für|von|im|zum) [^.!?]{1,40}?)?(?: (?:is|was|ist|lautet)|:|=) ?\S*[!*~-]$`)

// finish gives a sentence a capital and a full stop.
func finish(text string) string {
	if strings.TrimRight(text, "!*~-") != text && secretLast().MatchString(text) {
		return capital(text)
	}
	trailing := " ,;:-—*~`"
	if strings.Count(text, "`")%2 == 0 {
		trailing = " ,;:-—*~" // a command that was marked as one
	}
	text = strings.TrimRight(strings.TrimLeft(text, " ,;:.!-—"), trailing)
	if first, _, _ := strings.Cut(text, " "); first == strings.ToLower(first) && !strings.ContainsAny(first, "0123456789_./") {
		text = capital(text)
	}
	if bare := strings.TrimRight(text, ".!…"); bare != "" {
		text = bare + "."
	}
	return strings.Replace(text, ".\".", ".\"", 1)
}

// note keeps a fact of a turn.
func (x *extraction) note(turn int, kind memory.FactType, importance float64, content string) {
	x.add(memory.Extracted{Content: content, Type: kind, Importance: importance, Turn: x.turns[turn].Index})
}

// add keeps a fact, with the lowest importance if it looks like an attempt to give orders to whoever reads
// it. Known ones are recognised at the end, when no sentence can be added any more.
func (x *extraction) add(f memory.Extracted) {
	f.Importance = min(f.Importance, 0.95)
	if obeyed(cut(f.Content)) {
		f.Type, f.Importance = memory.FactOther, orderImportance
	}
	x.facts = append(x.facts, draft{Extracted: f})
}

// result returns the most important facts in the order of their turns.
func (x *extraction) result(limit int) []memory.Extracted {
	var facts []memory.Extracted
	for _, f := range x.facts {
		if !f.dropped && x.known.add(f.Content) {
			facts = append(facts, f.Extracted)
		}
	}
	if limit <= 0 || len(facts) <= limit {
		return facts
	}
	order := make([]int, len(facts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(facts[b].Importance, facts[a].Importance) })
	order = order[:limit]
	slices.Sort(order)
	best := make([]memory.Extracted, limit)
	for i, position := range order {
		best[i] = facts[position]
	}
	return best
}

// ruleOf returns the first rule that a sentence fits.
func ruleOf(s said) (rule, bool) {
	if complains(s) || s.opposed && isOrdered(s.words) {
		return rule{is: memory.FactCorrection, importance: correctionImportance}, true
	}
	hasDate := -1
	for _, r := range rules {
		if !in(r.table, s.opening) && !in(r.table, s.words) {
			continue
		}
		if r.dated {
			if hasDate < 0 {
				hasDate = 0
				if !absolute(join(s.words), s.at).at.IsZero() {
					hasDate = 1
				}
			}
			if hasDate == 0 {
				continue
			}
		}
		return r, true
	}
	return rule{}, false
}

func mentions(words []word, of map[string]bool) bool {
	return slices.ContainsFunc(words, func(w word) bool { return of[w.low] })
}

// indexOf returns where the first of some words stands among words, -1 if none does.
func indexOf(words []word, of ...string) int {
	return slices.IndexFunc(words, func(w word) bool { return slices.Contains(of, w.low) })
}

// hasAny reports whether one of some words is among words.
func hasAny(words []word, of ...string) bool { return indexOf(words, of...) >= 0 }

// details reports whether a sentence names anybody or anything but the people
// of the conversation, or has a number.
func (x *extraction) details(words []word) bool {
	for i, w := range words {
		if i > 0 && !words[i-1].ends() && named(w) && !vocative(w, x.names) || strings.ContainsAny(w.text, "0123456789") {
			return true
		}
	}
	return false
}
