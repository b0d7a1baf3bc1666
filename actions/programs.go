package actions

import (
	_ "embed"
	"strings"
	"sync"

	"mcp-memory/memory"
)

//go:embed programs.txt
var programsFile string

// programs has what well-known commands are for, by their first words (programs.txt).
var programs = sync.OnceValue(func() map[string]string {
	known := map[string]string{}
	for line := range strings.Lines(programsFile) {
		if words, use, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			known[words] = use
		}
	}
	return known
})

// use returns what the well-known commands on a line are for.
func use(command string) (texts []string) {
	const mostWords = 4
	for _, one := range strings.FieldsFunc(command, func(r rune) bool { return r == '&' || r == '|' || r == ';' || r == '\n' }) {
		words := strings.Fields(one)
		program := memory.Program(one)
		for len(words) > 0 && !strings.HasSuffix(strings.ToLower(words[0]), program) {
			words = words[1:] // skip words such as sudo that only run the program
		}
		if program == "" || len(words) == 0 {
			continue
		}
		words = words[:min(mostWords, len(words))]
		words[0] = program
		for n := len(words); n > 0; n-- {
			if text, known := programs()[strings.Join(words[:n], " ")]; known {
				texts = append(texts, text)
				break
			}
		}
	}
	return texts
}
