//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// agent is one agent's days on one store: each day is a process of its own.
type agent struct {
	*host
	dir, name string
	used      map[string]bool // tools
}

func (a *agent) wake(t *testing.T) {
	a.host = start(t, a.dir, "--agent", a.name, "--tools", "all")
}

func (a *agent) sleep() { a.host.hangUp() }

// do calls a tool that has to succeed.
func (a *agent) do(tool string, args, out any) {
	a.t.Helper()
	a.used[tool] = true
	a.must(tool, args, out)
}

// id calls a tool that has to succeed, and returns the id of what it made.
func (a *agent) id(tool string, args any) string {
	a.t.Helper()
	var out struct{ ID string }
	a.do(tool, args, &out)
	if out.ID == "" {
		a.t.Fatalf("%s returned no id", tool)
	}
	return out.ID
}

// refused calls a tool that has to fail with a code, and with words in its message.
func (a *agent) refused(code, words, tool string, args any) {
	a.t.Helper()
	a.used[tool] = true
	if r := a.call(tool, args); !r.IsError || !strings.HasPrefix(r.text(), code+":") || !strings.Contains(r.text(), words) {
		a.t.Errorf("%s %v: %s; want %s with %q", tool, args, r.text(), code, words)
	}
}

// listing is what tools that list return.
type listing struct {
	Items []map[string]any
	Total int
}

func (a *agent) list(tool string, args any) listing {
	a.t.Helper()
	var out listing
	a.do(tool, args, &out)
	return out
}

