package recall

import (
	"strings"

	"mcp-memory/text/analysis"
)

// snippetLength is about how many characters a snippet has.
const snippetLength = 240

// Snippet returns the part of a content that has most to do with a query: the
// sentence with the most of its words and what follows, in one line of up to
// 240 characters. An ellipsis marks what was left out.
func Snippet(content, query string) string {
	line := strings.Join(strings.Fields(content), " ")
	if len([]rune(line)) <= snippetLength {
		return line
	}
	sentences := analysis.Sentences(content)
	best := BestLine(sentences, query)
	cut := []rune(strings.Join(strings.Fields(strings.Join(sentences[best:], " ")), " "))
	text := string(cut)
	if len(cut) > snippetLength {
		text = string(cut[:snippetLength-1]) + "…"
	}
	if best > 0 {
		text = "…" + text
	}
	return text
}

// BestLine returns the place of the line that has most of a query's words, the
// first of several; 0 if none has any.
func BestLine(lines []string, query string) int {
	wanted := map[string]bool{}
	for _, stem := range analysis.Content(query) {
		wanted[stem] = true
	}
	best, most := 0, 0
	for i, line := range lines {
		n := 0
		for stem := range countTerms(line) {
			if wanted[stem] {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}
