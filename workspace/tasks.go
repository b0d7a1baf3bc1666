package workspace

import (
	"slices"
	"strings"
)

// HeartbeatFile is what the agent looks at from time to time. Of its bullets only
// those with a box stand for something: to-dos.
const HeartbeatFile = "HEARTBEAT.md"

// Task is the line of a to-do: a bullet with a box.
type Task struct {
	ID         string
	Words      string // one line
	Box        Box    // open or ticked
	Importance int    // percent; what decides when not everything fits
}

// TodoHeading is the heading, folded as in [Item.Under], that to-dos stand under in MEMORY.md
// unless a person moved them.
const TodoHeading = "to do"

// TaskTexts returns the two parts of a bullet's words: its first line, and what is nested in it.
func (i Item) TaskTexts() (first, nested string) {
	first, nested, _ = strings.Cut(i.Plain(), "\n")
	return strings.TrimSpace(first), strings.TrimSpace(nested)
}

// settleTask makes a bullet the line of a to-do: it gets the words, box and marker of that where
// they differ.
func (p *page) settleTask(one Item, t Task) {
	switch {
	case one.Words != t.Words:
		one.Box = t.Box
		p.say(one, t.Words, t.ID, t.Importance, one.Whose)
		return
	case one.Box != t.Box:
		p.check(one.from, t.Box)
	}
	if one.ID != t.ID || !one.marked(*p) {
		p.claim(one, t.ID, "yours", one.Whose)
	}
}

// check ticks or clears the box of the bullet on a line, or gives it one.
func (p *page) check(i int, box Box) {
	l := &p.lines[i]
	m := leadOf().FindStringSubmatch(l.text)
	if m == nil {
		return
	}
	l.text = m[1] + box.sign() + m[3]
	l.entry = nil
	l.understand()
}

// putTasks adds to-dos that have no line.
func (p *page) putTasks(tasks []Task) {
	for _, t := range tasks {
		there := slices.ContainsFunc(p.lines, func(l line) bool { return !l.gone && slices.Contains(l.ids, t.ID) })
		if !there && checkID(t.ID) == nil {
			p.addToSection("To-do", line{text: bullet("- "+t.Box.sign(), t.Words, t.ID, t.Importance, ""), end: p.end, made: true})
		}
	}
}

// tasks are the bullets that are to-dos, or may become some.
func (p page) tasks() []Item {
	return slices.DeleteFunc(p.items(), func(one Item) bool { return one.Box == NoBox && one.ID == "" })
}
