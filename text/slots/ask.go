package slots

import "strings"

// Tense is which version of a fact a question asks for.
type Tense uint8

// The tenses of a question.
const (
	Now     Tense = iota // as it is: the default
	Then                 // as it was: "used to", "before", "in 2024", "my old"
	History              // all versions: "how has … changed", "over time"
	Latest               // the last of several: "most recent"
)

var tenseNames = [...]string{"now", "then", "history", "latest"}

// String returns the name in lower case, such as "history".
func (t Tense) String() string {
	if int(t) >= len(tenseNames) {
		return "unknown"
	}
	return tenseNames[t]
}

// Question is what a question asks for. Fields mean what they mean in a
// [Statement].
type Question struct {
	Subject   string
	Alias     string
	Attribute string
	// Beside is another attribute that keywords are answered by: "database" of
	// "postgres version".
	Beside string
	Topic  string // content stems besides subject and attribute
	Tense  Tense
	// Implied is set where nothing but the tense of the verb says [Then]: "what
	// car did I have?" What happened once is asked for in the same way.
	Implied bool
	// First is set where the earliest of all versions is asked for: "at first",
	// "originally", "did I start with".
	First bool
	// Until has the words of what ended the version that is asked for, in lower
	// case: "ghent" of "where did I live before Ghent?"; "" if nothing.
	Until string
	// Ahead is set where it is asked for what is to come or wished: "where will I
	// live?", "what would I like to drive?"
	Ahead bool
	// YesNo is set where yes or no is the answer: "do I still keep sheep?"
	YesNo bool
	// German is set where it begins with the "was" that is "what".
	German bool
	// Broad marks a question about somebody, something or a time as a whole,
	// which no single fact answers: "what do you know about me".
	Broad bool
	// Happened is set where a broad question is for what happened, or is new.
	Happened bool
	// TimeOnly is set where a time is the only condition: "what happened
	// yesterday?"
	TimeOnly bool
	// Keywords is set where it is a noun phrase or a list of words, not a sentence:
	// "user location", "postgres version atlas".
	Keywords bool
	words    []string // its words in all their forms, in order of the alphabet
	framed   []place  // of the words that say only of whom or of when it is
	// StopWordsOnly is set where no word says what it is about.
	StopWordsOnly bool
}

// Ask reads a question, or a query of a few words. Never fails.
func Ask(question string, o Options) Question {
	r := borrow(question, &o)
	defer r.giveBack()
	r.tokens = r.tokens[:min(len(r.tokens), longest)]
	if len(r.tokens) == 0 {
		return Question{StopWordsOnly: true}
	}
	a := asking{reader: r}
	a.what()
	a.q.Keywords = a.isKeywords()
	a.frameWords()
	a.q.YesNo = a.yesNo()
	if a.q.Keywords {
		a.keywords()
	} else {
		a.tense()
		a.broad()
		a.attribute()
		a.subject()
		a.whereabouts()
	}
	a.rest()
	a.q.words = a.forms()
	return a.q
}

// asking reads the tokens of a question.
type asking struct {
	*reader
	q       Question
	attr    *phrase
	used    [longest]bool // tokens that named subject or attribute
	cue     int           // token at which the attribute is named
	after   int           // token of "before" that begins a condition, 0 if none
	special string        // class of a broad question that no fact has: "decision"
	framed  [longest]bool // tokens that say only of whom or of when it is
	person  bool          // "user" stands for the user of the bank
	past    bool          // keywords ask how it was
	history bool          // keywords ask for all versions
}

func (a *asking) at(i int, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if i >= len(a.tokens) || !a.tokens[i].e.is(a.tokens[i].word, w) {
			return false
		}
		i++
	}
	return true
}

// has returns where words stand one behind the other, or -1.
func (a *asking) has(words string) int {
	for i := range a.tokens {
		if a.at(i, words) {
			return i
		}
	}
	return -1
}

func (a *asking) any(list ...string) bool {
	for _, words := range list {
		if a.has(words) >= 0 {
			return true
		}
	}
	return false
}

