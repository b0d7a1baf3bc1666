package remember_test

import (
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// in saves something while somebody works on a project.
func (b *bank) in(project, content string, with ...func(*memory.Scope, *remember.SaveRequest)) remember.SaveResult {
	b.t.Helper()
	b.later()
	scope, r := memory.Scope{Agent: "anna", Project: project}, remember.SaveRequest{Content: content}
	for _, change := range with {
		change(&scope, &r)
	}
	result, err := b.Save(b.t.Context(), scope, r)
	if err != nil {
		b.t.Fatal(err)
	}
	if kept := b.record(result.ID); kept.Project != result.Project {
		b.t.Errorf("%q is in %q, the answer says %q", content, kept.Project, result.Project)
	}
	return result
}

const (
	personal = "I'm allergic to penicillin."
	ofWork   = "The nightly build of the parser runs on the CI server at 2."
)

func TestWhoseAMemoryIs(t *testing.T) {
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	closed := func(s *memory.Scope, _ *remember.SaveRequest) { s.Closed = true }
	kind := func(k memory.Kind) func(*memory.Scope, *remember.SaveRequest) {
		return func(_ *memory.Scope, r *remember.SaveRequest) { r.Kind = k }
	}
	for name, c := range map[string]struct {
		how     remember.Scoping
		project string
		content string
		with    []func(*memory.Scope, *remember.SaveRequest)
		want    string
		whose   remember.Whose
	}{
		"about the person": {remember.ScopeAuto, "acme/shop", personal, nil, "", remember.Sure},
		"about the work":   {remember.ScopeAuto, "acme/shop", ofWork, nil, "acme/shop", remember.Sure},
		"experienced by the agent": {remember.ScopeAuto, "acme/shop", personal,
			[]func(*memory.Scope, *remember.SaveRequest){kind(memory.KindLongTerm)}, "", remember.Sure},
		"of no project": {remember.ScopeAuto, "", ofWork, nil, "", remember.Chosen},
		"the project is said": {remember.ScopeAuto, "acme/shop", personal, []func(*memory.Scope, *remember.SaveRequest){chosen},
			"acme/shop", remember.Chosen},
		"of a token for projects": {remember.ScopeAuto, "acme/shop", personal, []func(*memory.Scope, *remember.SaveRequest){closed},
			"acme/shop", remember.Chosen},
		"a kind that is never judged": {remember.ScopeAuto, "acme/shop", personal,
			[]func(*memory.Scope, *remember.SaveRequest){kind(memory.KindEpisode)}, "acme/shop", remember.Chosen},
		"not judged": {remember.ScopeProject, "acme/shop", personal, nil, "acme/shop", remember.Chosen},
		"all global": {remember.ScopeGlobal, "acme/shop", ofWork, nil, "", remember.Chosen},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBankScoping(t, c.how)
			got := b.in(c.project, c.content, c.with...)
			if got.Project != c.want || got.Whose != c.whose || got.Whose != remember.Chosen && got.Otherwise == got.Project {
				t.Errorf("%+v", got)
			}
			batch, err := newBankScoping(t, c.how).
				SaveBatch(t.Context(), memory.Scope{Agent: "anna", Project: c.project, Chosen: len(c.with) > 0},
					[]remember.SaveRequest{{Content: c.content}})
			if err != nil || len(c.with) == 0 && batch[0].Project != c.want {
				t.Errorf("of many: %+v, %v", batch, err)
			}
		})
	}
}

// TestKnownTellsWhose: what is known of a memory says more than its words.
func TestKnownTellsWhose(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	there := b.in("acme/shop", personal, chosen)
	if again := b.in("acme/shop", personal); again.Action != remember.Duplicate || again.ID != there.ID || again.Project != "acme/shop" {
		t.Errorf("said again: %+v", again)
	}
	if elsewhere := b.in("acme/blog", personal); elsewhere.Action != remember.Created || elsewhere.Project != "" {
		t.Errorf("said elsewhere: %+v", elsewhere)
	}
	work := b.in("acme/shop", ofWork)
	corrected := b.in("acme/shop", "I have a cat.", func(_ *memory.Scope, r *remember.SaveRequest) { r.Supersedes = work.ID })
	if corrected.Project != "acme/shop" {
		t.Errorf("a correction: %+v", corrected)
	}
	named := func(_ *memory.Scope, r *remember.SaveRequest) { r.ExternalID = "n1" }
	b.in("acme/shop", "My sister Tove lives in Oslo.", named, chosen)
	if again := b.in("acme/shop", "My sister Tove lives in Bergen.", named); again.Project != "acme/shop" {
		t.Errorf("under its id: %+v", again)
	}
}

