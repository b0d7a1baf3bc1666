package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/rivo/uniseg"
)

// keys are the lines of the help.
var keys = [][]string{
	{"/", "search; what is found follows each letter"},
	{"↑ ↓ PgUp PgDn", "go through the list, or the memory; j k g G too"},
	{"enter", "read the memory whole; esc goes back"},
	{"e", "edit its text in $EDITOR; the old text stays as history"},
	{"f", "forget it, or all that are marked"},
	{"space", "mark it"},
	{"p", "pin it, or let it go: what is pinned does not fade"},
	{"o", "show others: this project's, global ones, all"},
	{"m", "move it, or all that are marked: out of its project, or into this one"},
	{"u", "undo the last change of the bank"},
	{"r", "read the list again"},
	{"q", "quit"},
}

// key handles a key.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if name == "ctrl+z" {
		return tea.Suspend
	}
	m.said, m.failed = "", false
	switch m.mode {
	case searching:
		return m.typed(name, msg.Text)
	case asking:
		m.mode = m.back
		if name == "y" || name == "Y" {
			return m.yes
		}
		m.say("Nothing was changed.", nil)
		return nil
	case helping:
		m.mode = m.back
		return nil
	}
	if cmd, moved := m.moved(name); moved {
		return cmd
	}
	return m.commanded(name)
}

// typed handles a key while the query is being typed.
func (m *Model) typed(name, text string) tea.Cmd {
	before := m.query
	switch name {
	case "esc":
		m.mode = listing
		m.query = ""
	case "enter", "tab", "down":
		m.mode = listing
	case "backspace":
		m.query = withoutLast(m.query)
	case "ctrl+u":
		m.query = ""
	case "ctrl+w":
		words := strings.TrimRight(m.query, " ")
		m.query = words[:strings.LastIndex(words, " ")+1]
	default:
		m.query += oneLine(text)
	}
	if m.query == before {
		return nil
	}
	return m.find()
}

// moved moves in the list or the detail, if the key is for that.
func (m *Model) moved(name string) (cmd tea.Cmd, moved bool) {
	page := m.panes().list
	if m.mode == reading {
		page = m.panes().detail
	}
	page = max(1, page-1)
	to, ok := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -page, "pgdown": page, "ctrl+b": -page, "ctrl+f": page,
		"home": -1 << 30, "g": -1 << 30, "end": 1 << 30, "G": 1 << 30,
	}[name]
	switch {
	case !ok:
		return nil, false
	case m.mode == reading:
		m.scroll = max(0, min(m.scroll+to, len(m.detailLines(m.panes()))-page))
		return nil, true
	}
	m.choose(m.chosen + to)
	return m.look(), true
}

// commanded runs the command of a key.
func (m *Model) commanded(name string) tea.Cmd {
	switch name {
	case "q":
		return tea.Quit
	case "/":
		m.mode = searching
	case "?":
		m.back, m.mode = m.mode, helping
	case "enter", "tab", "right":
		if m.chosenID() != "" {
			m.mode = reading
		}
	case "esc", "left":
		return m.outwards()
	case "space":
		if id := m.chosenID(); m.marked[id] {
			delete(m.marked, id)
		} else if id != "" {
			m.marked[id] = true
		}
		m.choose(m.chosen + 1)
		return m.look()
	case "e":
		return m.edit()
	case "f":
		return m.forget()
	case "p":
		return m.pin()
	case "o":
		m.view = (m.view + 1) % max(1, len(m.bank.Views))
		return m.find()
	case "m":
		return m.move()
	case "u":
		return m.undo()
	case "r":
		return tea.Batch(m.find(), m.show())
	}
	return nil
}

// outwards leaves the memory for the list, or the results of a query for all memories.
func (m *Model) outwards() tea.Cmd {
	if m.mode == reading {
		m.mode, m.scroll = listing, 0
		return nil
	}
	if m.query == "" {
		return nil
	}
	m.query = ""
	return m.find()
}

// withoutLast removes the last character (grapheme cluster) of a text.
func withoutLast(text string) string {
	end, state := 0, -1
	for rest := text; rest != ""; {
		end = len(text) - len(rest)
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	return text[:end]
}

// oneLine replaces line breaks and tabs by blanks, and removes other control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, text)
}
