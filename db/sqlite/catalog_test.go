package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// catalogFilters are one of each sort, with the step of the plan that makes it
// fast. Where nothing is asked about the details the order comes from the
// index too; otherwise what was found is sorted.
var catalogFilters = map[string]struct {
	filter memory.CatalogFilter
	want   string
	sorts  bool
}{
	"kind": {memory.CatalogFilter{Kind: memory.KindSoul}, "SEARCH d USING INDEX records_by_kind (agent=? AND kind=?)", false},
	"as of": {memory.CatalogFilter{Kind: memory.KindTriple, AsOf: start},
		"SEARCH d USING INDEX records_by_kind (agent=? AND kind=?)", false},
	"subject": {memory.CatalogFilter{Kind: memory.KindTriple, Subject: "a"},
		"SEARCH x USING INDEX triples_by_subject (agent=? AND subject_key=?)", true},
	"subject and predicate": {
		memory.CatalogFilter{Kind: memory.KindTriple, Subject: "a", Predicate: "b"},
		"SEARCH x USING INDEX triples_by_subject (agent=? AND subject_key=? AND predicate_key=?)", true,
	},
	"predicate": {memory.CatalogFilter{Kind: memory.KindTriple, Predicate: "a"},
		"SEARCH x USING INDEX triples_by_predicate (agent=? AND predicate_key=?)", true},
	"object": {memory.CatalogFilter{Kind: memory.KindTriple, Object: "a"},
		"SEARCH x USING INDEX triples_by_object (agent=? AND object_key=?)", true},
	"party": {memory.CatalogFilter{Kind: memory.KindRelationship, Party: "a"},
		"SEARCH x USING INDEX relationships_by_party (agent=? AND party_key=?)", true},
	"name": {memory.CatalogFilter{Kind: memory.KindProcedure, Name: "a"},
		"SEARCH x USING INDEX procedures_by_name (agent=? AND name_key=?)", true},
	"dates": {
		memory.CatalogFilter{Kind: memory.KindDiary, From: "2026-03-01", To: "2026-03-01"},
		"SEARCH x USING INDEX diary_by_date (agent=? AND date>? AND date<?)", true,
	},
}

func TestPlanOfCatalog(t *testing.T) {
	s := planStore(t)
	for name, c := range catalogFilters {
		for _, every := range []bool{false, true} {
			c.filter.Agent, c.filter.Now, c.filter.Every = "ann", start, every
			if c.sorts { // others are walked in each project, see TestPlanOfProjects
				c.filter.Projects = []string{"", "p"}
			}
			l, err := newListQuery(c.filter)
			if err != nil {
				t.Fatal(err)
			}
			c.filter.Limit = 10
			query, args := l.page(c.filter)
			steps := plan(t, s, query, args...)
			covering := strings.Replace(c.want, "USING INDEX", "USING COVERING INDEX", 1)
			if steps[0] != c.want && steps[0] != covering {
				t.Errorf("%s starts with %q, want %q", name, steps[0], c.want)
			}
			if sorts := strings.Contains(strings.Join(steps, "\n"), "TEMP B-TREE"); sorts != c.sorts {
				t.Errorf("%s sorts: %q", name, steps)
			}
			if strings.HasPrefix(c.want, "SEARCH x") && steps[1] != "SEARCH d USING INDEX sqlite_autoindex_records_1 (agent=? AND id=?)" {
				t.Errorf("%s goes on with %q", name, steps[1])
			}
		}
	}
}

func TestPlanOfDetails(t *testing.T) {
	s := planStore(t)
	for _, kind := range memory.Kinds() {
		table := rows.DetailsOf(kind)
		if table == nil {
			continue
		}
		query := detailsSQL(table)
		steps := strings.Join(plan(t, s, query, "ann", `["x"]`), "\n")
		if !strings.Contains(steps, "SEARCH x USING PRIMARY KEY (agent=? AND id=?)") {
			t.Errorf("%s: %s", kind, steps)
		}
		if kind == memory.KindSummary && !strings.Contains(steps, "SEARCH c USING PRIMARY KEY (agent=? AND id=?)") {
			t.Errorf("covers: %s", steps)
		}
	}
	steps := strings.Join(plan(t, s, procedureRuns, "ann", "x", 5), "\n")
	if steps != "SEARCH procedure_runs USING PRIMARY KEY (agent=? AND id=?)" {
		t.Errorf("runs: %s", steps)
	}
}

// TestEveryKindIsDecided: a kind with details that nobody reads would lose them.
func TestEveryKindIsDecided(t *testing.T) {
	for _, k := range memory.Kinds() {
		if none := rows.DetailsOf(k) == nil; none != (k == memory.KindFact) {
			t.Errorf("kind %s has details: %v", k, !none)
		}
	}
}

// threes makes triples of records: ten of each subject.
func threes(records []memory.Record) {
	n := len(records)
	for i := range records {
		records[i].Kind, records[i].KindDetails = memory.KindTriple, memory.KindDetails{Triple: &memory.TripleDetails{
			Subject:   fmt.Sprintf("Person %d", i%(n/10)),
			Predicate: fmt.Sprintf("predicate %d", i/(n/10)), Object: fmt.Sprintf("Object %d", i%997), Confidence: 1,
		}}
	}
}

func BenchmarkCatalog(b *testing.B) {
	s := newStore(b, 128)
	records, vectors := newFacts(100_000)
	threes(records)
	for i := 0; i < len(records); i += 1000 {
		insertBatch(b, s, records[i:i+1000], vectors[i:i+1000])
	}
	for name, f := range map[string]memory.CatalogFilter{
		"subject":   {Subject: "person 77"},
		"both":      {Subject: "person 77", Predicate: "predicate 3"},
		"object":    {Object: "object 5"},
		"predicate": {Predicate: "predicate 3"},
		"all":       {},
	} {
		b.Run(name, func(b *testing.B) {
			f.Agent, f.Kind, f.Limit = "ann", memory.KindTriple, 10
			for b.Loop() {
				got, total, err := s.List(b.Context(), f)
				if err != nil || len(got) == 0 || total < len(got) {
					b.Fatal(len(got), total, err)
				}
			}
		})
	}
}

// TestErasedDetailsLeaveNoRows: what a summary covered cannot be seen through
// the ports any more, but must be gone.
func TestErasedDetailsLeaveNoRows(t *testing.T) {
	s := newStore(t, 8)
	summary, procedure := fact("ann", "x"), fact("ann", "y")
	summary.Kind, summary.Summary = memory.KindSummary, &memory.SummaryDetails{Of: "memories", Covers: []string{"a", "b"}, Count: 2}
	procedure.Kind, procedure.Procedure = memory.KindProcedure, &memory.ProcedureDetails{Name: "n"}
	insert(t, s, nil, summary, procedure)
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		return errors.Join(
			tx.InsertProcedureRun(memory.ProcedureRun{Procedure: procedure.ID, At: start}),
			tx.EraseRecord(summary.ID), tx.EraseRecord(procedure.ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"records", "summary_details", "summary_covers", "procedure_details", "procedure_runs"} {
		if n := count(t, s, table); n != 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
}
