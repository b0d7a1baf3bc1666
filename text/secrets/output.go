package secrets

import (
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// cues are parts of words, in lower case: a line of a program's output that
// names a secret has one of them.
var cues = []string{"passw", "passphrase", "pwd=", "pwd:", "secret", "token", "_key", "-key", "apikey", "key=", "key:", "authoriz",
	"bearer", "cookie:", "credential", ":pass", "@"}

// tokenLength is the number of characters from which a word may be a secret
// that no cue announces.
const tokenLength = 16

// privateKey matches a private key in PEM form. If its end is missing, it
// matches the rest of the text.
var privateKey = lazyregexp.New(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`)

// flagged matches passwords after the flags of certain programs.
var flagged = lazyregexp.New(`(\b(?:login|sshpass|mysql\w*|mongo\w*|redis-cli)\b[^\n|;&]*?\s(?:-[pa][ =]?|--?pass(?:word)?[ =])['"]?|\bcurl\b[^\n|;&]*?\s(?:-u|--user)[ =]?['"]?[^\s:'"]+:)[^\s'"]{4,}`)

// takesFlags are parts of the names of those programs.
var takesFlags = []string{"login", "sshpass", "mysql", "mongo", "redis-cli", "curl"}

// RedactOutput is like [Redact], for the input or output of a program. It works
// line by line and is fast, because few lines have a secret. It does not look
// for the many ways in which people say a secret.
func RedactOutput(text string) string {
	if strings.Contains(text, "PRIVATE KEY") {
		text = privateKey().ReplaceAllString(text, left)
	}
	if slices.ContainsFunc(takesFlags, func(name string) bool { return strings.Contains(text, name) }) {
		text = flagged().ReplaceAllString(text, "${1}"+left)
	}
	lines, changed := strings.Split(text, "\n"), false
	for i, line := range lines {
		if mayHold(line) && findShaped(line, strings.ToLower(line)) != "" {
			lines[i], changed = redactLine(line), true
		}
	}
	if !changed {
		return text
	}
	return strings.Join(lines, "\n")
}

// mayHold reports whether a line has a cue, or a long word with digits and
// letters.
func mayHold(line string) bool {
	length, digits, letters := 0, 0, 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c >= '0' && c <= '9':
			digits++
			length++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
			length++
		case c == '_' || c == '-' || c == '+' || c == '/' || c == '.':
			length++
		default:
			length, digits, letters = 0, 0, 0
		}
		if length >= tokenLength && digits > 2 && letters > 2 {
			return true
		}
	}
	folded := strings.ToLower(line)
	for _, cue := range cues {
		if strings.Contains(folded, cue) {
			return true
		}
	}
	return false
}
