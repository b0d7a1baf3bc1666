package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// records reads whole records of an agent; the query returns rows.RecordColumns.
func records(src source, agent, query string, args ...any) ([]memory.Document, error) {
	docs, err := all(src, rows.ScanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(src, agent, docs)
}

// loadDetails completes documents: a query for each sort of details that occurs among
// them, so that facts cost nothing. A record that is erased between the two reads comes
// back without its details.
func loadDetails(src source, agent string, docs []memory.Document) error {
	var done []*rows.DetailTable
	for _, d := range docs {
		table := rows.DetailsOf(d.Kind)
		if table == nil || slices.Contains(done, table) {
			continue
		}
		done = append(done, table)
		if err := loadFrom(src, table, agent, docs); err != nil {
			return fmt.Errorf("read %s: %w", table.Name, err)
		}
	}
	return nil
}

func loadFrom(src source, table *rows.DetailTable, agent string, docs []memory.Document) error {
	var ids []string
	for _, d := range docs {
		if rows.DetailsOf(d.Kind) == table {
			ids = append(ids, d.ID)
		}
	}
	columns := `x.id, x.` + strings.Join(table.Columns, `, x.`)
	if table.List != "" {
		columns += `, (SELECT json_agg(c.covered ORDER BY c.position)::text FROM ` + table.List + ` c WHERE c.agent = x.agent AND c.id = x.id)`
	}
	byID := map[string]memory.KindDetails{}
	err := src.query(func(row rows.Row) error {
		id, d, err := table.Scan(row)
		byID[id] = d
		return err
	}, `SELECT `+columns+` FROM `+table.Name+` x WHERE x.agent = ?1 AND x.id = ANY (?2::text[])`, agent, ids)
	for i := range docs {
		if d, ok := byID[docs[i].ID]; ok {
			docs[i].KindDetails = d
		}
	}
	return err
}

// insertDetails stores those of a record in place of what there was.
func (t *tx) insertDetails(r memory.Record) error {
	if !r.OfKind(r.Kind) {
		return fmt.Errorf("record %s of kind %q has the details of another kind", r.ID, r.Kind)
	}
	table := rows.DetailsOf(r.Kind)
	if table == nil {
		return nil
	}
	values, list, err := table.Values(r.KindDetails)
	if err != nil {
		return fmt.Errorf("details of record %s: %w", r.ID, err)
	}
	if values == nil {
		return nil
	}
	columns := slices.Concat([]string{"agent", "id"}, table.Columns, table.Keys)
	if err := t.upsert(table.Name, columns, 2, append([]any{t.agent, r.ID}, values...)); err != nil || table.List == "" {
		return err
	}
	if err := t.deleteRows(r.ID, table.List); err != nil {
		return err
	}
	return t.exec(`INSERT INTO `+table.List+` (agent, id, position, covered)
		SELECT ?1, ?2, place - 1, covered FROM unnest(?3::text[]) WITH ORDINALITY c (covered, place)`, t.agent, r.ID, list)
}

// upsert stores a row in place of the one with the same first columns.
func (t *tx) upsert(table string, columns []string, keys int, values []any) error {
	var sets []string
	for _, c := range columns[keys:] {
		sets = append(sets, c+" = excluded."+c)
	}
	return t.exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+rows.Placeholders(len(columns))+`)
		ON CONFLICT (`+strings.Join(columns[:keys], ", ")+`) DO UPDATE SET `+strings.Join(sets, ", "), values...)
}

// replaceDetails stores those of a record in place of what it had.
func (t *tx) replaceDetails(r memory.Record) error {
	if table := rows.DetailsOf(r.Kind); table != nil && r.KindDetails == (memory.KindDetails{}) {
		return t.removeDetails(table, r.ID)
	}
	return t.insertDetails(r)
}

func (t *tx) removeDetails(table *rows.DetailTable, id string) error {
	if table.List == "" {
		return t.deleteRows(id, table.Name)
	}
	return t.deleteRows(id, table.Name, table.List)
}

// List implements [memory.Catalog].
func (s *Store) List(ctx context.Context, f memory.CatalogFilter) ([]memory.Record, int, error) {
	return s.list(s.as(ctx, f.Agent), f)
}

// List implements [memory.Details].
func (t *tx) List(f memory.CatalogFilter) ([]memory.Record, int, error) {
	f.Agent = cmp.Or(f.Agent, t.agent)
	if err := t.checkAgent("catalog", f.Agent); err != nil {
		return nil, 0, err
	}
	return t.store.list(t, f)
}

func (s *Store) list(src source, f memory.CatalogFilter) ([]memory.Record, int, error) {
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
		err = scanRow(src, []any{&total}, `SELECT count(*)`+l.from, l.args...)
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
	return all(s.as(ctx, agent), rows.ScanRun, `SELECT id, success, notes, executed_at FROM procedure_runs WHERE agent = ? AND id = ?
		ORDER BY executed_at DESC, run DESC LIMIT ?::bigint`, agent, id, most)
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
		t.agent, r.Procedure, rows.Micros(r.At), r.Success, r.Notes)
}