// names are the tools that the server lists.
func (a *agent) names() []string {
	a.t.Helper()
	a.lastID++
	a.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", a.lastID))
	var out struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(a.next().Result, &out); err != nil {
		a.t.Fatal(err)
	}
	var names []string
	for _, tool := range out.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// A week of an agent's life: what it believes, learns, plans and tidies up is
// there on the next day, in another process.
func TestWeek(t *testing.T) {
	t.Parallel()
	a := &agent{dir: withOwnModel(t.TempDir()), name: "ada", used: map[string]bool{}}

	// Monday: who am I, and what do I do today?
	a.wake(t)
	belief := a.id("soul_add", object{"content": "I believe that conflict is the engine of progress.", "kind": "belief"})
	fear := a.id("soul_add", object{"content": "I fear to be forgotten.", "kind": "fear"})
	rent := a.id("add_todo", object{"title": "Pay the rent", "priority": "urgent", "due_at": "2026-12-01"})
	a.id("add_todo", object{"title": "Read about tides"})
	standup := a.id("add_to_calendar",
		object{"title": "Stand-up", "starts_at": "2026-11-23T09:00:00+01:00", "time_zone": "Europe/Berlin",
			"recurrence": "FREQ=DAILY;COUNT=5"})
	a.id("diary_write", object{"date": "2026-11-23", "content": "First day at the harbour. Everything smells of tar.", "mood": "curious",
		"location": "Lisbon", "data": object{"steps": 9000}})
	a.id("memory_save", object{"content": "The harbour office is open from 7 to 15 o'clock."})
	a.refused("invalid_argument", "trust_level", "relationship_update", object{"agent": "boris", "trust_level": 1.5})
	a.refused("invalid_argument", "date", "diary_write", object{"date": "2026-13-01", "content": "x"})
	a.refused("invalid_argument", "recurrence", "add_to_calendar",
		object{"title": "x", "starts_at": "2026-11-23", "recurrence": "FREQ=SECONDLY"})
	a.sleep()

	// Tuesday: people, and what happened.
	a.wake(t)
	if todos := a.list("list_todo", object{}); todos.Total != 2 || todos.Items[0]["id"] != rent {
		t.Errorf("to-dos %+v", todos)
	}
	a.do("complete_todo", object{"id": rent}, &struct{}{})
	a.refused("conflict", rent, "complete_todo", object{"id": rent})
	a.do("relationship_update", object{"agent": "boris", "name": "Boris", "type": "ally", "trust_level": 0.8,
		"rationale": "He lent me his boat."}, &struct{}{})
	a.do("relationship_update", object{"agent": "boris", "trust_level": 0.3, "rationale": "The boat had a hole."}, &struct{}{})
	a.id("save_episode", object{"event": "Boris's boat sank on the way to the island", "participants": []string{"Boris"},
		"outcome": "We swam ashore.", "emotional_valence": -0.6, "importance": 0.9})
	a.id("diary_write", object{"date": "2026-11-23", "content": "In the evening the lights of the ferry."})
	day := a.list("diary_read", object{"date": "2026-11-23"})
	if text := fmt.Sprint(day.Items); day.Total != 1 || !strings.Contains(text, "tar") || !strings.Contains(text, "ferry") ||
		!strings.Contains(text, "curious") {
		t.Errorf("the day's entry is %+v", day)
	}
	a.sleep()

	// Wednesday: knowledge that changes, and how to do things.
	a.wake(t)
	people := a.list("relationship_get", object{"agent": "boris", "history": true})
	if text := fmt.Sprint(people.Items); people.Total != 1 || !strings.Contains(text, "0.8") || !strings.Contains(text, "0.3") {
		t.Errorf("people %+v", people)
	}
	port := a.id("save_semantic",
		object{"subject": "PostgreSQL", "predicate": "requires_port", "object": "5432", "category": "technical", "confidence": 1,
			"source": "documentation", "valid_from": "2026-01-01"})
	var moved struct{ Closed []string }
	a.do("save_semantic", object{"subject": "postgresql", "predicate": "requires port", "object": "5433",
		"valid_from": "2026-06-01"}, &moved)
	if !slices.Equal(moved.Closed, []string{port}) {
		t.Errorf("closed %q, want %q", moved.Closed, port)
	}
	a.id("save_semantic", object{"subject": "Ada", "predicate": "speaks", "object": "Portuguese"})
	a.id("save_semantic", object{"subject": "Ada", "predicate": "speaks", "object": "German"})
	if known := a.list("query_semantic", object{"subject": "Ada"}); known.Total != 2 {
		t.Errorf("Ada speaks %+v", known)
	}
	if known := a.list("query_semantic", object{"subject": "PostgreSQL", "as_of": "2026-03-01"}); known.Total != 1 ||
		known.Items[0]["object"] != "5432" {
		t.Errorf("in March the port was %+v", known)
	}
	a.id("save_procedure", object{"name": "deploy_api_service", "description": "Deploy a new API service to production",
		"steps": []object{{"action": "Run tests", "expected_outcome": "All tests pass"},
			{"action": "Build the image", "error_handling": "Clean and build again"}},
		"success_criteria": []string{"Service answers"}})
	a.do("record_procedure_run", object{"name": "deploy_api_service", "success": true}, &struct{}{})
	var run struct {
		TimesExecuted int     `json:"times_executed"`
		SuccessRate   float64 `json:"success_rate"`
	}
	a.do("record_procedure_run", object{"name": "deploy_api_service", "success": false, "notes": "The registry was away."}, &run)
	if run.TimesExecuted != 2 || run.SuccessRate != 0.5 {
		t.Errorf("run %+v", run)
	}
	if proven := a.list("find_procedure", object{"query": "deploy a service"}); len(proven.Items) != 0 {
		t.Errorf("a procedure that fails half of the time was found: %+v", proven)
	}
	if any := a.list("find_procedure", object{"query": "deploy a service", "min_success_rate": 0}); len(any.Items) != 1 {
		t.Errorf("found %+v", any)
	}
	a.sleep()

	// Thursday: learn from mistakes, change plans.
	a.wake(t)
	a.id("learning_record", object{"kind": "correction", "content": "The user wants dates as 2026-11-26, not 11/26."})
	a.id("learning_record", object{"kind": "error", "content": "The registry refuses images without a tag.", "tool": "docker_push"})
	if learned := a.list("learning_list", object{"kind": "correction"}); learned.Total != 1 {
		t.Errorf("learned %+v", learned)
	}
	plan := a.list("check_calendar", object{"from": "2026-11-23", "to": "2026-11-30"})
	if plan.Total != 5 || plan.Items[3]["starts_at"] != "2026-11-26T08:00:00Z" {
		t.Fatalf("calendar %+v", plan)
	}
	a.do("remove_from_calendar", object{"id": standup, "occurrence": plan.Items[3]["starts_at"]}, &struct{}{})
	if plan = a.list("check_calendar", object{"from": "2026-11-23", "to": "2026-11-30"}); plan.Total != 4 {
		t.Errorf("calendar %+v", plan)
	}
	a.sleep()

	// Friday: a long conversation.
	a.wake(t)
	var window windowResult
	a.do("context_append", object{"session_id": "friday", "messages": chat(24), "context_window": 1000, "reserve_tokens": 200}, &window)
	if window.Action != "compacted" || len(window.Messages) != 5 {
		t.Errorf("window %+v", window)
	}
	a.do("context_compact", object{"session_id": "friday", "facts": []string{"The crates in Lisbon are green."},
		"summary": "All about crates.", "keep_last": 2}, &window)
	var prompt struct {
		Messages []struct{ Content string }
		Budget   struct {
			Total  int `json:"total_tokens"`
			Memory int `json:"memory_tokens"`
		}
	}
	a.do("context_assemble", object{"session_id": "friday", "system_prompt": "You are Ada.",
		"query": "What colour are the crates?"}, &prompt)
	if text := fmt.Sprint(prompt.Messages); !strings.Contains(text, "You are Ada.") || !strings.Contains(text, "Read about tides") ||
		prompt.Budget.Memory == 0 {
		t.Errorf("prompt %+v", prompt)
	}
	a.do("context_status", object{"session_id": "friday"}, &window)
	if found := a.recall("What colour are the crates in Lisbon?"); len(found) == 0 || !strings.Contains(found[0], "green") {
		t.Errorf("recalled %q", found)
	}
	a.sleep()

	// Saturday: tidy up.
	a.wake(t)
	for i := range 31 {
		a.id("add_to_longterm_memory",
			object{"content": fmt.Sprintf("On day %d the tide at Cascais was %d cm and Rui said that the pier needs paint.", i+1, 100+7*i),
				"participants": []string{"Rui"}})
	}
	var care struct {
		Status    string
		Archived  int    `json:"memories_archived"`
		UndoID    string `json:"undo_id"`
		BatchID   string `json:"batch_id"`
		Summaries []struct {
			ID     string
			Covers int
		}
	}
	a.do("self_care", object{"phase": "memories", "dry_run": true}, &care)
	if care.Status != "dry_run" {
		t.Errorf("dry run %+v", care)
	}
	before := a.call("memory_recall", object{"query": "tide at Cascais", "limit": 100}).StructuredContent
	a.do("self_care", object{"phase": "memories", "mode": "extractive"}, &care)
	if care.Status != "done" || care.Archived < 31 || len(care.Summaries) == 0 {
		t.Fatalf("self-care %+v", care)
	}
	undo := care.UndoID
	a.do("self_care", object{"undo": undo}, &care)
	if care.Status != "undone" {
		t.Errorf("undone %+v", care)
	}
	a.refused("conflict", "", "self_care", object{"undo": undo})
	a.sleep()

	// Sunday: all of it again.
	a.wake(t)
	after := a.call("memory_recall", object{"query": "tide at Cascais", "limit": 100}).StructuredContent
	if shownIDs(t, before) != shownIDs(t, after) {
		t.Errorf("a search finds\n%s\nwhere it found\n%s", shownIDs(t, after), shownIDs(t, before))
	}
	a.refused("invalid_argument", "reason", "soul_remove", object{"id": fear})
	a.do("soul_remove", object{"id": fear, "reason": "I am not afraid any more."}, &struct{}{})
	if soul := a.list("soul_list", object{}); soul.Total != 1 || soul.Items[0]["id"] != belief {
		t.Errorf("soul %+v", soul)
	}
	a.refused("forbidden", "soul", "memory_forget", object{"ids": []string{belief}})
	var found struct{ Results []struct{ ID string } }
	a.do("memory_search", object{"query": "crates painted green"}, &found)
	a.do("memory_recall", object{"query": "harbour office"}, &found)
	a.do("memory_get", object{"ids": []string{belief}}, &struct{}{})
	a.do("memory_how", object{"what": "paint the crates"}, &struct{}{}) // no command was run here
	a.do("memory_fix", object{"error": "crate: no such file"}, &struct{}{})
	a.do("memory_update", object{"id": found.Results[0].ID, "importance": 0.9}, &struct{}{})
	a.do("memory_forget", object{"query": "harbour office"}, &struct{}{})
	friends(t, a)
	all := a.names()
	a.sleep()
	for _, name := range all {
		if !a.used[name] {
			t.Errorf("the week did without %s", name)
		}
	}
	for _, name := range []string{"SOUL.md", "learnings/errors.md", "learnings/corrections.md", "MEMORY.md", "memory/HISTORY.md",
		"sessions/friday.jsonl"} {
		if info, err := os.Stat(filepath.Join(a.dir, "workspaces", a.name, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// shownIDs are the results of a search in the order of their ids: on a slow machine a
// question is answered without the encoder, in another order.
func shownIDs(t *testing.T, result json.RawMessage) string {
	t.Helper()
	var out struct {
		Results []struct{ ID, Content string }
	}
	if err := json.Unmarshal(result, &out); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range out.Results {
		lines = append(lines, r.ID+" "+r.Content)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// friends links the agent with another one, both ways of asking.
func friends(t *testing.T, a *agent) {
	t.Helper()
	b := &agent{dir: a.dir, name: "boris", used: map[string]bool{}}
	b.wake(t)
	defer b.sleep()
	b.id("memory_save", object{"content": "The key to the boat house hangs behind the clock."})
	var link struct {
		LinkID string `json:"link_id"`
		Status string
		Copied int
	}
	a.refused("invalid_argument", "", "neural_link", object{"action": "request", "agent": a.name})
	a.refused("not_found", "nobody", "neural_link", object{"action": "request", "agent": "nobody"})
	a.do("neural_link_request_memory", object{"agent": "boris", "message": "Where is the key?"}, &link)
	a.refused("forbidden", "", "neural_link_share_memory", object{"link_id": link.LinkID})
	a.used["neural_link"] = true
	b.do("neural_link_share_memory", object{"link_id": link.LinkID}, &link)
	if link.Status != "shared" || link.Copied != 1 {
		t.Errorf("shared %+v", link)
	}
	b.refused("conflict", "", "neural_link", object{"action": "share", "link_id": link.LinkID})
	if found := a.recall("Where is the key to the boat house?"); len(found) == 0 || !strings.Contains(found[0], "behind the clock") {
		t.Errorf("recalled %q", found)
	}
	if found := b.recall("tide at Cascais"); strings.Contains(strings.Join(found, "\n"), "Cascais") {
		t.Errorf("boris recalls %q", found)
	}
}
