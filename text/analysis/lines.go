package analysis

import "strings"

// Lines returns the lines of a text that are not blank, trimmed. All but the
// first lose leading marks that would make them a heading or a quotation in
// Markdown, so that they cannot break out of a list into which they are put.
func Lines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(lines) > 0 {
			line = strings.TrimSpace(strings.TrimLeft(line, "#>"))
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
