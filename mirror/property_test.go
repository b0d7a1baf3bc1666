package mirror_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/internal/testbank"
	"mcp-memory/internal/testfiles"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/remember"
)

// TestAnyOrderOfEditsAndCalls has a person edit and an agent call in any order, with
// processes that die between the bank and the file. In the end both say the same, and
// every word that was ever said is in the bank.
func TestAnyOrderOfEditsAndCalls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &world{T: rt, bank: newBankIn(rt, t.TempDir()), said: map[string]bool{}}
		defer w.Store.Close()
		rt.Repeat(map[string]func(*rapid.T){
			"agent saves":     func(*rapid.T) { w.saves(w.Remember) },
			"dies saving":     func(*rapid.T) { w.saves(remember.New(w.RawOptions())) },
			"agent updates":   func(*rapid.T) { w.updates(w.Remember) },
			"dies updating":   func(*rapid.T) { w.updates(remember.New(w.RawOptions())) },
			"agent forgets":   func(*rapid.T) { w.forgets(w.Remember) },
			"dies forgetting": func(*rapid.T) { w.forgets(remember.New(w.RawOptions())) },
			"person rewords":  func(rt *rapid.T) { w.rewords() },
			"person deletes":  func(rt *rapid.T) { w.deletes() },
			"person adds":     func(rt *rapid.T) { w.adds() },
			"agent plans":     func(*rapid.T) { w.plans(w.planning()) },
			"dies planning":   func(*rapid.T) { w.plans(planning.New(w.RawPlanningOptions())) },
			"agent completes": func(*rapid.T) { w.completes(w.planning()) },
			"dies completing": func(*rapid.T) { w.completes(planning.New(w.RawPlanningOptions())) },
			"person plans":    func(*rapid.T) { w.write(w.content() + "\n- [ ] " + w.words() + "\n") },
			"person ticks":    func(*rapid.T) { w.ticks() },
			"base is lost":    func(*rapid.T) { w.losesBase() },
			"somebody reads":  func(*rapid.T) { w.Mirror.Refresh(t.Context(), "ann") },
			"":                func(*rapid.T) {},
		})
		w.agree()
	})
}

// world is a person and an agent at one bank.
type world struct {
	*rapid.T
	*bank
	said map[string]bool
	n    int
	lost bool // the base was, and with it that a person had just taken a line out
}

func newBankIn(t *rapid.T, dir string) *bank {
	b, err := testbank.Open(t.Context(), testbank.Options{Dir: dir, Clock: new(testbank.Clock).Now, Mirror: true})
	if err != nil {
		t.Fatal(err)
	}
	return &bank{Bank: b, path: dir + "/workspaces/ann/MEMORY.md"}
}

func (w *world) words() string {
	w.n++
	words := fmt.Sprintf("Thing %d%s likes colour %d.", w.n, strings.Repeat("x", w.n), w.n*7)
	w.said[words] = true
	return words
}

func (w *world) check(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) saves(s *remember.Service) {
	_, err := s.Save(w.Context(), ann, remember.SaveRequest{Content: w.words(), Pinned: true, Category: "preference"})
	w.check(err)
}

// one returns a live record, or "".
func (w *world) one() string {
	var ids []string
	w.check(w.Store.EachRecord(w.Context(), "ann", func(r memory.Record) error {
		if r.Live() {
			ids = append(ids, r.ID)
		}
		return nil
	}))
	if len(ids) == 0 {
		return ""
	}
	return rapid.SampledFrom(ids).Draw(w.T, "record")
}

func (w *world) updates(s *remember.Service) {
	if id := w.one(); id != "" {
		words := w.words()
		_, err := s.Update(w.Context(), ann, remember.UpdateRequest{ID: id, Content: &words})
		w.check(err)
	}
}

func (w *world) forgets(s *remember.Service) {
	if id := w.one(); id != "" {
		_, err := s.Forget(w.Context(), ann, remember.ForgetRequest{IDs: []string{id}})
		w.check(err)
	}
}

func (w *world) content() string {
	data, err := testfiles.ReadFile(w.path)
	if os.IsNotExist(err) {
		return "# Memory\n"
	}
	w.check(err)
	return string(data)
}

func (w *world) write(content string) {
	w.check(testfiles.MkdirAll(w.path[:strings.LastIndexByte(w.path, '/')], 0o700))
	w.check(testfiles.WriteFile(w.path+"~", []byte(content), 0o600))
	w.check(testfiles.Rename(w.path+"~", w.path))
}

func (w *world) planning() *planning.Service { return planning.New(w.PlanningOptions()) }

func (w *world) plans(s *planning.Service) {
	_, err := s.AddTodo(w.Context(), memory.Scope{Agent: "ann"}, planning.TodoRequest{Title: w.words()})
	w.check(err)
}

// todos returns the titles of to-dos.
func (w *world) todos(status memory.TodoStatus) []memory.Todo {
	all, _, err := w.Store.Todos(w.Context(), "ann", memory.TodoFilter{Status: status}, 1000)
	w.check(err)
	return all
}

