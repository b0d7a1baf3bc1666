package mirror

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/secrets"
	"mcp-memory/workspace"
)

const (
	// maxTodos is how many open to-dos are written to MEMORY.md, and looked through for
	// one that a new line may be.
	maxTodos = 1000
	// tickedFor is how long a line stays once it is ticked.
	tickedFor = 7 * 24 * time.Hour
)

func idsOf(todos []memory.Todo) []string {
	ids := make([]string, len(todos))
	for i, t := range todos {
		ids[i] = t.ID
	}
	return ids
}

// readTodos reads the to-dos among the records and to-dos that have these ids.
func (d *decision) readTodos(ids []string) error {
	d.todos = map[string]memory.Todo{}
	if !d.form.todos || len(ids) == 0 {
		return nil
	}
	found, err := d.planning.TodosByID(d.ctx, d.scope.Agent, ids)
	for _, t := range found {
		d.todos[t.ID] = t
	}
	return err
}

// todo brings a to-do and its line together: box and words of the person count if they changed
// them, else those of the bank.
func (d *decision) todo(n int, t memory.Todo) error {
	one := d.edits.Items[n]
	said := t
	if !one.Same {
		said = d.said(one, t)
	}
	done := !t.CompletedAt.IsZero()
	if ticked := one.Box == workspace.BoxTicked; one.Box != workspace.NoBox && slices.Contains(d.edits.Switched, n) ||
		!one.Known && ticked {
		done = ticked
	}
	if !same(said, t) || done != !t.CompletedAt.IsZero() {
		changed, err := d.change(said, done)
		if refused(err) {
			d.refuse(err, t.ID)
			return nil
		}
		if err != nil {
			return err
		}
		t = changed
	}
	d.todos[t.ID] = t
	if done && d.clock().Sub(t.CompletedAt) > tickedFor {
		d.settled.Drop = append(d.settled.Drop, n)
		return nil
	}
	d.standTodo(n, t)
	return nil
}

// change stores in a to-do what its line says; done says whether it is completed.
func (d *decision) change(said memory.Todo, done bool) (memory.Todo, error) {
	return d.planning.ChangeTodo(d.ctx, d.scope.Agent, said.ID, func(t *memory.Todo) error {
		t.Title, t.Description, t.Priority, t.DueAt = said.Title, said.Description, said.Priority, said.DueAt
		switch {
		case !done:
			t.CompletedAt = time.Time{}
		case t.CompletedAt.IsZero():
			t.CompletedAt = d.clock.Now()
		}
		return nil
	})
}

// standTodo notes that an item becomes the line of a to-do. A person's words stay if they say all
// that is to be said.
func (d *decision) standTodo(n int, t memory.Todo) {
	one := d.edits.Items[n]
	words := d.words(t)
	if (one.Yours || !one.Same) && same(d.said(one, t), t) {
		words = one.Words
	}
	d.settled.Tasks[n] = d.task(t, words)
}

// task returns the line of a to-do with these words.
func (d *decision) task(t memory.Todo, words string) workspace.Task {
	box := workspace.BoxOpen
	if !t.CompletedAt.IsZero() {
		box = workspace.BoxTicked
	}
	percent := map[memory.Priority]int{memory.PriorityLow: 30, memory.PriorityNormal: 60, memory.PriorityHigh: 80,
		memory.PriorityUrgent: 100}
	return workspace.Task{ID: t.ID, Words: words, Box: box, Importance: percent[t.Priority]}
}

// addTodo makes a to-do of a new line, unless an open to-do without a line says the same, as a
// process may have died before it wrote the marker. A line that is ticked when it is first seen
// is left as it is.
func (d *decision) addTodo(n int) error {
	one := d.edits.Items[n]
	if one.Box == workspace.BoxTicked {
		return nil
	}
	said := d.said(one, memory.Todo{})
	if d.open == nil {
		var err error
		if d.open, _, err = d.planning.Todos(d.ctx, d.scope.Agent, memory.TodoFilter{Status: memory.TodoPending}, maxTodos); err != nil {
			return err
		}
	}
	for _, t := range d.open {
		if memory.SameContent(t.Title) == memory.SameContent(said.Title) && !d.hasTodo(t.ID) {
			d.standTodo(n, t)
			return nil
		}
	}
	t, err := d.planning.AddTodo(d.ctx, d.scope, planning.TodoRequest{
		Title: said.Title, Description: said.Description, Priority: said.Priority, DueAt: said.DueAt,
	})
	if refused(err) {
		d.refuse(err, "")
		return nil
	}
	if err != nil {
		return err
	}
	d.standTodo(n, t)
	return nil
}

func (d *decision) refuse(err error, id string) {
	d.log.WarnContext(d.ctx, "a line is no to-do", "agent", d.scope.Agent, "file", d.form.name, "id", id, "error", err)
}

