package workspace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// The files that mirror records, beside [MemoryFile].
const (
	SoulFile        = "SOUL.md"
	ErrorsFile      = "learnings/errors.md"
	CorrectionsFile = "learnings/corrections.md"
)

// Mirrored lists the files that mirror records.
func Mirrored() []string {
	return []string{MemoryFile, SoulFile, ErrorsFile, CorrectionsFile, HeartbeatFile}
}

// form is how a file mirrors records: how its items are found, changed and added.
type form struct {
	// items finds the items that stand for records, or are new and want to.
	items func(page) []Item
	// claim gives an item the marker of a record and leaves its words; say replaces its words by
	// those of the record, too.
	claim func(p *page, one Item, r memory.Record)
	say   func(p *page, one Item, r memory.Record)
	// put adds records, to a file that may be missing.
	put func(content string, exists bool, records []memory.Record) string
	// beginning is the text of a new file; "" where put takes care of that, or makes none.
	beginning string
}

// memoryForm is that of MEMORY.md.
var memoryForm = form{
	page.items,
	func(p *page, one Item, r memory.Record) {
		by := "yours"
		if one.Same && one.ID == r.ID && one.by != "" { // only whose it is has changed
			by = one.by
		}
		p.claim(one, r.ID, by, Whose(r))
	},
	func(p *page, one Item, r memory.Record) { p.say(one, Words(r), r.ID, percent(r), Whose(r)) },
	func(content string, _ bool, records []memory.Record) string { return mergeFacts(content, records) },
	memoryBeginning,
}

func formOf(name string) form {
	switch name {
	case SoulFile:
		return form{soulItems, func(p *page, one Item, r memory.Record) { p.claim(one, r.ID, "yours", "") },
			func(*page, Item, memory.Record) {}, putSoul, ""}
	case HeartbeatFile:
		return form{page.tasks, memoryForm.claim, memoryForm.say,
			func(content string, _ bool, _ []memory.Record) string { return content }, ""}
	case ErrorsFile, CorrectionsFile:
		return form{page.entries, claimEntry, sayEntry, putLearnings, ""}
	}
	return memoryForm
}

