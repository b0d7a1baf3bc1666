package extractive

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// numbered is a line with a number before it.
var numbered = lazyregexp.New(`^[ \t]*[*_]{0,2}\(?(\d{1,2})[.):][*_]{0,2}[ \t]+(\S.*)$`)

// paired puts every answer behind its question where a user answers the numbered questions of an
// assistant by their numbers: of these answers it makes turns of their own. Other turns stay.
func paired(turns []memory.Turn) []memory.Turn {
	for i := len(turns) - 1; i > 0; i-- {
		if turns[i].Role != memory.RoleUser || turns[i-1].Role != memory.RoleAssistant || turns[i].Session != turns[i-1].Session {
			continue
		}
		asked := map[string]string{}
		for line := range strings.Lines(turns[i-1].Content) {
			if m := numbered().FindStringSubmatch(strings.TrimSpace(line)); m != nil && strings.HasSuffix(m[2], "?") {
				asked[m[1]] = m[2]
			}
		}
		if pairs := answersTo(asked, turns[i-1], turns[i]); len(pairs) > 2 {
			turns = append(append(append([]memory.Turn{}, turns[:i]...), pairs...), turns[i+1:]...)
		}
	}
	return turns
}

// answersTo returns the questions and answers of two turns in the order of the answers, nil if the
// answer has a line without the number of a question.
func answersTo(asked map[string]string, question, answer memory.Turn) (pairs []memory.Turn) {
	for line := range strings.Lines(answer.Content) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := numbered().FindStringSubmatch(line)
		if m == nil || asked[m[1]] == "" {
			return nil
		}
		question.Content, answer.Content = asked[m[1]], m[2]
		pairs = append(pairs, question, answer)
	}
	return pairs
}
