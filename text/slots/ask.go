package slots

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

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
	Subject string
	Alias   string
	// Attribute is the list that a broad question asks for: "decision", "due" or
	// "preference".
	Attribute string
	Topic     string // content stems besides the subject
	Tense     Tense
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
	// German is set where the question begins with the German "was", which means "what".
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
	framed   []place // of the words that say only of whom or of when it is
	// StopWordsOnly is set where no word says what the question is about: "what about it?"
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
		a.subject()
	}
	a.rest()
	return a.q
}

// asking reads the tokens of a question.
type asking struct {
	*reader
	q       Question
	used    [longest]bool // tokens that named the subject
	after   int           // token of "before" that begins a condition, 0 if none
	special string        // class of a broad question that no fact has: "decision"
	framed  [longest]bool // tokens that say only of whom or of when it is
	person  bool          // "user" stands for the user of the bank
	past    bool          // keywords ask how it was
	history bool          // keywords ask for all versions
}

// at reports whether words, parted by blanks, stand one behind the other from the token at i on.
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

// any reports whether one of several phrases stands in the question.
func (a *asking) any(list ...string) bool {
	for _, words := range list {
		if a.has(words) >= 0 {
			return true
		}
	}
	return false
}

// broad finds questions about a whole ("what do you know about me?"), and those for a list of
// decisions, of what is due or of preferences.
func (a *asking) broad() {
	know := a.any("know about", "tell me about", "tell me everything about", "tell me all about", "remember about", "know of",
		"anything about", "learned about", "everything about", "summary of", "remember of",
		"information on", "overview of", "facts about", "weisst über", "weißt über")
	who := a.has("who be") == 0 &&
		(len(a.tokens) == 3 && (a.tokens[2].cap || a.tokens[2].is(isFirst)) || len(a.tokens) == 4 && a.tokens[2].cap && a.tokens[3].cap)
	switch {
	case a.any("we decide", "i decide", "be decide", "have we agree", "we agree on", "decided"), a.any("decisions"):
		a.special = "decision"
	case a.any("be due", "to do today", "have to do", "open tasks", "todos", "to dos", "open to dos", "outstanding", "my tasks",
		"on my plate", "upcoming", "my commitments", "need to do",
		"anything due", "something due", "what due", "due today", "due tomorrow", "due this", "due next",
		"due soon", "my deadlines", "deadlines do", "deadlines be", "deadlines have", "be coming up"):
		a.special = "due"
	case a.any("my preferences", "do i prefer in general", "how do i like to work"):
		a.special = "preference"
	case a.any("happen") && a.any("what", "anything", "something", "everything", "was", "qué", "que"),
		a.any("be new", "anything new", "what s new", "go on", "be going on", "did i do", "did we do", "have i do", "been up to"):
		a.q.Broad = a.timed() || a.any("happen", "new")
		a.q.Happened = a.q.Broad
	case know || who || a.any("about myself", "wer bin ich", "qui suis je", "wie ben ik", "describe me"):
		a.q.Broad = true
	}
	if a.special != "" {
		a.q.Broad, a.q.Attribute = true, a.special
	}
}

// dateForm is a day in digits, of which a part may be a word of its own.
var dateForm = lazyregexp.New(`^(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4})\b`)

// timed reports whether the question names a time.
func (a *asking) timed() bool {
	for i := range a.tokens {
		if a.tokens[i].num && dateForm().MatchString(a.text[a.tokens[i].start:]) {
			return true
		}
		if a.tokens[i].is(isTime) && !(a.tokens[i].word == "may" && !a.month(i, 0, len(a.tokens))) && a.tokens[i].word != "last" &&
			a.tokens[i].word != "next" {
			return true
		}
	}
	return false
}

// mark notes that the tokens from lo to hi named the subject, and so are no part of the topic.
func (a *asking) mark(lo, hi int) {
	for ; lo < hi && lo < len(a.used); lo++ {
		a.used[lo] = true
	}
}

// aspect returns what of the user a broad question is about: "my health".
func (a *asking) aspect() (words []string) {
	for i := 1; i < len(a.tokens); i++ {
		t := &a.tokens[i]
		if (len(words) > 0 || a.tokens[i-1].is(isPossessive)) &&
			!t.is(isDet|isFirst|isPossessive|isBe|isHave|isDo|isModal|isQuestion|isPreposition|isConjunction|isAdverb|isTime|isFluff) {
			words = append(words, t.stem())
		}
	}
	return words
}

// idleWords say nothing of what is asked, beside what their classes tell.
var idleWords = map[string]bool{"you": true, "your": true, "there": true, "tell": true, "got": true, "ve": true, "re": true}

// rest makes the topic of the words that no step before has used, and tells whether the question
// has no word but stop words, or none but a time.
func (a *asking) rest() {
	var words []string
	content := false
	for i := range a.tokens {
		t := &a.tokens[i]
		if a.q.Keywords {
			if a.carries(i) && !a.q.Broad {
				words = append(words, t.stem())
			}
			content = content || a.isUsed(i) || a.carries(i) || !a.framed[i] && a.ofKind(i)
			continue
		}
		plain := t.is(isDet|isFirst|isPossessive|isThird|isBe|isHave|isDo|isModal|isWill|isQuestion|
			isPreposition|isConjunction|isAdverb|isHedge|isNegation|isOpener) || idleWords[t.word]
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
