package dbtest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"mcp-memory/memory"
)

var logTests = map[string]func(*testing.T, *env){
	"newest first":     changesNewestFirst,
	"ids by beginning": idsByBeginning,
}

// changesNewestFirst reads changes in pages, newest first. The steps of a change are counted with
// it, and changes of other banks are not listed.
func changesNewestFirst(t *testing.T, e *env) {
	keep := func(who string, undos ...memory.Undo) {
		t.Helper()
		err := e.Write(t.Context(), who, func(tx memory.Tx) error {
			for i, u := range undos {
				u.At = day(i)
				if err := tx.KeepUndo(u); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	keep(agent,
		memory.Undo{ID: "0a-1", Action: "save", Records: []string{"r"}},
		memory.Undo{ID: "0b-1", Action: "import step", Records: []string{"s", "t"}},
		memory.Undo{ID: "0b-1/1", Action: "import step", Records: []string{"u"}},
		memory.Undo{ID: "0b-1/10", Action: "import step", Records: []string{"v", "w"}},
		memory.Undo{ID: "0b-10", Action: "forget"},
	)
	keep("bob", memory.Undo{ID: "0b-2", Action: "save"})
	e.write(t, func(tx memory.Tx) error { return tx.MarkUndone("0a-1", day(9)) })

	want := []memory.Logged{
		{ID: "0b-10", Action: "forget", At: day(4)},
		{ID: "0b-1", Action: "import step", Records: []string{"s", "t"}, Count: 5, At: day(1)},
		{ID: "0a-1", Action: "save", Records: []string{"r"}, Count: 1, At: day(0), UndoneAt: day(9)},
	}
	var got []memory.Logged
	for before := ""; ; {
		page, err := e.Log(t.Context(), agent, before, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, one := range page {
			if len(one.Records) == 0 {
				one.Records = nil
			}
			got = append(got, one)
		}
		before = page[len(page)-1].ID
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("log\n%+v\nwant\n%+v", got, want)
	}
	if all, err := e.Log(t.Context(), agent, "", 10); len(all) != 3 || err != nil {
		t.Errorf("in one page: %+v, %v", all, err)
	}
}

func idsByBeginning(t *testing.T, e *env) {
	var ids []string
	for _, content := range []string{"one", "two", "three"} {
		r := e.record(content)
		ids = append(ids, r.ID)
		e.write(t, func(tx memory.Tx) error { return tx.InsertRecord(r, nil) })
	}
	e.write(t, func(tx memory.Tx) error {
		return errors.Join(tx.KeepUndo(memory.Undo{ID: ids[1], Action: "save", Records: ids[1:2], At: start}),
			tx.KeepUndo(memory.Undo{ID: ids[1] + memory.StepSign + "1", Action: "save", At: start}))
	})
	for _, c := range []struct {
		of     memory.IDsOf
		prefix string
		limit  int
		want   []string
	}{
		{memory.IDsOfRecords, "", 10, ids},
		{memory.IDsOfRecords, "", 2, ids[:2]},
		{memory.IDsOfRecords, ids[2], 10, ids[2:]},
		{memory.IDsOfRecords, ids[0][:35], 10, ids[:1]},
		{memory.IDsOfRecords, "zz", 10, nil},
		{memory.IDsOfRecords, "%", 10, nil},
		{memory.IDsOfChanges, ids[1][:8], 10, ids[1:2]},
	} {
		got, err := e.IDs(t.Context(), agent, c.of, c.prefix, c.limit)
		if err != nil || len(got) != len(c.want) || len(got) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %q: %q, %v, want %q", c.of, c.prefix, got, err, c.want)
		}
	}
	for _, c := range []struct {
		of        memory.IDsOf
		ids, want []string
	}{
		{memory.IDsOfRecords, ids, []string{ids[0], ids[1], ids[1], ids[2]}},
		{memory.IDsOfRecords, ids[:1], ids[1:2]},
		{memory.IDsOfRecords, []string{"zz", "0"}, []string{ids[0], ids[2]}},
		{memory.IDsOfChanges, ids[:1], ids[1:2]},
		{memory.IDsOfChanges, ids[1:2], nil},
		{memory.IDsOfTodos, ids, nil},
		{memory.IDsOfRecords, nil, nil},
	} {
		got, err := e.IDsBeside(t.Context(), agent, c.of, c.ids)
		if slices.Sort(got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("beside %s %q: %q, %v, want %q", c.of, c.ids, got, err, c.want)
		}
	}
	if got, err := e.IDsBeside(t.Context(), "bob", memory.IDsOfRecords, ids); len(got) > 0 || err != nil {
		t.Errorf("beside them in another bank: %q, %v", got, err)
	}
	if got, err := e.IDs(t.Context(), "bob", memory.IDsOfRecords, "", 10); len(got) > 0 || err != nil {
		t.Errorf("another bank has %q, %v", got, err)
	}
}
