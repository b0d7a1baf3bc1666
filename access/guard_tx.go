package access

import (
	"encoding/json"
	"slices"
	"time"

	"mcp-memory/memory"
)

// guardedTx is a transaction as an identity sees it. It collects the ids of what changes. All
// methods are written out, like those of [Guard].
type guardedTx struct {
	tx       memory.Tx
	identity Identity
	changed  []string
}

func (t *guardedTx) note(id string) {
	if len(t.changed) < maxSubjects && !slices.Contains(t.changed, id) {
		t.changed = append(t.changed, id)
	}
}

// may returns an error if the identity may not write to a project.
func (t *guardedTx) may(project string) error {
	if t.identity.open(project) {
		return nil
	}
	return memory.Errorf(memory.CodeForbidden, "this token may not change memories outside of its projects").
		WithHint("it is for %s", list(t.identity.Projects))
}

// Expect implements [memory.Expecter].
func (t *guardedTx) Expect(e memory.Expected) error { return memory.Expect(t.tx, e) }

// Record implements [memory.Tx].
func (t *guardedTx) Record(id string) (memory.Record, error) {
	r, err := t.tx.Record(id)
	if err == nil && !t.identity.open(r.Project) {
		return memory.Record{}, memory.Errorf(memory.CodeNotFound, "there is no memory %q", id).WithAdvice(memory.FindRecords)
	}
	return r, err
}

// RecordByExternalID implements [memory.Tx].
func (t *guardedTx) RecordByExternalID(externalID string) (*memory.Record, error) {
	r, err := t.tx.RecordByExternalID(externalID)
	if err == nil && r != nil && !t.identity.open(r.Project) {
		return nil, memory.Errorf(memory.CodeForbidden, "external_id is taken outside of this token's projects").WithHint("choose another")
	}
	return r, err
}

// InsertRecord implements [memory.Tx].
func (t *guardedTx) InsertRecord(r memory.Record, vector []float32) error {
	if err := t.may(r.Project); err != nil {
		return err
	}
	t.note(r.ID)
	return t.tx.InsertRecord(r, vector)
}

// UpdateRecord implements [memory.Tx].
func (t *guardedTx) UpdateRecord(r memory.Record) error {
	if err := t.may(r.Project); err != nil {
		return err
	}
	t.note(r.ID)
	return t.tx.UpdateRecord(r)
}

// EraseRecord implements [memory.Tx].
func (t *guardedTx) EraseRecord(id string) error {
	r, err := t.Record(id)
	if err == nil {
		err = t.may(r.Project)
	}
	if err != nil {
		return err
	}
	t.note(id)
	return t.tx.EraseRecord(id)
}

// MoveProject implements [memory.ProjectMover].
func (t *guardedTx) MoveProject(from, into string, only *memory.ProjectContents) (memory.ProjectContents, error) {
	for _, project := range []string{from, into} {
		if err := t.may(project); err != nil {
			return memory.ProjectContents{}, err
		}
	}
	moved, err := t.tx.MoveProject(from, into, only)
	for _, id := range moved.Records {
		t.note(id)
	}
	return moved, err
}

// EraseSession implements [memory.Tx].
func (t *guardedTx) EraseSession(session string) (int, error) {
	if t.identity.Restricted() {
		return 0, memory.Errorf(memory.CodeForbidden, "this token is restricted to projects").
			WithHint("ask whoever runs the server for another one")
	}
	return t.tx.EraseSession(session)
}

// RemoveTurns implements [memory.Tx].
func (t *guardedTx) RemoveTurns(ids []string) (int, error) {
	if t.identity.Restricted() && len(ids) > 0 {
		return 0, memory.Errorf(memory.CodeForbidden, "this token is restricted to projects").
			WithHint("ask whoever runs the server for another one")
	}
	return t.tx.RemoveTurns(ids)
}

// EraseBank implements [memory.Tx].
func (t *guardedTx) EraseBank() error {
	if t.identity.Restricted() {
		return memory.Errorf(memory.CodeForbidden, "this token is restricted to projects").
			WithHint("ask whoever runs the server for another one")
	}
	return t.tx.EraseBank()
}

// InsertTodo implements [memory.Plans].
func (t *guardedTx) InsertTodo(todo memory.Todo) error {
	t.note(todo.ID)
	return t.tx.InsertTodo(todo)
}

// UpdateTodo implements [memory.Plans].
func (t *guardedTx) UpdateTodo(todo memory.Todo) error {
	t.note(todo.ID)
	return t.tx.UpdateTodo(todo)
}

// InsertEvent implements [memory.Plans].
func (t *guardedTx) InsertEvent(e memory.CalendarEvent) error {
	t.note(e.ID)
	return t.tx.InsertEvent(e)
}

// UpdateEvent implements [memory.Plans].
func (t *guardedTx) UpdateEvent(e memory.CalendarEvent) error {
	t.note(e.ID)
	return t.tx.UpdateEvent(e)
}

