package sqlite

import (
	"context"
	"strings"
	"unicode/utf8"

	"mcp-memory/db/rows"
	"mcp-memory/db/sqlite/pages"
)

// salvagedTable describes a table whose rows are salvaged, in the layout that its pages have.
type salvagedTable struct {
	name    string
	plain   bool            // a table with row numbers, not WITHOUT ROWID
	columns []salvageColumn // in the order in which pages have them
	rowid   int             // index of the INTEGER PRIMARY KEY column, which is the row's number; -1 for none
}

type salvageColumn struct {
	name, kind string
	needed     bool // not NULL
}

// salvagedTables returns the tables of a database that are not derived from others.
func salvagedTables(ctx context.Context, q queryer) ([]*salvagedTable, error) {
	type declared struct{ name, text string }
	all, err := queryAll(ctx, q, func(row rows.Row) (d declared, err error) {
		err = row.Scan(&d.name, &d.text)
		return d, err
	}, `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	var tables []*salvagedTable
	for _, d := range all {
		if derived(d.name) || d.name == "vector_sets" || d.name == "vector_queue" || d.name == "slots_due" {
			continue
		}
		t := &salvagedTable{name: d.name, plain: !strings.Contains(d.text, "WITHOUT ROWID"), rowid: -1}
		type info struct {
			salvageColumn
			key int
		}
		columns, err := queryAll(ctx, q, func(row rows.Row) (c info, err error) {
			err = row.Scan(&c.name, &c.kind, &c.needed, &c.key)
			return c, err
		}, `SELECT name, type, "notnull" OR pk > 0, pk FROM pragma_table_info(?) ORDER BY cid`, d.name)
		if err != nil {
			return nil, err
		}
		if !t.plain { // the columns of the key come first
			for key := 1; key <= len(columns); key++ {
				for _, c := range columns {
					if c.key == key {
						t.columns = append(t.columns, c.salvageColumn)
					}
				}
			}
		}
		for i, c := range columns {
			if t.plain && c.key > 0 && c.kind == "INTEGER" {
				t.rowid = i
			}
			if t.plain || c.key == 0 {
				t.columns = append(t.columns, c.salvageColumn)
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func (t *salvagedTable) column(name string) int {
	for i, c := range t.columns {
		if c.name == name {
			return i
		}
	}
	return -1
}

// insert returns the statement to insert a row with so many values. Rows that are older than a
// column added at the end do not have it.
func (t *salvagedTable) insert(values int) string {
	names := make([]string, values)
	for i, c := range t.columns[:values] {
		names[i] = c.name
	}
	return `INSERT INTO ` + t.name + ` (` + strings.Join(names, ", ") + `) VALUES (` + rows.Placeholders(values) + `)`
}

// fits reports whether a row found on a page without a tree can be of this table: it has all
// columns, and each value can be in its column.
func (t *salvagedTable) fits(kind byte, c pages.Cell) bool {
	return (kind == pages.TableLeaf) == t.plain && len(c.Values) == len(t.columns) && t.plausible(c)
}

// plausible reports whether the values of a row have types that their columns allow.
func (t *salvagedTable) plausible(c pages.Cell) bool {
	if len(c.Values) == 0 || len(c.Values) > len(t.columns) {
		return false
	}
	for i, v := range c.Values {
		column := t.columns[i]
		ok := false
		switch v := v.(type) {
		case nil:
			ok = !column.needed || i == t.rowid
		case int64:
			ok = column.kind == "INTEGER" || column.kind == "REAL"
		case float64:
			ok = column.kind == "REAL"
		case string:
			ok = column.kind == "TEXT" && utf8.ValidString(v)
		case []byte:
			ok = column.kind == "BLOB"
		}
		if !ok {
			return false
		}
	}
	return true
}
