package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/planning"
)

// Plans is what the to-do and calendar tools call. All fields are needed.
type Plans struct {
	Planning *planning.Service
	Scope    access.ScopeFunc
}

// Tools returns the to-do and calendar tools, in the order in which they are listed.
func (p Plans) Tools() []Tool {
	return []Tool{
		Define(addTodoSpec, p.addTodo),
		Define(completeTodoSpec, p.completeTodo),
		Define(listTodoSpec, p.listTodo),
		Define(addEventSpec, p.addEvent),
		Define(checkCalendarSpec, p.checkCalendar),
		Define(removeEventSpec, p.removeEvent),
	}
}

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
}

// todoOutput is a to-do as the tools show it.
type todoOutput struct {
	ID          string            `json:"id"`
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
		ID: t.ID, Title: t.Title, Description: t.Description, Priority: t.Priority, DueAt: t.DueAt,
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

func (p Plans) addTodo(ctx context.Context, in addTodoInput) (addTodoOutput, string, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return addTodoOutput{}, "", err
	}
	t, err := p.Planning.AddTodo(ctx, scope.Agent, planning.TodoRequest{
		Title: in.Title, Description: in.Description, Priority: in.Priority, DueAt: in.DueAt,
	})
	if err != nil {
		return addTodoOutput{}, "", err
	}
	return addTodoOutput{"created", todoOutputOf(t)}, "Noted to-do " + t.ID + ".", nil
}

type completeTodoInput struct {
	ID string `json:"id" desc:"Id of the to-do." required:"true"`
}

type completeTodoOutput struct {
	ID          string            `json:"id"`
	Status      memory.TodoStatus `json:"status" enum:"completed"`
	CompletedAt time.Time         `json:"completed_at"`
}

func (p Plans) completeTodo(ctx context.Context, in completeTodoInput) (completeTodoOutput, string, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return completeTodoOutput{}, "", err
	}
	t, err := p.Planning.CompleteTodo(ctx, scope.Agent, in.ID)
	if err != nil {
		return completeTodoOutput{}, "", err
	}
	return completeTodoOutput{t.ID, memory.TodoCompleted, t.CompletedAt}, "Done: " + oneLine(t.Title, 80), nil
}

type listTodoInput struct {
	Status memory.TodoStatus `json:"status,omitempty" desc:"Which to show." default:"pending"`
	Limit  int               `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

type listTodoOutput struct {
	Items []todoOutput `json:"items"`
	Total int          `json:"total"`
}

func (p Plans) listTodo(ctx context.Context, in listTodoInput) (listTodoOutput, string, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return listTodoOutput{}, "", err
	}
	todos, total, err := p.Planning.Todos(ctx, scope.Agent, in.Status, in.Limit)
	if err != nil {
		return listTodoOutput{}, "", err
	}
	out := listTodoOutput{Total: total}
	rows := [][]string{{"ID", "PRIORITY", "DUE", "TITLE"}}
	for _, t := range todos {
		out.Items = append(out.Items, todoOutputOf(t))
		title := oneLine(t.Title, 80)
		if !t.CompletedAt.IsZero() {
			title += " (done)"
		}
		rows = append(rows, []string{t.ID, string(t.Priority), minute(t.DueAt), title})
	}
	return out, listing(rows, total, "to-do"), nil
}

// minute is a time as tables show it, "-" for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// listing is a table with its headings in the first row, and how many more
// there are; total counts things of that noun.
func listing(rows [][]string, total int, noun string) string {
	if len(rows) < 2 {
		return "No " + strings.TrimPrefix(plural(2, noun), "2 ") + "."
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			fmt.Fprintf(&b, "%-*s  ", width[i], cell)
		}
		b.WriteString(row[len(row)-1] + "\n")
	}
	if shown := len(rows) - 1; total > shown {
		fmt.Fprintf(&b, "%d of %s.\n", shown, plural(total, noun))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
