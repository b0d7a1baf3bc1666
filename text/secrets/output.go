package secrets

import (
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// cues are parts of words of which a line of a program's output has one, in small letters,
// where it says that something is a secret.
var cues = []string{"passw", "passphrase", "pwd=", "pwd:", "secret", "token", "_key", "-key", "apikey", "key=", "key:", "authoriz",
	"bearer", "cookie:", "credential", ":pass", "@"}

// tokenLength is how long a word is from which on it may be a secret that nothing announces.
const tokenLength = 16

// privateKey is one in the form of PEM, the rest of the text if its end is missing.
var privateKey = lazyregexp.New(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`)

// flagged are passwords behind the flags of programs that take them there.
var flagged = lazyregexp.New(`(\b(?:login|sshpass|mysql\w*|mongo\w*|redis-cli)\b[^\n|;&]*?\s(?:-[pa][ =]?|--?pass(?:word)?[ =])['"]?|\bcurl\b[^\n|;&]*?\s(?:-u|--user)[ =]?['"]?[^\s:'"]+:)[^\s'"]{4,}`)

// takesFlags are parts of the names of these programs.
var takesFlags = []string{"login", "sshpass", "mysql", "mongo", "redis-cli", "curl"}

// RedactOutput is [Redact] for what a program was given or printed: line by line, and quickly,
// since hardly a line of it has a secret. What people say in many ways is not looked for.
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

// mayHold reports whether a line has a cue, or a long word of digits and letters.
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
