package slots

import (
	"strings"
	"sync"
)

// reader walks over the tokens of one text.
type reader struct {
	*lexicon
	text       string
	tokens     []token
	options    *Options
	statements []Statement
	under      string // what the text is about, by a tag or a heading: "atlas" of "[atlas]"
	headed     bool   // that stood in a line of its own, above what it holds for
	unread     bool   // a clause says something that no statement has
}

var readers = sync.Pool{New: func() any { return &reader{tokens: make([]token, 0, 128)} }}

const (
	keepTokens = 4096 // largest buffer that is kept for the next text
	most       = 256  // statements of a text, or a few more
	longest    = 80   // tokens of a sentence, and of a question
)

func borrow(text string, o *Options) *reader {
	r := readers.Get().(*reader)
	x := table()
	*r = reader{lexicon: x, text: text, options: o, tokens: x.tokens(r.tokens[:0], text)}
	if len(o.UserNames) > 0 {
		r.nameUser()
	}
	return r
}

func (r *reader) giveBack() {
	if cap(r.tokens) <= keepTokens {
		clear(r.tokens)
		r.text, r.under, r.statements = "", "", nil
		readers.Put(r)
	}
}

// Read returns what text says, one statement a clause, in order. Clauses in
// which no subject, verb or slot is found give none; nil for a text without
// any. Linear in the length of text; never fails. Of a long text about the
// first 256 statements are returned, so that [Between] stays quick.
func Read(text string, o Options) []Statement {
	if len(o.UserNames) > 0 {
		return read(text, o)
	}
	return remembered(text, func() []Statement { return read(text, o) })
}

func read(text string, o Options) []Statement {
	r := borrow(text, &o)
	defer r.giveBack()
	for lo := 0; lo < len(r.tokens) && len(r.statements) < most; {
		hi := r.sentenceEnd(lo)
		r.sentence(lo, hi)
		lo = hi
	}
	if r.unread && len(r.statements) > 0 {
		r.statements[0].Rest = true
	}
	return r.statements
}

// sentenceEnd returns the end of the sentence at lo. What goes on for longer
// than any sentence is cut, which keeps the work linear.
func (r *reader) sentenceEnd(lo int) int {
	for i := lo; i < len(r.tokens); i++ {
		if rank(r.tokens[i].post) == rankEnd || i-lo+1 == longest {
			return i + 1
		}
	}
	return len(r.tokens)
}

// sentence reads the clauses of a sentence. What hedges one hedges all.
func (r *reader) sentence(lo, hi int) {
	n := r.introduction(lo, hi)
	if n.lo >= hi {
		return
	}
	hedged := r.hedged(n.lo, hi)
	first := len(r.statements)
	if n.sort != unsorted {
		r.sorted(n, hi, hedged)
	}
	r.clauses(n, hi, hedged)
	r.join(first)
}

// clauses reads the clauses of a note.
func (r *reader) clauses(n note, hi int, hedged bool) {
	var before *clause
	for from := n.lo; from < hi; {
		to := r.clauseEnd(from, hi, before)
		c := clause{reader: r, lo: from, hi: to, before: before}
		if c.read() {
			c.s.sort(n.sort)
			r.keep(&c, hedged)
			before = &c
		} else {
			r.unread = r.unread || r.tells(from, to)
		}
		from = to
	}
}

// keep adds what a clause says.
func (r *reader) keep(c *clause, hedged bool) {
	s := &c.s
	s.Hedged = s.Hedged || hedged
	s.ofWish()
	r.belongs(s, c.subject == implied)
	s.Start, s.End = int(r.tokens[c.lo].start), int(r.tokens[c.hi-1].end)
	r.statements = append(r.statements, *s)
	for _, x := range c.extra {
		x.Hedged = s.Hedged
		r.belongs(&x, c.subject == implied)
		if x.End == 0 {
			x.Start, x.End = s.Start, s.End
		}
		r.statements = append(r.statements, x)
	}
}

