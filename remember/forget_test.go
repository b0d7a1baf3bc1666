package remember_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (b *bank) forget(f remember.ForgetRequest) remember.ForgetResult {
	b.t.Helper()
	got, err := b.Forget(b.t.Context(), anna, f)
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

func TestForgetAndUndo(t *testing.T) {
	b := newBank(t)
	oboe, tuba := b.say("Anna plays the oboe."), b.say("Anna plays the tuba.")
	got := b.forget(remember.ForgetRequest{IDs: []string{oboe.ID, "nobody", oboe.ID}, Reason: "she stopped"})
	if got.Forgotten != 1 || fmt.Sprint(got.IDs) != "["+oboe.ID+"]" || fmt.Sprint(got.Missing) != "[nobody]" || got.UndoID == "" {
		t.Fatalf("%+v", got)
	}
	r := b.record(oboe.ID)
	if !r.ArchivedAt.Equal(start) || r.ArchiveWhy != "she stopped" || !b.record(tuba.ID).ArchivedAt.IsZero() {
		t.Errorf("%+v", r)
	}
	if found := b.search("oboe", memory.Filter{}); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	_, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{oboe.ID}})
	wantCode(t, err, memory.CodeNotFound) // it is forgotten already

	_, err = b.Forget(t.Context(), boris, remember.ForgetRequest{Undo: got.UndoID})
	wantCode(t, err, memory.CodeNotFound)
	back := b.forget(remember.ForgetRequest{Undo: got.UndoID})
	if back.Forgotten != 0 || fmt.Sprint(back.IDs) != "["+oboe.ID+"]" {
		t.Errorf("%+v", back)
	}
	if r := b.record(oboe.ID); !r.Live() || r.ArchiveWhy != "" || len(b.search("oboe", memory.Filter{})) != 1 {
		t.Errorf("%+v", r)
	}
	_, err = b.Forget(t.Context(), anna, remember.ForgetRequest{Undo: got.UndoID})
	wantCode(t, err, memory.CodeConflict)
}

func TestUndoOfWhatWasErasedSince(t *testing.T) {
	b := newBank(t)
	oboe, tuba := b.say("Anna plays the oboe."), b.say("Anna plays the tuba.")
	got := b.forget(remember.ForgetRequest{Query: "plays"})
	b.forget(remember.ForgetRequest{IDs: []string{oboe.ID}, Permanent: true, Confirm: true})
	back := b.forget(remember.ForgetRequest{Undo: got.UndoID})
	if fmt.Sprint(back.IDs) != "["+tuba.ID+"]" || fmt.Sprint(back.Missing) != "["+oboe.ID+"]" {
		t.Errorf("%+v", back)
	}
}