// broad finds questions about a whole.
func (a *asking) broad() {
	know := a.any("know about", "tell me about", "tell me everything about", "tell me all about", "remember about", "know of", "anything about", "learned about", "everything about", "summary of", "remember of", "information on", "overview of", "facts about", "weisst über", "weißt über")
	who := a.has("who be") == 0 && (len(a.tokens) == 3 && (a.tokens[2].cap || a.tokens[2].is(isFirst)) || len(a.tokens) == 4 && a.tokens[2].cap && a.tokens[3].cap)
	switch {
	case a.any("we decide", "i decide", "be decide", "have we agree", "we agree on", "decided"), a.any("decisions"):
		a.special = "decision"
	case a.any("be due", "to do today", "have to do", "open tasks", "todos", "to dos", "open to dos", "outstanding", "my tasks", "on my plate", "upcoming", "my commitments", "need to do",
		"anything due", "something due", "what due", "due today", "due tomorrow", "due this", "due next", "due soon", "my deadlines", "deadlines do", "deadlines be", "deadlines have", "be coming up"):
		a.special = "due"
	case a.any("my preferences", "do i prefer in general", "how do i like to work"):
		a.special = "preference"
	case a.any("happen") && a.any("what", "anything", "something", "everything", "was", "qué", "que"), a.any("be new", "anything new", "what s new", "go on", "be going on", "did i do", "did we do", "have i do", "been up to"):
		a.q.Broad = a.timed() || a.any("happen", "new")
		a.q.Happened = a.q.Broad
	case know || who || a.any("about myself", "wer bin ich", "qui suis je", "wie ben ik", "describe me"):
		a.q.Broad = true
	}
	if a.special != "" {
		a.q.Broad, a.q.Attribute = true, a.special
	}
}

// timed reports whether the question names a time.
func (a *asking) timed() bool {
	for i := range a.tokens {
		if a.tokens[i].is(isTime) && !(a.tokens[i].word == "may" && !a.month(i, 0, len(a.tokens))) && a.tokens[i].word != "last" && a.tokens[i].word != "next" {
			return true
		}
	}
	return false
}

func (a *asking) mark(lo, hi int) {
	for ; lo < hi && lo < len(a.used); lo++ {
		a.used[lo] = true
	}
}

// attribute finds the class: nouns win over verbs, verbs over question words,
// each by the number of words.
func (a *asking) attribute() {
	if a.q.Broad {
		return
	}
	best := 0
	take := func(p *phrase, score, lo, hi int) {
		if score > best {
			best, a.attr, a.cue = score, p, lo
			a.used = [longest]bool{}
			a.mark(lo, hi)
		}
	}
	end := len(a.tokens)
	if a.after > 2 {
		end = a.after
	}
	for i := range a.tokens[:end] {
		for _, p := range a.tokens[i].e.phrases {
			n := len(p.words)
			switch p.role {
			case nounPhrase:
				if k := a.match(p, i, end); k > 0 {
					if i > 0 && a.tokens[i-1].e.canonical == "favourite" && !p.attr.single {
						continue
					}
					score := 8*n + 4
					if a.tokens[k-1].poss || k < end && a.tokens[k-1].is(isKin) && i > 0 && a.tokens[i-1].is(isPossessive) && !a.tokens[k].is(isAdverb|isPreposition|isBe) && a.tokens[k-1].post == 0 {
						score = 3
					}
					if i > 1 && a.tokens[i-1].is(isDet|isPossessive) && a.tokens[i-2].is(isDo) && p.attr.kind == Name && !p.attr.anyKind && (!self(p.attr) || p.attr.id == "pet") {
						score = 3 // whom the question is about
					}
					if p.attr.anyKind && n == 1 && p.attr.domain == "person" && p.attr.id != "favourite" || p.attr.id == "url" || p.attr.id == "format" {
						score -= 4
					}
					take(p, score, i, k)
				}
			case framePhrase:
				if k := a.frame(p, i, end); k > 0 {
					take(p, 4*n+k, i, i+1)
				}
			case valuePhrase:
				if a.match(p, i, end) > 0 && (p.attr.id != "version" || (a.tokens[0].is(isQuestion) || a.tokens[0].is(isPreposition) && a.tokens[1].is(isQuestion)) && i < 4) {
					score := 2
					if p.attr.id == "version" || p.attr.id == "diet" && a.tokens[0].is(isOpener) {
						score = 16
					}
					take(p, score, i, i+n)
				}
			}
		}
	}
	for _, p := range a.questions {
		if score := a.asked(p, end); score > 0 {
			take(p, score, 0, 0)
		}
	}
	if a.attr == nil {
		if a.asksTrade() {
			a.q.Attribute = "job"
		}
		return
	}
	if a.attr.attr.id == "name" {
		a.nameOf()
	}
	a.q.Attribute = a.attr.attr.id
}