// TestForgottenAsTheOthers: what was forgotten where it was kept before it was judged does not come
// back by an import.
func TestForgottenAsTheOthers(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	old := b.in("acme/shop", personal, chosen)
	b.later()
	if _, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{old.ID}}); err != nil {
		t.Fatal(err)
	}
	again, err := b.Save(t.Context(), memory.Scope{Agent: "anna", Project: "acme/shop"},
		remember.SaveRequest{Content: personal, Again: true})
	if err != nil || again.Action != remember.Forgotten {
		t.Errorf("%+v, %v", again, err)
	}
	b.in("acme/shop", "My sister Tove lives in Oslo.", chosen, func(_ *memory.Scope, r *remember.SaveRequest) { r.ExternalID = "n1" })
	follows := b.in("acme/shop", "My sister Tove lives in Bergen.", func(_ *memory.Scope, r *remember.SaveRequest) { r.Follows = "n1" })
	if follows.Project != "acme/shop" {
		t.Errorf("what follows it: %+v", follows)
	}
}

// TestPersonTakesThePlace: what is about the person takes the place of what was kept in the
// project at hand before that was judged, and what is the project's takes nothing from all.
func TestPersonTakesThePlace(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	old := b.in("acme/shop", "I live in Oslo.", chosen)
	moved := b.in("acme/shop", "I moved to Bergen.")
	if moved.Project != "" || moved.Action != remember.Superseded || b.record(old.ID).SupersededBy != moved.ID {
		t.Errorf("%+v; %+v", moved, b.record(old.ID))
	}
	global := b.in("acme/shop", "The database server of the shop is Postgres 15.",
		func(s *memory.Scope, _ *remember.SaveRequest) { s.Project, s.Chosen = "", true })
	if got := b.in("acme/shop", "The database server of the shop is Postgres 17 now."); got.Project != "acme/shop" ||
		!b.record(global.ID).Live() {
		t.Errorf("%+v", got)
	}
}

