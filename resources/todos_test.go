package resources_test

import (
	"strings"
	"testing"

	"mcp-memory/memory"
)

// TestTodosOfOtherProjects: a session's first page has the to-dos of its project and those
// of the person, and no others.
func TestTodosOfOtherProjects(t *testing.T) {
	b := newBank(t)
	for _, todo := range []memory.Todo{{Title: "Tag the release", Project: "acme/shop"}, {Title: "Buy milk"},
		{Title: "Port the importer", Project: "acme/till"}} {
		todo.ID, todo.Agent, todo.Priority, todo.CreatedAt = b.ids.New(), "ann", memory.PriorityUrgent, b.now
		b.write("ann", func(tx memory.Tx) error { return tx.InsertTodo(todo) })
	}
	for project, want := range map[string]string{"acme/shop": "Tag, Buy", "acme/till": "Buy, Port", "": "Buy"} {
		page, err := b.Read(t.Context(), memory.Scope{Agent: "ann", Project: project}, "memory://session-start")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, title := range []string{"Tag the release", "Buy milk", "Port the importer"} {
			if strings.Contains(page.Text, title) {
				got = append(got, strings.Fields(title)[0])
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("in %q: %q, want %q\n%s", project, got, want, page.Text)
		}
	}
}
