package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// records runs a query that selects rows.RecordColumns, and returns an agent's records with the
// details of their kinds.
func records(src rows.Source, agent, query string, args ...any) ([]memory.Document, error) {
	docs, err := rows.All(src, rows.ScanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(src, agent, docs)
}

// loadDetails reads the details that kinds of records have in tables of their own into docs.
func loadDetails(src rows.Source, agent string, docs []memory.Document) error {
	return rows.LoadDetails(docs, func(table *rows.DetailTable, ids []string) (map[string]memory.KindDetails, error) {
		columns := `x.id, x.` + strings.Join(table.Columns, `, x.`)
		if table.List != "" {
			columns += `, (SELECT json_agg(c.covered ORDER BY c.position)::text FROM ` + table.List +
				` c WHERE c.agent = x.agent AND c.id = x.id)`
		}
		byID := map[string]memory.KindDetails{}
		err := src.Query(func(row rows.Row) error {
			id, d, err := table.Scan(row)
			byID[id] = d
			return err
		}, `SELECT `+columns+` FROM `+table.Name+` x WHERE x.agent = ?1 AND x.id = ANY (?2::text[])`, agent, ids)
		return byID, err
	})
}

// In implements [rows.Statements].
func (t *tx) In(column, placeholder string, names []string) (condition string, arg any) {
	return column + ` = ANY (` + placeholder + `::text[])`, names
}

// InsertList implements [rows.Statements].
func (t *tx) InsertList(table, id string, list []string) error {
	return t.Exec(`INSERT INTO `+table+` (agent, id, position, covered)
		SELECT ?1, ?2, place - 1, covered FROM unnest(?3::text[]) WITH ORDINALITY c (covered, place)`, t.agent, id, list)
}

// List implements [memory.Catalog].
func (s *Store) List(ctx context.Context, f memory.CatalogFilter) ([]memory.Record, int, error) {
	return s.list(s.as(ctx, f.Agent), f)
}

// List implements [memory.Details].
func (t *tx) List(f memory.CatalogFilter) ([]memory.Record, int, error) {
	f.Agent = cmp.Or(f.Agent, t.agent)
	if err := t.CheckAgent("catalog", f.Agent); err != nil {
		return nil, 0, err
	}
	return t.store.list(t, f)
}

func (s *Store) list(src rows.Source, f memory.CatalogFilter) ([]memory.Record, int, error) {
	if f.Now.IsZero() {
		f.Now = s.clock()
	}
	f.Projects = storables(f.Projects)
	l, err := newListQuery(f)
	if err != nil {
		return nil, 0, err
	}
	page, args := l.page(f)
	docs, err := records(src, f.Agent, `SELECT `+rows.RecordColumns+page, args...)
	if err != nil {
		return nil, 0, err
	}
	total, known := rows.Total(f, len(docs))
	if !known {
		err = rows.Into(src, []any{&total}, `SELECT count(*)`+l.from, l.args...)
	}
	return rows.Records(docs), total, err
}

// listQuery is a [memory.CatalogFilter] in SQL.
type listQuery struct {
	rows.Catalog
	from string // FROM and WHERE
	args []any
}

func newListQuery(f memory.CatalogFilter) (listQuery, error) {
	c, err := rows.NewCatalog(f)
	l := listQuery{Catalog: c}
	l.from, l.args = c.From(f.Agent, ` JOIN`, "")
	// the expression of the index
	l.from = strings.ReplaceAll(l.from, "x.object_key = ?", "md5(x.object_key) = md5(?)")
	return l, err
}

// page returns the query from FROM on, for one page of the list; the caller puts the columns before
// it.
func (l listQuery) page(f memory.CatalogFilter) (query string, args []any) {
	const page = ` LIMIT ?::bigint OFFSET ?`
	if len(l.Walk.List) > 0 && f.Limit > 0 {
		return firstOfEach(theseProjects, l.Walk.SQL(), l.Order) + l.Order + page,
			append(append([]any{f.Projects, f.Agent}, l.Walk.Args...), f.Offset+f.Limit, f.Limit, f.Offset)
	}
	var limit any // NULL is none
	if f.Limit > 0 {
		limit = f.Limit
	}
	return l.from + l.Order + page, append(slices.Clone(l.args), limit, f.Offset)
}

// ProcedureRuns implements [memory.Catalog].
func (s *Store) ProcedureRuns(ctx context.Context, agent, id string, limit int) ([]memory.ProcedureRun, error) {
	var most any
	if limit > 0 {
		most = limit
	}
	return rows.All(s.as(ctx, agent), rows.ScanRun, `SELECT id, success, notes, executed_at FROM procedure_runs WHERE agent = ? AND id = ?
		ORDER BY executed_at DESC, run DESC LIMIT ?::bigint`, agent, id, most)
}
