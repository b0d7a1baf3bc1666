package recall

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// readable is the length in bytes of what is read of a content: what says how
// things are is short, and of a long text the beginning says what it is about.
const readable = 1000

// sense is what a record says, as far as it can be read.
type sense struct {
	read    bool
	said    []slots.Statement
	fit     slots.Fit // to the question
	changes telling   // that something is no longer as it was
	other   bool      // fills the slot that is asked for, of somebody else
	past    bool      // says how it was
	holds   bool      // says something that is so
	fills   bool      // says something that is so and fills the slot that is asked for
	was     bool      // says something that was so
	ahead   bool      // says something that is to come, or wished
	doubted bool      // asks, or fills the slot that is asked for by a guess or the words of others
	plans   bool      // what is to come, or wished, fills the slot that is asked for
}

// senseOf reads a candidate. Turns are not read: what one says depends on those
// before it.
func (q question) senseOf(c *candidate) *sense {
	if c.sense.read {
		return &c.sense
	}
	c.sense.read = true
	if c.Corpus != memory.Memories {
		return &c.sense
	}
	text := beginning(c.Content, readable)
	s := &c.sense
	s.said = slots.Resolve(slots.Read(text, q.user.For(text)), q.links)
	s.changes = tellsOfChange(text)
	s.doubted = onlyAsks(text)
	for i := range s.said {
		one := &s.said[i]
		if one.Former != "" && !one.Hedged {
			s.changes = plainly
		}
		fit := q.asks.Fits(one)
		s.stand(q.standing(c, one), one, fit)
		switch {
		case one.Hedged && one.Type != slots.Plan:
			continue
		case one.Hedged:
			s.fit = max(s.fit, min(fit, slots.FitSubject))
			continue
		}
		s.past = s.past || one.Past && fit >= slots.FitSlot
		s.fit = max(s.fit, fit)
		s.other = s.other || fit < slots.FitSlot && q.asks.Attribute != "" && one.Attribute == q.asks.Attribute &&
			q.asks.Subject != "" && one.Subject != "" && one.Subject != q.asks.Subject
	}
	s.other = s.other && s.fit < slots.FitSlot
	return s
}

// stand notes how one statement stands to the moment that is asked about.
func (s *sense) stand(standing slots.Standing, one *slots.Statement, fit slots.Fit) {
	switch standing {
	case slots.Holds:
		s.holds = true
		s.fills = s.fills || fit >= slots.FitSlot && !one.Negated
	case slots.Was:
		s.was = true
	case slots.Comes:
		s.ahead = true
		s.plans = s.plans || fit >= slots.FitSlot
	default:
		wish := one.Type == slots.Plan
		s.ahead = s.ahead || wish
		s.plans = s.plans || wish && fit >= slots.FitSlot
		s.doubted = s.doubted || fit >= slots.FitSlot
	}
}

// beginning returns the first bytes of a text, up to the end of a word.
func beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if i := strings.LastIndexByte(text[:n], ' '); i > 0 {
		n = i
	}
	return strings.ToValidUTF8(text[:n], "")
}

//go:embed changes.txt
var changesFile string

// telling is how clearly words say something, from not at all.
type telling uint8

const (
	silent  telling = iota
	loosely         // among few facts, perhaps
	locally         // among few facts
	plainly         // wherever they stand
)

// sign is a phrase of changes.txt.
type sign struct {
	rest []string // words behind the first
	says telling
}

// changes has the phrases of changes.txt by their first word.
var changes = sync.OnceValue(func() map[string][]sign {
	table := map[string][]sign{}
	for line := range strings.Lines(changesFile) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		says := plainly
		switch words[0] {
		case "+":
			says, words = locally, words[1:]
		case "~":
			says, words = loosely, words[1:]
		}
		table[words[0]] = append(table[words[0]], sign{words[1:], says})
	}
	return table
})

// tellsOfChange returns how clearly a text says that something is no longer as it
// was: by the clearest of the phrases of changes.txt that it has. Who asks whether it
// is, or says that it is not, tells of none.
func tellsOfChange(text string) (says telling) {
	if onlyAsks(text) {
		return silent
	}
	words := plainWords(text)
	for i, w := range words {
		if i > 0 && denies(words[i-1]) && !strings.HasPrefix(w, "any") {
			continue // "have not switched", but "not any more"
		}
		says = max(says, tellsAt(w, words[i+1:]))
		if strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s") { // "coffee's out"
			says = max(says, tellsAt("'s", words[i+1:]))
		}
	}
	return says
}

// onlyAsks reports whether a text is one question.
func onlyAsks(text string) bool {
	text, asks := strings.CutSuffix(strings.TrimSpace(text), "?")
	return asks && !strings.ContainsAny(text, ".!?\n")
}

// denies reports whether a word denies the one behind it.
func denies(word string) bool {
	return word == "not" || word == "never" || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}

// tellsAt is the clearest of the phrases that begin with a word, before some others.
func tellsAt(word string, rest []string) (says telling) {
	for _, s := range changes()[word] {
		if s.says > says && follows(rest, s.rest) {
			says = s.says
		}
	}
	return says
}

func follows(words, rest []string) bool {
	if len(rest) > len(words) {
		return false
	}
	for i, w := range rest {
		if words[i] != w {
			return false
		}
	}
	return true
}

// plainWords returns the words of a text in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\'' && r != '’'
	})
}
