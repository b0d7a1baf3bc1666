package tools

import (
	"strings"

	"mcp-memory/recall"
)

// maxShown is the length in characters up to which the text form shows a content.
const maxShown = 2000

// indented is a content with its line breaks, so that lists and code stay what
// they are, under the number of a result.
func indented(content string) string {
	text := []rune(strings.TrimSpace(content))
	shown := string(text)
	if len(text) > maxShown {
		shown = fenced("", string(text[:maxShown-1])+"…")
	}
	return strings.ReplaceAll(shown, "\n", "\n   ")
}

// maxPassage is the length in characters up to which a search result is shown
// whole, with its line breaks.
const maxPassage = 600

// passage is what the text form of a search shows of a content: all of a short
// one, of a longer one the lines from the one that has most to do with the query.
func passage(content, query string) string {
	content = strings.TrimSpace(content)
	if len([]rune(content)) <= maxPassage {
		return indented(content)
	}
	if !strings.Contains(content, "\n") {
		return recall.Snippet(content, query)
	}
	lines := strings.Split(content, "\n")
	from := recall.BestLine(lines, query)
	text := []rune(strings.Join(lines[from:], "\n"))
	cut := string(text[:min(len(text), maxPassage)])
	if len(text) > maxPassage {
		cut += "…"
	}
	cut = fenced(strings.Join(lines[:from], "\n"), cut)
	if from > 0 {
		cut = "…\n" + cut
	}
	return indented(cut)
}

// fence begins a block of code in Markdown, and ends it.
const fence = "```"

// fenced is a part of a text behind some of it, with the fences that the blocks of code which
// were cut have lost: without them all that follows would be code.
func fenced(before, part string) string {
	if strings.Count(before, fence)%2 == 1 {
		part = fence + "\n" + part
	}
	if strings.Count(part, fence)%2 == 1 {
		part += "\n" + fence
	}
	return part
}