// join connects a state that ended in a sentence with the one that began in it: of "I gave up
// tennis and play padel", "tennis" becomes the former value of the second statement.
func (r *reader) join(first int) {
	if len(r.statements)-first < 2 {
		return
	}
	for i := first; i+1 < len(r.statements); i++ {
		ended, next := r.statements[i], &r.statements[i+1]
		if !ended.Negated || !ended.Change || next.Negated || next.Hedged || next.Subject != ended.Subject {
			continue
		}
		if next.Former == "" && (next.Attribute == "" || ended.Attribute == "" || next.Attribute == ended.Attribute) {
			next.Former = ended.Norm
		}
		if next.unsure && next.Attribute != ended.Attribute { // what is joined is of the class that was left
			next.Attribute, next.single, next.unsure, next.open = "", false, false, true
		}
		next.Change, next.Exclusive = true, true
		if next.Attribute == "" && next.Topic == "" || next.open && ended.Attribute != "" && next.Attribute == "" {
			next.Attribute, next.single = ended.Attribute, ended.single
		}
	}
}

// hedged reports whether a sentence asserts nothing, because it is a question, a condition, a guess
// or tells the words of somebody else ("Tom said the flat is taken").
func (r *reader) hedged(lo, hi int) bool {
	t := r.tokens
	if t[hi-1].post == '?' {
		return true
	}
	if hi-lo > 2 && t[lo].is(isOpener) && !t[lo].is(isThird) && !r.ownsAlone(lo, hi) &&
		(t[lo+1].is(isFirst|isPossessive|isThird) || t[lo+1].is(isDet)) {
		return true
	}
	if hi-lo > 2 && t[lo].is(isQuestion) && t[lo+1].is(isOpener) {
		return true
	}
	quoted := 0
	for i := lo; i < hi; i++ {
		e := t[i].e
		if t[i].quoted {
			quoted++
		}
		if e.flags&isHedge != 0 && !r.month(i, lo, hi) {
			return true
		}
		if e.flags&isSay != 0 && i > lo && i-lo < 8 && e.flags&(formPast|formThird) != 0 &&
			!t[i-1].is(isDet|isPreposition|isBe|isPossessive) && !(i+1 < hi && t[i+1].is(isPreposition)) && r.others(lo, i) {
			return true
		}
		if e.flags&isTold != 0 && r.others(lo, i) || r.marker(i, hi, isHedge|isSay|isTold) != nil {
			return true
		}
	}
	return quoted >= 3
}

// others reports whether the words from lo to i, before a verb of saying, have no word of the first
// person, so that somebody else speaks.
func (r *reader) others(lo, i int) bool {
	for k := lo; k < i; k++ {
		if r.tokens[k].is(isFirst) {
			return false
		}
	}
	return true
}

// month reports whether "may" or the like at i is a month, or a name.
func (r *reader) month(i, lo, hi int) bool {
	if r.tokens[i].word != "may" {
		return false
	}
	if r.tokens[i].cap && i+1 < hi && r.tokens[i+1].cap && rank(r.tokens[i].post) == 0 && !r.tokens[i+1].is(isFirst) {
		return true // a name
	}
	before := i > lo && (r.tokens[i-1].num || r.tokens[i-1].is(isPreposition|isTime) || r.tokens[i-1].word == "every")
	return before || i+1 < hi && r.tokens[i+1].num
}

// marker returns the longest phrase of the given classes that begins at i.
func (r *reader) marker(i, hi int, classes flag) *phrase {
	for _, p := range r.tokens[i].e.phrases {
		if p.role == markerPhrase && p.flags&classes != 0 && r.match(p, i, hi) == i+len(p.words) {
			return p
		}
	}
	return nil
}

// match returns the end of phrase p if that stands at i, else 0. Inside a frame, adverbs may stand
// between its words: "live now in".
func (r *reader) match(p *phrase, i, hi int) int {
	for n, alternatives := range p.words {
		for p.role == framePhrase && n > 0 && i < hi && !r.fits(&r.tokens[i], alternatives) &&
			(r.tokens[i].is(isAdverb|isNewAdj) || r.tokens[i].is(isDet) && n+1 == len(p.words) && len(p.words) > 1) {
			i++
		}
		if i >= hi || !r.fits(&r.tokens[i], alternatives) ||
			p.role == nounPhrase && !r.tokens[i].is(formBase) && r.tokens[i].e.noun == "" && r.tokens[i].e.verb != "" {
			return 0
		}
		if n+1 < len(p.words) && rank(r.tokens[i].post) >= 2 {
			return 0
		}
		i++
	}
	return i
}

