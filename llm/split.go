package llm

import (
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
)

// entry is a message or a text that is kept whole if possible.
type entry struct {
	head string // in front of each of its pieces
	body string
	turn int // the turn's Index, if it is a turn
}

// piece is an entry, or a part of one that fits into a request.
type piece struct {
	text string
	turn int
}

// pack distributes entries, in their order, over parts of at most budget tokens. It cuts an entry
// only if that does not fit into a part of its own.
func pack(c memory.TokenCounter, entries []entry, budget int) [][]piece {
	var parts [][]piece
	var part []piece
	used := 0
	add := func(p piece, tokens int) {
		if used+tokens > budget && len(part) > 0 {
			parts, part, used = append(parts, part), nil, 0
		}
		part, used = append(part, p), used+tokens
	}
	for _, e := range entries {
		for _, p := range e.pieces(c, budget) {
			add(p, cost(c, p.text))
		}
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// cost returns what a line adds to a request in tokens: its own, one for the line end, and one
// because the counts of parts do not quite add up.
func cost(c memory.TokenCounter, line string) int { return c.Count(line) + 2 }

// pieces returns the entry in pieces that cost at most budget tokens each.
func (e entry) pieces(c memory.TokenCounter, budget int) []piece {
	// A token has at most a few bytes, so a very long message does not fit and need not be counted.
	const maxBytesPerToken = 64
	if len(e.body) <= budget*maxBytesPerToken {
		if whole := e.head + indented(e.body); cost(c, whole) <= budget {
			return []piece{{whole, e.turn}}
		}
	}
	head, _ := cut(c, e.head, budget/4)
	if e.body == "" {
		return []piece{{head, e.turn}}
	}
	var pieces []piece
	for rest := indented(e.body); rest != ""; {
		if len(pieces) == 1 {
			head += "… "
		}
		var text string
		text, rest = beginning(c, head, rest, budget)
		pieces = append(pieces, piece{text, e.turn})
	}
	return pieces
}

// beginning returns the head with as much of text as fits into budget tokens, and the rest of text.
// The counts of parts do not add up, so the result is counted again, and shortened if it is too
// long after all.
func beginning(c memory.TokenCounter, head, text string, budget int) (first, rest string) {
	for limit := budget - cost(c, head+" …"); ; limit-- {
		first, rest = cut(c, text, limit)
		first = head + strings.TrimSpace(first)
		if rest != "" {
			first += " …"
		}
		if limit <= 1 || cost(c, first) <= budget {
			return first, rest
		}
	}
}

// indented indents all lines but the first, so that no line inside a text looks like the beginning
// of another message.
func indented(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// cut returns a prefix of text with at most limit tokens, but at least one character, and the rest.
// It prefers to cut after a paragraph, a line, a sentence or a word.
func cut(c memory.TokenCounter, text string, limit int) (first, rest string) {
	n := runeStart(text, min(len(text), max(limit, 1)*5))
	for n > 0 {
		tokens := c.Count(text[:n])
		if tokens <= limit {
			break
		}
		n = runeStart(text, min(n-1, n*limit/tokens))
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(text)
	}
	if n == len(text) {
		return text, ""
	}
	for _, end := range []string{"\n\n", "\n", ". ", "。", " "} {
		if i := strings.LastIndex(text[n/2:n], end); i >= 0 {
			n = n/2 + i + len(end)
			break
		}
	}
	return text[:n], text[n:]
}

// runeStart returns the largest index up to n that does not split a character.
func runeStart(text string, n int) int {
	n = max(n, 0)
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
