package recall

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// readable is how many bytes of a content are read for statements and signs: what says how things
// are is short, and of a long text the beginning says what it is about.
const readable = 1000

// saidBy returns the statements of a memory, as far as package slots can read them; it reads once.
// Turns of conversations have none: what one says depends on those before it.
func (q question) saidBy(c *candidate) []slots.Statement {
	if !c.isRead && c.Corpus == memory.Memories {
		text := beginning(c.Content, readable)
		c.said = slots.Resolve(slots.Read(text, q.user.For(text)), q.links)
	}
	c.isRead = true
	return c.said
}

// beginning returns at most n bytes of a text, up to the end of a word.
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

// telling is how clearly a text says that something is no longer as it was. Some phrases say so only
// where there are few facts; see changes.txt.
type telling uint8

const (
	silent  telling = iota // not at all
	loosely                // perhaps, among few facts: "lately"
	locally                // among few facts: "for good"
	plainly                // anywhere: "from now on"
)

// sign is a phrase of changes.txt.
type sign struct {
	rest []string // the phrase's words behind the first
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

// tellsOfChange returns how clearly a text says that something is no longer as it was, by the
// clearest phrase of changes.txt that it has. A text that is one question ("Have I moved?") and a
// phrase that is denied ("have not switched") tell of no change.
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

// changes returns how clearly a candidate tells of a change; it reads once.
func (c *candidate) changes() telling {
	if c.tells == nil {
		says := tellsOfChange(beginning(c.Content, readable))
		c.tells = &says
	}
	return *c.tells
}

// onlyAsks reports whether a text is a single question and nothing else.
func onlyAsks(text string) bool {
	text, asks := strings.CutSuffix(strings.TrimSpace(text), "?")
	return asks && !strings.ContainsAny(text, ".!?\n")
}

// denies reports whether a word, such as "not" or "haven't", denies the one behind it.
func denies(word string) bool {
	return word == "not" || word == "never" || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}

// tellsAt returns how clearly a word and those behind it tell of a change: by the clearest phrase
// of changes.txt that begins with word and goes on as rest does.
func tellsAt(word string, rest []string) (says telling) {
	for _, s := range changes()[word] {
		if s.says > says && follows(rest, s.rest) {
			says = s.says
		}
	}
	return says
}

// follows reports whether words begin with rest.
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

// plainWords returns the words of a text in lower case, stop words and apostrophes included.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\'' && r != '’'
	})
}
