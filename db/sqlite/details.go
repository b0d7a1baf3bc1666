package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// details stores what only some kinds of record have, in tables of their own.
type details interface {
	// replace stores what d has in place of what was there; nothing if it has none.
	replace(t *tx, id string, d memory.KindDetails) error
	// remove deletes what is there.
	remove(t *tx, id string) error
	// load completes those documents that are of kinds with these details.
	load(ctx context.Context, q queryer, docs []memory.Document) error
}

// detailTables says which kinds have details. Facts have none.
var detailTables = map[memory.Kind]details{
	memory.KindLongTerm:     episodes,
	memory.KindEpisode:      episodes,
	memory.KindSoul:         souls,
	memory.KindTriple:       triples,
	memory.KindProcedure:    procedures,
	memory.KindRelationship: relationships,
	memory.KindDiary:        diaries,
	memory.KindLearning:     learnings,
	memory.KindSummary:      summaries,
}

// detailTable is the table of details T.
type detailTable[T any] struct {
	name       string
	columns    []string // after agent and id, that hold what T has
	keys       []string // after those, to look up by; see migration 6
	list       string   // another table with the same agent and id, or empty
	listSQL    string   // what is in it, of alias x
	field      func(*memory.KindDetails) **T
	values     func(*T) ([]any, error)                      // of columns and keys
	scan       func(rows *sql.Rows, id *string, d *T) error // the id, columns, listSQL
	insertList func(t *tx, id string, d *T) error
}

func (b *detailTable[T]) replace(t *tx, id string, d memory.KindDetails) error {
	one := *b.field(&d)
	if one == nil {
		return nil
	}
	values, err := b.values(one)
	if err != nil {
		return fmt.Errorf("details of record %s: %w", id, err)
	}
	columns := slices.Concat([]string{"agent", "id"}, b.columns, b.keys)
	err = t.exec(`INSERT OR REPLACE INTO `+b.name+` (`+strings.Join(columns, ", ")+`) VALUES (`+placeholders(len(columns))+`)`,
		append([]any{t.agent, id}, values...)...)
	if err != nil || b.list == "" {
		return err
	}
	if err := t.deleteRows(id, b.list); err != nil {
		return err
	}
	return b.insertList(t, id, one)
}

func (b *detailTable[T]) remove(t *tx, id string) error {
	if b.list == "" {
		return t.deleteRows(id, b.name)
	}
	return t.deleteRows(id, b.name, b.list)
}

func (b *detailTable[T]) load(ctx context.Context, q queryer, docs []memory.Document) error {
	var ids []string
	for _, d := range docs {
		if detailTables[d.Kind] == details(b) {
			ids = append(ids, d.ID)
		}
	}
	type row struct {
		id  string
		one T
	}
	found, err := queryAll(ctx, q, func(rows *sql.Rows) (r row, err error) {
		err = b.scan(rows, &r.id, &r.one)
		return r, err
	}, b.loadSQL(), docs[0].Agent, jsonList(ids))
	if err != nil {
		return fmt.Errorf("read %s: %w", b.name, err)
	}
	byID := make(map[string]T, len(found))
	for _, r := range found {
		byID[r.id] = r.one
	}
	for i := range docs {
		if one, ok := byID[docs[i].ID]; ok {
			*b.field(&docs[i].KindDetails) = &one
		}
	}
	return nil
}

func (b *detailTable[T]) loadSQL() string {
	columns := `x.id, x.` + strings.Join(b.columns, `, x.`)
	if b.list != "" {
		columns += `, ` + b.listSQL
	}
	return `SELECT ` + columns + ` FROM json_each(?2) j CROSS JOIN ` + b.name + ` x ON x.agent = ?1 AND x.id = j.value`
}

// loadDetails completes documents of one agent: a query for each sort of
// details that occurs among them, so that facts cost nothing. A record that is
// erased between the two reads comes back without its details.
func loadDetails(ctx context.Context, q queryer, docs []memory.Document) error {
	var done []details
	for _, d := range docs {
		table := detailTables[d.Kind]
		if table == nil || slices.Contains(done, table) {
			continue
		}
		done = append(done, table)
		if err := table.load(ctx, q, docs); err != nil {
			return err
		}
	}
	return nil
}

// insertDetails stores those of a record that has none yet.
func (t *tx) insertDetails(r memory.Record) error {
	if !r.OfKind(r.Kind) {
		return fmt.Errorf("record %s of kind %q has the details of another kind", r.ID, r.Kind)
	}
	if table := detailTables[r.Kind]; table != nil {
		return table.replace(t, r.ID, r.KindDetails)
	}
	return nil
}

// replaceDetails stores those of a record in place of what it had.
func (t *tx) replaceDetails(r memory.Record) error {
	if table := detailTables[r.Kind]; table != nil && r.KindDetails == (memory.KindDetails{}) {
		return table.remove(t, r.ID)
	}
	return t.insertDetails(r)
}

// queryRecords reads whole records; the query returns recordColumns.
func queryRecords(ctx context.Context, q queryer, query string, args ...any) ([]memory.Document, error) {
	docs, err := queryAll(ctx, q, scanRecord, query, args...)
	if err != nil {
		return nil, err
	}
	return docs, loadDetails(ctx, q, docs)
}
