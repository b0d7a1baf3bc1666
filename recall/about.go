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

// saidBy returns what a record says, as far as it can be read. Turns are not read: what
// one says depends on those before it.
func (q question) saidBy(c *candidate) []slots.Statement {
	if !c.isRead && c.Corpus == memory.Memories {
		text := beginning(c.Content, readable)
		c.said = slots.Resolve(slots.Read(text, q.user.For(text)), q.links)
	}
	c.isRead = true
	return c.said
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

// changes returns how clearly a candidate tells of a change.
func (c *candidate) changes() telling {
	if c.tells == nil {
		says := tellsOfChange(beginning(c.Content, readable))
		c.tells = &says
	}
	return *c.tells
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
