package workspace

import (
	"cmp"
	"net/url"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// Box is the checkbox of a bullet.
type Box uint8

// The states of a checkbox.
const (
	NoBox     Box = iota
	BoxOpen       // [ ]
	BoxTicked     // [x]
)

// Item is a bullet of a mirrored file: what a person or the program says there.
// Bullets that are nested in it belong to it unless they have an id of their own.
type Item struct {
	ID    string // of the record that it stands for; "" for none
	Words string // without list marker, box and markers; nested bullets on lines of their own
	Under string // the heading of level two that it stands under, folded; "" for none
	Box   Box
	Same  bool   // the words are those that the program wrote or saw there last
	Yours bool   // a person worded it
	Whose string // whose the record is, as [Whose] has it; "" where the line does not say
	Known bool   // it stood there under this id when the file was last seen to
	Again bool   // a copy: an item above has its id, so ID is empty here

	from, to int    // its lines in the page, to exclusive
	by       string // the importance in its marker, or "yours"
	bare     bool   // its marker is an id alone
}

var (
	leadOf = lazyregexp.New(`^(\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$))(?:\[([ xX])\](?:\s+|$))?(.*)$`)
	// tag is a marker with what stands before it. Without a sum only what looks like the
	// id of a record is one: a word alone may be a person's remark.
	tag = lazyregexp.New(`\s*<!-- (?:([0-9A-Za-z._:-]+) (\d{1,3}|yours) ([0-9a-f]{8})(?: (global|in \S+))?|` + recordID + `) -->|` + damaged)
)

const (
	recordID = `([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})`
	// damaged is a marker of which something was cut off or taken out: part of its id, of what follows,
	// or of its ends. Other words in it make it a person's remark.
	damaged = `\s*<!?--?\s*(?:(?:` + recordID + `|[0-9A-Fa-f]{8}-[0-9A-Fa-f-]*)(?: *\b(?:\d{1,3}|you?r?s?))?(?: *\b[0-9a-f]{1,8})?|` +
		`[0-9A-Za-z._:-]+ +(?:\d{1,3}|yours) +[0-9a-f]{8})(?: +(?:in(?: \S+)?|glo?b?a?l?))?\s*(?:--?>|>|-{0,2}\s*$)`
)

// tagged reports whether a text has a marker. Most have nothing like one and need no regular expression.
func tagged(text string) bool {
	return (strings.Contains(text, "<!-") || strings.Contains(text, "<--")) && tag().MatchString(text)
}

// items lists the bullets of a page in their order.
func (p page) items() []Item {
	var list []Item
	under := ""
	for i := 0; i < len(p.lines); i++ {
		l := p.lines[i]
		switch {
		case l.gone || l.literal:
		case l.level == 1:
			under = ""
		case l.level == 2:
			under = l.title
		case l.item >= 0 && l.level == 0:
			one := p.itemAt(i)
			one.Under = under
			if one.Words != "" {
				list = append(list, one)
			}
			i = one.to - 1
		}
	}
	return list
}

// itemAt is the bullet that begins on a line.
func (p page) itemAt(i int) Item {
	one := Item{from: i, to: i + 1}
	marked := ""
	var words strings.Builder
	for ; one.to <= len(p.lines); one.to++ {
		l := p.lines[one.to-1]
		text := l.text
		if tagged(text) {
			marked = cmp.Or(marked, one.identify(text))
			text = tag().ReplaceAllString(text, "")
		}
		text = strings.TrimSpace(text)
		switch m := leadOf().FindStringSubmatch(text); {
		case one.to-1 == i && m != nil:
			one.Box = boxOf(m[2])
			words.WriteString(strings.TrimSpace(m[3]))
		case m != nil && l.item >= 0:
			words.WriteString("\n- " + strings.TrimSpace(m[3]))
		default:
			words.WriteString(" " + text)
		}
		if one.to == len(p.lines) || !p.continues(i, one.to) {
			break
		}
	}
	one.Words = strings.TrimSpace(words.String())
	one.Same = marked != "" && marked == sum(one.Words)
	return one
}

// identify takes the id from the first marker of a line, unless an earlier line of the item had
// one, and returns the sum of words in that marker.
func (i *Item) identify(text string) (marked string) {
	if m := tag().FindStringSubmatch(text); m != nil && i.ID == "" {
		i.ID, i.Yours, i.bare = cmp.Or(m[1], m[5], m[6]), m[2] == "yours", m[5] != ""
		i.by, i.Whose = m[2], m[4]
		return m[3]
	}
	return ""
}

// continues reports whether a line belongs to the bullet that begins at another.
func (p page) continues(first, i int) bool {
	l := p.lines[i]
	if l.gone || l.literal || l.blank() || l.level > 0 || l.note {
		return false
	}
	return l.item < 0 || l.item > p.lines[first].item && !tagged(l.text) && boxAt(l.text) == NoBox
}

func boxOf(sign string) Box {
	switch sign {
	case " ":
		return BoxOpen
	case "x", "X":
		return BoxTicked
	}
	return NoBox
}

// boxAt is the box of the bullet that begins on a line.
func boxAt(text string) Box {
	if m := leadOf().FindStringSubmatch(text); m != nil {
		return boxOf(m[2])
	}
	return NoBox
}

// sign is how a box is written, with the blank behind it.
func (b Box) sign() string {
	switch b {
	case BoxOpen:
		return "[ ] "
	case BoxTicked:
		return "[x] "
	}
	return ""
}

// Whose returns how a marker says whose a record is: "global", or "in" and the project, in which
// all that could end a word or a comment is escaped as in a URL.
func Whose(r memory.Record) string {
	if r.Project == "" {
		return "global"
	}
	return "in " + strings.ReplaceAll(url.PathEscape(r.Project), "%2F", "/")
}

// Project returns the project that the line says the record is of, "" for global; false where it
// says nothing.
func (i Item) Project() (project string, said bool) {
	escaped, in := strings.CutPrefix(i.Whose, "in ")
	if !in {
		return "", i.Whose != ""
	}
	project, err := url.PathUnescape(escaped)
	return project, err == nil
}

// Moved reports whether the line says that the record belongs to another project than it does.
func (i Item) Moved(r memory.Record) bool { return i.Whose != "" && i.Whose != Whose(r) }

// claim gives a bullet the marker of a record without touching its words; whose may be "".
func (p *page) claim(one Item, id, by, whose string) {
	for i := one.from; i < one.to; i++ {
		l := &p.lines[i]
		if i > one.from && !tagged(l.text) {
			continue
		}
		l.text = strings.TrimRight(tag().ReplaceAllString(l.text, ""), " \t")
		if i == one.from {
			l.text += comment(id, by, one.Words, whose)
		}
		l.ids, l.entry = nil, nil
		l.understand()
	}
}

// unmark takes the markers off a bullet.
func (p *page) unmark(one Item) {
	for i := one.from; i < one.to; i++ {
		l := &p.lines[i]
		l.text = strings.TrimRight(tag().ReplaceAllString(l.text, ""), " \t")
		l.ids, l.entry = nil, nil
		l.understand()
	}
}

// say puts other words in the place of a bullet.
func (p *page) say(one Item, words, id string, importance int, whose string) {
	l := &p.lines[one.from]
	lead, box := "- ", one.Box.sign()
	if m := leadOf().FindStringSubmatch(l.text); m != nil {
		lead = m[1]
	}
	l.text = bullet(lead+box, words, id, importance, whose)
	l.ids, l.entry = nil, nil
	l.understand()
	for i := one.from + 1; i < one.to; i++ {
		p.lines[i].gone = true
	}
}

// drop takes a bullet out.
func (p *page) drop(one Item) {
	for i := one.from; i < one.to; i++ {
		p.lines[i].gone = true
	}
}

// Plain returns the words of a bullet as a person means them, without the escapes that keep them
// from being read as Markdown.
func (i Item) Plain() string {
	words := i.Words
	if rest, escaped := strings.CutPrefix(words, `\`); escaped && (structure().MatchString(rest) || strings.HasPrefix(rest, contextLead)) {
		words = rest
	}
	return strings.NewReplacer("&lt;!--", "<!--", "--&gt;", "-->").Replace(words)
}