func TestMove(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	first := b.in("acme/shop", "I live in Oslo.", chosen)
	second := b.in("acme/shop", "I moved to Bergen.", chosen)
	work := b.in("acme/shop", ofWork)
	moved, err := b.Move(t.Context(), anna, []string{first.ID, work.ID, "nosuch"}, "acme/blog")
	if err != nil || len(moved.IDs) != 2 || moved.IDs[0] != second.ID || len(moved.Missing) != 1 || moved.UndoID == "" {
		t.Fatalf("%+v, %v", moved, err)
	}
	for _, id := range []string{first.ID, second.ID, work.ID} {
		if r := b.record(id); r.Project != "acme/blog" {
			t.Errorf("%q is in %q", r.Content, r.Project)
		}
	}
	if again, err := b.Move(t.Context(), anna, []string{work.ID}, "acme/blog"); err != nil || again.UndoID != "" {
		t.Errorf("nothing to move: %+v, %v", again, err)
	}
	closed := anna
	closed.Closed = true
	if told, err := b.Move(t.Context(), closed, []string{work.ID}, "blog"); err != nil || told.Project != "blog" {
		t.Errorf("who is for some projects is told what others there are: %+v, %v", told, err)
	} else if _, err := b.TakeBack(t.Context(), anna, told.UndoID); err != nil {
		t.Fatal(err)
	}
	if open, err := b.Move(t.Context(), anna, []string{work.ID}, "blog"); err != nil || open.Project != "acme/blog" || open.UndoID != "" {
		t.Errorf("by its short name: %+v, %v", open, err)
	}
	if _, err := b.TakeBack(t.Context(), anna, moved.UndoID); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.ID, second.ID, work.ID} {
		if r := b.record(id); r.Project != "acme/shop" {
			t.Errorf("taken back: %q is in %q", r.Content, r.Project)
		}
	}
	for want, f := range map[memory.Code]func() error{
		memory.CodeNotFound:        func() error { _, err := b.Move(t.Context(), anna, []string{"nosuch"}, "p"); return err },
		memory.CodeInvalidArgument: func() error { _, err := b.Move(t.Context(), anna, []string{work.ID}, "*"); return err },
	} {
		if err := f(); memory.CodeOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestUpdateMoves: an update moves a memory with its history, in place and with a new content.
func TestUpdateMoves(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	first := b.in("acme/shop", "I live in Oslo.", chosen)
	second := b.in("acme/shop", "I moved to Bergen.", chosen)
	got, err := b.Update(t.Context(), anna, remember.UpdateRequest{ID: second.ID, Project: ptr("")})
	if err != nil || got.Action != remember.Updated || b.record(first.ID).Project != "" || b.record(second.ID).Project != "" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = b.Update(t.Context(), anna,
		remember.UpdateRequest{ID: second.ID, Project: ptr("acme/blog"), Content: ptr("I moved to Molde.")})
	if err != nil || got.Action != remember.Superseded {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, id := range []string{first.ID, second.ID, got.ID} {
		if r := b.record(id); r.Project != "acme/blog" {
			t.Errorf("%q is in %q", r.Content, r.Project)
		}
	}
	if _, err := b.Update(t.Context(), anna,
		remember.UpdateRequest{ID: second.ID, Project: ptr("*")}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("into all projects: %v", err)
	}
}

func TestPersonal(t *testing.T) {
	b := newBankScoping(t, remember.ScopeAuto)
	chosen := func(s *memory.Scope, _ *remember.SaveRequest) { s.Chosen = true }
	mine := b.in("acme/shop", personal, chosen)
	b.in("acme/shop", ofWork)
	other := b.in("acme/blog", "My daughter Ida was born in 2016.", chosen)
	b.in("", "I hate coriander.")
	for project, want := range map[string][]string{"": {mine.ID, other.ID}, "acme/shop": {mine.ID}, "nosuch": nil} {
		found, err := b.Personal(t.Context(), anna, project)
		if err != nil || len(found) != len(want) {
			t.Errorf("%q: %+v, %v", project, found, err)
		}
	}
}

// TestLocalProject: what was saved in a repository before that had a remote is of the project
// that it is then, and of no repository that has but the same name.
func TestLocalProject(t *testing.T) {
	b := newBank(t)
	work := b.in("local/shop", ofWork)
	if err := b.KnowLocal(t.Context(), "anna", "local/shop", "/src/shop"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AdoptLocal(t.Context(), "anna", "local/shop", "/other/shop", "else/shop"); err != nil ||
		b.record(work.ID).Project != "local/shop" {
		t.Errorf("another repository: %v", err)
	}
	for range 2 {
		if _, err := b.AdoptLocal(t.Context(), "anna", "local/shop", "/src/shop", "acme/shop"); err != nil ||
			b.record(work.ID).Project != "acme/shop" {
			t.Errorf("its remote: %v, %q", err, b.record(work.ID).Project)
		}
	}
	late := b.in("local/shop", "The parser of the shop reads UTF-8.") // by a server that was started before
	if _, err := b.AdoptLocal(t.Context(), "anna", "local/shop", "/src/shop", "acme/shop"); err != nil ||
		b.record(late.ID).Project != "acme/shop" {
		t.Errorf("saved late: %v, %q", err, b.record(late.ID).Project)
	}
	// Two of one name cannot be told apart: nothing is moved.
	both := b.in("local/app", ofWork)
	for _, root := range []string{"/a/app", "/b/app", "/a/app"} {
		if err := b.KnowLocal(t.Context(), "anna", "local/app", root); err != nil {
			t.Fatal(err)
		}
	}
	for _, root := range []string{"/a/app", "/b/app"} {
		if _, err := b.AdoptLocal(t.Context(), "anna", "local/app", root, "acme/app"); err != nil ||
			b.record(both.ID).Project != "local/app" {
			t.Errorf("%s: %v, %q", root, err, b.record(both.ID).Project)
		}
	}
}

// TestNameThatIsMeant: a name is written as it comes to mind.
func TestNameThatIsMeant(t *testing.T) {
	b := newBank(t)
	b.in("acme/shop", ofWork)
	b.in("Nordfracht/Till", ofWork)
	b.in("other/till", ofWork)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		return tx.InsertTodo(memory.Todo{ID: "todo", Agent: "anna", Project: "acme/todos", Title: "Tag the release",
			Priority: memory.PriorityNormal, CreatedAt: b.now})
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"shop": "acme/shop", "Acme/Shop": "acme/shop", "nordfracht/till": "Nordfracht/Till", "acme/todos": "acme/todos", "": "", "*": "*",
	} {
		if got, known, err := b.NamedProject(t.Context(), "anna", name); got != want || !known || err != nil {
			t.Errorf("%q: %q, %t, %v", name, got, known, err)
		}
	}
	if got, known, err := b.NamedProject(t.Context(), "anna", "new"); got != "new" || known || err != nil {
		t.Errorf("a new one: %q, %t, %v", got, known, err)
	}
	if _, _, err := b.NamedProject(t.Context(), "anna", "till"); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("of two: %v", err)
	}
}