func (w *world) completes(s *planning.Service) {
	if open := w.todos(memory.TodoPending); len(open) > 0 {
		_, err := s.CompleteTodo(w.Context(), "ann", rapid.SampledFrom(open).Draw(w.T, "to-do").ID)
		w.check(err)
	}
}

func (w *world) losesBase() {
	_ = testfiles.Remove(strings.TrimSuffix(w.path, "MEMORY.md") + ".mirror.json")
	w.lost = true
}

// ticks ticks a box or clears it, of a line that was seen.
func (w *world) ticks() {
	line := w.bullet()
	lead, words := boxed(line)
	if lead == "- " || !strings.Contains(words, "<!--") {
		return
	}
	other := map[string]string{"- [ ] ": "- [x] ", "- [x] ": "- [ ] "}[lead]
	w.write(strings.Replace(w.content(), line, other+words, 1))
}

// boxed cuts the marker of a list and its box off a line.
func boxed(line string) (lead, words string) {
	for _, lead := range []string{"- [ ] ", "- [x] ", "- "} {
		if rest, ok := strings.CutPrefix(line, lead); ok {
			return lead, rest
		}
	}
	return "", line
}

// bullet returns a line of the file, or "".
func (w *world) bullet() string {
	var list []string
	for line := range strings.Lines(w.content()) {
		if strings.HasPrefix(line, "- ") {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return rapid.SampledFrom(list).Draw(w.T, "line")
}

func (w *world) rewords() {
	if line := w.bullet(); line != "" {
		_, marker, _ := strings.Cut(line, " <!--")
		marked := ""
		if marker != "" {
			marked = " <!--" + strings.TrimSuffix(marker, "\n")
		}
		w.unseen(line)
		lead, words := boxed(line)
		if words, _, _ = strings.Cut(strings.TrimSpace(words), " <!--"); lead != "- " { // to-dos have no history
			delete(w.said, words)
		}
		w.write(strings.Replace(w.content(), line, lead+w.words()+marked+"\n", 1))
	}
}

func (w *world) deletes() {
	if line := w.bullet(); line != "" {
		w.unseen(line)
		w.write(strings.Replace(w.content(), line, "", 1))
	}
}

// unseen forgives the loss of what a person took back before anybody saw it.
func (w *world) unseen(line string) {
	_, words := boxed(strings.TrimSpace(line))
	words, _, _ = strings.Cut(words, " <!--")
	seen := slices.ContainsFunc(w.todos(memory.TodoAll), func(t memory.Todo) bool { return t.Title == words })
	w.check(w.Store.EachRecord(w.Context(), "ann", func(r memory.Record) error {
		seen = seen || r.Content == words
		return nil
	}))
	if !seen {
		delete(w.said, words)
	}
}

func (w *world) adds() { w.write(w.content() + "\n- " + w.words() + "\n") }

// agree is what holds in the end.
func (w *world) agree() {
	w.Mirror.Refresh(w.Context(), "ann")
	w.check(w.Mirror.Complete(w.Context(), "ann"))
	var live []string
	ever, loose := map[string]bool{}, map[string]bool{}
	w.check(w.Store.EachRecord(w.Context(), "ann", func(r memory.Record) error {
		ever[r.Content] = true
		if r.Live() {
			live = append(live, r.Content)
			loose[r.Content] = w.lost && r.CategoryGuessed && !r.Pinned // only a person's line kept it in the file
		}
		return nil
	}))
	done := map[string]bool{}
	for _, t := range w.todos(memory.TodoAll) {
		ever[t.Title] = true
		if done[t.Title] = !t.CompletedAt.IsZero(); !done[t.Title] {
			live = append(live, "to do: "+t.Title)
		}
	}
	var lines []string
	for line := range strings.Lines(w.content()) {
		lead, words := boxed(strings.TrimSpace(line))
		words, _, _ = strings.Cut(words, " <!--")
		switch lead {
		case "- ":
			lines = append(lines, words)
		case "- [ ] ":
			lines = append(lines, "to do: "+words)
		case "- [x] ":
			if !done[words] {
				w.Errorf("%q is ticked and not done", words)
			}
		}
	}
	heldTodos, err := w.Store.TodosByID(w.Context(), "ann", w.left().Held)
	w.check(err)
	for _, t := range heldTodos {
		if t.CompletedAt.IsZero() {
			lines = append(lines, "to do: "+t.Title)
		}
	}
	held, err := w.Store.Records(w.Context(), "ann", w.left().Held)
	w.check(err)
	for _, r := range held {
		if r.Live() {
			lines = append(lines, r.Content)
		}
	}
	live = slices.DeleteFunc(live, func(words string) bool { return loose[words] && !slices.Contains(lines, words) })
	slices.Sort(live)
	slices.Sort(lines)
	if !slices.Equal(live, lines) {
		w.Errorf("the bank holds %q, the file says %q\n%s", live, lines, w.content())
	}
	for words := range w.said {
		if !ever[words] {
			w.Errorf("%q is lost", words)
		}
	}
}
