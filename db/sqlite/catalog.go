package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"mcp-memory/db/rows"
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
	if err := t.CheckAgent("catalog", f.Agent); err != nil {
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
	page, args := l.page(f)
	docs, err := queryRecords(ctx, q, `SELECT `+rows.RecordColumns+` FROM (`+page+`) n CROSS JOIN records d ON d.seq = n.seq`+l.order, args...)
	if err != nil {
		return nil, 0, err
	}
	total := f.Offset + len(docs)
	if !f.Uncounted && (len(docs) == f.Limit || len(docs) == 0 && f.Offset > 0) {
		err = q.QueryRowContext(ctx, `SELECT count(*)`+l.from, l.args...).Scan(&total)
	}
	return rows.Records(docs), total, err
}

// listQuery is the query that a filter makes.
type listQuery struct {
	from  string // FROM and WHERE
	order string
	args  []any
	walk  rows.Conditions // what each project is walked under, where it can be
}

// page finds the records before they are read, because sorting thousands of
// whole ones takes twice as long.
func (l listQuery) page(f memory.CatalogFilter) (query string, args []any) {
	const sql = `SELECT d.seq%s LIMIT ? OFFSET ?`
	if len(l.walk.List) > 0 && f.Limit > 0 {
		first := firstOfEach(theseProjects, "records_by_project", l.walk.SQL(), l.order)
		return fmt.Sprintf(sql, first+l.order), append(append([]any{rows.List(f.Projects), f.Agent}, l.walk.Args...), f.Offset+f.Limit, f.Limit, f.Offset)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	return fmt.Sprintf(sql, l.from+l.order), append(slices.Clone(l.args), limit, f.Offset)
}

// newListQuery starts at the details if something is asked about them, else at the
// records of the kind, in the projects if these are named; each has an index for it.
func newListQuery(f memory.CatalogFilter) (listQuery, error) {
	var w, x rows.Conditions
	if err := x.Details(f); err != nil {
		return listQuery{}, err
	}
	index := "records_by_kind"
	if len(f.Projects) > 0 {
		index = "records_by_project"
	}
	rows.In(&w, "d.project", f.Projects)
	w.Valid(f)
	if err := w.Behind(f); err != nil {
		return listQuery{}, err
	}
	l := listQuery{order: ` ORDER BY d.event_at DESC, d.seq DESC`}
	const record = ` records d ON d.agent = x.agent AND d.id = x.id`
	if len(x.List) > 0 {
		l.from = ` FROM ` + rows.DetailsOf(f.Kind).Name + ` x CROSS JOIN` + record + ` WHERE x.agent = ?` + x.SQL() + ` AND d.kind = ?` + w.SQL()
		l.args = append(append(append([]any{f.Agent}, x.Args...), f.Kind), w.Args...)
	} else {
		l.from = ` FROM records d INDEXED BY ` + index + ` WHERE d.agent = ? AND d.kind = ?` + w.SQL()
		l.args = append([]any{f.Agent, f.Kind}, w.Args...)
	}
	switch {
	case f.Kind == memory.KindDiary:
		l.order = ` ORDER BY (SELECT date FROM diary_details y WHERE y.agent = d.agent AND y.id = d.id) DESC, d.event_at DESC, d.seq DESC`
	case len(x.List) == 0 && len(f.Projects) > 0:
		l.walk.Add("d.kind = ?", f.Kind)
		l.walk.Valid(f)
		return l, l.walk.Behind(f)
	}
	return l, nil
}

// ProcedureRuns implements [memory.Catalog].
func (s *Store) ProcedureRuns(ctx context.Context, agent, id string, limit int) ([]memory.ProcedureRun, error) {
	if limit <= 0 {
		limit = -1
	}
	runs, err := queryAll(ctx, s.read, rows.ScanRun, procedureRuns, agent, id, limit)
	return runs, explain(err)
}

const procedureRuns = `SELECT id, success, notes, executed_at FROM procedure_runs WHERE agent = ? AND id = ?
	ORDER BY executed_at DESC, run DESC LIMIT ?`
