package workspace

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// page is a Markdown file as a list of lines, from which every byte of the file can be given
// back.
type page struct {
	mark  string // the byte order mark, if the file has one
	lines []line
	end   string // line end for lines that are added
}

// line is one line and what was understood of it.
type line struct {
	before, text, end string // before is the line ends that an added line needs in front

	literal bool   // inside front matter, a block of code or a comment: not looked at
	code    bool   // literal, but as worth reading as any other line
	level   int    // of a heading, else 0
	title   string // of a heading, folded
	item    int    // indentation of a list item, else -1
	ids     []string
	entry   *entry // if the program wrote the line and nobody reworded it, else nil

	note bool // says that something was left out

	made bool // added by this merge
	gone bool // taken out by this merge
}

// entry is a bullet that the program wrote and nobody reworded.
type entry struct {
	id         string
	importance int // percent
}

const byteOrderMark = "\uFEFF"

var (
	headingLine = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?\s*$`)
	itemLine    = lazyregexp.New(`^(\s*)(?:[-*+]|\d{1,9}[.)])(?:\s|$)`)
	// Front matter stands between two rules: keys, and below them lists, what is
	// moved in, and remarks.
	frontRule = lazyregexp.New(`^---[ \t]*$`)
	frontKey  = lazyregexp.New(`^["'\pL_.][^:]*:(?:\s|$)`)
	frontMore = lazyregexp.New(`^(?:[ \t]|-(?:\s|$)|#|[\]}])`)

	fenceLine = lazyregexp.New("^ {0,3}(```+|~~~+)")
	// A marker is a comment with the id, the importance and a sum of the words
	// before it, by which a line that somebody reworded is told from ours.
	marker    = lazyregexp.New(`<!-- ([0-9A-Za-z._:-]+)(?: (?:\d{1,3}|yours) [0-9a-f]{8}(?: global| in \S+)?)? -->`)
	entryLine = lazyregexp.New(`^(\s*[-*+] (?:\[[ xX]\] )?)(.*) <!-- ([0-9A-Za-z._:-]+) (\d{1,3}) ([0-9a-f]{8})(?: global| in \S+)? -->\s*$`)
)