// settle returns the content of a file once its items are treated as was decided.
func (f form) settle(p page, e Edits, s Settlement, exists bool) string {
	before := p.String()
	for _, n := range slices.Sorted(maps.Keys(s.Stands)) {
		if one, r := e.Items[n], s.Stands[n]; checkID(r.ID) == nil && !(one.ID == r.ID && one.marked(p) && !one.Moved(r)) {
			f.claim(&p, one, r)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(s.Renew)) {
		if r := s.Renew[n]; checkID(r.ID) == nil {
			f.say(&p, e.Items[n], r)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(s.Tasks)) {
		if t := s.Tasks[n]; checkID(t.ID) == nil {
			p.settleTask(e.Items[n], t)
		}
	}
	for _, n := range s.Drop {
		p.drop(e.Items[n])
	}
	if !exists && f.beginning != "" && len(s.Put)+len(s.PutTasks) > 0 {
		p = parse(f.beginning)
	}
	p.putTasks(s.PutTasks)
	p.space()
	content := p.String()
	put := s.Put
	if !s.Whole { // a section that is written anew each time has those without an id that a marker can hold, too
		put = slices.DeleteFunc(slices.Clone(put), func(r memory.Record) bool { return checkID(r.ID) != nil })
	}
	if content == before && len(put) == 0 && !s.Whole {
		return before
	}
	return f.put(content, exists, put)
}

// soulItems are the bullets of the section of SOUL.md that the program writes.
func soulItems(p page) []Item {
	from, to, at := -1, -1, 0
	for i, l := range p.lines {
		switch strings.TrimSpace(l.text) {
		case soulBegin:
			at = i
		case soulEnd:
			if at > 0 || len(p.lines) > 0 && strings.TrimSpace(p.lines[0].text) == soulBegin {
				from, to = at, i
			}
		}
	}
	return slices.DeleteFunc(p.items(), func(one Item) bool { return one.from < from || one.to > to })
}

// putSoul writes the whole section, which has every entry and nothing else.
func putSoul(content string, exists bool, entries []memory.Record) string {
	lines := soulSection(entries)
	if !exists && len(lines) > 0 {
		content = beginningOf(SoulFile)
	}
	return mirrorSoul(soulKept(content, lines), lines)
}

// soulKept moves what a person wrote into the program's section, and is no entry, behind it: the
// section is written anew each time, with lines.
func soulKept(content string, lines []string) string {
	from, to, ok := soulPlace(content)
	if !ok {
		return content
	}
	p := parse(content[from:to])
	for _, one := range p.items() {
		switch {
		case one.bare || one.ID != "" && one.marked(p):
			p.drop(one)
		case one.ID != "": // in words that were refused
			p.unmark(one)
		}
	}
	var kept []string
	for _, l := range p.lines {
		ours := l.level == 2 && slices.ContainsFunc(soulHeadings, func(h soulHeading) bool { return fold(h.title) == l.title })
		ours = ours || slices.Contains(lines, l.text)
		if !l.gone && !ours && !l.blank() && strings.TrimSpace(l.text) != soulNote {
			kept = append(kept, l.text)
		}
	}
	if len(kept) == 0 {
		return content
	}
	rest := content[to:] // from the line of the marker on
	line, rest, _ := strings.Cut(rest, "\n")
	end := lineEnd(content)
	line = strings.TrimSuffix(line, "\r") + end + end
	return content[:to] + line + strings.Join(kept, end) + end + rest
}

// entries are the learnings of a file: what stands under each heading of level two, up
// to the line that tells the context.
func (p page) entries() []Item {
	var list []Item
	for i, l := range p.lines {
		if l.level != 2 || l.gone {
			continue
		}
		one := Item{from: i, to: i + 1}
		marked := ""
		var words []string
		for context := false; one.to < len(p.lines); one.to++ {
			below := p.lines[one.to]
			if below.level > 0 && below.level <= 2 {
				break
			}
			marked = cmp.Or(marked, one.identify(below.text))
			text := strings.TrimSpace(tag().ReplaceAllString(below.text, ""))
			context = context || strings.HasPrefix(text, contextLead)
			if !context && text != "" && !below.gone {
				words = append(words, text)
			}
		}
		one.Words = strings.Join(words, " ")
		one.Same = marked != "" && marked == sum(one.Words)
		if one.Words != "" {
			list = append(list, one)
		}
	}
	return list
}

// contextLead begins the line of an entry that tells what was being done.
const contextLead = "Context:"

// claimEntry puts the marker of a record behind the last line of an entry.
func claimEntry(p *page, one Item, r memory.Record) {
	last := one.from
	for i := one.from; i < one.to; i++ {
		l := &p.lines[i]
		if l.text = strings.TrimRight(tag().ReplaceAllString(l.text, ""), " \t"); !l.blank() {
			last = i
		}
	}
	p.lines[last].text += fullMarker(r.ID, one.Words)
	if p.lines[last].end == "" && last+1 < len(p.lines) {
		p.lines[last].end = p.end
	}
}

// sayEntry puts the words of a record in the place of those of an entry.
func sayEntry(p *page, one Item, r memory.Record) {
	said := false
	for i := one.from + 1; i < one.to; i++ {
		l := &p.lines[i]
		text := strings.TrimSpace(tag().ReplaceAllString(l.text, ""))
		if strings.HasPrefix(text, contextLead) {
			break
		}
		if text != "" {
			l.text, l.gone = learned(r), said
			said = true
		}
	}
	one.Words = learned(r)
	claimEntry(p, one, r)
}

// learned returns the words of a learning's entry. If they begin like the line that tells the
// context, they are escaped.
func learned(r memory.Record) string {
	words := paragraph(r.Content)
	if strings.HasPrefix(words, contextLead) {
		return `\` + words
	}
	return words
}

func fullMarker(id, words string) string { return " <!-- " + id + " 100 " + sum(words) + " -->" }

// putLearnings adds entries at the end.
func putLearnings(content string, exists bool, records []memory.Record) string {
	for _, r := range records {
		if r.Learning == nil || strings.Contains(content, "<!-- "+r.ID+" ") {
			continue
		}
		if !exists && content == "" {
			content = "# " + learningTitles[r.Learning.Type] + "\n"
		}
		end := lineEnd(content)
		if !strings.HasSuffix(content, "\n") {
			content += end
		}
		content += strings.ReplaceAll("\n"+learningEntry(r), "\n", end)
	}
	return content
}
