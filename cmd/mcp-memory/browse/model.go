package browse

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// mode is what keys do.
type mode int

const (
	listing   mode = iota // keys move in the list
	searching             // letters are added to the query
	reading               // keys move in the detail
	asking                // a question waits for y or n
	helping               // the help is shown
)

// Model is the state of the browser; it implements [tea.Model]. The zero value is not
// usable; call [New].
type Model struct {
	ctx   context.Context
	bank  Bank
	color bool

	width, height int
	mode          mode
	back          mode // the mode after asking or helping

	query   string
	asked   string // the query of items
	view    int    // index in the bank's views
	seen    int    // the view of items
	finding bool   // a search is running
	again   bool   // search again when it is done
	items   []Item
	more    bool
	verdict string // of items
	unsure  bool
	chosen  int // index of the chosen item
	top     int // index of the first visible item
	marked  map[string]bool

	detail  Detail
	showing bool // a detail is being read
	stale   bool // read it again when it is done
	scroll  int  // lines of the detail above the visible part

	said     string // the last message, until the next key
	failed   bool   // said is an error
	question string
	yes      tea.Cmd
}

// New returns a browser that begins with a query, or with the newest memories for "".
func New(ctx context.Context, bank Bank, query string, color bool) *Model {
	return &Model{ctx: ctx, bank: bank, query: query, color: color, marked: map[string]bool{}, width: 80, height: 24}
}

// Messages with answers of the bank.
type (
	foundMsg struct {
		query  string
		view   int
		offset int
		found  Found
		err    error
	}
	shownMsg struct {
		id     string
		detail Detail
		err    error
	}
	// doneMsg is sent after a change. id is the item to choose then, if the list has it.
	doneMsg struct {
		id, said string
		err      error
	}
	askMsg struct {
		question string
		yes      tea.Cmd
		err      error
	}
)

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd { return m.find() }

// find searches for the query. If a search is running, it makes it run again afterwards.
func (m *Model) find() tea.Cmd {
	if m.finding {
		m.again = true
		return nil
	}
	m.finding, m.again = true, false
	return m.search(m.query, 0)
}

func (m *Model) search(query string, offset int) tea.Cmd {
	ctx, bank, view := m.ctx, m.bank, m.view
	return func() tea.Msg {
		found, err := bank.Find(ctx, view, query, offset)
		return foundMsg{query, view, offset, found, err}
	}
}

// show reads the chosen memory. If one is being read, it makes show run again afterwards.
func (m *Model) show() tea.Cmd {
	id := m.chosenID()
	if m.showing || id == "" {
		m.stale = m.showing
		return nil
	}
	m.showing, m.stale = true, false
	ctx, bank := m.ctx, m.bank
	return func() tea.Msg {
		detail, err := bank.Show(ctx, id)
		return shownMsg{id, detail, err}
	}
}

func (m *Model) chosenID() string {
	if m.chosen < 0 || m.chosen >= len(m.items) {
		return ""
	}
	return m.items[m.chosen].ID
}

// Update implements [tea.Model].
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, nil
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if m.mode == searching {
			m.query += oneLine(msg.Content)
			return m, m.find()
		}
	case foundMsg:
		return m, m.found(msg)
	case shownMsg:
		return m, m.shown(msg)
	case askMsg:
		if msg.err != nil {
			m.say("", msg.err)
			return m, nil
		}
		m.ask(msg.question, msg.yes)
	case editedMsg:
		return m, m.edited(msg)
	case doneMsg:
		m.say(msg.said, msg.err)
		if msg.err == nil {
			m.marked = map[string]bool{}
		}
		if i := slices.IndexFunc(m.items, func(i Item) bool { return i.ID == m.chosenID() }); i >= 0 && msg.id != "" {
			m.items[i].ID = msg.id // the new version takes the place of the old one in the list
		}
		return m, tea.Batch(m.find(), m.show())
	}
	return m, nil
}

func (m *Model) found(msg foundMsg) tea.Cmd {
	m.finding = false
	if m.again {
		return m.find()
	}
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	before := m.chosenID()
	if msg.offset > 0 {
		m.items = append(m.items, msg.found.Items...)
	} else {
		m.items = msg.found.Items
	}
	if m.more = msg.found.More; msg.offset == 0 {
		at := slices.IndexFunc(m.items, func(i Item) bool { return i.ID == before })
		switch {
		case msg.query != m.asked || msg.view != m.seen:
			m.choose(0)
		case at >= 0:
			m.choose(at)
		default:
			m.choose(m.chosen)
		}
	}
	m.asked, m.seen = msg.query, msg.view
	m.verdict, m.unsure = msg.found.Verdict, msg.found.Unsure
	return m.look()
}