// hasTodo reports whether a to-do has a line, in whichever file, or had one that is
// held.
func (d *decision) hasTodo(id string) bool {
	for _, t := range d.settled.Tasks {
		if t.ID == id {
			return true
		}
	}
	return d.has(id) || slices.Contains(d.edits.Held, id) || d.elsewhere(id)
}

// elsewhere reports whether another file has the line of a to-do, for example because a person
// moved it there.
func (d *decision) elsewhere(id string) bool {
	return slices.ContainsFunc(forms, func(f form) bool {
		if !f.todos || f.name == d.form.name {
			return false
		}
		content, err := d.files.Read(d.ctx, f.name)
		if err != nil { // then it is as it was left
			return overlap(d.files.Lefts(d.ctx)[f.name].IDs, []string{id})
		}
		return strings.Contains(content, "<!-- "+id+" ")
	})
}

// finish completes the to-dos whose lines a person took out: to-dos are never removed.
func (d *decision) finish(gone []string) error {
	for _, id := range gone {
		t, ok := d.todos[id]
		if !ok || !t.CompletedAt.IsZero() || d.hasTodo(id) {
			continue
		}
		if _, err := d.change(t, true); err != nil {
			return err
		}
		d.log.InfoContext(d.ctx, "a to-do was taken out and counts as done", "agent", d.scope.Agent, "file", d.form.name, "id", id)
	}
	return nil
}

// putTodos chooses the to-dos that are to be written: of those with these ids, the ones that are
// open, have no line and hold no secret.
func (d *decision) putTodos(ids []string) {
	for _, id := range ids {
		if t, ok := d.todos[id]; ok && t.CompletedAt.IsZero() && !d.hasTodo(id) && !secrets.OfTodo(t) {
			d.settled.PutTasks = append(d.settled.PutTasks, d.task(t, d.words(t)))
		}
	}
}

// same reports whether two states of a to-do have the same line.
func same(a, b memory.Todo) bool {
	return a.Title == b.Title && a.Description == b.Description && a.Priority == b.Priority && a.DueAt.Equal(b.DueAt)
}

// beside matches a title with what may stand behind it: "(high)", "(due 2026-12-01)" or both.
var beside = lazyregexp.New(`^(.+?)\s+\((?:(low|normal|high|urgent)|(?:(low|normal|high|urgent), )?due (\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?)\)$`)

// words returns what the line of a to-do says: its title and, in brackets, its priority unless
// that is normal, and when it is due unless the title says so.
func (d *decision) words(t memory.Todo) string {
	var more []string
	if t.Priority != memory.PriorityNormal {
		more = append(more, string(t.Priority))
	}
	if d.showsDue(t) {
		layout := "2006-01-02 15:04"
		if memory.DateOnly(t.DueAt) {
			layout = time.DateOnly
		}
		more = append(more, "due "+d.clock.In(t.DueAt).Format(layout))
	}
	words := t.Title
	if len(more) > 0 {
		words += " (" + strings.Join(more, ", ") + ")"
	}
	return workspace.Words(memory.Record{Content: words})
}

// showsDue reports whether the line of a to-do has to say when it is due.
func (d *decision) showsDue(t memory.Todo) bool {
	return !t.DueAt.IsZero() && !planning.DueIn(t.Title, t.CreatedAt.In(d.clock.Zone())).Equal(t.DueAt)
}

// said returns a to-do as its line says it; t is the to-do as the bank has it, the zero value for
// a new one.
func (d *decision) said(one workspace.Item, t memory.Todo) memory.Todo {
	said := t
	title, nested := one.TaskTexts()
	said.Title, said.Priority = title, memory.PriorityNormal
	m := beside().FindStringSubmatch(title)
	if m != nil {
		said.Title, said.Priority = m[1], cmp.Or(memory.Priority(m[2]), memory.Priority(m[3]), memory.PriorityNormal)
	}
	if nested != "" {
		said.Description = nested
	}
	zone := d.clock.Zone()
	switch {
	case m != nil && m[5] != "":
		said.DueAt = dueAt("2006-01-02 15:04", m[4]+" "+m[5], zone)
	case m != nil && m[4] != "":
		said.DueAt = dueAt(time.DateOnly, m[4], time.UTC)
	case t.ID == "" || !planning.SameTimes(said.Title, t.Title):
		said.DueAt = planning.DueIn(said.Title, d.clock.Here())
	case d.showsDue(t): // the line had to say when, so a person took that out
		said.DueAt = time.Time{}
	}
	return said
}

// dueAt reads what a person may have written wrongly: then it is due at no time.
func dueAt(layout, written string, zone *time.Location) time.Time {
	due, err := time.ParseInLocation(layout, written, zone)
	if err != nil {
		return time.Time{}
	}
	return memory.StoredTime(due)
}
