package dbtest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/memory"
)

var countTests = map[string]func(*testing.T, *env){
	"exact after any writes": exactCounts,
	"nothing after a bank":   countsOfErased,
}

// exactCounts makes random changes to what records are counted by, and compares the counts of Stats
// with the records.
func exactCounts(t *testing.T, e *env) {
	banks := 0
	rapid.Check(t, func(rt *rapid.T) {
		banks++
		who := fmt.Sprint("counted ", banks)
		var ids []string
		for range rapid.IntRange(1, 4).Draw(rt, "transactions") {
			fails := rapid.IntRange(0, 4).Draw(rt, "fails") == 0
			pending := slices.Clone(ids)
			err := e.Write(t.Context(), who, func(tx memory.Tx) error {
				for range rapid.IntRange(1, 6).Draw(rt, "writes") {
					if err := e.anyChange(rt, tx, who, &pending); err != nil {
						return err
					}
				}
				if fails {
					return errFails
				}
				return nil
			})
			if fails != (err == errFails) {
				rt.Fatal(err)
			}
			if !fails {
				ids = pending
			}
			e.checkCounts(rt, who)
		}
	})
}

var countedProjects = []string{"", "shop", "north"}

// anyChange makes one random change that affects the counts.
func (e *env) anyChange(rt *rapid.T, tx memory.Tx, who string, ids *[]string) error {
	what := rapid.SampledFrom([]string{"insert", "insert", "insert", "erase", "archive", "supersede", "hold", "category", "project",
		"merge"}).Draw(rt, "what")
	project := rapid.SampledFrom(countedProjects).Draw(rt, "project")
	category := rapid.SampledFrom([]string{"goal", "social", "other"}).Draw(rt, "category")
	if what == "insert" {
		r := e.record("A ferry leaves the harbour.", func(r *memory.Record) { r.Agent, r.Project, r.Category = who, project, category })
		r.Kind = rapid.SampledFrom([]memory.Kind{memory.KindFact, memory.KindLongTerm}).Draw(rt, "kind")
		*ids = append(*ids, r.ID)
		return tx.InsertRecord(r, nil)
	}
	if what == "merge" {
		_, err := tx.MoveProject("shop", "north", nil)
		return err
	}
	if len(*ids) == 0 {
		return nil
	}
	at := rapid.IntRange(0, len(*ids)-1).Draw(rt, "which")
	r, err := tx.Record((*ids)[at])
	if err != nil {
		return err
	}
	switch what {
	case "erase":
		*ids = slices.Delete(*ids, at, at+1)
		return tx.EraseRecord(r.ID)
	case "archive":
		r.ArchivedAt = e.clock()
	case "supersede":
		r.SupersededBy, r.SupersededAt = (*ids)[0], e.clock()
	case "hold":
		r.ArchivedAt, r.SupersededBy, r.SupersededAt = r.OccurredAt, "", r.OccurredAt
	case "category":
		r.Category = category
	case "project":
		r.Project = project
	}
	return tx.UpdateRecord(r)
}

// checkCounts compares the statistics of a bank with its records.
func (e *env) checkCounts(rt *rapid.T, who string) {
	want := memory.Stats{ByKind: map[string]int{}, ByCategory: map[string]int{}, ByProject: map[string]int{}}
	err := e.EachRecord(rt.Context(), who, func(r memory.Record) error {
		switch {
		case !r.ArchivedAt.IsZero():
			want.Archived++
		case r.SupersededBy != "":
			want.Superseded++
		default:
			want.Records++
			want.ByKind[string(r.Kind)]++
			want.ByCategory[r.Category]++
			want.ByProject[r.Project]++
		}
		return nil
	})
	if err != nil {
		rt.Fatal(err)
	}
	got, err := e.Stats(rt.Context(), who)
	if err != nil {
		rt.Fatal(err)
	}
	if got.Records != want.Records || got.Archived != want.Archived || got.Superseded != want.Superseded ||
		!maps.Equal(got.ByKind, want.ByKind) || !maps.Equal(got.ByCategory, want.ByCategory) || !maps.Equal(got.ByProject, want.ByProject) {
		rt.Fatalf("\n got %+v\nwant %+v", got, want)
	}
	if n, err := e.CountRecords(rt.Context(), who, memory.KindFact); err != nil || n != want.ByKind[string(memory.KindFact)] {
		rt.Fatalf("%d facts, %v, want %d", n, err, want.ByKind[string(memory.KindFact)])
	}
}

// countsOfErased erases a bank, and saves into it again.
func countsOfErased(t *testing.T, e *env) {
	e.save(t, towards(1), e.record("harbour"), e.record("ferry"))
	e.save(t, towards(1), e.record("another's", func(r *memory.Record) { r.Agent = "bob" }))
	e.say(t, e.turn("hello"))
	check := func(who string, records, turns, vectors int) {
		t.Helper()
		got, err := e.Stats(t.Context(), who)
		if err != nil || got.Records != records || got.Turns != turns || got.Vectors != vectors {
			t.Errorf("%s: %+v, %v", who, got, err)
		}
	}
	check(agent, 2, 1, 2)
	e.write(t, func(tx memory.Tx) error {
		if err := tx.InsertRecord(e.record("of the same transaction"), nil); err != nil {
			return err
		}
		return tx.EraseBank()
	})
	check(agent, 0, 0, 0)
	check("bob", 1, 0, 1)
	e.save(t, nil, e.record("begun anew"))
	check(agent, 1, 0, 0)
}