func (m *Model) shown(msg shownMsg) tea.Cmd {
	m.showing = false
	switch {
	case msg.id != m.chosenID() || m.stale:
		return m.show()
	case msg.err != nil:
		m.fail(msg.err)
	default:
		m.detail = msg.detail
	}
	return nil
}

// choose chooses the item with an index, or the nearest one.
func (m *Model) choose(i int) {
	m.chosen = max(0, min(i, len(m.items)-1))
}

// look reads the detail of the chosen item if it is not shown, and the next page of the list if its
// end is near.
func (m *Model) look() tea.Cmd {
	var cmds []tea.Cmd
	if id := m.chosenID(); id == "" {
		m.detail = Detail{}
	} else if m.detail.ID != id {
		m.scroll = 0
		cmds = append(cmds, m.show())
	}
	if m.more && !m.finding && m.query == m.asked && m.view == m.seen && m.chosen >= len(m.items)-m.height {
		m.finding = true
		cmds = append(cmds, m.search(m.query, len(m.items)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) say(text string, err error) {
	m.said, m.failed = text, err != nil
	if err != nil {
		m.said = oneLine(err.Error())
	}
}

// fail shows an error, unless the message is an error of a change, which matters more.
func (m *Model) fail(err error) {
	if !m.failed {
		m.say("", err)
	}
}

func (m *Model) ask(question string, yes tea.Cmd) {
	if m.mode != asking {
		m.back = m.mode
	}
	m.mode, m.question, m.yes = asking, question, yes
}

// meant returns the ids of the marked items, or of the chosen one if none is marked, and a question
// about them that begins with verb, such as "Forget these 3 memories?".
func (m *Model) meant(verb string) (ids []string, question string) {
	for _, i := range m.items {
		if m.marked[i.ID] {
			ids = append(ids, i.ID)
		}
	}
	if len(ids) > 1 {
		return ids, fmt.Sprintf("%s these %d memories?", verb, len(ids))
	}
	at := m.chosen
	if len(ids) == 1 {
		at = slices.IndexFunc(m.items, func(i Item) bool { return i.ID == ids[0] })
	}
	if at < 0 || at >= len(m.items) {
		return nil, ""
	}
	return []string{m.items[at].ID}, verb + " this? " + m.items[at].Text
}

// forget asks whether to forget the marked items, or the chosen one.
func (m *Model) forget() tea.Cmd {
	ids, question := m.meant("Forget")
	if len(ids) == 0 {
		return nil
	}
	ctx, bank := m.ctx, m.bank
	m.ask(question, func() tea.Msg {
		said, err := bank.Forget(ctx, ids)
		return doneMsg{"", said, err}
	})
	return nil
}

// move asks whether to move the marked items, or the chosen one. They become global if the chosen
// one is in a project, and else go into the current project.
func (m *Model) move() tea.Cmd {
	d := m.detail
	if d.ID == "" || d.ID != m.chosenID() {
		return nil
	}
	verb, global := "Make global", d.Project != ""
	if !global && m.bank.Project == "" {
		m.say("It is global, and there is no project at hand to move it into.", nil)
		return nil
	}
	if !global {
		verb = "Move into " + m.bank.Project
	}
	ids, question := m.meant(verb)
	ctx, bank := m.ctx, m.bank
	m.ask(question, func() tea.Msg {
		said, err := bank.Move(ctx, ids, global)
		return doneMsg{"", said, err}
	})
	return nil
}

// pin pins or unpins the chosen memory.
func (m *Model) pin() tea.Cmd {
	d := m.detail
	if d.ID == "" || d.ID != m.chosenID() {
		return nil
	}
	ctx, bank := m.ctx, m.bank
	return func() tea.Msg {
		said, err := bank.Pin(ctx, d.ID, !d.Pinned)
		return doneMsg{"", said, err}
	}
}

// undo asks whether to undo the last change.
func (m *Model) undo() tea.Cmd {
	ctx, bank := m.ctx, m.bank
	return func() tea.Msg {
		change, err := bank.Last(ctx)
		return askMsg{"Take this back? " + change.Text, func() tea.Msg {
			said, err := bank.Undo(ctx, change.ID)
			return doneMsg{"", said, err}
		}, err}
	}
}
