package workspace

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
)

const (
	// leftOutMarker is how the note is found again.
	leftOutMarker = "<!-- mcp-memory:left-out -->"
	leftOutNote   = "*More is remembered than fits here; a search finds it.* " + leftOutMarker
)

// maxWords bounds a bullet, in characters; the whole text is in the database.
const maxWords = 600

// mergeFacts returns a MEMORY.md with the facts in it. Facts that are there
// stay as they are, a correction takes the place of what it corrects, others go
// under the heading of their category. Merging the same again changes nothing.
func mergeFacts(content string, facts []memory.Record) string {
	merged, full := mergeOnce(content, facts)
	// Blank lines that came with a bullet stay when it goes. They may push out
	// one more, which is better seen to at once than at the next merge.
	for range 3 {
		if !full || merged == content {
			break
		}
		content = merged
		merged, full = mergeOnce(content, facts)
	}
	return merged
}

// Foremost returns some of the records: those that are important enough to have room in
// [MaxMemoryBytes] of a MEMORY.md without anything else, and those that correct another record.
func Foremost(records []memory.Record) []memory.Record {
	sorted := slices.Clone(records)
	slices.SortStableFunc(sorted, func(a, b memory.Record) int {
		return cmp.Or(cmp.Compare(percent(b), percent(a)), cmp.Compare(b.ID, a.ID))
	})
	size := 0
	fits := map[string]bool{}
	for _, r := range sorted {
		if size > MaxMemoryBytes {
			break
		}
		if !fits[r.ID] {
			size += len(bullet("- ", Words(r), r.ID, percent(r), Whose(r))) + 1
		}
		fits[r.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(records), func(r memory.Record) bool { return !fits[r.ID] && r.Supersedes == "" })
}

// mergeOnce also reports whether something had to be left out.
func mergeOnce(content string, facts []memory.Record) (merged string, full bool) {
	p := parse(content)
	earlier := map[string]string{} // what a record of the batch corrects
	for _, f := range facts {
		earlier[f.ID] = f.Supersedes
	}
	for _, f := range current(facts) {
		p.merge(f, chain(f, earlier))
	}
	for ; ; full = true { // again for blank lines, which move when lines go
		p.space()
		merged = p.String()
		if len(merged) <= MaxMemoryBytes || !p.leaveOut() {
			return merged, full
		}
	}
}

// current returns the facts that still hold, each once.
func current(facts []memory.Record) []memory.Record {
	corrected, seen := map[string]bool{}, map[string]bool{}
	for _, f := range facts {
		corrected[f.Supersedes] = true
	}
	var live []memory.Record
	for _, f := range facts {
		if f.Live() && !corrected[f.ID] && !seen[f.ID] {
			live = append(live, f)
		}
		seen[f.ID] = true
	}
	return live
}

// chain lists what a fact corrects, directly or through others of the batch.
func chain(f memory.Record, earlier map[string]string) []string {
	var ids []string
	for id := f.Supersedes; id != "" && !slices.Contains(ids, id) && id != f.ID; id = earlier[id] {
		ids = append(ids, id)
	}
	return ids
}

// merge adds a fact unless its id is there: in the place of the line of a record that it
// corrects, of which corrects has the ids, or behind that line if a person reworded it; else under
// the heading of its category.
func (p *page) merge(f memory.Record, corrects []string) {
	present, place := false, -1
	for i, l := range p.lines {
		present = present || !l.gone && slices.Contains(l.ids, f.ID)
		if place < 0 && !l.gone && !l.literal && slices.ContainsFunc(l.ids, func(id string) bool { return slices.Contains(corrects, id) }) {
			place = i
		}
	}
	added := line{text: bullet("- ", Words(f), f.ID, percent(f), Whose(f)), end: p.end, made: true}
	switch {
	case present:
	case place < 0:
		p.addToSection(f.Category, added)
	case p.lines[place].entry != nil:
		lead := entryLine().FindStringSubmatch(p.lines[place].text)[1]
		added.text = bullet(lead, Words(f), f.ID, percent(f), Whose(f))
		added.end, added.made, added.item = p.lines[place].end, false, -1
		added.understand()
		p.lines[place] = added
	case p.lines[place].item >= 0:
		p.insert(p.afterItem(place), added)
	default: // the person made something else of it
		p.insert(p.afterParagraph(place), added)
	}
	for i, l := range p.lines {
		if l.entry != nil && slices.Contains(corrects, l.entry.id) {
			p.lines[i].gone = true
		}
	}
}

// Words is what the bullet of a record says: its content on one line, at most 600
// characters.
func Words(f memory.Record) string { return shortened(paragraph(f.Content), maxWords) }

// percent returns the importance of a record in percent, 100 if it is pinned: it decides what is
// left out when not everything fits.
func percent(f memory.Record) int {
	if f.Pinned {
		return 100
	}
	return int(math.Round(100 * min(max(f.Importance, 0), 1)))
}

// insert puts a line before the one at i.
func (p *page) insert(i int, l line) {
	l.item = -1
	l.understand()
	p.lines = slices.Insert(p.lines, i, l)
}

// addToSection puts a bullet under a category's heading: after the last of
// ours, else after what the person wrote there before any smaller heading.
func (p *page) addToSection(category string, added line) {
	heading := p.heading(category)
	last, bulletAt := heading, -1
	smaller := false
	for i := heading + 1; i < len(p.lines); i++ {
		l := p.lines[i]
		if l.level > 0 && l.level <= 2 {
			break
		}
		smaller = smaller || l.level > 2
		if !l.gone && !l.literal && l.item >= 0 && len(l.ids) > 0 {
			bulletAt = i
		}
		if !l.gone && !smaller && !l.blank() {
			last = i
		}
	}
	if bulletAt >= 0 {
		p.insert(p.afterItem(bulletAt), added)
		return
	}
	if last+1 < len(p.lines) && p.lines[last+1].blank() && p.lines[last].item < 0 && (last == heading || p.lines[last].indent() == 0) {
		last++ // the blank line that is there will do
	}
	p.insert(last+1, added)
}

// heading returns the line of a category's heading, which it makes if there is
// none: before the first heading of a category that comes later, else last. That of to-dos comes
// before all others: a line that is written at the end of the file is no to-do.
func (p *page) heading(category string) int {
	category = cmp.Or(category, memory.CategoryOther)
	title := fold(oneLine(category)) // of what older versions took, some is not on one line
	at := len(p.lines)
	for i, l := range p.lines {
		if l.level == 2 && l.title == title {
			return i
		}
		if at == len(p.lines) && (l.note || l.level == 2 && (title == TodoHeading || laterThan(l.title, title))) {
			at = i
		}
	}
	if title != TodoHeading {
		category = headingOf(title)
	}
	p.insert(at, line{text: "## " + category, end: p.end, made: true})
	return at
}

// laterThan reports whether a heading is that of a known category which comes
// after another. One that is not known comes before that for everything else.
func laterThan(heading, title string) bool {
	categories := memory.DefaultCategories()
	place := func(title string) int {
		return slices.IndexFunc(categories, func(c memory.Category) bool { return fold(c.Name) == title })
	}
	if place(title) < 0 {
		return heading == memory.CategoryOther
	}
	return place(heading) > place(title)
}

// headingOf writes a folded title with a capital.
func headingOf(title string) string {
	r, n := utf8.DecodeRuneInString(title)
	return string(unicode.ToUpper(r)) + title[n:]
}

// leaveOut takes out the program's bullets until the lines fit into MaxMemoryBytes: the least
// important first, of those the oldest. What a person wrote stays, also a line that belongs to a
// bullet, and with it that bullet. It reports whether it took any out.
func (p *page) leaveOut() bool {
	if !slices.ContainsFunc(p.lines, func(l line) bool { return l.note }) {
		p.insert(len(p.lines), line{text: leftOutNote, end: p.end, made: true})
	}
	var ours []int
	size := len(p.mark)
	for i, l := range p.lines {
		switch {
		case l.gone:
		case l.entry != nil && p.afterItem(i) == i+1:
			ours = append(ours, i)
		default:
			size += len(l.before + l.text + l.end)
		}
	}
	slices.SortStableFunc(ours, func(a, b int) int {
		x, y := p.lines[a].entry, p.lines[b].entry
		return cmp.Or(cmp.Compare(y.importance, x.importance), cmp.Compare(y.id, x.id))
	})
	took := false
	for _, i := range ours {
		l := &p.lines[i]
		if n := len(l.before + l.text + l.end); size+n <= MaxMemoryBytes {
			size += n
		} else {
			l.gone, took = true, true
		}
	}
	p.dropEmptyHeadings()
	return took
}

// dropEmptyHeadings takes back headings that this merge made in vain.
func (p *page) dropEmptyHeadings() {
	for i, l := range p.lines {
		if !l.made || l.level != 2 {
			continue
		}
		empty := true
		for _, below := range p.lines[i+1:] {
			if below.level > 0 && below.level <= 2 {
				break
			}
			empty = empty && (below.gone || below.blank())
		}
		p.lines[i].gone = empty
	}
}

// forget returns a MEMORY.md without our bullets of some records.
func forget(content string, ids []string) string {
	p := parse(content)
	for i, l := range p.lines {
		p.lines[i].gone = l.entry != nil && slices.Contains(ids, l.entry.id)
	}
	return p.String()
}
