package passages

import (
	"strings"
	"unicode/utf8"

	"mcp-memory/text/lazyregexp"
	"mcp-memory/workspace"
)

// maxPassage is the length of a passage in bytes: what a reader takes in at a
// glance, and what a vector can still be near to.
const maxPassage = 1200

// part is a passage as a place in its file.
type part struct {
	from, to int    // bytes of the file
	line     int    // the first, from 1
	heading  string // the headings above, the outermost first
	record   string // id in the marker of the record that it mirrors, or ""
}

// block is what is not torn apart if it fits: a paragraph, a list item, a block of code.
type block struct {
	from, to int
	line     int
	indent   int // of a list item, else -1
	record   string
	apart    bool // a comment stands before it, which must not get into a passage
}

var (
	headingLine = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?\s*$`)
	itemLine    = lazyregexp.New(`^(\s*)(?:[-*+]|\d{1,9}[.)])(?:\s|$)`)
	fenceLine   = lazyregexp.New("^\\s{0,3}(?:>\\s*)*(```+|~~~+)")
)

// separator is between the headings of a path.
const separator = " › "

// splitter cuts a file; text is all of it, from where the front matter ends.
type splitter struct {
	text     string
	headings [6]string
	lone     *block // a heading that nothing stands under yet
	depth    int    // its level
	blocks   []block
	parts    []part
	open     *block // to which lines are added
	fence    string // what ends a block of code, "" outside
	hidden   string // what ends a comment, "" outside
	passed   bool   // a comment ended since the last block
}

// split cuts a text into passages, beginning behind the front matter.
func split(text string, from int) []part {
	s := splitter{text: text}
	line := 1 + strings.Count(text[:from], "\n")
	for at := from; at < len(text); line++ {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		s.read(strings.TrimRight(text[at:end], "\r\n"), at, end, line)
		at = end
	}
	s.endSection()
	if s.lone != nil {
		s.add(*s.lone, s.path(s.depth-1))
	}
	return s.parts
}

// read takes one line, from the byte at to the byte end.
func (s *splitter) read(line string, at, end, number int) {
	trimmed := strings.TrimSpace(line)
	switch {
	case s.hidden != "":
		if strings.Contains(line, s.hidden) {
			s.hidden, s.passed = "", true
		}
	case s.fence != "":
		s.open.to = end
		if m := fenceLine().FindStringSubmatch(line); m != nil && strings.HasPrefix(m[1], s.fence) {
			s.fence = ""
		}
	case hides(trimmed) != "":
		s.close()
		s.hidden = hides(trimmed)
	case trimmed == "":
		s.close()
	case line[0] == '#' || line[0] == ' ' && trimmed[0] == '#':
		if m := headingLine().FindStringSubmatch(line); m != nil {
			s.head(len(m[1]), visible(m[2]), block{from: at, to: end, line: number, indent: -1})
			return
		}
		s.grow(line, at, end, number)
	default:
		if m := fenceLine().FindStringSubmatch(line); m != nil && s.closedBelow(m[1], end) {
			s.fence = m[1]
		}
		s.grow(line, at, end, number)
	}
}

// closedBelow reports whether a block of code ends somewhere: a stray fence must
// not make one of all that follows.
func (s *splitter) closedBelow(fence string, at int) bool {
	return strings.Contains(s.text[at:], fence)
}

// hides returns what ends a comment that a line begins and does not end, else "".
func hides(line string) string {
	switch {
	case strings.HasPrefix(line, "<!--") && !strings.Contains(line, "-->"):
		return "-->"
	case strings.HasPrefix(line, "%%") && !strings.Contains(line[2:], "%%"):
		return "%%"
	}
	return ""
}

// head begins a section.
func (s *splitter) head(level int, title string, at block) {
	s.endSection()
	if s.lone != nil && level <= s.depth {
		s.add(*s.lone, s.path(s.depth-1)) // nothing stood under it: it is all there is
	}
	s.headings[level-1] = title
	clear(s.headings[level:])
	s.lone, s.depth = &at, level
}

// path is the headings down to a level.
func (s *splitter) path(level int) string {
	var names []string
	for _, title := range s.headings[:max(0, level)] {
		if title != "" {
			names = append(names, title)
		}
	}
	return strings.Join(names, separator)
}

// grow adds a line to the open block, or begins one.
func (s *splitter) grow(line string, at, end, number int) {
	item := itemLine().FindStringSubmatch(line)
	id := workspace.Marked(line)
	if item != nil {
		// What is nested in the item of a record belongs to it, as it does for the
		// mirror, unless it has a record of its own.
		nested := s.open != nil && s.open.record != "" && s.open.indent >= 0 && len(item[1]) > s.open.indent && id == ""
		if !nested {
			s.close()
		}
	}
	if s.open == nil {
		s.open = &block{from: at, line: number, indent: -1, apart: s.passed}
		s.passed = false
		if item != nil {
			s.open.indent = len(item[1])
		}
	}
	s.open.to = end
	if id != "" && s.open.record == "" {
		s.open.record = id
	}
}

func (s *splitter) close() {
	if s.open != nil {
		s.blocks = append(s.blocks, *s.open)
		s.open = nil
	}
}

// endSection makes passages of the blocks of a section: as many as fit together,
// and each that mirrors a record alone. A marker in a paragraph is that of all its
// section, as in the files of learnings.
func (s *splitter) endSection() {
	s.close()
	s.fence = ""
	if len(s.blocks) == 0 {
		return
	}
	heading := s.path(len(s.headings))
	whole := ""
	for _, b := range s.blocks {
		if b.indent < 0 && b.record != "" {
			whole = b.record
		}
	}
	for i, b := range s.blocks {
		if b.record == "" {
			s.blocks[i].record = whole
		}
	}
	pack := s.blocks[0]
	for _, b := range s.blocks[1:] {
		prose := b.record == "" || b.indent < 0 && pack.indent < 0
		if b.to-pack.from <= maxPassage && b.record == pack.record && prose && !b.apart {
			pack.to = b.to
			continue
		}
		s.add(pack, heading)
		pack = b
	}
	s.add(pack, heading)
	s.blocks, s.lone = s.blocks[:0], nil
}

// add makes passages of what stands between two bytes, cut where it is too long.
func (s *splitter) add(b block, heading string) {
	for from, line := b.from, b.line; from < b.to; {
		to := from + cut(s.text[from:b.to])
		if visible(s.text[from:to]) != "" {
			s.parts = append(s.parts, part{from, to, line, heading, b.record})
		}
		line += strings.Count(s.text[from:to], "\n")
		from = to
	}
}

// cut returns how much of a text makes a passage: all of it, or up to the last end
// of a line, of a sentence or of a word that fits.
func cut(text string) int {
	if len(text) <= maxPassage {
		return len(text)
	}
	fits := text[:maxPassage]
	for _, end := range []string{"\n", ". ", "。", " "} {
		if i := strings.LastIndex(fits, end); i >= maxPassage/4 {
			return i + len(end)
		}
	}
	n := maxPassage
	for n > 1 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
