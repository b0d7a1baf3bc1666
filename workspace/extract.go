package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/timex"
)

// Extract is what a person wrote in a file that every session is given: without the
// words that the file began with, and without the lines that mirror records, which
// sessions are given by themselves.
type Extract struct {
	Name  string  // of the file; for the shared folder with its name before it
	Title string  // what it is to a session
	Share float64 // of the room that there is for files, at most
	Brief bool    // worth a place where there is room for a few lines only
	Text  string  // Markdown, not empty
}

// SharedFolder is beside the workspaces of the agents and holds what a person tells
// all of them, in an AGENTS.md. The program never writes there.
const SharedFolder = "_shared"

// shared is that folder as a workspace.
func (d Dir) shared() Dir {
	if d.in != nil {
		return d.in.Open(memory.SharedFiles)
	}
	return Dir{path: filepath.Join(filepath.Dir(d.path), SharedFolder)}
}

// Shared is the workspace of what all agents are given.
func (d Dir) Shared() Dir { return d.shared() }

// loaded are the files that sessions are given, in their order.
var loaded = []Extract{
	{Name: SharedFolder + "/" + agentsFile, Title: "Rules for all agents", Share: 0.35, Brief: true},
	{Name: agentsFile, Title: "Rules for the agent", Share: 0.35, Brief: true},
	{Name: SoulFile, Title: "About the agent", Share: 0.2},
	{Name: userFile, Title: "About the user", Share: 0.3, Brief: true},
	{Name: MemoryFile, Title: "Notes", Share: 0.3},
	{Name: HeartbeatFile, Title: "To look at", Share: 0.2},
}

// Extracts returns what a person wrote in the files that sessions are given. Files that
// cannot be read are left out: what is wrong with them is for doctor to say.
func (d Dir) Extracts(ctx context.Context) []Extract { return d.extracts(ctx, false) }

func (d Dir) extracts(ctx context.Context, brief bool) []Extract {
	var list []Extract
	for _, e := range loaded {
		if brief && !e.Brief {
			continue
		}
		dir, name := d, e.Name
		if rest, ok := strings.CutPrefix(e.Name, SharedFolder+"/"); ok {
			dir, name = d.shared(), rest
		}
		content, err := dir.own(ctx, name)
		if err == nil && content != "" {
			e.Text = content
			list = append(list, e)
		}
	}
	return list
}

// Loaded returns what a session is given of files: for each a title, and behind it
// the lines that fit into its share of room, as count measures it. With brief, only
// what is worth a place where there is little.
func (d Dir) Loaded(ctx context.Context, room int, count func(string) int, brief bool) [][]string {
	var all [][]string
	left := room
	for _, e := range d.extracts(ctx, brief) {
		title := e.Title + " (" + e.Name + ")"
		share := min(left, int(e.Share*float64(room))) - count(title+"\n")
		lines := e.Within(share, count)
		if len(lines) == 0 {
			continue
		}
		all = append(all, append([]string{title}, lines...))
		for _, line := range all[len(all)-1] {
			left -= count(line + "\n")
		}
	}
	return all
}

// own is what a person wrote in a standard file, "" if there is none.
func (d Dir) own(ctx context.Context, name string) (string, error) {
	content, err := d.Read(ctx, name)
	if memory.CodeOf(err) == memory.CodeNotFound {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return ownWords(name, content), nil
}

// ownWords returns what a person wrote in a file: without the text that it began with, and
// without lines that mirror records.
func ownWords(name, content string) string {
	if name == SoulFile {
		if from, to, ok := soulPlace(content); ok {
			content = content[:from] + content[to:]
		}
	}
	p := parse(content)
	for _, one := range p.items() {
		switch {
		case one.ID == "":
		case name == HeartbeatFile && one.Box == BoxOpen && !timex.Mentions(one.Words): // nothing else names it in a session
			p.lines[one.from].text = strings.TrimRight(tag().ReplaceAllString(p.lines[one.from].text, ""), " \t")
		default:
			p.drop(one)
		}
	}
	began := map[string]bool{}
	for _, text := range append([]string{beginningOf(name)}, formerBeginnings[name]...) {
		for line := range strings.Lines(text) {
			began[strings.TrimSpace(line)] = true
		}
	}
	for i := range p.lines {
		l := &p.lines[i]
		if l.note || began[strings.TrimSpace(l.text)] && !l.blank() {
			l.gone = true
		}
	}
	for i := range p.frontMatter() {
		p.lines[i].gone = true
	}
	p.dropComments()
	p.dropBareHeadings()
	return strings.TrimSpace(p.squeezed())
}

// dropComments takes out comments, on one line or over several, with the lines that
// have nothing else. In code they are code; one that is never closed is text.
func (p *page) dropComments() {
	for i := range p.lines {
		l := &p.lines[i]
		for !l.gone && !l.code {
			at := commentAt(l.text)
			if at < 0 {
				break
			}
			last, rest := i, l.text[at+len(commentBegin):]
			for !strings.Contains(rest, commentEnd) {
				if last++; last == len(p.lines) {
					return // nor is any comment further down
				}
				rest = p.lines[last].text
			}
			_, behind, _ := strings.Cut(rest, commentEnd)
			for n := i + 1; n <= last; n++ {
				p.lines[n].gone = true
			}
			l.text = strings.TrimRight(l.text[:at], " \t") + behind
			l.gone = l.blank()
		}
	}
}

// commentAt is where a comment begins on a line, -1 if none does. Between backticks
// it is only spoken of.
func commentAt(text string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], commentBegin)
		if at < 0 {
			return -1
		}
		if at += from; strings.Count(text[:at], "`")%2 == 0 {
			return at
		}
		from = at + len(commentBegin)
	}
}

