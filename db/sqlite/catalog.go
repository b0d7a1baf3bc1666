package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"mcp-memory/memory"
)

// List implements [memory.Catalog].
func (s *Store) List(ctx context.Context, f memory.CatalogFilter) ([]memory.Record, int, error) {
	if f.Now.IsZero() {
		f.Now = s.clock()
	}
	records, total, err := list(ctx, s.read, f)
	return records, total, explain(err)
}

// List implements [memory.Details].
func (t *tx) List(f memory.CatalogFilter) ([]memory.Record, int, error) {
	f.Agent = cmp.Or(f.Agent, t.agent)
	if err := t.checkAgent("catalog", f.Agent); err != nil {
		return nil, 0, err
	}
	if f.Now.IsZero() {
		f.Now = t.store.clock()
	}
	return list(t.ctx, t.tx, f)
}

func list(ctx context.Context, q queryer, f memory.CatalogFilter) ([]memory.Record, int, error) {
	l, err := newListQuery(f)
	if err != nil {
		return nil, 0, err
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	docs, err := queryRecords(ctx, q, `SELECT `+recordColumns+` FROM (`+l.page()+`) n CROSS JOIN records d ON d.seq = n.seq`+l.order,
		append(l.args, limit, f.Offset)...)
	if err != nil {
		return nil, 0, err
	}
	total := f.Offset + len(docs)
	if !f.Uncounted && (len(docs) == limit || len(docs) == 0 && f.Offset > 0) {
		err = q.QueryRowContext(ctx, `SELECT count(*)`+l.from, l.args...).Scan(&total)
	}
	return recordsOf(docs), total, err
}

// listQuery is the query that a filter makes.
type listQuery struct {
	from  string // FROM and WHERE
	order string
	args  []any
}

// page finds the records before they are read, because sorting thousands of
// whole ones takes twice as long.
func (l listQuery) page() string { return `SELECT d.seq` + l.from + l.order + ` LIMIT ? OFFSET ?` }

// newListQuery starts at the details if something is asked about them, else at the
// records of the kind; either has an index for it.
func newListQuery(f memory.CatalogFilter) (listQuery, error) {
	var w, x where
	if err := x.details(f); err != nil {
		return listQuery{}, err
	}
	in(&w, "d.project", f.Projects)
	w.valid(f)
	l := listQuery{order: ` ORDER BY d.event_at DESC, d.seq DESC`}
	const record = ` records d ON d.agent = x.agent AND d.id = x.id`
	if len(x.conditions) > 0 {
		l.from = ` FROM ` + catalogTables[f.Kind] + ` x CROSS JOIN` + record + ` WHERE x.agent = ?` + x.sql() + ` AND d.kind = ?` + w.sql()
		l.args = append(append(append([]any{f.Agent}, x.args...), f.Kind), w.args...)
	} else {
		l.from = ` FROM records d INDEXED BY records_by_kind WHERE d.agent = ? AND d.kind = ?` + w.sql()
		l.args = append([]any{f.Agent, f.Kind}, w.args...)
	}
	if f.Kind == memory.KindDiary {
		l.order = ` ORDER BY (SELECT date FROM diary_details y WHERE y.agent = d.agent AND y.id = d.id) DESC, d.event_at DESC, d.seq DESC`
	}
	return l, nil
}

// valid adds the conditions on what was true when: validity in time, and unless
// every version is asked for what is neither archived nor superseded.
func (w *where) valid(f memory.CatalogFilter) {
	at := f.AsOf
	if !f.Every {
		w.add("d.archived_at IS NULL")
		if at.IsZero() {
			w.add("d.superseded_by IS NULL")
			at = f.Now
		}
	}
	if !at.IsZero() {
		w.trueAt(micros(at))
	}
}

// catalogTables are the details (alias x) that a filter can ask about.
var catalogTables = map[memory.Kind]string{
	memory.KindSoul:         souls.name,
	memory.KindTriple:       triples.name,
	memory.KindProcedure:    procedures.name,
	memory.KindRelationship: relationships.name,
	memory.KindDiary:        diaries.name,
	memory.KindLearning:     learnings.name,
}

// catalogFields are the fields of a filter and what they mean for the kinds
// that have them, in the order in which they stand in a query.
var catalogFields = []struct {
	name  string
	value func(memory.CatalogFilter) string
	sql   map[memory.Kind]string
}{
	{"type", func(f memory.CatalogFilter) string { return f.Type }, map[memory.Kind]string{
		memory.KindSoul: "x.type = ?", memory.KindLearning: "x.type = ?", memory.KindRelationship: "x.type_key = ?",
	}},
	{"subject", func(f memory.CatalogFilter) string { return f.Subject }, map[memory.Kind]string{memory.KindTriple: "x.subject_key = ?"}},
	{"predicate", func(f memory.CatalogFilter) string { return f.Predicate }, map[memory.Kind]string{memory.KindTriple: "x.predicate_key = ?"}},
	{"object", func(f memory.CatalogFilter) string { return f.Object }, map[memory.Kind]string{memory.KindTriple: "x.object_key = ?"}},
	{"party", func(f memory.CatalogFilter) string { return f.Party }, map[memory.Kind]string{memory.KindRelationship: "x.party_key = ?"}},
	{"name", func(f memory.CatalogFilter) string { return f.Name }, map[memory.Kind]string{memory.KindProcedure: "x.name_key = ?"}},
	{"first date", func(f memory.CatalogFilter) string { return f.From }, map[memory.Kind]string{memory.KindDiary: "x.date >= ?"}},
	{"last date", func(f memory.CatalogFilter) string { return f.To }, map[memory.Kind]string{memory.KindDiary: "x.date <= ?"}},
}

// details adds the conditions on details. What the kind does not have cannot
// be asked about: that is a mistake of the program, not of its caller.
func (w *where) details(f memory.CatalogFilter) error {
	if !f.Kind.Valid() {
		return fmt.Errorf("catalog of kind %q", f.Kind)
	}
	for _, field := range catalogFields {
		value := field.value(f)
		if value == "" {
			continue
		}
		condition, ok := field.sql[f.Kind]
		if !ok {
			return fmt.Errorf("catalog of kind %q by %s", f.Kind, field.name)
		}
		w.add(condition, memory.SameContent(value))
	}
	return nil
}

// ProcedureRuns implements [memory.Catalog].
func (s *Store) ProcedureRuns(ctx context.Context, agent, id string, limit int) ([]memory.ProcedureRun, error) {
	if limit <= 0 {
		limit = -1
	}
	runs, err := queryAll(ctx, s.read, scanRun, procedureRuns, agent, id, limit)
	return runs, explain(err)
}

const procedureRuns = `SELECT id, success, notes, executed_at FROM procedure_runs WHERE agent = ? AND id = ?
	ORDER BY executed_at DESC, run DESC LIMIT ?`

func scanRun(rows *sql.Rows) (r memory.ProcedureRun, err error) {
	err = rows.Scan(&r.Procedure, &r.Success, &r.Notes, fromMicros(&r.At))
	return r, err
}

// InsertProcedureRun implements [memory.Details].
func (t *tx) InsertProcedureRun(r memory.ProcedureRun) error {
	d, err := t.document(r.Procedure)
	if err != nil {
		return err
	}
	if d.Kind != memory.KindProcedure {
		return memory.Errorf(memory.CodeNotFound, "record %q is not a procedure", r.Procedure)
	}
	return t.exec(`INSERT INTO procedure_runs (agent, id, executed_at, run, success, notes)
		SELECT ?1, ?2, ?3, coalesce(max(run), 0) + 1, ?4, ?5 FROM procedure_runs WHERE agent = ?1 AND id = ?2 AND executed_at = ?3`,
		t.agent, r.Procedure, micros(r.At), r.Success, r.Notes)
}
