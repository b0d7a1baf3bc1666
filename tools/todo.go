package tools

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/text/secrets"
)

var (
	addTodoSpec = Spec{
		Name: "add_todo", Title: "Add a to-do", Group: Todo, Effect: Add,
		Description: "Note a task to do later: a promise made, research to finish, something to follow up. It stays until it is completed. Nothing reminds you: look with list_todo.",
	}
	completeTodoSpec = Spec{
		Name: "complete_todo", Title: "Complete a to-do", Group: Todo, Effect: Change,
		Description: "Mark a to-do as done.",
	}
	listTodoSpec = Spec{
		Name: "list_todo", Title: "List to-dos", Group: Todo, Effect: Read,
		Description: "Show to-dos, the most urgent first.",
	}
)

type addTodoInput struct {
	Title       string          `json:"title" desc:"What to do." required:"true"`
	Description string          `json:"description,omitempty" desc:"Details."`
	Priority    memory.Priority `json:"priority,omitempty" desc:"How urgent it is." default:"normal"`
	DueAt       time.Time       `json:"due_at,omitzero" desc:"When it has to be done."`
	Project     *string         `json:"project,omitempty" desc:"Project that it belongs to. Empty is global; default: judged."`
}

func (in addTodoInput) project() *string { return in.Project }

// todoOutput is a to-do as the tools show it.
type todoOutput struct {
	ID          string            `json:"id"`
	Project     string            `json:"project" desc:"Empty: of all projects."`
	Title       string            `json:"title"`
	Description string            `json:"description,omitempty"`
	Priority    memory.Priority   `json:"priority"`
	DueAt       time.Time         `json:"due_at,omitzero"`
	Status      memory.TodoStatus `json:"status" enum:"pending,completed"`
	CreatedAt   time.Time         `json:"created_at"`
	CompletedAt time.Time         `json:"completed_at,omitzero"`
}

func todoOutputOf(t memory.Todo) todoOutput {
	out := todoOutput{
		ID: t.ID, Project: t.Project, Title: t.Title, Description: t.Description, Priority: t.Priority, DueAt: t.DueAt,
		Status: memory.TodoPending, CreatedAt: t.CreatedAt, CompletedAt: t.CompletedAt,
	}
	if !t.CompletedAt.IsZero() {
		out.Status = memory.TodoCompleted
	}
	return out
}

type addTodoOutput struct {
	Action string `json:"action" enum:"created"`
	todoOutput
}

func (s Services) addTodo(ctx context.Context, scope memory.Scope, in addTodoInput) (*addTodoOutput, string, error) {
	t, err := s.Planning.AddTodo(ctx, scope, planning.TodoRequest{
		Title: in.Title, Description: in.Description, Priority: in.Priority, DueAt: in.DueAt,
	})
	if err != nil {
		return nil, "", err
	}
	home := ""
	switch {
	case t.Project != "":
		home = " in project " + memory.OneLine(t.Project, 80)
	case scope.Project != "":
		home = " for all projects"
	}
	return &addTodoOutput{"created", todoOutputOf(t)},
		"Noted to-do " + t.ID + home + "." + secretText(secrets.Find(t.Title+"\n"+t.Description)), nil
}

type completeTodoInput struct {
	ID string `json:"id" desc:"Id of the to-do." required:"true"`
}

type completeTodoOutput struct {
	ID          string            `json:"id"`
	Status      memory.TodoStatus `json:"status" enum:"completed"`
	CompletedAt time.Time         `json:"completed_at"`
}

func (s Services) completeTodo(ctx context.Context, scope memory.Scope, in completeTodoInput) (*completeTodoOutput, string, error) {
	t, err := s.Planning.CompleteTodo(ctx, scope.Agent, in.ID)
	if err != nil {
		return nil, "", err
	}
	return &completeTodoOutput{t.ID, memory.TodoCompleted, t.CompletedAt}, "Done: " + memory.OneLine(t.Title, 80), nil
}

type listTodoInput struct {
	Status memory.TodoStatus `json:"status,omitempty" desc:"Which to show." default:"pending"`
	Limit  int               `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
	// Project is read together with to-dos that have no project.
	Project *string `json:"project,omitempty" desc:"Project whose to-dos to show beside those that have none; * is all."`
}

func (in listTodoInput) project() *string { return in.Project }

func (s Services) listTodo(ctx context.Context, scope memory.Scope, in listTodoInput) (*listOutput[todoOutput], string, error) {
	todos, total, err := s.Planning.Todos(ctx, scope.Agent, memory.TodoFilter{Status: in.Status, Projects: scope.Readable()}, in.Limit)
	if err != nil {
		return nil, "", err
	}
	out, text := listOf(todos, total, todoOutputOf, "to-do", []string{"ID", "PROJECT", "PRIORITY", "DUE", "TITLE"},
		func(one todoOutput) []string {
			title := memory.OneLine(one.Title, 80)
			if one.Status == memory.TodoCompleted {
				title += " (done)"
			}
			return []string{one.ID, one.Project, string(one.Priority), minute(one.DueAt), title}
		})
	return out, text, nil
}
