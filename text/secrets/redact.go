package secrets

import "strings"

// left stands where a secret was.
const left = "[secret]"

// Redact returns a text without the secrets in it: in place of the words that make one
// stands "[secret]", or in place of the line or the text where no words alone do.
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
	return left // it goes over several lines
}

// redactLine leaves out words, from the last on, until no secret is left, and then puts back
// those without which there is none either.
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
	// The first that was left out is what a secret begins with, such as "password:", or it
	// is the secret.
	if first < len(words) {
		name, value, named := strings.Cut(words[first], "=")
		if kept[first] = name + "=" + left; !named || value == "" || Find(strings.Join(kept, " ")) != "" {
			kept[first] = left
		}
	}
	return strings.Join(kept, " ")
}

// A line is tried word by word up to so many words and bytes; of a longer one nothing is left.
const (
	mostWords   = 60
	longestLine = 8 << 10
)
