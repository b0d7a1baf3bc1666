package workspace

import (
	"strings"
	"unicode"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// oneLine makes text that can only be text inside a line: no line breaks, no
// control characters, no comments, in which the markers are.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("<!--", "&lt;!--", "-->", "--&gt;").Replace(s)
}

// structure is what makes Markdown see something else than a paragraph, or us a box that
// can be ticked.
var structure = lazyregexp.New("^(?:#|>|```|~~~|[-*+](?: |$)|[-*_=]{3,}|\\||\\[[^\\]]*\\]:|\\[[ xX]\\](?: |$))")

// paragraph is oneLine for the start of a line or of a list item, where a
// character or two make a heading, a quotation or a block of code.
func paragraph(s string) string {
	s = oneLine(s)
	if structure().MatchString(s) {
		return `\` + s
	}
	return s
}

// shortened cuts text to a number of characters.
func shortened(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return strings.TrimSpace(string(runes[:limit-1])) + "…"
}

// safeID is what an id in a marker may look like.
var safeID = lazyregexp.New(`^[0-9A-Za-z._:-]{1,128}$`)

// checkID returns [memory.CodeInvalidArgument] for an id that a marker cannot hold.
func checkID(id string) error {
	if safeID().MatchString(id) {
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "id %q cannot be written to a file", id).
		WithHint("1 to 128 letters, digits, and . _ : -")
}
