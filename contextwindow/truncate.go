package contextwindow

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// truncate returns text in at most limit tokens: its start and its end, with a mark
// for what is between. It is empty where not even the mark fits.
func truncate(c memory.TokenCounter, text string, limit int) string {
	// Few texts have more than 16 characters a token, and counting a
	// megabyte takes long.
	const quick = 64 << 10
	if len(text) <= max(16*limit, quick) && c.Count(text) <= limit {
		return text
	}
	return truncateFrom(c, text, limit, min(3*limit, len(text)-1))
}

// truncateOf is truncate for a text that is known to have more than limit tokens, and how many.
// The part to keep is estimated by proportion, so that one count is enough, or two.
func truncateOf(c memory.TokenCounter, text string, tokens, limit int) string {
	share := float64(len(text)) * float64(limit) / float64(max(1, tokens))
	return truncateFrom(c, text, limit, min(int(share*0.97), len(text)-1))
}

// truncateFrom truncates a text to limit tokens by trying how many bytes can be kept, keep first.
func truncateFrom(c memory.TokenCounter, text string, limit, keep int) string {
	best, tooLong := "", len(text)
	for tries := 0; keep > 0 && keep < tooLong && tries < 40; tries++ {
		short := truncateTo(text, keep)
		n := c.Count(short)
		if n > limit {
			tooLong, keep = keep, min(keep*limit/n, keep*9/10)
			continue
		}
		if best = short; tries > 4 || n >= limit*9/10 {
			break
		}
		keep = min(keep*limit/n, tooLong-1)
	}
	if best != "" {
		return best
	}
	if mark := truncateTo(text, 0); limit > 0 && c.Count(mark) <= limit {
		return mark
	}
	return ""
}

// truncateTo keeps about keep bytes of text: two thirds from its start, the rest
// from its end.
func truncateTo(text string, keep int) string {
	head, tail := keep*2/3, len(text)-keep/3
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d characters left out …]\n%s", text[:head], utf8.RuneCountInString(text[head:tail]), text[tail:])
}

var truncationMark = regexp.MustCompile(`\n\[… (\d+) characters left out …\]\n`)

// isTruncationOf reports whether short is what truncate has made of whole.
func isTruncationOf(short, whole string) bool {
	for _, m := range truncationMark.FindAllStringSubmatchIndex(short, 16) {
		head, count, tail := short[:m[0]], short[m[2]:m[3]], short[m[1]:]
		if len(head)+len(tail) <= len(whole) && strings.HasPrefix(whole, head) && strings.HasSuffix(whole, tail) &&
			count == strconv.Itoa(utf8.RuneCountInString(whole[len(head):len(whole)-len(tail)])) {
			return true
		}
	}
	return false
}

// truncateMessage returns a message in at most limit tokens, with its texts cut
// where they are too long; false if not even their marks fit.
func truncateMessage(c memory.TokenCounter, m Message, limit int) (Message, bool) {
	if messageTokens(c, m) <= limit {
		return m, true
	}
	short := m
	short.ToolCalls = append([]memory.ToolCall(nil), m.ToolCalls...)
	texts := short.texts()
	sizes := make([]int, len(texts))
	fixed := messageTokens(c, m)
	for i, t := range texts {
		sizes[i] = c.Count(t.get())
		fixed -= sizes[i]
	}
	for i, part := range shares(sizes, limit-fixed) {
		if part < sizes[i] {
			texts[i].set(truncateOf(c, texts[i].get(), sizes[i], part))
		}
	}
	if messageTokens(c, short) <= limit && !short.empty() {
		return short, true
	}
	// Names and ids alone are too long: what is left is a message of plain text without calls.
	bare := Message{Role: m.Role, TS: m.TS, Content: truncate(c, m.plain(), limit-messageOverhead)}
	return bare, bare.Content != ""
}

// empty reports whether nothing of a message is left.
func (m Message) empty() bool { return m.Content == "" && len(m.ToolCalls) == 0 }

// plain returns a message as plain text: its content, and its calls with their results.
func (m Message) plain() string {
	text := m.Content
	for _, call := range m.ToolCalls {
		text += "\n" + call.Name + " " + string(call.Arguments) + "\n" + call.Result + call.Error
	}
	return text
}

// textField is a text of a message that can be cut.
type textField struct {
	get func() string
	set func(string)
}

// texts returns the texts of a message that can be cut. Arguments that are cut become {}, since a
// part of them would not be JSON.
func (m *Message) texts() []textField {
	of := func(s *string) textField {
		return textField{func() string { return *s }, func(v string) { *s = v }}
	}
	list := []textField{of(&m.Content)}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		list = append(list, of(&call.Result), of(&call.Error), textField{
			func() string { return string(call.Arguments) },
			func(string) { call.Arguments = json.RawMessage(`{}`) },
		})
	}
	return list
}

// fit returns messages cut to at most room tokens together, the longest ones first, and what each
// takes then; false if that cannot be. sizes are the tokens that each takes uncut.
func fit(c memory.TokenCounter, messages []Message, sizes []int, room int) ([]Message, []int, bool) {
	fitted, taken := append([]Message(nil), messages...), make([]int, len(messages))
	for i, part := range shares(sizes, room) {
		taken[i] = sizes[i]
		if part >= sizes[i] {
			continue
		}
		var ok bool
		if fitted[i], ok = truncateMessage(c, messages[i], part); !ok {
			return nil, nil, false
		}
		taken[i] = messageTokens(c, fitted[i])
	}
	return fitted, taken, true
}
