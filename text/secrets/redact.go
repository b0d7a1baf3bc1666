package secrets

import "strings"

// left takes the place of a secret.
const left = "[secret]"

// Redact returns a text without the secrets in it. "[secret]" takes the place
// of the words that make a secret, or of the whole line or text if it cannot be
// told which words those are.
func Redact(text string) string {
	if Find(text) == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Find(line) != "" {
			lines[i] = redactLine(line)
		}
	}
	if text = strings.Join(lines, "\n"); Find(text) == "" {
		return text
	}
	return left // the secret spans several lines
}

// redactLine replaces words, from the last one on, until the line has no
// secret, and then puts back those that can be put back without one.
func redactLine(line string) string {
	words := strings.Split(line, " ")
	if len(words) > mostWords || len(line) > longestLine {
		return left
	}
	kept := append([]string{}, words...)
	first := len(words)
	for first > 0 && Find(strings.Join(kept, " ")) != "" {
		first--
		kept[first] = left
	}
	for i := first + 1; i < len(words); i++ {
		kept[i] = words[i]
		if Find(strings.Join(kept, " ")) != "" {
			kept[i] = left
		}
	}
	// The first word that was replaced is the secret, or the beginning of one,
	// such as "password:" or "password=...". Of the latter its name may stay.
	if first < len(words) {
		name, value, named := strings.Cut(words[first], "=")
		if kept[first] = name + "=" + left; !named || value == "" || Find(strings.Join(kept, " ")) != "" {
			kept[first] = left
		}
	}
	return strings.Join(kept, " ")
}

// redactLine tries lines of up to that many words and bytes. A longer one is
// replaced as a whole.
const (
	mostWords   = 60
	longestLine = 8 << 10
)
