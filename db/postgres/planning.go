package postgres

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// todoLists has for each status the condition on to-dos and their order. Those of TodoPending and
// TodoCompleted are the orders of indexes.
var todoLists = map[memory.TodoStatus][2]string{
	memory.TodoPending:   {`completed_at IS NULL`, `urgency DESC, due_at IS NULL, due_at, created_at, id`},
	memory.TodoCompleted: {`completed_at IS NOT NULL`, `completed_at DESC, id DESC`},
	memory.TodoAll: {`TRUE`, `completed_at IS NOT NULL, completed_at DESC,
		CASE WHEN completed_at IS NULL THEN urgency END DESC NULLS LAST, CASE WHEN completed_at IS NULL THEN due_at IS NULL END,
		CASE WHEN completed_at IS NULL THEN due_at END, CASE WHEN completed_at IS NULL THEN created_at END,
		CASE WHEN completed_at IS NULL THEN id END, id DESC`},
}

// Todos implements [memory.PlanReader].
func (s *Store) Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error) {
	list, ok := todoLists[f.Status]
	if !ok {
		return nil, 0, fmt.Errorf("to-dos of status %q", f.Status)
	}
	src, from := s.as(ctx, agent), ` FROM todos WHERE agent = ?1 AND (?2::text[] IS NULL OR project = ANY(?2)) AND `+list[0]
	var total int
	if err := rows.Into(src, []any{&total}, `SELECT count(*)`+from, agent, f.Projects); err != nil {
		return nil, 0, err
	}
	todos, err := rows.All(src, rows.ScanTodo, `SELECT `+rows.TodoColumns+from+` ORDER BY `+list[1]+` LIMIT ?3`, agent, f.Projects, limit)
	return todos, total, err
}

// TodosByID implements [memory.PlanReader].
func (s *Store) TodosByID(ctx context.Context, agent string, ids []string) ([]memory.Todo, error) {
	return rows.All(s.as(ctx, agent), rows.ScanTodo, `SELECT `+rows.TodoColumns+` FROM unnest(?2::text[]) WITH ORDINALITY j (wanted, place)
		JOIN todos ON agent = ?1 AND id = wanted ORDER BY place`, agent, ids)
}

// Calendar implements [memory.PlanReader].
func (s *Store) Calendar(ctx context.Context, agent string, from, to time.Time) ([]memory.CalendarEvent, error) {
	return rows.All(s.as(ctx, agent), rows.ScanCalendar, `SELECT `+rows.CalendarColumns+` FROM calendar_events
		WHERE agent = ?1 AND removed_at IS NULL AND over_at >= ?2 AND (over_at > ?2 OR ends_at IS NULL) AND starts_at < ?3
		ORDER BY starts_at, id`, agent, from.UnixMicro(), to.UnixMicro())
}
