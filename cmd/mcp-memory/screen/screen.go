// Package screen lays text out for a terminal: by the width of characters, by words,
// with few colours. It reads no environment and writes nothing; what is to be shown
// must be free of control characters (see visible in cmd/mcp-memory).
package screen

import (
	"strings"

	"github.com/rivo/uniseg"
)

// MinWidth is the narrowest screen that text is wrapped for.
const MinWidth = 20

// Screen is what text is laid out for. The zero value has no colour and no end of
// line, as a file has.
type Screen struct {
	Width  int  // columns; 0 is without end
	Height int  // rows; 0 is without end
	Color  bool // SGR sequences are understood
	Whole  bool // what is wider cannot be seen, so that code is broken, too
}

// Style is a way to show a text.
type Style string

// The styles.
const (
	Dim    Style = "2"
	Bold   Style = "1"
	Warn   Style = "33" // yellow
	Chosen Style = "7"  // the other way round
)

// In shows a text in a style, where there is colour.
func (s Screen) In(style Style, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Width is how many columns a line takes.
func Width(line string) int { return uniseg.StringWidth(line) }

// Cut shortens a line to so many columns, with … for what is left out.
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

// fence begins and ends code in Markdown.
const fence = "```"

// Wrap breaks a text into lines of the screen's width, at the places where its
// language breaks lines. Its own line breaks stay. Code, between fences or indented by
// four blanks or a tab, is left as it is, unless Whole says otherwise. What follows in an item of a list is indented
// with it.
func (s Screen) Wrap(text string) []string {
	var lines []string
	code := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fenced := strings.HasPrefix(strings.TrimLeft(line, " "), fence)
		if fenced {
			code = !code
		}
		if s.Whole {
			line = strings.ReplaceAll(line, "\t", "    ") // a tab has no width of its own
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

// indentOf is what stands before the words of a line: blanks, and the sign of an item.
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
		for used+bare > width { // a word longer than the line
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

// headOf is as much of a text as fits, and at least one character.
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

// Joined puts parts behind each other, with a dot between them, in as few lines as
// there have to be: no part is broken that fits a line.
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

// Block is one thing that was found: what it says, and below it in one dim line what is
// to be known of it.
type Block struct {
	Text  string
	Notes []string
	Marks []string // what a reader must not overlook, behind the notes
	Below []string // further texts, each of its own
}

// Show lays blocks out, a blank line between them.
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