func (r *reader) fits(t *token, alternatives []string) bool {
	for _, w := range alternatives {
		if t.e.is(t.word, w) {
			return true
		}
	}
	return false
}

// clauseEnd returns where the clause that begins at lo ends: at a semicolon
// or a dash, or where a new subject and verb, or a new verb, begin.
func (r *reader) clauseEnd(lo, hi int, before *clause) int {
	t := r.tokens
	for i := max(lo+1, r.timePhrase(lo, hi)+1); i < hi; i++ {
		switch t[i-1].post {
		case ';', '-':
			return i
		case ':':
			if t[i].is(isFirst | isPossessive | isDet | isThird) {
				return i
			}
		}
		if t[i-1].post == ',' && t[i].is(isReplace) && t[i].is(formPast) {
			return i
		}
		if i < lo+2 {
			continue
		}
		comma := t[i-1].post == ','
		and := t[i].word == "and" || t[i].word == "but" || t[i].word == "so" || t[i].word == "und"
		if !comma && !and {
			continue
		}
		k := i
		for k < hi && (t[k].is(isConjunction) && rank(t[k].post) == 0 || t[k].is(isAdverb) && !t[k].is(isNegation)) {
			k++
		}
		if end := r.timePhrase(k, hi); end > k {
			k = end // "and from May I work at"
		}
		if k >= hi || t[k-1].is(isConjunction) && k > i && !and && !coordinates(t[k-1].word) {
			continue
		}
		if t[k].is(isFirst|isThird) && k+1 < hi && t[k].word != "her" && t[k].word != "his" && t[k].word != "its" && t[k].word != "their" &&
			t[k].word != "me" {
			return i
		}
		if (and || comma) && t[k].is(anyVerb) && t[k].is(formPast|formThird|formBase|formIng) && t[k].e.noun == "" && and {
			return i
		}
		if and && t[k].is(isBe|isHave) {
			return i
		}
		if t[k].is(isPossessive|isDet) || t[k].cap && and {
			for n := k + 1; n < hi && n < k+6 && rank(t[n-1].post) == 0; n++ {
				if t[n].is(isBe) || t[n].is(anyVerb) && t[n].is(formThird|formPast) && t[n].e.noun == "" {
					return i
				}
				if t[n].is(isPreposition | isConjunction) {
					break
				}
			}
		}
	}
	return hi
}

// timePhrase returns the end of what says when at lo, "from 1 May," or "in June", if
// whom it is about stands behind it, else lo.
func (r *reader) timePhrase(lo, hi int) int {
	t := r.tokens
	i, timed := lo, false
	for i < hi && i < lo+6 && (t[i].is(isPreposition|isTime|isDet) || t[i].num || startsTime[t[i].word]) {
		timed = timed || t[i].is(isTime) || t[i].num
		i++
		if t[i-1].post != 0 {
			break
		}
	}
	if i > lo && i < hi && timed && rank(t[i-1].post) <= 1 && t[i].is(isFirst|isPossessive|isThird) {
		return i
	}
	return lo
}

// startsTime are words before the time at which something begins.
var startsTime = map[string]bool{"starting": true, "beginning": true, "effective": true, "ab": true, "desde": true, "dès": true,
	"next": true}

func coordinates(w string) bool { return w == "and" || w == "but" || w == "so" || w == "und" }

// isUser reports whether a name is one of the user's.
func (r *reader) isUser(name string) bool {
	if name == "user" {
		return true
	}
	for _, n := range r.options.UserNames {
		if strings.EqualFold(n, name) {
			return true
		}
		if first, _, more := strings.Cut(n, " "); more && strings.EqualFold(first, name) {
			return true
		}
	}
	return false
}
