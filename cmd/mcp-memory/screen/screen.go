// Package screen lays text out for a terminal, by the width of characters and at word boundaries,
// with a few colours. It reads no environment and prints nothing. The text must be free of control
// characters (see visible in cmd/mcp-memory).
package screen

import (
	"strings"

	"github.com/rivo/uniseg"
)

// MinWidth is the least width in columns to which text is wrapped, also on a narrower screen.
const MinWidth = 20

// Screen describes where text is shown. The zero value has no colours and no limit of width, like a
// file.
type Screen struct {
	Width  int  // columns; 0 is no limit
	Height int  // rows; 0 is no limit
	Color  bool // use colours (SGR sequences)
	Whole  bool // wrap code as well, because what is wider than the screen cannot be seen
}

// Style is the parameter of an SGR sequence.
type Style string

// The styles.
const (
	Dim    Style = "2"
	Bold   Style = "1"
	Warn   Style = "33" // yellow
	Chosen Style = "7"  // reverse video
)

// In returns text in a style, or as it is on a screen without colours.
func (s Screen) In(style Style, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Width returns how many columns a line takes.
func Width(line string) int { return uniseg.StringWidth(line) }

// Cut shortens a line to width columns, with … at the end. A width of 0 or less does not cut.
func Cut(line string, width int) string {
	if width <= 0 || Width(line) <= width {
		return line
	}
	var b strings.Builder
	used := 0
	for state, rest := -1, line; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width-1 {
			break
		}
		b.WriteString(cluster)
		used += w
	}
	return b.String() + "…"
}

// fence begins and ends a code block in Markdown.
const fence = "```"

// Wrap breaks text into lines of the screen's width, where its language allows a break. Existing
// line breaks stay. Code, which is between fences or indented by four blanks or a tab, is not
// wrapped unless Whole is set. Wrapped lines of a list item are indented like its text.
func (s Screen) Wrap(text string) []string {
	var lines []string
	code := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fenced := strings.HasPrefix(strings.TrimLeft(line, " "), fence)
		if fenced {
			code = !code
		}
		if s.Whole {
			line = strings.ReplaceAll(line, "\t", "    ") // the width of a tab is not defined
		}
		asItIs := !s.Whole && (code || fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
		if s.Width <= 0 || asItIs || Width(line) <= s.width() {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, wrapLine(line, s.width())...)
	}
	return lines
}

func (s Screen) width() int { return max(s.Width, MinWidth) }

// indentOf returns the indentation for the wrapped lines after a line: its own, and that of a list
// sign.
func indentOf(line string) string {
	rest := strings.TrimLeft(line, " ")
	blanks := len(line) - len(rest)
	for _, sign := range []string{"- ", "* ", "+ ", "• "} {
		if strings.HasPrefix(rest, sign) {
			return strings.Repeat(" ", blanks+2)
		}
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits > 0 && digits < 4 && strings.HasPrefix(rest[digits:], ". ") {
		return strings.Repeat(" ", blanks+digits+2)
	}
	return strings.Repeat(" ", blanks)
}

func wrapLine(line string, width int) (lines []string) {
	indent := indentOf(line)
	if len(indent) > width/2 {
		indent = ""
	}
	current, used := "", 0
	flush := func() {
		lines = append(lines, strings.TrimRight(current, " "))
		current, used = indent, len(indent)
	}
	for state, rest := -1, line; rest != ""; {
		var segment string
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		bare := Width(strings.TrimRight(segment, " "))
		if used+bare > width && used > len(indent) {
			flush()
		}
		for used+bare > width { // the word is longer than the line
			head := headOf(segment, width-used)
			current += head
			segment = segment[len(head):]
			flush()
			bare = Width(strings.TrimRight(segment, " "))
		}
		current += segment
		used += Width(segment)
	}
	if strings.TrimSpace(current) != "" {
		lines = append(lines, strings.TrimRight(current, " "))
	}
	return lines
}

// headOf returns as much of a text as fits, but at least one character.
func headOf(text string, width int) string {
	end, used := 0, 0
	for state, rest := -1, text; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end > 0 && used+w > width {
			break
		}
		end += len(cluster)
		used += w
	}
	return text[:end]
}

// Joined joins parts with dots between them into as few lines as possible. A part that fits into a
// line is not broken.
func (s Screen) Joined(parts ...string) []string {
	const between = " · "
	var lines []string
	current := ""
	for _, part := range parts {
		switch {
		case part == "":
		case current == "":
			current = part
		case s.Width > 0 && Width(current+between+part) > s.width():
			lines = append(lines, current)
			current = part
		default:
			current += between + part
		}
	}
	if current != "" {
		lines = append(lines, current)
	}
	return lines
}

// Block is one result: its text, and dim below it first further texts and then a line of notes.
type Block struct {
	Text  string
	Notes []string
	Marks []string // warnings after the notes, which must not be overlooked
	Below []string // further texts before the notes, each on lines of its own
}

// Show lays out blocks with a blank line between them.
func (s Screen) Show(blocks []Block) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, line := range s.Wrap(block.Text) {
			b.WriteString(line + "\n")
		}
		inner := s
		if s.Width > 0 {
			inner.Width = s.width() - 2
		}
		for _, below := range block.Below {
			for _, line := range inner.Wrap(below) {
				b.WriteString(s.In(Dim, "  "+line) + "\n")
			}
		}
		marks := strings.Join(block.Marks, ", ")
		lines := inner.Joined(append(append([]string{}, block.Notes...), marks)...)
		if s.Whole {
			lines = inner.Wrap(strings.Join(lines, "\n"))
		}
		for _, line := range lines {
			if rest, marked := strings.CutSuffix(line, marks); marked && marks != "" {
				b.WriteString(s.In(Dim, "  "+rest) + s.In(Warn, marks) + "\n")
				continue
			}
			b.WriteString(s.In(Dim, "  "+line) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
