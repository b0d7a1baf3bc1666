package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
)

// maxRead is how many bytes of one message are read for facts. What is longer is rather a
// document that was pasted: its beginning and its end are read, half of this each.
const maxRead = 128 << 10

// maxSentences is how many sentences of one message are read, from both ends as well; who
// writes more in so many bytes has not written sentences.
const maxSentences = 4000

// bounded returns the turns with those shortened that are longer than maxRead: of these, the
// beginning and the end are left.
func bounded(turns []memory.Turn) []memory.Turn {
	turns = slices.Clone(turns)
	for i, t := range turns {
		if len(t.Content) > maxRead {
			turns[i].Content = outer(t.Content, maxRead/2)
		}
	}
	return turns
}

// outer is the beginning and the end of a text, about so many bytes of each, without the
// sentences that are cut.
func outer(text string, each int) string {
	first, last := text[:each], text[len(text)-each:]
	if i := strings.LastIndexAny(first, breakable); i > each/2 {
		first = first[:i]
	}
	if i := strings.IndexAny(last, breakable); i >= 0 && i < each/2 {
		last = last[i:]
	}
	return strings.ToValidUTF8(first, "") + "\n\n" + strings.ToValidUTF8(last, "")
}

// breakable are the characters at which a long text is cut rather than elsewhere.
const breakable = "\n.!?"
