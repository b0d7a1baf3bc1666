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
	docs, err := queryRecords(ctx, q,
		`SELECT `+rows.RecordColumns+` FROM (`+page+`) n CROSS JOIN records d ON d.seq = n.seq`+l.Order, args...)
	if err != nil {
		return nil, 0, err
	}
	total, known := rows.Total(f, len(docs))
	if !known {
		err = q.QueryRowContext(ctx, `SELECT count(*)`+l.from, l.args...).Scan(&total)
	}
	return rows.Records(docs), total, err
}

// listQuery is the query that a filter makes.
type listQuery struct {
	rows.Catalog
	from string // FROM and WHERE
	args []any
}

// newListQuery makes the query of a filter. It names the index for the records, which SQLite would
// not choose by itself.
func newListQuery(f memory.CatalogFilter) (listQuery, error) {
	c, err := rows.NewCatalog(f)
	index := ` INDEXED BY records_by_kind`
	if len(f.Projects) > 0 {
		index = ` INDEXED BY records_by_project`
	}
	l := listQuery{Catalog: c}
	l.from, l.args = c.From(f.Agent, ` CROSS JOIN`, index)
	return l, err
}

// page returns the query for the numbers of the records on the page that the filter asks for. The
// records are read afterwards, as sorting thousands of whole ones takes twice as long.
func (l listQuery) page(f memory.CatalogFilter) (query string, args []any) {
	const sql = `SELECT d.seq%s LIMIT ? OFFSET ?`
	if len(l.Walk.List) > 0 && f.Limit > 0 {
		first := firstOfEach(theseProjects, "records_by_project", l.Walk.SQL(), l.Order)
		return fmt.Sprintf(sql, first+l.Order),
			append(append([]any{rows.List(f.Projects), f.Agent}, l.Walk.Args...), f.Offset+f.Limit, f.Limit, f.Offset)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	return fmt.Sprintf(sql, l.from+l.Order), append(slices.Clone(l.args), limit, f.Offset)
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