// Marked returns the id in the first marker of a line, "" if it has none. Not every
// id is that of a record: entries of the history have one as well.
func Marked(line string) string {
	if !strings.Contains(line, "<!-- ") {
		return ""
	}
	if m := marker().FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// parse understands a file. It never fails: what it does not know is prose.
func parse(content string) page {
	p := page{end: lineEnd(content)}
	text := strings.TrimPrefix(content, byteOrderMark)
	p.mark = content[:len(content)-len(text)]
	for raw := range strings.Lines(text) {
		l := line{item: -1}
		l.text = strings.TrimSuffix(raw, "\n")
		if l.text != raw {
			l.text = strings.TrimSuffix(l.text, "\r")
		}
		l.end = raw[len(l.text):]
		p.lines = append(p.lines, l)
	}
	p.markLiteral()
	for i := range p.lines {
		p.lines[i].understand()
	}
	return p
}

// String is the file with what a merge changed.
func (p page) String() string {
	var b strings.Builder
	b.WriteString(p.mark)
	for _, l := range p.lines {
		if !l.gone {
			b.WriteString(l.before + l.text + l.end)
		}
	}
	return b.String()
}

// markLiteral finds front matter and blocks of code and of comment. One that is never
// closed is none: otherwise a stray fence would hide everything that is added after it.
func (p page) markLiteral() {
	var open []string // what opens a block that nothing further down closes
	front := p.frontMatter()
	for i := range front {
		p.lines[i].literal = true
	}
	for i := front; i < len(p.lines); i++ {
		opening := opener(p.lines[i].text)
		if opening == "" || slices.ContainsFunc(open, func(o string) bool { return strings.HasPrefix(opening, o) }) {
			continue
		}
		n := slices.IndexFunc(p.lines[i+1:], func(l line) bool { return closes(l.text, opening) })
		if n < 0 {
			open = append(open, opening)
			continue
		}
		for end := i + 1 + n; i <= end; i++ {
			p.lines[i].literal, p.lines[i].code = true, opening != commentBegin
		}
		i--
	}
}

// frontMatter returns how many lines the block of YAML has that a file begins with,
// both rules included, 0 for none. What stands between rules and is no YAML is text.
func (p page) frontMatter() int {
	if len(p.lines) == 0 || !frontRule().MatchString(p.lines[0].text) {
		return 0
	}
	keys := 0
	for i, l := range p.lines[1:] {
		switch {
		case marker().MatchString(l.text): // where an id stands there are memories
			return 0
		case frontRule().MatchString(l.text) || strings.TrimRight(l.text, " \t") == "...":
			if keys == 0 {
				return 0
			}
			return i + 2
		case frontKey().MatchString(l.text):
			keys++
		case !l.blank() && !(keys > 0 && frontMore().MatchString(l.text)):
			return 0
		}
	}
	return 0
}

const commentBegin, commentEnd = "<!--", "-->"

// opener returns what begins a block of code or of comment on a line, or "".
func opener(text string) string {
	if strings.HasPrefix(strings.TrimLeft(text, " "), commentBegin) {
		if strings.Contains(text, commentEnd) {
			return ""
		}
		return commentBegin
	}
	if fence := fenceLine().FindStringSubmatch(text); fence != nil {
		return fence[1]
	}
	return ""
}

// closes reports whether a line ends the block that opening began.
func closes(text, opening string) bool {
	if opening == commentBegin {
		return strings.Contains(text, commentEnd)
	}
	fence := fenceLine().FindStringSubmatch(text)
	return fence != nil && strings.HasPrefix(fence[1], opening) && strings.Trim(text, " \t\r"+opening[:1]) == ""
}

// understand fills in what a line is, from its text.
func (l *line) understand() {
	comment := strings.Contains(l.text, commentBegin) // most lines need no regular expression
	if comment {
		for _, m := range marker().FindAllStringSubmatch(l.text, -1) {
			l.ids = append(l.ids, m[1])
		}
	}
	if l.literal {
		return
	}
	begin := strings.TrimLeft(l.text, " \t\v\f\r")
	if strings.HasPrefix(begin, "#") {
		if h := headingLine().FindStringSubmatch(l.text); h != nil {
			l.level, l.title = len(h[1]), fold(h[2])
		}
	}
	if comment && strings.Contains(l.text, leftOutMarker) {
		l.note, l.level = true, 1 // as a heading, so that what is added stays before it
	}
	if begin != "" && strings.ContainsRune("-*+0123456789", rune(begin[0])) {
		if m := itemLine().FindStringSubmatch(l.text); m != nil {
			l.item = len(m[1])
		}
	}
	if !comment {
		return
	}
	if m := entryLine().FindStringSubmatch(l.text); m != nil && len(l.ids) == 1 && m[5] == sum(m[2]) {
		importance, _ := strconv.Atoi(m[4]) // at most three digits
		l.entry = &entry{m[3], importance}
	}
}

// bullet is an entry's text, after the list marker that the line shall have.
func bullet(lead, words, id string, importance int, whose string) string {
	return lead + words + comment(id, strconv.Itoa(importance), words, whose)
}

// comment returns the marker for a bullet with these words, with a blank before it; by is the
// importance in percent, or "yours" if a person worded it.
func comment(id, by, words, whose string) string {
	if whose != "" {
		whose = " " + whose
	}
	return fmt.Sprintf(" <!-- %s %s %s%s -->", id, by, sum(words), whose)
}

// sum returns a checksum that tells words from other words; it is no secret and no proof.
func sum(words string) string {
	h := fnv.New32a()
	h.Write([]byte(words))
	return fmt.Sprintf("%08x", h.Sum32())
}

// fold returns the form in which titles are compared: in lower case, with single blanks for
// blanks, "-" and "_".
func fold(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '-' || r == '_'
	}), " ")
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// indent is how far a line is moved in, in characters.
func (l line) indent() int { return len(l.text) - len(strings.TrimLeft(l.text, " \t")) }

// afterItem is the place after a list item and everything that belongs to it:
// more lines of its paragraph, nested items, blocks that are moved in.
func (p page) afterItem(i int) int {
	end := i + 1
	for j := end; j < len(p.lines); j++ {
		l := p.lines[j]
		switch {
		case l.literal && p.lines[j-1].literal: // never end inside a block
		case l.gone || l.blank():
			continue // belongs to the item only if what follows does
		case l.level > 0 && l.indent() <= p.lines[i].item,
			l.item >= 0 && l.item <= p.lines[i].item,
			end < j && l.indent() <= p.lines[i].item && p.blankBetween(end, j):
			return end
		}
		end = j + 1
	}
	return end
}

// afterParagraph is the place after a paragraph's last line.
func (p page) afterParagraph(i int) int {
	for i++; i < len(p.lines); i++ {
		if l := p.lines[i]; l.blank() || l.level > 0 || l.item >= 0 || l.literal {
			break
		}
	}
	return i
}

// space separates what was added from its surroundings as Markdown wants it.
func (p page) space() {
	var above *line
	for i := range p.lines {
		l := &p.lines[i]
		if l.gone {
			continue
		}
		l.before = ""
		if above != nil {
			l.before = p.gap(*above, *l)
		}
		above = l
	}
}

// gap returns the line ends that are missing between two lines; "" if neither was added.
func (p page) gap(above, l line) string {
	if !above.made && !l.made {
		return ""
	}
	gap := ""
	if above.end == "" {
		gap = p.end
	}
	if above.blank() || l.blank() {
		return gap
	}
	inList := l.item >= 0 && (above.item >= 0 || above.indent() > 0)
	if l.level > 0 || l.made && !inList {
		gap += p.end
	}
	return gap
}

func (p page) blankBetween(from, to int) bool {
	for _, l := range p.lines[from:to] {
		if !l.gone && l.blank() {
			return true
		}
	}
	return false
}
