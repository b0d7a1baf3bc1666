package analysis

import "strings"

// Lines returns the lines of a text that have more than blanks, each without the
// blanks around it, and but for the first without marks that would make it a heading
// or a quotation: what stands below a list's title stays a list wherever it is shown.
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
