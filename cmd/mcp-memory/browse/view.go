package browse

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/rivo/uniseg"

	"mcp-memory/cmd/mcp-memory/screen"
)

// beside is the width in columns from which the memory is shown beside the list.
const beside = 100

// panes is the layout of the screen, in lines and columns.
type panes struct {
	list, detail           int // lines; 0 hides the pane
	listWidth, detailWidth int
	rule                   bool // draw a line between them
}

// panes computes the layout. The first line of the screen has the query, the last one the help.
func (m *Model) panes() panes {
	body := max(0, m.height-2)
	switch {
	case m.width >= beside:
		left := m.width * 2 / 5
		return panes{list: body, detail: body, listWidth: left, detailWidth: m.width - left - 3}
	case m.mode == reading || m.mode == asking && m.back == reading:
		return panes{detail: body, detailWidth: m.width}
	case body < 8:
		return panes{list: body, listWidth: m.width}
	}
	list := max(3, body*2/5)
	return panes{list: list, detail: body - list - 1, listWidth: m.width, detailWidth: m.width, rule: true}
}

func (m *Model) on(width int) screen.Screen {
	return screen.Screen{Width: width, Color: m.color, Whole: true}
}

// View implements [tea.Model].
func (m *Model) View() tea.View {
	view := tea.NewView(strings.Join(m.lines(), "\n"))
	view.AltScreen = true
	view.WindowTitle = "mcp-memory"
	if m.mode == searching {
		x := min(screen.Width(m.shownQuery()), m.width-1)
		view.Cursor = tea.NewCursor(max(0, x), 0)
	}
	return view
}

// lines returns the lines of the screen, as many as it has.
func (m *Model) lines() []string {
	if m.height < 1 || m.width < 1 {
		return nil
	}
	lines := append([]string{m.head()}, m.body()...)
	lines = lines[:min(len(lines), max(1, m.height-1))]
	if m.height > 1 {
		lines = append(lines, m.foot())
	}
	return lines
}

func (m *Model) body() []string {
	p := m.panes()
	if m.mode == helping {
		lines := strings.Split(m.on(m.width).Table(keys), "\n")
		for i, line := range lines {
			lines[i] = padded(line, m.width)
		}
		return filled(lines, max(0, m.height-2), m.width)
	}
	list, detail := m.listLines(p), m.shownDetail(p)
	switch {
	case p.list > 0 && p.detail > 0 && !p.rule:
		both := make([]string, len(list))
		for i := range list {
			both[i] = list[i] + m.on(0).In(screen.Dim, " │ ") + detail[i]
		}
		return both
	case p.rule:
		return slices.Concat(list, []string{m.on(0).In(screen.Dim, strings.Repeat("─", m.width))}, detail)
	}
	return append(list, detail...)
}

// shownQuery returns the end of the query that fits into the line.
func (m *Model) shownQuery() string {
	query, cut := "/"+m.query, ""
	for room := max(m.width-12, 8); screen.Width(cut+query) > room; cut = "…" {
		_, query, _, _ = uniseg.FirstGraphemeClusterInString(query, -1)
	}
	return cut + query
}

// head returns the line with the query and the number of items.
func (m *Model) head() string {
	count := fmt.Sprint(len(m.items))
	if m.more {
		count += "+"
	}
	if n := len(m.marked); n > 0 {
		count = fmt.Sprintf("%d marked of %s", n, count)
	}
	if m.finding {
		count = "… " + count
	}
	left := "The newest memories"
	if m.view > 0 {
		count = m.bank.Views[m.view] + ", " + count
	}
	if m.mode == searching || m.query != "" {
		left = m.shownQuery()
	}
	gap := m.width - screen.Width(left) - screen.Width(count)
	if gap < 1 {
		return screen.Cut(left, m.width)
	}
	return m.on(0).In(screen.Bold, left) + strings.Repeat(" ", gap) + m.on(0).In(screen.Dim, count)
}