// List implements [memory.Details].
func (t *guardedTx) List(f memory.CatalogFilter) ([]memory.Record, int, error) {
	var ok bool
	if f.Projects, ok = t.identity.narrow(f.Projects); !ok {
		return nil, 0, nil
	}
	return t.tx.List(f)
}

// These methods are about no record, about one that was checked when it was read, or about those of
// a project that the caller's scope already allows. The to-dos, events, windows, jobs and links of
// a bank are only used by tools of the reach [WholeBank].

func (t *guardedTx) Result(tool, key string) (json.RawMessage, error) { return t.tx.Result(tool, key) }
func (t *guardedTx) KeepResult(tool, key string, result json.RawMessage) error {
	return t.tx.KeepResult(tool, key, result)
}
func (t *guardedTx) RecordByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	return t.tx.RecordByContent(project, kind, content)
}
func (t *guardedTx) RecordsBySlot(project string, kind memory.Kind, keys []uint64) ([]memory.Record, error) {
	return t.tx.RecordsBySlot(project, kind, keys)
}
func (t *guardedTx) ArchivedByContent(project string, kind memory.Kind, content string) (*memory.Record, error) {
	return t.tx.ArchivedByContent(project, kind, content)
}
func (t *guardedTx) NoteErased(r memory.Record, at time.Time) error { return t.tx.NoteErased(r, at) }
func (t *guardedTx) Erased(project string, kind memory.Kind, content string) (time.Time, error) {
	return t.tx.Erased(project, kind, content)
}
func (t *guardedTx) NameRecord(externalID, id string) error { return t.tx.NameRecord(externalID, id) }
func (t *guardedTx) EraseTraces(contents []string) error    { return t.tx.EraseTraces(contents) }
func (t *guardedTx) InsertTurns(turns []memory.Turn, vectors [][]float32) (int, error) {
	return t.tx.InsertTurns(turns, vectors)
}
func (t *guardedTx) KeepUndo(u memory.Undo) error             { return t.tx.KeepUndo(u) }
func (t *guardedTx) Undo(id string) (memory.Undo, error)      { return t.tx.Undo(id) }
func (t *guardedTx) MarkUndone(id string, at time.Time) error { return t.tx.MarkUndone(id, at) }
func (t *guardedTx) InsertProcedureRun(r memory.ProcedureRun) error {
	return t.tx.InsertProcedureRun(r)
}
func (t *guardedTx) Window(session string) (*memory.Window, error) { return t.tx.Window(session) }
func (t *guardedTx) PutWindow(w memory.Window) error               { return t.tx.PutWindow(w) }
func (t *guardedTx) InsertEvents(events []memory.ContextEvent) (int, error) {
	return t.tx.InsertEvents(events)
}
func (t *guardedTx) Job(kind, subject string) (*memory.Job, error) { return t.tx.Job(kind, subject) }
func (t *guardedTx) PutJob(j memory.Job) error                     { return t.tx.PutJob(j) }
func (t *guardedTx) DeleteJob(kind, subject string) error          { return t.tx.DeleteJob(kind, subject) }
func (t *guardedTx) State(key string) (json.RawMessage, error)     { return t.tx.State(key) }
func (t *guardedTx) SetState(key string, value json.RawMessage) error {
	return t.tx.SetState(key, value)
}
func (t *guardedTx) TurnPosition(session, externalID string) (int, error) {
	return t.tx.TurnPosition(session, externalID)
}
func (t *guardedTx) ArchiveTurns(ids []string, at time.Time) (int, error) {
	return t.tx.ArchiveTurns(ids, at)
}
func (t *guardedTx) Todo(id string) (memory.Todo, error)           { return t.tx.Todo(id) }
func (t *guardedTx) Event(id string) (memory.CalendarEvent, error) { return t.tx.Event(id) }
func (t *guardedTx) HadEvent(id string) (bool, error)              { return t.tx.HadEvent(id) }
func (t *guardedTx) InsertLink(l memory.Link) error                { return t.tx.InsertLink(l) }
func (t *guardedTx) Link(id string) (memory.Link, error)           { return t.tx.Link(id) }
func (t *guardedTx) Links(limit int) ([]memory.Link, error)        { return t.tx.Links(limit) }
func (t *guardedTx) PendingLink(from string, at time.Time) (*memory.Link, error) {
	return t.tx.PendingLink(from, at)
}
func (t *guardedTx) UpdateLink(l memory.Link) error { return t.tx.UpdateLink(l) }
func (t *guardedTx) RecordByOrigin(agent, id string) (*memory.Record, error) {
	return t.tx.RecordByOrigin(agent, id)
}
func (t *guardedTx) NoteOrigin(id, link, agent, original string) error {
	return t.tx.NoteOrigin(id, link, agent, original)
}
func (t *guardedTx) Audit(e memory.AuditEntry) error { return t.tx.Audit(e) }
