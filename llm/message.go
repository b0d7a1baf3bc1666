package llm

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"mcp-memory/memory"
)

const (
	clock        = "2006-01-02 15:04"
	maxNameRunes = 64 // characters of a speaker or a tool
	maxToolNames = 20
)

// entriesOf returns turns in the form of "[2025-01-15 10:30] USER (Anna): …", if numbered (for
// extraction) with their indices in front. Turns without text and tool calls are left out.
func entriesOf(turns []memory.Turn, numbered bool) []entry {
	var entries []entry
	for _, t := range turns {
		head := who(t) + ": "
		if strings.TrimSpace(t.Content) == "" && len(toolsOf(t)) == 0 {
			continue
		}
		if !t.SaidAt.IsZero() {
			head = "[" + t.SaidAt.Format(clock) + "] " + head
		}
		if numbered {
			head = fmt.Sprintf("#%d %s", t.Index, head)
		}
		entries = append(entries, entry{head: head, body: clean(t.Content), turn: t.Index})
	}
	return entries
}

// who returns "USER", "USER (Anna)", "Anna" or "ASSISTANT [tools: exec, read_file]".
func who(t memory.Turn) string {
	role, name := strings.ToUpper(oneLine(string(t.Role), maxNameRunes)), oneLine(t.Speaker, maxNameRunes)
	switch {
	case role == "" && name == "":
		role = "SOMEBODY"
	case role == "":
		role = name
	case name != "" && !strings.EqualFold(name, role):
		role += " (" + name + ")"
	}
	if tools := toolsOf(t); len(tools) > 0 {
		role += " [tools: " + strings.Join(tools, ", ") + "]"
	}
	return role
}

// toolsOf returns the names of the tools that a turn called, without repeats: at most maxToolNames,
// and "…" if there are more.
func toolsOf(t memory.Turn) []string {
	if t.Details == nil {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, call := range t.Details.ToolCalls {
		name := oneLine(call.Name, maxNameRunes)
		if name == "" || seen[name] {
			continue
		}
		if len(names) == maxToolNames {
			return append(names, "…")
		}
		seen[name], names = true, append(names, name)
	}
	return names
}

// entriesOfTexts returns texts with their dates in front.
func entriesOfTexts(texts []memory.DatedText) []entry {
	var entries []entry
	for _, t := range texts {
		if strings.TrimSpace(t.Text) == "" {
			continue
		}
		head := "- "
		if !t.At.IsZero() {
			head += "[" + t.At.Format(time.DateOnly) + "] "
		}
		entries = append(entries, entry{head: head, body: clean(t.Text)})
	}
	return entries
}

// oneLine returns the first limit characters of text, on one line.
func oneLine(text string, limit int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit])
	}
	return text
}

// clean returns text without invisible characters that have an effect: control characters other
// than line ends and tabs, those that change the direction of text, and the tag characters of
// Unicode, in which instructions can be hidden. Invalid UTF-8 is replaced.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r', r == '\u2028', r == '\u2029':
			return '\n'
		case unicode.IsControl(r), r == '\uFEFF',
			'\u202A' <= r && r <= '\u202E', '\u2066' <= r && r <= '\u2069',
			0xE0000 <= r && r <= 0xE007F:
			return -1
		}
		return r
	}, text)
}
