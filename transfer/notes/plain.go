package notes

import (
	"path"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// Section is a part of a plain note that becomes one memory.
type Section struct {
	Line int    // line of the body, from 1
	Key  string // the headings above it; "" for list items and parts of long sections
	Text string // begins with the title and headings, so that it can be understood alone
}

// maxSection is the length in bytes from which a section is split, because long texts are found
// badly.
const maxSection = 4 << 10

var (
	heading = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	fence   = lazyregexp.New("^ {0,3}(```+|~~~+)")
	item    = lazyregexp.New(`^(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX/-]\][ \t]+)?(.*)$`)
	dated   = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)
)

// Title returns the title of a note without a heading: its file name, or "" for a name that says
// nothing, such as a date or README.
func Title(name string) string {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if dated().MatchString(base) {
		return ""
	}
	switch strings.ToLower(base) {
	case "readme", "index", "untitled", "notes", "note", "memory":
		return ""
	}
	return base
}

// Sections splits a plain note into memories. The text below each heading is one. If it is only a
// list, each item is one, because list items are mostly single facts. Text longer than 4 KiB is
// split between paragraphs.
func Sections(title, body string) []Section {
	r := sectionReader{titles: []string{title}, levels: []int{0}, seen: map[string]int{}}
	closing := ""
	for i, line := range strings.Split(body, "\n") {
		if m := fence().FindStringSubmatch(line); m != nil && (closing == "" || strings.HasPrefix(m[1], closing)) {
			if closing == "" {
				closing = m[1]
			} else {
				closing = ""
			}
		}
		m := heading().FindStringSubmatch(line)
		if m == nil || closing != "" {
			r.lines = append(r.lines, line)
			continue
		}
		r.finish()
		r.enter(len(m[1]), m[2])
		r.start = i + 1
	}
	r.finish()
	return r.sections
}

type sectionReader struct {
	titles   []string // title of the note, then the current headings
	levels   []int
	lines    []string // lines below the last heading
	start    int      // number of the line before the first of them
	seen     map[string]int
	sections []Section
}

// enter begins a section below a heading. A first-level heading at the top of the note replaces its
// title.
func (r *sectionReader) enter(level int, text string) {
	if level == 1 && len(r.sections) == 0 && len(r.titles) == 1 {
		r.titles[0] = text
		return
	}
	for len(r.levels) > 1 && r.levels[len(r.levels)-1] >= level {
		r.levels, r.titles = r.levels[:len(r.levels)-1], r.titles[:len(r.titles)-1]
	}
	r.levels, r.titles = append(r.levels, level), append(r.titles, text)
}

func (r *sectionReader) finish() {
	lines, start := r.lines, r.start
	r.lines = nil
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines, start = lines[1:], start+1
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if text == "" {
		return
	}
	var names []string
	for _, t := range r.titles {
		if t != "" {
			names = append(names, t)
		}
	}
	context := strings.Join(names, " › ")
	if items := listItems(lines); items != nil {
		for _, it := range items {
			r.sections = append(r.sections, Section{start + it.line, "", joined(context, it.text)})
		}
		return
	}
	parts := parted(text)
	if len(parts) > 1 {
		for _, part := range parts {
			r.sections = append(r.sections, Section{start + 1, "", joined(context, part)})
		}
		return
	}
	key := "#" + strings.Join(r.titles[1:], "#")
	if r.seen[key]++; r.seen[key] > 1 {
		key += strings.Repeat("#", r.seen[key])
	}
	r.sections = append(r.sections, Section{start + 1, key, joined(context, text)})
}

func joined(context, text string) string {
	switch {
	case context == "":
		return text
	case strings.Contains(text, "\n"):
		return context + "\n\n" + text
	}
	return context + ": " + text
}

type listItem struct {
	line int
	text string
}

// listItems returns the items of lines that are only a list, each with the indented lines below it,
// nil for other lines. Line numbers count from 1.
func listItems(lines []string) []listItem {
	var items []listItem
	for i, line := range lines {
		m := item().FindStringSubmatch(line)
		switch {
		case m != nil:
			items = append(items, listItem{i + 1, m[1]})
		case strings.TrimSpace(line) == "":
			if len(items) > 0 {
				items[len(items)-1].text += "\n"
			}
		case len(items) > 0 && (line[0] == ' ' || line[0] == '\t'):
			items[len(items)-1].text += "\n" + line
		default:
			return nil
		}
	}
	var full []listItem
	for _, it := range items {
		if it.text = strings.TrimSpace(it.text); it.text != "" {
			full = append(full, it)
		}
	}
	return full
}

// parted splits a long text between paragraphs. Paragraphs are not split.
func parted(text string) []string {
	if len(text) <= maxSection {
		return []string{text}
	}
	var parts []string
	var b strings.Builder
	for p := range strings.SplitSeq(text, "\n\n") {
		if b.Len() > 0 && b.Len()+len(p) > maxSection {
			parts = append(parts, strings.TrimSpace(b.String()))
			b.Reset()
		}
		b.WriteString(p + "\n\n")
	}
	return append(parts, strings.TrimSpace(b.String()))
}