// foot returns the line with the question, the last message, or the keys.
func (m *Model) foot() string {
	on := m.on(0)
	switch {
	case m.mode == asking:
		const answer = " (y/n)"
		return on.In(screen.Warn, screen.Cut(screen.Cut(m.question, max(1, m.width-len(answer)))+answer, m.width))
	case m.failed:
		return on.In(screen.Warn, screen.Cut(m.said, m.width))
	case m.said != "":
		return screen.Cut(m.said, m.width)
	}
	help := "/ search · enter read · e edit · f forget · space mark · p pin · u undo · ? keys · q quit"
	switch {
	case m.mode == searching:
		help = "enter to the list · esc all memories"
	case m.mode == helping:
		help = "any key goes back"
	case m.mode == reading && m.width < 70:
		help = "esc back · ↑↓ scroll · e edit · f forget · ? keys · q quit"
	case m.mode == reading:
		help = "esc back · ↑↓ scroll · e edit · f forget · p pin · u undo · q quit"
	case m.width < screen.Width(help):
		help = "/ search · enter read · e edit · f forget · ? keys · q quit"
	}
	return on.In(screen.Dim, screen.Cut(help, m.width))
}

// listLines returns the lines of the list, each as wide as its pane.
func (m *Model) listLines(p panes) []string {
	if p.list == 0 {
		return nil
	}
	var lines []string
	if m.verdict != "" {
		lines = []string{m.on(0).In(screen.Dim, padded(m.verdict, p.listWidth))}
	} else if len(m.items) == 0 && !m.finding {
		lines = []string{padded("  Nothing was found.", p.listWidth)}
	}
	room := max(1, p.list-len(lines))
	m.top = max(0, min(m.top, m.chosen, len(m.items)-room))
	m.top = max(m.top, m.chosen-room+1)
	for i := m.top; i < len(m.items) && len(lines) < p.list; i++ {
		lines = append(lines, m.itemLine(m.items[i], i == m.chosen, p.listWidth))
	}
	return filled(lines, p.list, p.listWidth)
}

// minNotes is the width in columns from which a line of the list has notes.
const minNotes = 50

func (m *Model) itemLine(i Item, chosen bool, width int) string {
	sign, mark := "  ", " "
	if chosen {
		sign = "› "
	}
	if m.marked[i.ID] {
		mark = "*"
	}
	notes := ""
	if width >= minNotes {
		notes = "  " + screen.Cut(i.Notes, width/3)
	}
	left := padded(sign+mark+i.Text, width-screen.Width(notes))
	if chosen && m.mode != reading {
		return m.on(0).In(screen.Chosen, left+notes)
	}
	if m.unsure {
		return m.on(0).In(screen.Dim, left+notes)
	}
	return left + m.on(0).In(screen.Dim, notes)
}

// detailLines returns all lines of the detail.
func (m *Model) detailLines(p panes) []string {
	if m.detail.ID == "" || p.detailWidth < 1 {
		return nil
	}
	on := m.on(p.detailWidth)
	var lines []string
	for _, s := range m.detail.Sections {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		if s.Title != "" {
			lines = append(lines, on.In(screen.Bold, s.Title))
		}
		lines = append(lines, strings.Split(on.Show(s.Blocks), "\n")...)
	}
	return lines
}

// shownDetail returns the visible lines of the detail.
func (m *Model) shownDetail(p panes) []string {
	lines := m.detailLines(p)
	from := max(0, min(m.scroll, len(lines)-1))
	lines = lines[min(from, len(lines)):]
	if len(lines) > p.detail && p.detail > 0 {
		lines = append(slices.Clone(lines[:p.detail-1]), m.on(0).
			In(screen.Dim, screen.Cut(fmt.Sprintf("  … %d more lines", len(lines)-p.detail+1), p.detailWidth)))
	}
	for len(lines) < p.detail {
		lines = append(lines, "")
	}
	return lines
}

// filled cuts lines to n, or adds empty ones.
func filled(lines []string, n, width int) []string {
	lines = lines[:min(len(lines), n)]
	for len(lines) < n {
		lines = append(lines, strings.Repeat(" ", max(0, width)))
	}
	return lines
}

// padded cuts or pads a line to a width.
func padded(line string, width int) string {
	if width < 1 {
		return ""
	}
	line = screen.Cut(line, width)
	return line + strings.Repeat(" ", max(0, width-screen.Width(line)))
}
