package planning

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
)

// TodoRequest is a to-do to add. Only Title is needed.
type TodoRequest struct {
	Title       string
	Description string
	Priority    memory.Priority // empty is normal
	DueAt       time.Time
}

// AddTodo adds a to-do to the project that Options.Home chooses, which may be
// none for a private matter such as "buy milk". Errors are those of
// [memory.Scope.CheckWritable] and [memory.Todo.Validate].
func (s *Service) AddTodo(ctx context.Context, scope memory.Scope, r TodoRequest) (memory.Todo, error) {
	if err := scope.CheckWritable(); err != nil {
		return memory.Todo{}, err
	}
	t := memory.Todo{
		ID: s.ids.New(), Agent: scope.Agent, Title: strings.TrimSpace(r.Title), Description: strings.TrimSpace(r.Description),
		Priority: r.Priority, DueAt: r.DueAt, CreatedAt: s.clock.Now(),
	}
	t.Project = s.home(scope, strings.TrimSpace(t.Title+". "+t.Description))
	if t.Priority == "" {
		t.Priority = memory.PriorityNormal
	}
	t = t.Tidied()
	if err := t.Validate(); err != nil {
		return t, err
	}
	return t, s.store.Write(ctx, t.Agent, func(tx memory.Tx) error { return tx.InsertTodo(t) })
}

// CompleteTodo marks a to-do as done. Errors: [memory.CodeNotFound], and
// [memory.CodeConflict] if it was done before.
func (s *Service) CompleteTodo(ctx context.Context, agent, id string) (memory.Todo, error) {
	return s.ChangeTodo(ctx, agent, id, func(t *memory.Todo) error {
		if !t.CompletedAt.IsZero() {
			return memory.Errorf(memory.CodeConflict, "to-do %s was completed on %s", id, t.CompletedAt.Format(time.RFC3339)).
				WithAdvice(memory.Advice{Tool: "list_todo shows what is left to do",
					Command: "`mcp-memory todo list` shows what is left to do"})
		}
		t.CompletedAt = s.clock.Now()
		return nil
	})
}

// ChangeTodo changes a to-do with the function change. Errors:
// [memory.CodeNotFound], those of change, and those of [memory.Todo.Validate].
func (s *Service) ChangeTodo(ctx context.Context, agent, id string, change func(*memory.Todo) error) (t memory.Todo, err error) {
	err = s.store.Write(ctx, agent, func(tx memory.Tx) error {
		if t, err = tx.Todo(id); err != nil {
			return err
		}
		if err := change(&t); err != nil {
			return err
		}
		t = t.Tidied()
		if err := t.Validate(); err != nil {
			return err
		}
		return tx.UpdateTodo(t)
	})
	return t, err
}

// Todos returns the to-dos that a filter passes, the most urgent first, at most
// limit of them, and how many there are.
func (s *Service) Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error) {
	return s.store.Todos(ctx, agent, f, limit)
}

// TodosByID returns the to-dos with those ids that exist, in the order of the
// ids.
func (s *Service) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	return s.store.TodosByID(ctx, agent, ids)
}
