package dbtest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
)

var projectTests = map[string]func(*testing.T, *env){
	"uses":           projectUses,
	"move all":       moveProject,
	"move some":      moveSome,
	"move in a bank": moveInABank,
}

func recordIn(project string) func(*memory.Record) {
	return func(r *memory.Record) { r.Project = project }
}

func turnIn(project, session string) func(*memory.Turn) {
	return func(t *memory.Turn) { t.Project, t.Session = project, session }
}

func projectUses(t *testing.T, e *env) {
	if got, err := e.Projects(t.Context(), agent); err != nil || len(got) > 0 {
		t.Errorf("an empty bank: %+v, %v", got, err)
	}
	gone := e.record("Gone", recordIn("old"), func(r *memory.Record) { r.ArchivedAt = start })
	global, first, second := e.record("Everywhere"), e.record("First", recordIn("shop")), e.record("Second", recordIn("shop"))
	e.save(t, nil, global, first, second, gone)
	e.save(t, nil, e.record("Another's", func(r *memory.Record) { r.Agent = "bob" }, recordIn("secret")))
	said := e.turn("Hm.", turnIn("talk", "s"))
	e.say(t, said)
	recalled := start.AddDate(1, 0, 0)
	if err := e.Reinforce(t.Context(), agent, "session", []string{first.ID}, recalled); err != nil {
		t.Fatal(err)
	}
	same := func(a, b time.Time) bool { return a.UnixMicro() == b.UnixMicro() }
	got, err := e.Projects(t.Context(), agent)
	want := []memory.ProjectUse{
		{Records: 1, LastUse: global.CreatedAt}, {Name: "old", LastUse: gone.CreatedAt},
		{Name: "shop", Records: 2, LastUse: recalled}, {Name: "talk", Turns: 1, LastUse: said.CreatedAt},
	}
	if err != nil || !slices.EqualFunc(got, want, func(a, b memory.ProjectUse) bool {
		return a.Name == b.Name && a.Records == b.Records && a.Turns == b.Turns && same(a.LastUse, b.LastUse)
	}) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
}

// move moves a project's contents, or only those given, into another one and returns what was
// moved.
func (e *env) move(t *testing.T, from, into string, only *memory.ProjectContents) (moved memory.ProjectContents) {
	t.Helper()
	e.write(t, func(tx memory.Tx) (err error) {
		moved, err = tx.MoveProject(from, into, only)
		return err
	})
	return moved
}

// of returns the contents of records and turns of a project.
func (e *env) of(t *testing.T, project string) (contents []string) {
	t.Helper()
	err := e.EachRecord(t.Context(), agent, func(r memory.Record) error {
		if r.Project == project {
			contents = append(contents, r.Content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range everyTurn(t, e) {
		if turn.Project == project {
			contents = append(contents, turn.Content)
		}
	}
	return contents
}

func moveProject(t *testing.T, e *env) {
	archived := e.record("Archived", recordIn("a"), func(r *memory.Record) { r.ArchivedAt = start })
	live, other := e.record("Live", recordIn("a"), func(r *memory.Record) { r.Tags = []string{"x"} }), e.record("Other", recordIn("b"))
	e.save(t, nil, archived, live, other, e.record("Global"))
	one, two := e.turn("One", turnIn("a", "s1")), e.turn("Two", turnIn("b", "s2"))
	e.say(t, one, two)
	todo := e.todo("x", func(t *memory.Todo) { t.Project = "a" })
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(tx.PutWindow(memory.Window{Agent: agent, Session: "s3", Project: "a", Total: 9}), tx.InsertTodo(todo),
			tx.InsertTodo(e.todo("y")))
	})

	moved := e.move(t, "a", "b", nil)
	want := memory.ProjectContents{Records: []string{archived.ID, live.ID}, Turns: []string{one.ID}, Sessions: []string{"s1", "s3"},
		Todos: []string{todo.ID}}
	if !reflect.DeepEqual(moved, want) {
		t.Errorf("moved %+v, want %+v", moved, want)
	}
	if got := e.of(t, "b"); !slices.Equal(got, []string{"Archived", "Live", "Other", "One", "Two"}) || len(e.of(t, "a")) > 0 {
		t.Errorf("in b are %q, in a %q", got, e.of(t, "a"))
	}
	if todos, n, err := e.Todos(t.Context(), agent, memory.TodoFilter{Status: memory.TodoAll, Projects: []string{"b"}}, 9); err != nil ||
		n != 1 || todos[0].ID != todo.ID {
		t.Errorf("the to-dos of b: %+v, %v", todos, err)
	}
	if w, err := e.Window(t.Context(), agent, "s3"); err != nil || w == nil || w.Project != "b" || w.Total != 9 {
		t.Errorf("the window: %+v, %v", w, err)
	}
	e.write(t, func(tx memory.Tx) error {
		// RecordByContent finds the record in its new project only.
		for project, want := range map[string]bool{"a": false, "b": true} {
			if r, err := tx.RecordByContent(project, live.Kind, "live"); err != nil || (r != nil) != want {
				t.Errorf("the same content in %s: %+v, %v", project, r, err)
			}
		}
		r, err := tx.Record(live.ID)
		live.Project = "b"
		if err != nil || !reflect.DeepEqual(r, live) {
			t.Errorf("something else has changed: %+v, %v\nwant %+v", r, err, live)
		}
		return nil
	})
	for project, want := range map[string]int{"a": 0, "b": 2} {
		hits, err := e.MatchWords(t.Context(), memory.Memories, memory.Filter{Agent: agent, Projects: []string{project}},
			[]string{"live", "other"}, 10)
		if err != nil || len(hits) != want {
			t.Errorf("%s: %d hits, %v", project, len(hits), err)
		}
	}
	if again := e.move(t, "a", "b", nil); !again.Empty() {
		t.Errorf("once more: %+v", again)
	}
}

func moveSome(t *testing.T, e *env) {
	one, two := e.record("One", recordIn("a")), e.record("Two", recordIn("a"))
	elsewhere := e.record("Elsewhere", recordIn("c"))
	e.save(t, nil, one, two, elsewhere)
	said, kept := e.turn("Said", turnIn("a", "s")), e.turn("Kept", turnIn("a", "k"))
	e.say(t, said, kept)
	want := memory.ProjectContents{Records: []string{two.ID}, Turns: []string{said.ID}, Sessions: []string{"s"}}
	only := memory.ProjectContents{Records: []string{elsewhere.ID, two.ID, "nobody"}, Turns: []string{said.ID},
		Sessions: []string{"s", "t"}}
	if moved := e.move(t, "a", "b", &only); !reflect.DeepEqual(moved, want) {
		t.Errorf("moved %+v, want %+v", moved, want)
	}
	if got := e.of(t, "a"); !slices.Equal(got, []string{"One", "Kept"}) {
		t.Errorf("left are %q", got)
	}
	if moved := e.move(t, "a", "b", &memory.ProjectContents{}); !moved.Empty() {
		t.Errorf("nothing named: %+v", moved)
	}
}

func moveInABank(t *testing.T, e *env) {
	e.save(t, nil, e.record("Ours", recordIn("a")))
	theirs := e.record("Theirs", recordIn("a"), func(r *memory.Record) { r.Agent = "bob" })
	e.save(t, nil, theirs)
	if moved := e.move(t, "a", "b", nil); len(moved.Records) != 1 {
		t.Errorf("%+v", moved)
	}
	if got, err := e.Projects(t.Context(), "bob"); err != nil || len(got) != 1 || got[0].Name != "a" {
		t.Errorf("another bank's: %+v, %v", got, err)
	}
}
