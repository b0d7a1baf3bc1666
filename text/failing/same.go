package failing

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// changing matches what differs in the same error each time: URLs, paths, text
// in quotation marks, hashes and ids, times, versions and all other numbers.
var changing = lazyregexp.New(`(?:[a-z][a-z0-9+.-]*://[^\s'"]+)|(?:(?:[a-z]:)?[~.]?(?:[/\\][\w.@+-]+)+(?::\d+)*)|(?:\b[\w-]+\.(?:go|py|ts|tsx|js|jsx|rs|rb|java|c|h|cpp|cs|php|kt|swift|sql|ya?ml|json|toml|md)\b(?::\d+)*)|(?:"[^"\n]*"|'[^'\n]*'|` + "`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’" + `)|(?:\b(?:0x)?[0-9a-f]*\d[0-9a-f]*(?:-[0-9a-f]+)*\b)|(?:\d+)`)

// Same returns an error in a form that is the same each time: in lower case,
// with "*" for paths, quotations, numbers, hashes and times, and without
// punctuation and superfluous blanks.
func Same(line string) string {
	line = changing().ReplaceAllString(strings.ToLower(line), " * ")
	var words []string
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n:;,.()[]{}<>=|", r) }) {
		if w != "*" || len(words) == 0 || words[len(words)-1] != "*" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Lines returns the lines of a text that [Telling] leaves, without blank ones
// and those that give no reason. The first line of these and those that say why
// come first, then the others.
func Lines(text string) []string {
	var telling, rest []string
	for line := range strings.Lines(Telling(text)) {
		switch line = strings.TrimSpace(line); {
		case line == "" || bareFailure().MatchString(line):
		case len(telling)+len(rest) == 0 || giveaway().MatchString(line):
			telling = append(telling, line)
		default:
			rest = append(rest, line)
		}
	}
	return append(telling, rest...)
}
