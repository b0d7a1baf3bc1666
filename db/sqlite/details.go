package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// loadDetails completes documents of one agent: a query for each sort of
// details that occurs among them, so that facts cost nothing. A record that is
// erased between the two reads comes back without its details.
func loadDetails(ctx context.Context, q queryer, docs []memory.Document) error {
	var done []*rows.DetailTable
	for _, d := range docs {
		table := rows.DetailsOf(d.Kind)
		if table == nil || slices.Contains(done, table) {
			continue
		}
		done = append(done, table)
		if err := loadFrom(ctx, q, table, docs); err != nil {
			return fmt.Errorf("read %s: %w", table.Name, err)
		}
	}
	return nil
}

// loadFrom completes those documents that are of kinds with the details of a table.
func loadFrom(ctx context.Context, q queryer, table *rows.DetailTable, docs []memory.Document) error {
	var ids []string
	for _, d := range docs {
		if rows.DetailsOf(d.Kind) == table {
			ids = append(ids, d.ID)
		}
	}
	type detailed struct {
		id string
		memory.KindDetails
	}
	found, err := queryAll(ctx, q, func(row rows.Row) (d detailed, err error) {
		d.id, d.KindDetails, err = table.Scan(row)
		return d, err
	}, detailsSQL(table), docs[0].Agent, rows.List(ids))
	if err != nil {
		return err
	}
	byID := make(map[string]memory.KindDetails, len(found))
	for _, d := range found {
		byID[d.id] = d.KindDetails
	}
	for i := range docs {
		if d, ok := byID[docs[i].ID]; ok {
			docs[i].KindDetails = d
		}
	}
	return nil
}

// detailsSQL reads a table. What a summary covers comes as one value: a row each would
// cost a recall that finds some summaries thousands of rows.
func detailsSQL(table *rows.DetailTable) string {
	columns := `x.id, x.` + strings.Join(table.Columns, `, x.`)
	if table.List != "" {
		columns += `, (SELECT json_group_array(c.covered ORDER BY c.position) FROM ` + table.List + ` c WHERE c.agent = x.agent AND c.id = x.id)`
	}
	return `SELECT ` + columns + ` FROM json_each(?2) j CROSS JOIN ` + table.Name + ` x ON x.agent = ?1 AND x.id = j.value`
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
	err = t.replace(table.Name, slices.Concat([]string{"agent", "id"}, table.Columns, table.Keys), append([]any{t.agent, r.ID}, values...))
	if err != nil || table.List == "" {
		return err
	}
	if err := t.deleteRows(r.ID, table.List); err != nil {
		return err
	}
	return t.exec(`INSERT INTO `+table.List+` (agent, id, position, covered) SELECT ?, ?, key, value FROM json_each(?)`, t.agent, r.ID, rows.List(list))
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

// queryRecords reads whole records; the query returns rows.RecordColumns.
func queryRecords(ctx context.Context, q queryer, query string, args ...any) ([]memory.Document, error) {
	docs, err := queryAll(ctx, q, rows.ScanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(ctx, q, docs)
}