func TestForgetByQueryAndProject(t *testing.T) {
	b := newBank(t)
	project := memory.Scope{Agent: "anna", Project: "p"}
	there, err := b.Save(t.Context(), project, remember.SaveRequest{Content: "The cats of the project sleep."})
	if err != nil {
		t.Fatal(err)
	}
	global, other := b.say("A cat sleeps."), b.say("A dog sleeps.")
	for name, c := range map[string]struct {
		scope   memory.Scope
		request remember.ForgetRequest
		want    []string
	}{
		"every word, inflected":    {anna, remember.ForgetRequest{Query: "cats sleeping"}, []string{global.ID}},
		"the project and the rest": {project, remember.ForgetRequest{Query: "cat"}, []string{there.ID, global.ID}},
		"only the project":         {project, remember.ForgetRequest{Query: "cat", Project: ptr("p")}, []string{there.ID}},
		"a whole project":          {anna, remember.ForgetRequest{Project: ptr("p")}, []string{there.ID}},
		"its name in blanks":       {anna, remember.ForgetRequest{Project: ptr(" p ")}, []string{there.ID}},
		"only what is global":      {project, remember.ForgetRequest{Query: "cat", Project: ptr("")}, []string{global.ID}},
		"ids, and no project": {anna, remember.ForgetRequest{IDs: []string{there.ID, other.ID}, Project: ptr("")},
			[]string{there.ID, other.ID}},
		"every project": {anna, remember.ForgetRequest{Query: "cat", Project: ptr(memory.AllProjects)},
			[]string{there.ID, global.ID}},
		"nothing":                     {anna, remember.ForgetRequest{Query: "giraffe"}, nil},
		"query syntax is not a query": {anna, remember.ForgetRequest{Query: `"cat" AND sleep*`}, []string{global.ID}},
		"ids of the project": {anna, remember.ForgetRequest{IDs: []string{there.ID, global.ID}, Project: ptr("p")},
			[]string{there.ID}},
		"another agent": {boris, remember.ForgetRequest{Query: "cat"}, nil},
	} {
		c.request.DryRun = true
		got, err := b.Forget(t.Context(), c.scope, c.request)
		slices.Sort(got.IDs)
		slices.Sort(c.want)
		if err != nil || !slices.Equal(got.IDs, c.want) || got.Forgotten != len(c.want) || got.UndoID != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, r := range b.records() {
		if !r.Live() {
			t.Errorf("a dry run forgot %q", r.Content)
		}
	}
}

func TestErase(t *testing.T) {
	b := newBank(t)
	saved := b.save(remember.SaveRequest{Content: "The pin is 4711.", ExternalID: "pin"})
	b.forget(remember.ForgetRequest{IDs: []string{saved.ID}}) // what is archived can be erased
	_, err := b.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{saved.ID}, Permanent: true})
	wantCode(t, err, memory.CodeInvalidArgument)
	if got := b.forget(remember.ForgetRequest{IDs: []string{saved.ID}, Permanent: true, DryRun: true}); got.Forgotten != 1 ||
		len(b.records()) != 1 {
		t.Errorf("dry run: %+v", got)
	}
	got := b.forget(remember.ForgetRequest{IDs: []string{saved.ID}, Permanent: true, Confirm: true})
	if got.Forgotten != 1 || got.UndoID != "" {
		t.Errorf("%+v", got)
	}
	everything := memory.Filter{Agent: "anna", IncludeArchived: true, IncludeSuperseded: true}
	found := b.search("pin", everything)
	parts, err := b.store.MatchSubstrings(t.Context(), memory.Memories, everything, []string{"4711"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if stats, err := b.store.Stats(t.Context(), "anna"); err != nil || len(found)+len(parts)+stats.Vectors+stats.Archived > 0 {
		t.Errorf("found %q and %v, %+v, %v", found, parts, stats, err)
	}
	if again := b.save(remember.SaveRequest{Content: "The pin is 4711.", ExternalID: "pin"}); again.Action != remember.Created {
		t.Errorf("saved again: %+v", again)
	}
}

func TestForgetRefuses(t *testing.T) {
	b := newBank(t)
	saved := b.say("Anna plays the oboe.")
	ids := []string{saved.ID}
	for name, c := range map[string]struct {
		request remember.ForgetRequest
		code    memory.Code
	}{
		"nothing named":        {remember.ForgetRequest{}, memory.CodeInvalidArgument},
		"an empty project":     {remember.ForgetRequest{Project: ptr(""), Permanent: true, Confirm: true}, memory.CodeInvalidArgument},
		"a blank project":      {remember.ForgetRequest{Project: ptr(" ")}, memory.CodeInvalidArgument},
		"two ways":             {remember.ForgetRequest{IDs: ids, Query: "oboe"}, memory.CodeInvalidArgument},
		"only stop characters": {remember.ForgetRequest{Query: "?!"}, memory.CodeInvalidArgument},
		"101 ids":              {remember.ForgetRequest{IDs: manyTags(101)}, memory.CodeInvalidArgument},
		"a long query":         {remember.ForgetRequest{Query: string(make([]byte, memory.MaxQueryBytes+1))}, memory.CodeTooLarge},
		"a reason of bytes":    {remember.ForgetRequest{IDs: ids, Reason: "\xff"}, memory.CodeInvalidArgument},
		"unknown ids":          {remember.ForgetRequest{IDs: []string{"x", "y"}}, memory.CodeNotFound},
		"an unknown undo":      {remember.ForgetRequest{Undo: "x"}, memory.CodeNotFound},
		"a dry undo":           {remember.ForgetRequest{Undo: "x", DryRun: true}, memory.CodeInvalidArgument},
	} {
		if _, err := b.Forget(t.Context(), anna, c.request); memory.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.Forget(t.Context(), boris, remember.ForgetRequest{IDs: ids})
	wantCode(t, err, memory.CodeNotFound)
	if !b.record(saved.ID).Live() {
		t.Error("forgotten all the same")
	}
}

// A whole project goes at once only if somebody has said so, or seen it.
func TestForgetALargeProject(t *testing.T) {
	b := newBank(t)
	shop := memory.Scope{Agent: "anna", Session: "s"}
	save := func(i int) {
		t.Helper()
		_, err := b.Save(t.Context(), memory.Scope{Agent: "anna", Project: "p"},
			remember.SaveRequest{Content: fmt.Sprintf("Shelf %d is made of oak.", i)})
		if err != nil {
			t.Fatal(err)
		}
	}
	forget := func(scope memory.Scope, f remember.ForgetRequest) (int, error) {
		got, err := b.Forget(t.Context(), scope, f)
		return got.Forgotten, err
	}
	for i := range 21 {
		save(i)
	}
	whole := remember.ForgetRequest{Project: ptr("p")}
	_, err := forget(shop, whole)
	wantCode(t, err, memory.CodeInvalidArgument)
	seen := whole
	seen.DryRun = true
	if n, err := forget(shop, seen); n != 21 || err != nil {
		t.Fatalf("dry run: %d, %v", n, err)
	}
	_, err = forget(memory.Scope{Agent: "anna", Session: "another"}, whole)
	wantCode(t, err, memory.CodeInvalidArgument)
	save(21) // now it is not what was shown
	_, err = forget(shop, whole)
	wantCode(t, err, memory.CodeInvalidArgument)
	if _, err := forget(shop, seen); err != nil {
		t.Fatal(err)
	}
	erase := whole
	erase.Permanent = true // is confirmed by itself, whatever was shown
	_, err = forget(shop, erase)
	wantCode(t, err, memory.CodeInvalidArgument)
	b.now = b.now.Add(time.Hour)
	_, err = forget(shop, whole)
	wantCode(t, err, memory.CodeInvalidArgument)
	if _, err := forget(shop, seen); err != nil {
		t.Fatal(err)
	}
	if n, err := forget(shop, whole); n != 22 || err != nil {
		t.Errorf("after a dry run: %d, %v", n, err)
	}
	for i := range 21 {
		save(i)
	}
	confirmed := whole
	confirmed.Confirm = true
	if n, err := forget(shop, confirmed); n != 21 || err != nil {
		t.Errorf("confirmed: %d, %v", n, err)
	}
	for i := range 20 {
		save(i)
	}
	if n, err := forget(shop, whole); n != 20 || err != nil {
		t.Errorf("a small one: %d, %v", n, err)
	}
}

// What was corrected is forgotten as it is named; the answer says that a later
// version still holds.
func TestForgetNamesLaterVersions(t *testing.T) {
	b := newBank(t)
	first := b.say("The locker of Anna is number 12.")
	second := b.save(remember.SaveRequest{Content: "The locker of Anna is number 14.", Supersedes: first.ID})
	third := b.save(remember.SaveRequest{Content: "The locker of Anna is number 19.", Supersedes: second.ID})
	want := []remember.Later{{ID: third.ID, Content: "The locker of Anna is number 19."}}
	for _, f := range []remember.ForgetRequest{{IDs: []string{first.ID, second.ID}, DryRun: true}, {IDs: []string{first.ID}}} {
		got := b.forget(f)
		if !slices.Equal(got.Later, want) {
			t.Errorf("%+v: %+v", f, got)
		}
	}
	if got := b.forget(remember.ForgetRequest{IDs: []string{second.ID, third.ID}}); len(got.Later) > 0 || got.Forgotten != 2 {
		t.Errorf("all of it: %+v", got)
	}
	fourth := b.say("Anna's bike is red.")
	fifth := b.save(remember.SaveRequest{Content: "Anna's bike is blue.", Supersedes: fourth.ID})
	got := b.forget(remember.ForgetRequest{IDs: []string{fourth.ID}, Permanent: true, Confirm: true})
	if len(got.Later) != 1 || got.Later[0].ID != fifth.ID || !b.record(fifth.ID).Live() {
		t.Errorf("erased: %+v", got)
	}
}