// dropBareHeadings takes out headings with nothing under them.
func (p *page) dropBareHeadings() {
	below := 1 // level of the heading that follows, 0 for text; the end is like a new title
	for i, l := range slices.Backward(p.lines) {
		switch {
		case l.gone || l.blank():
		case l.level == 0 || l.literal:
			below = 0
		case below > 0 && below <= l.level:
			p.lines[i].gone = true
		default:
			below = l.level
		}
	}
}

// squeezed is the page with at most one blank line at a time.
func (p page) squeezed() string {
	var b strings.Builder
	blank := false
	for _, l := range p.lines {
		if l.gone || l.blank() && blank {
			continue
		}
		blank = l.blank()
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// Within returns the lines of an extract that fit into room, as count measures it:
// whole sections, from the first on, and a line that names what is left and how it is
// read. Of a first section that is too long, as many lines as fit. No lines if there
// is not even room for one.
func (e Extract) Within(room int, count func(string) int) []string {
	sections := split(e.Text)
	fits := func(lines []string) bool {
		size := 0
		for _, line := range lines {
			size += count(line + "\n")
		}
		return size <= room
	}
	for n := len(sections); n > 0; n-- {
		if lines := append(slices.Concat(sections[:n]...), e.rest(sections[n:], 0)...); fits(lines) {
			return lines
		}
	}
	if len(sections) == 0 {
		return nil
	}
	for n := len(sections[0]) - 1; n > 0; n-- {
		if lines := append(slices.Clone(sections[0][:n]), e.rest(sections[1:], len(sections[0])-n)...); fits(lines) {
			return lines
		}
	}
	return nil
}

// rest says what is left out: sections, and lines of the one that is shown.
func (e Extract) rest(sections [][]string, lines int) []string {
	var what []string
	if lines > 0 {
		what = append(what, more(lines, "line"))
	}
	var names []string
	for _, s := range sections {
		if title := strings.TrimSpace(strings.TrimLeft(s[0], "# ")); len(names) < 5 && len(title) <= 60 {
			names = append(names, title)
		}
	}
	if n := len(sections); n > 0 {
		what = append(what, more(n, "section")+" ("+strings.Join(names, ", ")+")")
	}
	if len(what) == 0 {
		return nil
	}
	return []string{"… " + strings.Join(what, ", ") + ": memory://workspace/" + e.Name}
}

func more(n int, what string) string {
	if n == 1 {
		return "1 more " + what
	}
	return fmt.Sprintf("%d more %ss", n, what)
}

// split returns the lines of each section of a text: what stands before its first
// heading, and what each heading is above, without blank lines at its end.
func split(text string) [][]string {
	var sections [][]string
	for _, l := range parse(text).lines {
		if l.level > 0 || len(sections) == 0 {
			sections = append(sections, nil)
		}
		last := len(sections) - 1
		if l.blank() && len(sections[last]) == 0 {
			continue
		}
		sections[last] = append(sections[last], strings.TrimRight(l.text, " \t"))
	}
	for i, s := range sections {
		for len(s) > 0 && s[len(s)-1] == "" {
			s = s[:len(s)-1]
		}
		sections[i] = s
	}
	return slices.DeleteFunc(sections, func(s []string) bool { return len(s) == 0 })
}
