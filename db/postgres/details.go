package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// records reads whole records of an agent; the query returns rows.RecordColumns.
func records(src rows.Source, agent, query string, args ...any) ([]memory.Document, error) {
	docs, err := rows.All(src, rows.ScanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(src, agent, docs)
}

// loadDetails completes documents of an agent.
func loadDetails(src rows.Source, agent string, docs []memory.Document) error {
	return rows.LoadDetails(docs, func(table *rows.DetailTable, ids []string) (map[string]memory.KindDetails, error) {
		columns := `x.id, x.` + strings.Join(table.Columns, `, x.`)
		if table.List != "" {
			columns += `, (SELECT json_agg(c.covered ORDER BY c.position)::text FROM ` + table.List + ` c WHERE c.agent = x.agent AND c.id = x.id)`
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
	l, err := newListQuery(f)
	if err != nil {
		return nil, 0, err
	}
	page, args := l.page(f)
	docs, err := records(src, f.Agent, `SELECT `+rows.RecordColumns+page, args...)
	if err != nil {
		return nil, 0, err
	}
	total := f.Offset + len(docs)
	if !f.Uncounted && (len(docs) == f.Limit || len(docs) == 0 && f.Offset > 0) {
		err = rows.Into(src, []any{&total}, `SELECT count(*)`+l.from, l.args...)
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

// page is all of the query behind its columns.
func (l listQuery) page(f memory.CatalogFilter) (query string, args []any) {
	const page = ` LIMIT ?::bigint OFFSET ?`
	if len(l.walk.List) > 0 && f.Limit > 0 {
		return firstOfEach(theseProjects, l.walk.SQL(), l.order) + l.order + page,
			append(append([]any{storables(f.Projects), f.Agent}, l.walk.Args...), f.Offset+f.Limit, f.Limit, f.Offset)
	}
	var limit any // NULL is none
	if f.Limit > 0 {
		limit = f.Limit
	}
	return l.from + l.order + page, append(slices.Clone(l.args), limit, f.Offset)
}

// newListQuery starts at the details if something is asked about them, else at the
// records of the kind, in the projects if these are named; each has an index for it.
func newListQuery(f memory.CatalogFilter) (listQuery, error) {
	var w, x rows.Conditions
	if err := x.Details(f); err != nil {
		return listQuery{}, err
	}
	rows.In(&w, "d.project", storables(f.Projects))
	w.Valid(f)
	if err := w.Behind(f); err != nil {
		return listQuery{}, err
	}
	l := listQuery{order: ` ORDER BY d.event_at DESC, d.seq DESC`}
	if len(x.List) > 0 {
		details := strings.ReplaceAll(x.SQL(), "x.object_key = ?", "md5(x.object_key) = md5(?)") // as the index has it
		l.from = ` FROM ` + rows.DetailsOf(f.Kind).Name + ` x JOIN records d ON d.agent = x.agent AND d.id = x.id WHERE x.agent = ?` + details + ` AND d.kind = ?` + w.SQL()
		l.args = append(append(append([]any{f.Agent}, x.Args...), string(f.Kind)), w.Args...)
	} else {
		l.from = ` FROM records d WHERE d.agent = ? AND d.kind = ?` + w.SQL()
		l.args = append([]any{f.Agent, string(f.Kind)}, w.Args...)
	}
	switch {
	case f.Kind == memory.KindDiary:
		l.order = ` ORDER BY (SELECT date FROM diary_details y WHERE y.agent = d.agent AND y.id = d.id) DESC NULLS LAST, d.event_at DESC, d.seq DESC`
	case len(x.List) == 0 && len(f.Projects) > 0:
		l.walk.Add("d.kind = ?", string(f.Kind))
		l.walk.Valid(f)
		return l, l.walk.Behind(f)
	}
	return l, nil
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
