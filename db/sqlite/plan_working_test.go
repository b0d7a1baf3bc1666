package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// busyStore has windows, jobs, plans and links of several agents.
func busyStore(t *testing.T) *Store {
	s := planStore(t)
	for _, who := range []string{"ann", "bob", "carol"} {
		err := s.Write(t.Context(), who, func(tx memory.Tx) error {
			for i := range 60 {
				at := start.Add(time.Duration(i) * time.Hour)
				turn := memory.Turn{ID: ids.New(), Agent: who, Session: fmt.Sprint(i % 3), Content: "x", SaidAt: at, CreatedAt: at}
				if i%4 != 0 {
					turn.ArchivedAt = at
				}
				if _, err := tx.InsertTurns([]memory.Turn{turn}, nil); err != nil {
					return err
				}
				_,
					err := tx.InsertEvents([]memory.ContextEvent{{ID: ids.New(), Agent: who, Session: fmt.Sprint(i % 3), Type: "t",
					ExternalID: fmt.Sprint(i), At: at}})
				if err != nil {
					return err
				}
				todo := memory.Todo{ID: ids.New(), Agent: who, Title: "x", Priority: memory.PriorityLow, CreatedAt: at}
				if i%2 == 0 {
					todo.CompletedAt = at
				}
				if err := tx.InsertTodo(todo); err != nil {
					return err
				}
				if err := tx.InsertEvent(memory.CalendarEvent{ID: ids.New(), Agent: who, Title: "x", StartsAt: at,
					CreatedAt: at}); err != nil {
					return err
				}
				link := memory.Link{ID: ids.New(), To: who, From: fmt.Sprint("agent ", i), Status: memory.LinkPending, RequestedAt: at}
				if err := tx.InsertLink(link); err != nil {
					return err
				}
				if err := tx.Audit(memory.AuditEntry{Agent: who, At: at}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.writer.script(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlansOfWorking: the queries of every append, and of every look at plans
// and links, read what they return and little more.
func TestPlansOfWorking(t *testing.T) {
	s := busyStore(t)
	pending, _, err := todosQuery(memory.TodoPending)
	if err != nil {
		t.Fatal(err)
	}
	completed, _, err := todosQuery(memory.TodoCompleted)
	if err != nil {
		t.Fatal(err)
	}
	const turns = `SELECT ` + rows.TurnColumns + ` FROM turns d `
	for name, c := range map[string]struct {
		query string
		args  []any
		sorts bool // what it found, which is little
		want  []string
	}{
		"window": {rows.WindowQuery, []any{"ann", "s"}, false, []string{
			"SEARCH w USING INDEX sqlite_autoindex_context_windows_1 (agent=? AND session=?)",
			"SEARCH s USING PRIMARY KEY (agent=? AND session=?) LEFT-JOIN"}},
		"the latest window": {latestWindow, []any{1, 9, `[""]`, "ann"}, true, []string{
			"SEARCH turns USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
			"SEARCH w USING INDEX sqlite_autoindex_context_windows_1 (agent=? AND session=?)"}},
		"idle sessions": {rows.IdleSessionsQuery, []any{1, 2, 9}, true, []string{
			"SCAN s", // every session once, on a look every few minutes
			"SEARCH w USING INDEX sqlite_autoindex_context_windows_1 (agent=? AND session=?)",
			"SEARCH t USING INDEX sqlite_autoindex_turns_1 (agent=? AND session=? AND turn_index=?)"}},
		"turns of a session": {turns + turnsOfSession, []any{"ann", "s", 5, 9}, false, []string{
			"SEARCH d USING INDEX sqlite_autoindex_turns_1 (agent=? AND session=? AND turn_index>? AND turn_index<?)"}},
		"turns not set aside": {turns + unarchivedTurns, []any{"ann", 9}, false, []string{
			"SEARCH d USING INDEX turns_unarchived (agent=? AND archived_at=?)"}},
		"how many of them": {countUnarchived, []any{"ann"}, false, []string{
			"SEARCH turns USING COVERING INDEX turns_unarchived (agent=? AND archived_at=?)"}},
		"position of a turn": {rows.TurnPositionQuery, []any{"ann", "s", "1"}, false, []string{
			"SEARCH turns USING INDEX turns_by_external_id (agent=? AND session=? AND external_id=?)"}},
		"set turns aside": {archiveTurns, []any{1, "ann", "[]"}, false, []string{
			"SEARCH turns USING COVERING INDEX sqlite_autoindex_turns_2 (agent=? AND id=?)"}},
		"details": {turnDetailsQuery, []any{"ann", "[]"}, false, []string{
			"SEARCH x USING INDEX sqlite_autoindex_turn_details_1 (agent=? AND id=?)"}},
		"calls": {callsQuery, []any{"[]"}, false, []string{
			"SEARCH d USING INTEGER PRIMARY KEY (rowid=?)",
			"SEARCH x USING INDEX sqlite_autoindex_turn_details_1 (agent=? AND id=?)"}},
		"newest events": {newestEvents, []any{"ann", "1", 9}, false, []string{
			"SEARCH context_events USING INDEX events_of_session (agent=? AND session=?)"}},
		"known event": {rows.EventCountQuery, []any{"ann", "1", "1"}, false, []string{
			"SEARCH context_events USING COVERING INDEX events_by_external_id (agent=? AND session=? AND external_id=?)"}},
		"pending to-dos": {pending, []any{"ann", `["","x"]`, 9}, false, []string{
			"SEARCH todos USING INDEX todos_pending (agent=?)"}},
		"completed to-dos": {completed, []any{"ann", nil, 9}, false, []string{
			"SEARCH todos USING INDEX todos_completed (agent=? AND completed_at>?)"}},
		"calendar": {eventsBetween, []any{"ann", 1, 2}, true, []string{
			"SEARCH calendar_events USING INDEX calendar_to_come (agent=? AND over_at>?)"}},
		"links": {linksOfBoth, []any{"ann", 9}, true, []string{
			"SEARCH links USING INDEX links_asked (agent=?)",
			"SEARCH links USING INDEX links_from (from_agent=?)"}},
		"pending link": {rows.PendingLinkQuery, []any{"ann", "bob", 9}, false, []string{
			"SEARCH links USING INDEX links_pending (agent=? AND from_agent=? AND status=? AND expires_at>?)"}},
		"link": {linkOfBoth, []any{"ann", "x"}, true, []string{
			"SEARCH links USING PRIMARY KEY (agent=? AND id=?)",
			"SEARCH links USING INDEX links_by_id (from_agent=? AND id=?)"}},
		"linked records": {linkedRecords, []any{"ann", "x"}, true, []string{
			"SEARCH o USING COVERING INDEX origins_by_link (agent=? AND link=?)",
			"SEARCH d USING INDEX sqlite_autoindex_records_1 (agent=? AND id=?)"}},
		"audit log": {newestAudits, []any{"ann", 9}, false, []string{
			"SEARCH audit_log USING PRIMARY KEY (agent=?)"}},
	} {
		steps := plan(t, s, c.query, c.args...)
		for _, want := range c.want {
			if !slices.Contains(steps, want) {
				t.Errorf("%s: %q, want %q", name, steps, want)
			}
		}
		for _, step := range steps {
			if strings.Contains(step, "TEMP B-TREE") && !c.sorts {
				t.Errorf("%s sorts: %q", name, steps)
			}
		}
	}
}
