package dbtest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
)

var nameTests = map[string]func(*testing.T, *env){
	"by content":              byContent,
	"by content, live only":   byContentLive,
	"by external id":          byExternalID,
	"an alias":                byAlias,
	"history from any link":   historyOfChain,
	"history of a ring":       historyOfRing,
	"records in their order":  recordsInOrder,
	"salient records come up": salientOrder,
	"counts":                  counts,
}

func byContent(t *testing.T, e *env) {
	e.save(t, nil, e.record("The Ferry leaves  at seven.", func(r *memory.Record) { r.Project = "p" }))
	for _, c := range []struct {
		project string
		kind    memory.Kind
		content string
		found   bool
	}{
		{"p", memory.KindFact, "The Ferry leaves  at seven.", true},
		{"p", memory.KindFact, " the ferry\nleaves AT seven ", true},
		{"p", memory.KindFact, "The ferry leaves at seven", true},
		{"p", memory.KindFact, "The ferry leaves at eight.", false},
		{"p", memory.KindFact, "The ferry leaves at seven!", false},
		{"", memory.KindFact, "The Ferry leaves  at seven.", false},
		{"p", memory.KindSoul, "The Ferry leaves  at seven.", false},
	} {
		e.write(t, func(tx memory.Tx) error {
			r, err := tx.RecordByContent(c.project, c.kind, c.content)
			if (r != nil) != c.found {
				t.Errorf("project %q, kind %s, %q: %v", c.project, c.kind, c.content, r)
			}
			return err
		})
		said, err := e.Said(t.Context(), agent, []string{c.project, "q"}, []memory.Kind{memory.KindDiary, c.kind},
			[]string{"other", c.content})
		if err != nil || len(said) != 2 || said[0] || said[1] != c.found {
			t.Errorf("said in project %q, kind %s, %q: %v, %v", c.project, c.kind, c.content, said, err)
		}
	}
	for name, said := range map[string]func() ([]bool, error){
		"no project": func() ([]bool, error) {
			return e.Said(t.Context(), agent, nil, memory.Kinds(), []string{"The ferry leaves at seven."})
		},
		"another bank": func() ([]bool, error) {
			return e.Said(t.Context(), "bob", []string{"p"}, memory.Kinds(), []string{"The ferry leaves at seven."})
		},
	} {
		if got, err := said(); err != nil || len(got) != 1 || got[0] {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func byContentLive(t *testing.T, e *env) {
	r := e.record("It is so.")
	e.save(t, nil, r)
	for name, edit := range map[string]func(*memory.Record){
		"archived":   func(r *memory.Record) { r.ArchivedAt = start },
		"superseded": func(r *memory.Record) { r.SupersededBy, r.SupersededAt = "newer", start },
	} {
		e.write(t, func(tx memory.Tx) error {
			gone := r
			edit(&gone)
			if err := tx.UpdateRecord(gone); err != nil {
				return err
			}
			if same, err := tx.RecordByContent("", r.Kind, r.Content); same != nil || err != nil {
				t.Errorf("%s: %v, %v", name, same, err)
			}
			return nil
		})
		if said, err := e.Said(t.Context(), agent, []string{""}, []memory.Kind{r.Kind}, []string{r.Content}); err != nil || said[0] {
			t.Errorf("%s: said %v, %v", name, said, err)
		}
		e.write(t, func(tx memory.Tx) error {
			if err := tx.UpdateRecord(r); err != nil { // and back
				return err
			}
			same, err := tx.RecordByContent("", r.Kind, r.Content)
			if same == nil || same.ID != r.ID {
				t.Errorf("not found after it came back: %v", same)
			}
			return err
		})
	}
}

func byExternalID(t *testing.T, e *env) {
	first := e.record("first", func(r *memory.Record) { r.ExternalID = "doc#1" })
	e.save(t, nil, first)
	second := e.record("second", func(r *memory.Record) { r.ExternalID, r.Supersedes = "doc#1", first.ID })
	e.write(t, func(tx memory.Tx) error {
		if r, err := tx.RecordByExternalID("doc#1"); err != nil || r == nil || r.ID != first.ID {
			t.Errorf("before: %v, %v", r, err)
		}
		if r, err := tx.RecordByExternalID("doc"); r != nil || err != nil {
			t.Errorf("an unknown name: %v, %v", r, err)
		}
		if err := tx.InsertRecord(second, nil); err != nil {
			return err
		}
		first.SupersededBy = second.ID
		if err := tx.UpdateRecord(first); err != nil {
			return err
		}
		r, err := tx.RecordByExternalID("doc#1")
		if r == nil || r.ID != second.ID {
			t.Errorf("the newest is %v", r)
		}
		return err
	})
	e.write(t, func(tx memory.Tx) error {
		if err := tx.EraseRecord(second.ID); err != nil {
			return err
		}
		r, err := tx.RecordByExternalID("doc#1")
		if r != nil {
			t.Errorf("the name of what was erased: %v", r)
		}
		return err
	})
}

func byAlias(t *testing.T, e *env) {
	r := e.record("one thing", func(r *memory.Record) { r.ExternalID = "a" })
	e.save(t, nil, r)
	e.write(t, func(tx memory.Tx) error { return tx.NameRecord("b", r.ID) })
	e.write(t, func(tx memory.Tx) error {
		for _, name := range []string{"a", "b"} {
			got, err := tx.RecordByExternalID(name)
			if err != nil || got == nil || got.ID != r.ID || got.ExternalID != "a" {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		return nil
	})
	for who, want := range map[string][]string{agent: {"b " + r.ID}, "nobody": nil} {
		var got []string
		err := e.EachAlias(t.Context(), who, func(externalID, id string) error {
			got = append(got, externalID+" "+id)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("aliases of %s: %v, %v, want %v", who, got, err, want)
		}
	}
}

// chain stores n records of which each corrects the one before.
func chain(t *testing.T, e *env, n int) []memory.Record {
	links := make([]memory.Record, n)
	for i := range links {
		links[i] = e.record(fmt.Sprint("version ", i))
	}
	for i := range links {
		if i > 0 {
			links[i].Supersedes = links[i-1].ID
		}
		if i < n-1 {
			links[i].SupersededBy, links[i].SupersededAt = links[i+1].ID, links[i+1].CreatedAt
		}
	}
	e.save(t, nil, links...)
	return links
}

func historyOfChain(t *testing.T, e *env) {
	e.save(t, nil, e.record("unrelated"))
	links := chain(t, e, 5)
	for _, from := range links {
		got, err := e.History(t.Context(), agent, from.ID)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "History from "+from.Content, got, links)
	}
	if got, err := e.History(t.Context(), agent, "nothing"); len(got) != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func historyOfRing(t *testing.T, e *env) {
	links := chain(t, e, 3)
	links[2].SupersededBy, links[0].Supersedes = links[0].ID, links[2].ID
	e.write(t, func(tx memory.Tx) error {
		if err := tx.UpdateRecord(links[2]); err != nil {
			return err
		}
		return tx.UpdateRecord(links[0])
	})
	got, err := e.History(t.Context(), agent, links[1].ID)
	if err != nil || len(got) != 3 {
		t.Errorf("%d links, %v", len(got), err)
	}
}

func recordsInOrder(t *testing.T, e *env) {
	a, b, c := e.record("a"), e.record("b"), e.record("c")
	e.save(t, nil, a, b, c)
	got, err := e.Records(t.Context(), agent, []string{c.ID, "missing", a.ID, b.ID})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "Records", got, []memory.Record{c, a, b})
	if got, err := e.Records(t.Context(), agent, nil); len(got) != 0 || err != nil {
		t.Errorf("of no id: %v, %v", got, err)
	}
}

func salientOrder(t *testing.T, e *env) {
	one := func(content string, edit func(*memory.Record)) memory.Record { return e.record(content, edit) }
	e.save(t, nil,
		one("plain", func(*memory.Record) {}),
		one("important", func(r *memory.Record) { r.Importance = 0.9 }),
		one("pinned", func(r *memory.Record) { r.Pinned = true }),
		one("recalled", func(r *memory.Record) { r.AccessCount = 50 }),
		one("archived", func(r *memory.Record) { r.Importance, r.ArchivedAt = 1, start }),
		one("superseded", func(r *memory.Record) { r.Importance, r.SupersededBy = 1, "x" }),
		one("of p", func(r *memory.Record) { r.Importance, r.Project = 1, "p" }),
		one("of q", func(r *memory.Record) { r.Importance, r.Project = 1, "q" }),
		one("over", func(r *memory.Record) { r.Pinned, r.Importance, r.ValidUntil = true, 1, start }),
		one("to come", func(r *memory.Record) {
			r.Pinned, r.Importance, r.ValidFrom = true, 1, start.Add(time.Microsecond)
		}),
		one("from now", func(r *memory.Record) { r.Project, r.Pinned, r.ValidFrom = "r", true, start }),
	)
	for _, c := range []struct {
		project string
		limit   int
		want    []string
	}{
		{"", 10, []string{"pinned", "important", "recalled", "plain"}},
		{"", 2, []string{"pinned", "important"}},
		{"p", 3, []string{"pinned", "of p", "important"}},
		{"p", 10, []string{"pinned", "of p", "important", "recalled", "plain"}},
		{"r", 2, []string{"pinned", "from now"}},
		{"nobody's", 2, []string{"pinned", "important"}},
		{memory.AllProjects, 10, []string{"pinned", "from now", "of p", "of q", "important", "recalled", "plain"}},
		{memory.AllProjects, 4, []string{"pinned", "from now", "of p", "of q"}},
		{memory.AllProjects, 0, nil},
	} {
		got, err := e.Salient(t.Context(), memory.Scope{Agent: agent, Project: c.project}, start, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range got {
			names = append(names, r.Content)
		}
		if fmt.Sprint(names) != fmt.Sprint(c.want) {
			t.Errorf("project %q, %d: %v, want %v", c.project, c.limit, names, c.want)
		}
	}
	for project, want := range map[string]string{"p": "of p", "q": "of q"} {
		got, err := e.Salient(t.Context(), memory.Scope{Agent: agent, Project: project, Closed: true}, start, 5)
		if err != nil || len(got) != 1 || got[0].Content != want {
			t.Errorf("of project %q alone: %v, %v", project, got, err)
		}
	}
}

func counts(t *testing.T, e *env) {
	set := func(edit func(*memory.Record)) memory.Record { return e.record("x", edit) }
	e.save(t, towards(1),
		set(func(r *memory.Record) { r.Category = "goal" }),
		set(func(r *memory.Record) { r.Kind, r.Project = memory.KindSoul, "p" }),
		set(func(r *memory.Record) { r.ArchivedAt = start }),
		set(func(r *memory.Record) { r.SupersededBy = "y" }),
		set(func(r *memory.Record) { r.SupersededBy, r.ArchivedAt = "y", start }))
	e.save(t, nil, e.record("waits"))
	e.save(t, nil, e.record("of bob", func(r *memory.Record) { r.Agent = "bob" }))
	e.say(t, e.turn("a"), e.turn("b"), e.turn("c", func(t *memory.Turn) { t.Session = "s2" }))
	got, err := e.Stats(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	if got.DatabaseBytes <= 0 || got.SchemaVersion <= 0 {
		t.Errorf("size %d, schema version %d", got.DatabaseBytes, got.SchemaVersion)
	}
	got.DatabaseBytes, got.SchemaVersion = 0, 0
	want := memory.Stats{
		Agent: agent, Records: 3, Archived: 2, Superseded: 1, Turns: 3, Sessions: 2,
		ByKind: map[string]int{"fact": 2, "soul": 1}, ByCategory: map[string]int{"goal": 1, "other": 2},
		ByProject: map[string]int{"": 2, "p": 1}, Embedder: Fingerprint.String(), Vectors: 5, VectorsQueued: 4,
	}
	if asJSON(got) != asJSON(want) {
		t.Errorf("got  %s\nwant %s", asJSON(got), asJSON(want))
	}
	for kind, n := range map[memory.Kind]int{memory.KindFact: 2, memory.KindSoul: 1, memory.KindDiary: 0} {
		if got, err := e.CountRecords(t.Context(), agent, kind); got != n || err != nil {
			t.Errorf("%d of kind %s, %v; want %d", got, kind, err, n)
		}
	}
	if backlog, err := e.VectorBacklog(t.Context()); backlog != 5 || err != nil {
		t.Errorf("backlog of all banks is %d, %v; want 5", backlog, err)
	}
	empty, err := e.Stats(t.Context(), "nobody")
	if err != nil || empty.Records+empty.Turns+empty.Vectors+empty.VectorsQueued != 0 {
		t.Errorf("of an unknown agent: %+v, %v", empty, err)
	}
}
