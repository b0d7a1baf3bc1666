package mirror

import (
	"context"
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

// decision is one pass over a file: what a person changed in it (edits), what the bank has of its
// lines (records, todos), and what the file has to say in the end (settled).
type decision struct {
	*Service
	form    form
	files   Files
	ctx     context.Context
	scope   memory.Scope
	edits   workspace.Edits
	records map[string]memory.Record // records of the lines and those that superseded them, by id
	todos   map[string]memory.Todo   // the same
	open    []memory.Todo            // open to-dos of the bank; nil until they are needed
	settled workspace.Settlement
	heard   int // new and reworded lines so far; see later
}

// atOnce is how many new and reworded lines one pass saves: each is a transaction, and somebody
// waits.
const atOnce = 100

// later counts a new or reworded line, and reports whether it has to wait for another pass, as
// atOnce were saved in this one; settled notes that. SOUL.md is exempt: it is short, and written
// whole.
func (d *decision) later(n int) bool {
	if d.heard++; d.heard <= atOnce || d.form.name == workspace.SoulFile {
		return false
	}
	d.settled.Later = append(d.settled.Later, n)
	return true
}

// decide changes the bank as a person changed the file, which e tells, and returns what has to be
// changed in the file. put is what the file has to have of what the bank changed.
func (s *Service) decide(ctx context.Context, agent string, files Files, f form, e workspace.Edits,
	put Changes) (workspace.Settlement, error) {
	d := decision{Service: s, form: f, files: files, ctx: ctx, scope: memory.Scope{Agent: agent}, edits: e,
		settled: workspace.Settlement{Stands: map[int]memory.Record{}, Renew: map[int]memory.Record{}, Tasks: map[int]workspace.Task{}}}
	if err := d.read(put); err != nil {
		return d.settled, err
	}
	for n := range e.Items {
		if err := d.item(n); err != nil {
			return d.settled, err
		}
	}
	if err := d.moved(); err != nil {
		return d.settled, err
	}
	if err := d.archive(e.Gone); err != nil {
		return d.settled, err
	}
	for _, id := range e.Lost {
		if r, ok := d.records[id]; ok && r.Live() {
			d.settled.Conflict = append(d.settled.Conflict, r)
		}
		if t, ok := d.todos[id]; ok && t.CompletedAt.IsZero() {
			d.settled.TaskConflict = append(d.settled.TaskConflict, d.task(t, d.words(t)))
		}
	}
	for _, id := range e.Held {
		r, ok := d.records[id]
		t, todo := d.todos[id]
		if open := todo && t.CompletedAt.IsZero(); !open && (!ok || !d.end(r).Live()) { // erased, forgotten or done elsewhere meanwhile
			d.settled.Void = append(d.settled.Void, id)
		}
	}
	d.putTodos(put.Todos)
	return d.settled, d.put(put.Records)
}

// read reads, as they are now, the records and to-dos of all lines and of put, and the records
// that superseded any of these.
func (d *decision) read(put Changes) error {
	d.records = map[string]memory.Record{}
	var ids []string
	for _, r := range put.Records {
		ids = append(ids, r.ID)
	}
	for _, one := range d.edits.Items {
		if one.ID != "" {
			ids = append(ids, one.ID)
		}
	}
	ids = append(append(ids, d.edits.Gone...), d.edits.Held...)
	if err := d.readTodos(append(slices.Clone(ids), put.Todos...)); err != nil {
		return err
	}
	for len(ids) > 0 {
		found, err := d.store.Records(d.ctx, d.scope.Agent, ids)
		if err != nil {
			return err
		}
		ids = nil
		for _, r := range found {
			d.records[r.ID] = r
			if _, known := d.records[r.SupersededBy]; r.SupersededBy != "" && !known {
				ids = append(ids, r.SupersededBy)
			}
		}
	}
	return nil
}

// end returns the record that holds in the place of r: the last one that superseded it, or r
// itself.
func (d *decision) end(r memory.Record) memory.Record {
	for seen := map[string]bool{}; r.SupersededBy != "" && !seen[r.ID]; {
		seen[r.ID] = true
		next, ok := d.records[r.SupersededBy]
		if !ok {
			break
		}
		r = next
	}
	return r
}

// item brings the bank and one line together: it saves what a person wrote, and notes what
// becomes of the line.
func (d *decision) item(n int) error {
	one := d.edits.Items[n]
	r, known := d.records[one.ID]
	t, todo := d.todos[one.ID]
	switch {
	case one.Again && d.repeats(n):
		return nil
	case todo:
		return d.todo(n, t)
	case known && d.form.save == nil: // a copy of a line of another file
		return nil
	case one.ID == "" || !known && !one.Same:
		return d.added(n)
	case !known && !one.Known: // its id is of another bank or an erased record, and its words are the program's: nobody has said it here
		return nil
	case !known: // erased
		d.settled.Drop = append(d.settled.Drop, n)
		return nil
	}
	end := d.end(r)
	switch {
	case !end.Live() && one.Same && (one.Known || end.ID != r.ID): // nobody puts back what was superseded
		d.settled.Drop = append(d.settled.Drop, n)
	case !end.Live():
		return d.added(n)
	case end.ID == r.ID && (one.Same || d.says(one, r)):
		d.stands(n, r)
	case end.ID != r.ID && one.Same && d.has(end.ID):
		d.settled.Drop = append(d.settled.Drop, n)
	case end.ID != r.ID && one.Same:
		d.settled.Renew[n] = end
	case end.ID != r.ID && d.says(one, end):
		d.stands(n, end)
	default:
		return d.reworded(n, end)
	}
	return nil
}

// stands notes that a line gets the marker of a record, unless it has that.
func (d *decision) stands(n int, r memory.Record) {
	if one := d.edits.Items[n]; !one.Same || one.ID != r.ID || one.Moved(r) {
		d.settled.Stands[n] = r
	}
}

// says reports whether a line says what a record says.
func (d *decision) says(one workspace.Item, r memory.Record) bool {
	return memory.SameContent(one.Plain()) == memory.SameContent(r.Content) || one.Words == workspace.Words(r)
}

// has reports whether the file has a line of a record.
func (d *decision) has(id string) bool {
	return slices.ContainsFunc(d.edits.Items, func(i workspace.Item) bool { return i.ID == id })
}

// repeats reports whether a line is the copy of one above.
func (d *decision) repeats(n int) bool {
	return slices.ContainsFunc(d.edits.Items[:n], func(i workspace.Item) bool { return i.Words == d.edits.Items[n].Words })
}

// added saves a new line as a memory or a to-do. A line with the id of a record that the bank
// does not have may be from an old copy of the file: what was erased stays erased. A line with
// the id of a forgotten record brings that back.
func (d *decision) added(n int) error {
	one := d.edits.Items[n]
	_, there := d.records[one.ID]
	switch {
	case d.later(n):
		return nil
	case !there && d.form.todos && (one.Box != workspace.NoBox || one.Under == workspace.TodoHeading):
		return d.addTodo(n)
	case d.form.save == nil:
		return nil
	}
	request := d.form.save(d, one)
	request.Content, request.Source, request.Quiet = one.Plain(), memory.SourceUser, true
	if one.ID != "" && !one.Known {
		request.Again, request.Revive = true, there
	}
	scope := d.scope
	if project, said := one.Project(); said { // it is from another copy of the file, and stays in the project that its marker names
		scope.Project, scope.Chosen = project, true
	}
	result, err := d.remember.Save(d.ctx, scope, request)
	d.settled.Again = d.settled.Again || err == nil && result.Action != remember.Duplicate
	switch {
	case refused(err):
		d.log.WarnContext(d.ctx, "a line is no memory", "agent", d.scope.Agent, "file", d.form.name, "error", err)
		return nil
	case err != nil || result.ID == "":
		return err
	}
	return d.stand(n, result.ID)
}

// stand reads a record by its id, and notes that a line gets its marker.
func (d *decision) stand(n int, id string) error {
	found, err := d.store.Records(d.ctx, d.scope.Agent, []string{id})
	if err != nil || len(found) == 0 {
		return err
	}
	d.records[id] = found[0]
	d.settled.Stands[n] = found[0]
	return nil
}

// reworded supersedes a record by the words that a person gave its line.
func (d *decision) reworded(n int, r memory.Record) error {
	if d.later(n) {
		return nil
	}
	content := d.edits.Items[n].Plain()
	if cut, ok := strings.CutSuffix(content, "…"); ok { // only the beginning of a long memory is in the file
		if full := strings.TrimSuffix(workspace.Words(r), "…"); len(full) < len(r.Content) {
			content = strings.TrimSpace(cut) + strings.TrimPrefix(strings.Join(strings.Fields(r.Content), " "), full)
		}
	}
	if one := d.edits.Items[n]; one.ID != r.ID { // superseded meanwhile: that version is kept for the person to see
		d.settled.Conflict = append(d.settled.Conflict, r)
	}
	id, err := d.supersede(n, r, content)
	if err == nil || memory.CodeOf(err) == memory.CodeConflict { // somebody else was faster: the next look sees it
		d.settled.Again = true
	}
	if memory.CodeOf(err) == memory.CodeConflict {
		return nil
	}
	if refused(err) {
		d.log.WarnContext(d.ctx, "a line cannot be reworded", "agent", d.scope.Agent, "file", d.form.name, "id", r.ID, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	return d.stand(n, id)
}

// supersede saves content in the place of a record, and returns the id of the new one.
func (d *decision) supersede(n int, r memory.Record, content string) (id string, err error) {
	if r.Kind == memory.KindSoul { // which only a person may reword
		request := d.form.save(d, d.edits.Items[n])
		request.Content, request.Source, request.Quiet, request.Supersedes = content, memory.SourceUser, true, r.ID
		result, err := d.remember.Save(d.ctx, d.scope, request)
		return result.ID, err
	}
	result, err := d.remember.UpdateBy(d.ctx, d.scope, remember.UpdateRequest{ID: r.ID, Content: &content}, memory.SourceUser)
	return result.ID, err
}

// moved changes the records whose lines a person moved under another heading, for example their
// category.
func (d *decision) moved() error {
	for _, n := range d.edits.Moved {
		r, ok := d.settled.Stands[n]
		if !ok {
			r = d.records[d.edits.Items[n].ID]
		}
		if !r.Live() || r.ID == "" || !d.form.recast(d, &r, d.edits.Items[n].Under) {
			continue
		}
		if err := d.remember.Change(d.ctx, d.scope, func(c *remember.Change) error { return c.UpdateRecord(r) }); err != nil {
			return err
		}
	}
	return nil
}

// archive archives the memories, under one undo, and completes the to-dos whose lines a person
// took out of the file.
func (d *decision) archive(gone []string) error {
	if err := d.finish(gone); err != nil || d.form.save == nil {
		return err
	}
	var ids []string
	for _, id := range gone {
		r, ok := d.records[id]
		if end := d.end(r); ok && end.Live() && !d.has(end.ID) && !slices.Contains(ids, end.ID) {
			ids = append(ids, end.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	result, err := d.remember.TakeOut(d.ctx, d.scope, ids, "its line was taken out of "+d.form.name)
	if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
		return err
	}
	d.log.InfoContext(d.ctx, "lines were taken out", "agent", d.scope.Agent, "file", d.form.name, "archived", result.Forgotten, "undo",
		result.UndoID)
	d.settled.Undo = result.UndoID
	for _, id := range ids {
		r := d.records[id]
		r.ArchivedAt = d.clock.Now()
		d.records[id] = r
	}
	return nil
}

// put chooses the records that are to be written: those given that are live, have no line, get
// none by this pass and are not held. SOUL.md gets all its entries.
func (d *decision) put(records []memory.Record) (err error) {
	if d.form.name == workspace.SoulFile {
		d.settled.Whole = true
		d.settled.Put, err = d.whole(d.ctx, d.scope.Agent)
		return err
	}
	for _, r := range records {
		r = d.records[r.ID]
		if r.Live() && r.ID != "" && !d.has(r.ID) && !slices.Contains(d.edits.Held, r.ID) && !d.renewed(r.ID) {
			d.settled.Put = append(d.settled.Put, r)
		}
	}
	return nil
}

// renewed reports whether this pass gives a line to the record with an id.
func (d *decision) renewed(id string) bool {
	for _, settled := range []map[int]memory.Record{d.settled.Renew, d.settled.Stands} {
		for _, r := range settled {
			if r.ID == id {
				return true
			}
		}
	}
	return false
}

// category returns the category that a heading names, "" if it names none.
func (d *decision) category(heading string) string {
	name, err := memory.NormalCategory(strings.ReplaceAll(heading, " ", "_"))
	if err != nil || name == "" || name == memory.CategorySecret {
		return ""
	}
	for _, known := range d.categories {
		if strings.EqualFold(strings.ReplaceAll(known.Name, "-", "_"), strings.ReplaceAll(name, "-", "_")) {
			return known.Name
		}
	}
	return ""
}

// refused reports whether an error refuses a line for good, so that the pass goes on without it.
func refused(err error) bool {
	return slices.Contains([]memory.Code{memory.CodeInvalidArgument, memory.CodeTooLarge, memory.CodeForbidden}, memory.CodeOf(err))
}