// asksTrade reports whether it is asked what somebody does: "what does Sam do?"
func (a *asking) asksTrade() bool {
	n := len(a.tokens)
	if n < 4 || a.tokens[0].word != "what" || !a.tokens[1].is(isDo) || a.tokens[n-1].word != "do" && !(n > 4 && a.at(n-2, "do now")) {
		return false
	}
	who := &a.tokens[2]
	return who.cap && !who.is(isFirst) || who.is(isPossessive) && a.tokens[3].is(isKin)
}

// whereabouts turns "where is the user located" into a question for the home: a
// location is one of a thing.
func (a *asking) whereabouts() {
	if a.q.Attribute == "location" && a.q.Subject == User && a.attr.role == questionPhrase {
		a.q.Attribute = "home"
	}
}

// nameOf turns "what is my wife called" into a question for the partner.
func (a *asking) nameOf() {
	for i := 1; i < len(a.tokens); i++ {
		if p := a.nounAt(i, len(a.tokens)); p != nil && p.attr.domain == "person" && p.attr.id != "name" && (a.tokens[i-1].is(isPossessive) || a.tokens[i-1].poss) {
			a.attr, a.cue = p, i
			a.mark(i, i+len(p.words))
			return
		}
	}
}

// frame scores a frame whose verb stands at i: its preposition may stand at
// the end of the question or before the question word.
func (a *asking) frame(p *phrase, i, end int) int {
	if p.mode == '-' || !a.fits(&a.tokens[i], p.words[0]) {
		return 0
	}
	for _, w := range p.words[1:] {
		found := false
		for k := range a.tokens[:end] {
			found = found || k != i && a.fits(&a.tokens[k], w)
		}
		if !found {
			return 0
		}
	}
	if len(p.words) == 1 {
		if i == 0 || a.tokens[i].is(isHave|isBe) || a.tokens[i].e.noun != "" {
			return 0
		}
		return 1
	}
	return 2
}

// asked scores question words: all parts have to stand there in order.
func (a *asking) asked(p *phrase, end int) int {
	i, n := 0, 0
	for _, part := range p.words {
		found := false
		for ; i < end && !found; i++ {
			ok := true
			for k, w := range part {
				ok = ok && i+k < end && (a.tokens[i+k].e.is(a.tokens[i+k].word, w))
			}
			if ok {
				found = true
				n += len(part)
				i += len(part) - 1
			}
		}
		if !found {
			return 0
		}
	}
	if n == 1 {
		return 7
	}
	return 5*n + 4
}

// aspect returns what of the user a broad question is about: "my health".
func (a *asking) aspect() (words []string) {
	for i := 1; i < len(a.tokens); i++ {
		t := &a.tokens[i]
		if (len(words) > 0 || a.tokens[i-1].is(isPossessive)) && !t.is(isDet|isFirst|isPossessive|isBe|isHave|isDo|isModal|isQuestion|isPreposition|isConjunction|isAdverb|isTime|isFluff) {
			words = append(words, t.stem())
		}
	}
	return words
}

// rest gathers the words that are left, and says if there are none.
func (a *asking) rest() {
	var words []string
	content := false
	for i := range a.tokens {
		t := &a.tokens[i]
		if a.q.Keywords {
			if a.carries(i) && !a.q.Broad {
				words = append(words, t.stem())
			}
			content = content || a.isUsed(i) || a.carries(i)
			continue
		}
		plain := t.is(isDet|isFirst|isPossessive|isThird|isBe|isHave|isDo|isModal|isWill|isQuestion|isPreposition|isConjunction|isAdverb|isHedge|isNegation|isOpener) || t.word == "you" || t.word == "your" || t.word == "there" || t.word == "tell" || t.word == "got" || t.word == "ve" || t.word == "re"
		if a.framed[i] || plain && !(t.cap && i > 0 && t.word != "i" && !t.is(isFirst|isQuestion|isThird|isDet|isBe)) {
			continue
		}
		if !t.is(isTime) && !t.num {
			content = true
		}
		if a.isUsed(i) || a.after > 2 && i >= a.after || t.is(isTime|isFluff|isOldAdj|isNewAdj|isPast) || t.num || a.q.Broad {
			continue
		}
		words = append(words, t.stem())
	}
	if a.q.Broad && a.special == "" && a.q.Subject == User {
		words = a.aspect()
	}
	a.q.Topic = topic(words)
	timed := a.timed()
	a.q.TimeOnly = timed && (!content || a.q.Broad && (a.special == "" || a.special == "due") && (a.q.Subject == "" || a.q.Subject == User))
	a.q.StopWordsOnly = !content && !timed && !a.q.Broad && a.q.Attribute == ""
}
