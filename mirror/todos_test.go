package mirror_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
)

// tasks is a bank with to-dos.
type tasks struct {
	*bank
	*planning.Service
}

func newTasks(t testing.TB) tasks {
	b := newBank(t)
	b.save("Likes soup.")
	return tasks{b, planning.New(b.PlanningOptions())}
}

func (b tasks) add(r planning.TodoRequest) string {
	b.t.Helper()
	todo, err := b.AddTodo(b.t.Context(), memory.Scope{Agent: "ann"}, r)
	if err != nil {
		b.t.Fatal(err)
	}
	return todo.ID
}

func (b tasks) todo(id string) memory.Todo {
	b.t.Helper()
	found, err := b.TodosByID(b.t.Context(), "ann", []string{id})
	if err != nil || len(found) != 1 {
		b.t.Fatal(found, err)
	}
	return found[0]
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := testfiles.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := testfiles.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// wantTodos compares what there is to do, the most urgent first, with when it is due and
// a tick for what is done.
func (b tasks) wantTodos(want ...string) {
	b.t.Helper()
	all, _, err := b.Todos(b.t.Context(), "ann", memory.TodoFilter{Status: memory.TodoAll}, 100)
	if err != nil {
		b.t.Fatal(err)
	}
	var got []string
	for _, one := range all {
		line := one.Title
		if !one.DueAt.IsZero() {
			line += " | " + strings.TrimSuffix(one.DueAt.Format("2006-01-02 15:04"), " 00:00")
		}
		if !one.CompletedAt.IsZero() {
			line += " ✓"
		}
		got = append(got, line)
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("there is to do %q, want %q\n%s:\n%s", got, want, b.path, b.file())
	}
}

func TestToDosHaveLines(t *testing.T) {
	b := newTasks(t)
	first := b.add(planning.TodoRequest{Title: "Call the dentist", DueAt: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	b.add(planning.TodoRequest{Title: "Pay rent", Priority: memory.PriorityUrgent, DueAt: time.Date(2026, 12, 1, 15, 30, 0, 0, time.UTC)})
	b.add(planning.TodoRequest{Title: "# Tidy <!-- up -->", Priority: memory.PriorityLow})
	b.wantLines("[ ] Call the dentist (due 2026-12-01)", "[ ] Pay rent (urgent, due 2026-12-01 15:30)",
		`[ ] \# Tidy &lt;!-- up --&gt; (low)`, "Likes soup.")
	if !strings.Contains(b.file(), "\n## To-do\n\n- [ ] Call the dentist (due 2026-12-01) <!-- "+first+" 60 ") {
		t.Errorf("the file is\n%s", b.file())
	}
	if _, err := b.CompleteTodo(t.Context(), "ann", first); err != nil {
		t.Fatal(err)
	}
	b.wantLines("[x] Call the dentist (due 2026-12-01)", "[ ] Pay rent (urgent, due 2026-12-01 15:30)",
		`[ ] \# Tidy &lt;!-- up --&gt; (low)`, "Likes soup.")
	b.wantLive("preference: Likes soup.")
	before := b.file()
	b.edit(func(s string) string { return s })
	if b.file() != before {
		t.Errorf("a pass without edits changed the file to\n%s", b.file())
	}
}

// TestALineAtTheEndIsAMemory: also where there are to-dos, which stand before all memories.
func TestALineAtTheEndIsAMemory(t *testing.T) {
	b := newTasks(t)
	b.add(planning.TodoRequest{Title: "Sweep"})
	b.edit(func(s string) string { return s + "- My sister is called Mira\n" })
	b.wantTodos("Sweep")
	b.wantLive("preference: Likes soup.", "preference: My sister is called Mira")
}

func TestBoxesAreHeard(t *testing.T) {
	b := newTasks(t)
	id := b.add(planning.TodoRequest{Title: "Call the dentist", Description: "Ask for the morning.",
		DueAt: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	b.replace("[ ] Call", "[x] Call")
	b.wantTodos("Call the dentist | 2026-12-01 ✓")
	b.replace("[x] Call", "[ ] Call")
	b.wantTodos("Call the dentist | 2026-12-01")
	b.replace("Call the dentist (due 2026-12-01)", "Call the orthodontist (high, due 2026-12-02 09:00)")
	b.wantTodos("Call the orthodontist | 2026-12-02 09:00")
	if got := b.todo(id); got.Priority != memory.PriorityHigh || got.Description != "Ask for the morning." {
		t.Errorf("the to-do is %+v", got)
	}
	b.replace(" (high, due 2026-12-02 09:00)", "")
	b.wantTodos("Call the orthodontist")
	if got := b.todo(id); got.Priority != memory.PriorityNormal {
		t.Errorf("the to-do is %+v", got)
	}
	b.replace("Call the orthodontist", "Call the orthodontist on 2026-12-05")
	b.wantTodos("Call the orthodontist on 2026-12-05 | 2026-12-05")
	b.wantLines("[ ] Call the orthodontist on 2026-12-05", "Likes soup.")
	b.dropLine(id)
	b.wantTodos("Call the orthodontist on 2026-12-05 | 2026-12-05 ✓")
	b.wantLines("Likes soup.")
}

func TestNewBoxesAreToDos(t *testing.T) {
	b := newTasks(t)
	b.edit(func(s string) string {
		return s +
			"\n## House\n\n- [ ] Fix the tap\n- I dislike the damp attic.\n  - [ ] Call the roofer on 3 December\n- [x] Paint the door\n" +
			"\n## To-do\n\n* Buy oil (urgent)\n- [ ] Buy oil (urgent)\n- [ ] " + strings.Repeat("long ", 120) +
			"\n- [ ] Buy rice\n  - brown\n"
	})
	b.wantTodos("Buy oil", "Buy oil", "Call the roofer on 3 December | 2026-12-03", "Fix the tap", "Buy rice")
	b.wantLive("preference: I dislike the damp attic.", "preference: Likes soup.")
	if strings.Contains(lineOf(b.file(), "Paint the door"), "<!--") {
		t.Errorf("what was done before is marked:\n%s", b.file())
	}
	if line := lineOf(b.file(), "Buy oil"); !strings.HasPrefix(line, "* [ ] Buy oil (urgent) <!-- ") {
		t.Errorf("the bullet under the heading is %q", line)
	}
	before := b.file()
	b.edit(func(s string) string { return s })
	b.wantTodos("Buy oil", "Buy oil", "Call the roofer on 3 December | 2026-12-03", "Fix the tap", "Buy rice")
	if b.file() != before {
		t.Errorf("a second pass changed\n%s\nto\n%s", before, b.file())
	}
	b.replace("* [ ] Buy oil (urgent)", "* [x] Buy oil (urgent)")
	b.wantTodos("Buy oil", "Call the roofer on 3 December | 2026-12-03", "Fix the tap", "Buy rice", "Buy oil ✓")
}

// What a relative date means is written down, for whoever reads it later.
func TestARelativeDateIsWrittenOut(t *testing.T) {
	b := newTasks(t)
	id := b.add(planning.TodoRequest{Title: "Call Ben"})
	b.Clock() // some time passes
	tomorrow := b.Clock().AddDate(0, 0, 1).UTC().Format(time.DateOnly)
	b.replace("Call Ben", "Call Ben and Kim (due "+tomorrow+")")
	b.replace("Call Ben and Kim", "Call Ben, Kim and Jo")
	b.wantLines("[ ] Call Ben, Kim and Jo (due "+tomorrow+")", "Likes soup.")
	if got := b.todo(id).DueAt.Format(time.DateOnly); got != tomorrow {
		t.Errorf("due %s, want %s", got, tomorrow)
	}
}

func TestHeartbeatHasToDos(t *testing.T) {
	b := newTasks(t)
	other := b.of("HEARTBEAT.md")
	other.edit(func(s string) string {
		return s + "\n- Look at the mail.\n- [ ] Look at the backups\n- [ ] Pay rent on 2026-12-01\n"
	})
	b.wantTodos("Pay rent on 2026-12-01 | 2026-12-01", "Look at the backups")
	b.wantLive("preference: Likes soup.")
	all, _, _ := b.Todos(t.Context(), "ann", memory.TodoFilter{Status: memory.TodoPending}, 9)
	if _, err := b.CompleteTodo(t.Context(), "ann", all[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := other.lines(); !slices.Equal(got, []string{"Look at the mail.", "[x] Look at the backups", "[ ] Pay rent on 2026-12-01"}) {
		t.Errorf("HEARTBEAT.md says %q", got)
	}
	b.add(planning.TodoRequest{Title: "Sweep"})
	b.wantLines("[ ] Sweep", "Likes soup.") // and not what has a line already
	if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	b.wantLines("[ ] Sweep", "Likes soup.")

	// A line that is moved to the other file is not taken out.
	for _, way := range []struct{ from, to *bank }{{other, b.bank}, {b.bank, other}} {
		line := lineOf(way.from.file(), "Pay rent")
		write(t, way.to.path, way.to.file()+line)
		way.from.edit(func(s string) string { return strings.Replace(s, line, "", 1) })
		b.wantTodos("Pay rent on 2026-12-01 | 2026-12-01", "Sweep", "Look at the backups ✓")
	}
	other.dropLine("Pay rent")
	b.wantTodos("Sweep", "Pay rent on 2026-12-01 | 2026-12-01 ✓", "Look at the backups ✓")
}

func TestTickedLinesGoAfterAWeek(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	b := tasks{bank: &bank{Bank: testbank.New(t, testbank.Options{Clock: func() time.Time { return now }, Mirror: true}), t: t}}
	b.path = b.Dir + "/workspaces/ann/MEMORY.md"
	b.Service = planning.New(b.PlanningOptions())
	id := b.add(planning.TodoRequest{Title: "Sweep"})
	if _, err := b.CompleteTodo(t.Context(), "ann", id); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[x] Sweep", "[x] Sweep", ""} {
		if got := strings.Join(b.lines(), ""); got != want {
			t.Errorf("on %v the file says %q, want %q", now, got, want)
		}
		now = now.Add(6 * 24 * time.Hour)
		if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
	}
	b.wantTodos("Sweep ✓")
}

func TestToDosThatVanishTogetherAreHeld(t *testing.T) {
	for _, accept := range []bool{true, false} {
		b := newTasks(t)
		for _, title := range []string{"Sweep", "Dust", "Mop", "Wash"} {
			b.add(planning.TodoRequest{Title: title})
		}
		b.edit(func(string) string { return "# Memory\n\n- Likes rice.\n" })
		b.wantTodos("Sweep", "Dust", "Mop", "Wash")
		if kept := b.conflicts(); !strings.Contains(kept, "- [ ] Mop") {
			t.Errorf("the file beside keeps %q", kept)
		}
		b.add(planning.TodoRequest{Title: "Iron"})
		if lines, _, err := b.Mirror.Settle(t.Context(), "ann", accept); err != nil || lines != 5 {
			t.Fatal(lines, err)
		}
		if accept {
			b.wantTodos("Iron", "Wash ✓", "Mop ✓", "Dust ✓", "Sweep ✓")
		} else {
			b.wantTodos("Sweep", "Dust", "Mop", "Wash", "Iron")
			if n := strings.Count(b.file(), "- [ ] "); n != 5 {
				t.Errorf("%d boxes in\n%s", n, b.file())
			}
		}
	}
}

// Without what tells how the file was left, or with rubbish in it, nothing is lost,
// forgotten or done.
func TestWithoutTheBaseNothingIsLost(t *testing.T) {
	for name, content := range map[string]string{
		"missing": "", "empty": " ", "no JSON": `{"version":1,"files":{"MEM`, "of another version": `{"version":9,"files":{}}`,
		"without files": `{"version":1}`, "null": "null", "a list": "[]", "null file": `{"version":1,"files":{"MEMORY.md":null}}`,
		"null lines": `{"version":1,"files":{"MEMORY.md":{"lines":null}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newTasks(t)
			b.save("Likes rice.")
			rice, soup := lineOf(b.file(), "rice"), lineOf(b.file(), "soup")
			b.add(planning.TodoRequest{Title: "Sweep"})
			b.add(planning.TodoRequest{Title: "Dust"})
			base := strings.TrimSuffix(b.path, "MEMORY.md") + ".mirror.json"
			remove(t, base)
			if content != "" {
				write(t, base, content)
			}
			b.edit(func(s string) string {
				s = strings.Replace(strings.Replace(s, rice, "", 1), soup, strings.Replace(soup, "soup", "broth", 1), 1)
				return strings.Replace(strings.Replace(s, lineOf(s, "Dust"), "", 1), "[ ] Sweep", "[x] Sweep", 1)
			})
			b.wantLive("preference: Likes broth.", "preference: Likes rice.")
			b.wantTodos("Dust", "Sweep ✓")
			if err := b.Mirror.Complete(t.Context(), "ann"); err != nil {
				t.Fatal(err)
			}
			if got := b.lines(); !slices.Contains(got, "Likes rice.") || !slices.Contains(got, "[ ] Dust") || len(got) != 4 {
				t.Errorf("completed, the file says %q", got)
			}
		})
	}
}

func TestOldCopiesDoNotReopenToDos(t *testing.T) {
	b := newTasks(t)
	id := b.add(planning.TodoRequest{Title: "Sweep"})
	old := b.file()
	b.replace("[ ] Sweep", "[x] Sweep")
	remove(t, strings.TrimSuffix(b.path, "MEMORY.md")+".mirror.json")
	b.edit(func(string) string { return old })
	b.wantTodos("Sweep ✓")
	b.wantLines("[x] Sweep", "Likes soup.")
	if _, err := b.Remember.Save(t.Context(), ann,
		remember.SaveRequest{Content: "Likes rice.", Pinned: true, Category: "preference"}); err != nil {
		t.Fatal(err)
	}
	if b.todo(id).CompletedAt.IsZero() {
		t.Error("it is open again")
	}
}
