package tools

import (
	"strings"

	"mcp-memory/recall"
)

// maxShown is how many characters of a content the text form shows at most.
const maxShown = 2000

// indented is a content, cut to maxShown characters, with its line breaks, so that lists and code
// keep their form. Lines after the first are indented to line up with the text that follows the
// number of the result.
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

// passage is what the text form of a search shows of a content. A short one is shown whole. Of a
// longer one it shows up to maxPassage characters, beginning at the line that fits the query best.
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

// fence begins and ends a code block in Markdown.
const fence = "```"

// fenced returns part, a piece of a text that follows before, with the fences that cutting has
// taken from its code blocks. Without them everything after it would be shown as code.
func fenced(before, part string) string {
	if strings.Count(before, fence)%2 == 1 {
		part = fence + "\n" + part
	}
	if strings.Count(part, fence)%2 == 1 {
		part += "\n" + fence
	}
	return part
}
