package sqlite

import (
	"context"
	"strings"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// loadDetails sets the details of documents, all of one agent.
func loadDetails(ctx context.Context, q queryer, docs []memory.Document) error {
	type detailed struct {
		id string
		memory.KindDetails
	}
	return rows.LoadDetails(docs, func(table *rows.DetailTable, ids []string) (map[string]memory.KindDetails, error) {
		found, err := queryAll(ctx, q, func(row rows.Row) (d detailed, err error) {
			d.id, d.KindDetails, err = table.Scan(row)
			return d, err
		}, detailsSQL(table), docs[0].Agent, rows.List(ids))
		byID := make(map[string]memory.KindDetails, len(found))
		for _, d := range found {
			byID[d.id] = d.KindDetails
		}
		return byID, err
	})
}

// detailsSQL returns the query for rows of a table of details by agent and a JSON array of ids. The
// list of a summary comes as one JSON array, as a recall that finds some summaries would otherwise
// read thousands of rows.
func detailsSQL(table *rows.DetailTable) string {
	columns := `x.id, x.` + strings.Join(table.Columns, `, x.`)
	if table.List != "" {
		columns += `, (SELECT json_group_array(c.covered ORDER BY c.position) FROM ` + table.List +
			` c WHERE c.agent = x.agent AND c.id = x.id)`
	}
	return `SELECT ` + columns + ` FROM json_each(?2) j CROSS JOIN ` + table.Name + ` x ON x.agent = ?1 AND x.id = j.value`
}

// queryRecords reads whole records; the query returns rows.RecordColumns.
func queryRecords(ctx context.Context, q queryer, query string, args ...any) ([]memory.Document, error) {
	docs, err := queryAll(ctx, q, rows.ScanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(ctx, q, docs)
}
