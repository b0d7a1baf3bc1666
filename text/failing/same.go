package failing

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

// changing is what the same error says differently each time: addresses of the web, paths, what is in
// quotation marks, hashes and ids, times, versions and all other numbers.
var changing = lazyregexp.New(`(?:[a-z][a-z0-9+.-]*://[^\s'"]+)|(?:(?:[a-z]:)?[~.]?(?:[/\\][\w.@+-]+)+(?::\d+)*)|(?:\b[\w-]+\.(?:go|py|ts|tsx|js|jsx|rs|rb|java|c|h|cpp|cs|php|kt|swift|sql|ya?ml|json|toml|md)\b(?::\d+)*)|(?:"[^"\n]*"|'[^'\n]*'|` + "`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’" + `)|(?:\b(?:0x)?[0-9a-f]*\d[0-9a-f]*(?:-[0-9a-f]+)*\b)|(?:\d+)`)

// Same is an error as it is the same each time: in small letters, without paths, quotations, numbers, hashes
// and times, which become "*", and without blanks that say nothing.
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

// Lines are the lines of a text that says why something failed: first those that say so themselves,
// that from which [Telling] begins foremost, and then the others.
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
