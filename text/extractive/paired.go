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
		if pairs := answersTo(asked, turns[i-1], turns[i]); len(asked) > 1 && len(pairs) > 0 {
			turns = append(append(append([]memory.Turn{}, turns[:i]...), pairs...), turns[i+1:]...)
		}
	}
	return turns
}

// inLine is an item within a line.
var inLine = lazyregexp.New(`[\s,;.]+(\d{1,2}[.)])\s+`)

// answersTo returns the questions and answers of two turns in the order of the answers, and behind them
// what else the answer says; nil if it does not begin with the number of a question.
func answersTo(asked map[string]string, question, answer memory.Turn) (pairs []memory.Turn) {
	text, said := answer.Content, ""
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		text = inLine().ReplaceAllString(text, "\n$1 ")
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		m := numbered().FindStringSubmatch(line)
		if m == nil || asked[m[1]] == "" {
			if pairs == nil {
				return nil
			}
			said += line + "\n"
			continue
		}
		question.Content, answer.Content = asked[m[1]], m[2]
		pairs = append(pairs, question, answer)
	}
	if answer.Content = said; said != "" {
		pairs = append(pairs, answer)
	}
	return pairs
}
