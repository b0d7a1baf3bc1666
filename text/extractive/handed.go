package extractive

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// handling are the words by which somebody hands over a text to be worked on.
var handling = table("handling")

// headed are the lines that a mail begins with.
var headed = lazyregexp.New(`(?mi)^(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|objet|asunto): .+\n(?:(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|objet|asunto): )`)

// withoutHanded returns a message without the text that it hands over to be
// translated, shortened and so on: what stands between quotation marks, or behind
// the colon of the sentence that says so. Nothing in it is about the user.
func withoutHanded(text string) string {
	if span := headed().FindStringIndex(text); span != nil {
		text = text[:span[0]]
	}
	marked := quoteMarks.Replace(text)
	for start := 0; start < len(marked); {
		end := strings.IndexAny(marked[start:], ":?!.\"\n")
		if end < 0 {
			return text
		}
		end += start
		if end-start > maxSentenceBytes || !handling.in(expand(cut(marked[start:end]))) {
			start = end + 1
			continue
		}
		rest := strings.TrimLeft(marked[end:], "?.! \t")
		switch {
		case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "\n\n"):
			if behind, quotes := behindQuote(strings.TrimLeft(rest, ": \t\n")); quotes {
				return marked[:end] + ". " + behind
			}
			return marked[:end]
		}
		start = end + 1
	}
	return text
}

// behindQuote returns what follows the quotation that a text begins with, in a
// paragraph of its own.
func behindQuote(text string) (behind string, quotes bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", false
	}
	_, behind, quotes = strings.Cut(text[1:], "\"\n\n")
	return behind, quotes
}
