package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// plan returns the steps of a query as EXPLAIN QUERY PLAN words them.
func plan(t *testing.T, s *Store, query string, args ...any) []string {
	t.Helper()
	rows, err := s.read.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
	if err != nil {
		t.Fatalf("%v in %s", err, query)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	return steps
}

// planStore has enough in it that a wrong plan would look tempting.
func planStore(t *testing.T) *Store {
	s := newStore(t, 8)
	words := newLexicon(2)
	var records []memory.Record
	var turns []memory.Turn
	for i := range 200 {
		records = append(records, fact("ann", words.sentence(60)))
		turns = append(turns, memory.Turn{
			ID: ids.New(), Agent: "ann", Session: "s", Content: words.sentence(60),
			ExternalID: fmt.Sprint(i), SaidAt: start, CreatedAt: start,
		})
	}
	insert(t, s, nil, records...)
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error { _, err := tx.InsertTurns(turns, nil); return err })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.writer.script(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	return s
}

var planFilters = map[string]memory.Filter{
	"all":     {Agent: "ann"},
	"project": {Agent: "ann", Projects: []string{"", "p"}},
	"narrow": {
		Agent: "ann", Kinds: []memory.Kind{memory.KindFact}, Categories: []string{"goal"}, Tags: []string{"x"}, Link: "l",
		Session: "s", Speaker: "bo", Since: start, Until: start, AsOf: start, KnownAt: start,
	},
}

// TestPlanOfMatch: the text index is outermost and gets the bank's range of
// rowids (the > and < behind its match), so that no posting of another bank is
// read; documents are looked up one by one.
func TestPlanOfMatch(t *testing.T) {
	s := planStore(t)
	for _, c := range memory.Corpora() {
		for _, index := range []string{"_words", "_parts"} {
			for name, f := range planFilters {
				w, err := s.where(t.Context(), c, f)
				if err != nil {
					t.Fatal(err)
				}
				steps := plan(t, s, matchSQL(c, index, w), append(append([]any{`"x"`, w.low + 1, w.high}, w.Args...), 10)...)
				fts := string(c) + index
				if !strings.HasPrefix(steps[0], "SCAN "+fts+" VIRTUAL TABLE INDEX ") || !strings.HasSuffix(steps[0], ":M1><") {
					t.Errorf("%s, %s: the outermost step is %q", fts, name, steps[0])
				}
				if steps[1] != "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)" {
					t.Errorf("%s, %s: the second step is %q", fts, name, steps[1])
				}
			}
		}
	}
}

// TestPlanOfNearest: a narrow filter chooses the documents before the vectors
// are compared; another looks at what was found.
func TestPlanOfNearest(t *testing.T) {
	s := planStore(t)
	for _, c := range memory.Corpora() {
		for name, f := range planFilters {
			for _, narrow := range []bool{false, true} {
				w, err := s.where(t.Context(), c, f)
				if err != nil {
					t.Fatal(err)
				}
				query, args := nearestSQL(s.vector, c, w, narrow)
				steps := plan(t, s, query, append([]any{rows.Floats(make([]float32, 8)), make([]byte, 8), 10, 1}, args...)...)
				all := strings.Join(steps, "\n")
				inside := strings.Contains(all, "LIST SUBQUERY") &&
					strings.Contains(all, "SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
				after := strings.Contains(all, "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)")
				if len(w.List) == 0 {
					inside, after = narrow, !narrow // nothing to apply
				}
				if !strings.Contains(all, "SCAN v VIRTUAL TABLE INDEX ") || inside != narrow || after == narrow {
					t.Errorf("%s, %s, narrow %v:\n%s", c, name, narrow, all)
				}
			}
		}
	}
}

// TestPlanOfNewest: it walks back over the bank and stops, whatever the filter.
func TestPlanOfNewest(t *testing.T) {
	s := planStore(t)
	for _, c := range memory.Corpora() {
		for name, f := range planFilters {
			w, err := s.where(t.Context(), c, f)
			if err != nil {
				t.Fatal(err)
			}
			steps := plan(t, s, newestSQL(c, w), append(append([]any{w.low + 1, w.high}, w.Args...), 10)...)
			if steps[0] != "SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" ||
				strings.Contains(strings.Join(steps, "\n"), "ORDER BY") {
				t.Errorf("%s, %s: %q", c, name, steps)
			}
		}
	}
}

// TestPlans: what is asked often uses the index that was made for it.
func TestPlans(t *testing.T) {
	s := planStore(t)
	low := int64(1) << rows.BankShift
	for name, c := range map[string]struct {
		query string
		args  []any
		want  string
	}{
		"by content": {
			idByContent, []any{"ann", rows.ContentKey("", memory.KindFact, "x")},
			"SEARCH d USING INDEX records_by_content (agent=? AND content_key=?)",
		},
		"announced names": {
			announced, []any{"ann", `["x"]`, `["ab"]`}, "SEARCH n USING PRIMARY KEY (agent=? AND external_id=?)",
		},
		"announced contents": {
			announced, []any{"ann", `["x"]`, `["ab"]`}, "SEARCH d USING COVERING INDEX records_by_content (agent=? AND content_key=?)",
		},
		"announced, erased": {
			announced, []any{"ann", `["x"]`, `["ab"]`}, "SEARCH e USING PRIMARY KEY (agent=? AND content_key=?)",
		},
		"filed in slots": {
			filedIn, []any{"ann", "[1]", 7}, "SEARCH s USING PRIMARY KEY (agent=? AND slot=? AND seq>?)",
		},
		"by slot": {
			bySlot, []any{"ann", "[1]", 2, "", "fact", 5}, "SEARCH s USING PRIMARY KEY (agent=? AND slot=? AND seq>?)",
		},
		"facts by slot": {
			factsBySlot, []any{"ann", "[1]", 2, 16, nil}, "SEARCH s USING PRIMARY KEY (agent=? AND slot=? AND seq>?)",
		},
		"apart": {
			apart, []any{"ann", memory.ActionSupersede, `["x"]`, "imported supersede"}, "SEARCH u USING PRIMARY KEY (agent=? AND id=?)",
		},
		"by successor": {
			`SELECT o.id FROM records o WHERE o.agent = ? AND o.superseded_by = ?`, []any{"ann", "x"},
			"SEARCH o USING INDEX records_by_successor (agent=? AND superseded_by=?)",
		},
		"by id": {
			`SELECT ` + rows.RecordColumns + ` FROM records d WHERE d.agent = ? AND d.id = ?`, []any{"ann", "x"},
			"SEARCH d USING INDEX sqlite_autoindex_records_1 (agent=? AND id=?)",
		},
		"documents": {
			`SELECT ` + rows.RecordColumns + ` FROM json_each(?) j CROSS JOIN records d ON d.seq = j.value`, []any{"[1]"},
			"SEARCH d USING INTEGER PRIMARY KEY (rowid=?)",
		},
		"accesses": {
			`SELECT r.agent, r.id FROM json_each(?2) j CROSS JOIN records r ON r.agent = ?1 AND r.id = j.value`, []any{"ann", "[]"},
			"SEARCH r USING COVERING INDEX sqlite_autoindex_records_1 (agent=? AND id=?)",
		},
		"counters": {
			`UPDATE records SET access_count = access_count + 1 WHERE agent = ?1 AND id IN (SELECT value FROM json_each(?2))`,
			[]any{"ann", "[]"},
			"SEARCH records USING COVERING INDEX sqlite_autoindex_records_1 (agent=? AND id=?)",
		},
		"chunks of a bank": {
			`SELECT max(rowid) FROM ` + s.vector.table(memory.Memories) + `_chunks WHERE partition00 = ?`, []any{1},
			"SEARCH " + s.vector.table(memory.Memories) + "_chunks USING COVERING INDEX " + s.vector.table(memory.Memories) +
				"_by_bank (partition00=?)",
		},
		"page": {
			`SELECT ` + rows.RecordColumns + ` FROM records d WHERE d.seq > ? AND d.seq <= ? ORDER BY d.seq LIMIT ?`,
			[]any{low, low + 9, 5},
			"SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
		},
		"turn by external id": {
			`SELECT count(*) FROM turns WHERE agent = ? AND session = ? AND external_id = ? AND external_id <> ''`, []any{"ann", "s", "1"},
			"SEARCH turns USING COVERING INDEX turns_by_external_id (agent=? AND session=? AND external_id=?)",
		},
		"frequencies": {
			`SELECT t.term, t.documents FROM json_each(?2) j CROSS JOIN memories_terms t ON t.bank = ?1 AND t.term = j.value`,
			[]any{1, `["x"]`},
			"SEARCH t USING PRIMARY KEY (bank=? AND term=?)",
		},
		"queue": {
			`SELECT d.agent, q.corpus, q.seq, d.content, q.attempts FROM vector_queue q CROSS JOIN records d ON d.seq = q.seq
				WHERE q.set_id = ? AND q.corpus = ? AND q.not_before <= ? ORDER BY q.seq LIMIT ?`, []any{1, "memories", 0, 5},
			"SEARCH q USING PRIMARY KEY (set_id=? AND corpus=?)",
		},
	} {
		steps := plan(t, s, c.query, c.args...)
		found := false
		for _, step := range steps {
			found = found || step == c.want
			if strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s sorts: %q", name, steps)
			}
		}
		if !found {
			t.Errorf("%s: %q, want %q", name, steps, c.want)
		}
	}
}

// TestPlanOfProjects: the first of each project are walked to in its part of an index, and only
// these are sorted.
func TestPlanOfProjects(t *testing.T) {
	s := planStore(t)
	for _, project := range []string{"", "p", memory.AllProjects} {
		scope := memory.Scope{Agent: "ann", Project: project}
		query, args := salientQuery(scope, start, 5)
		walksProjects(t, project+" salient", plan(t, s, query, args...), "records_salient (agent=? AND project=?)")
		if project == memory.AllProjects {
			continue
		}
		f := memory.CatalogFilter{Agent: "ann", Projects: scope.Readable(), Kind: memory.KindFact, Now: start, Limit: 5}
		l, err := newListQuery(f)
		if err != nil {
			t.Fatal(err)
		}
		query, args = l.page(f)
		walksProjects(t, project+" newest", plan(t, s, query, args...), "records_by_project (agent=? AND project=? AND kind=?)")
	}
}

// walksProjects checks that a plan looks at one project after the other, each by an index in its own
// order: the only sort is that of what was found.
func walksProjects(t *testing.T, name string, steps []string, index string) {
	t.Helper()
	all := strings.ReplaceAll(strings.Join(steps, "\n"), "COVERING ", "")
	want := "SCAN p\nSEARCH d USING INTEGER PRIMARY KEY (rowid=?)\nCORRELATED LIST SUBQUERY 2\nSEARCH d USING INDEX " + index +
		"\nUSE TEMP B-TREE FOR ORDER BY"
	if !strings.HasSuffix(all, want) {
		t.Errorf("%s: %q", name, steps)
	}
}

// TestManyAccesses: counting the recalls of a busy second must not walk the
// whole bank for each.
func TestManyAccesses(t *testing.T) {
	s := newStore(t, 8)
	var records []memory.Record
	for range 3000 {
		records = append(records, fact("ann", "x"))
	}
	insert(t, s, nil, records...)
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = r.ID
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // it was a minute
	defer cancel()
	if err := s.Reinforce(ctx, "ann", "s", names, start); err != nil {
		t.Fatal(err)
	}
	got, err := s.Records(ctx, "ann", names)
	if err != nil || len(got) != len(names) {
		t.Fatalf("%d records, %v", len(got), err)
	}
	for i, r := range got {
		if r.ID != names[i] || r.AccessCount != 1 {
			t.Fatalf("record %d is %s, counted %d", i, r.ID, r.AccessCount)
		}
	}
}
