package sqlite

import (
	"context"
	"math/bits"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// wrongGroups is the query for complaints about banks whose counts of records are wrong.
var wrongGroups = `SELECT 'the records of ' || agent || ' are not counted as they are' FROM (` + rows.MiscountedSQL(``) + `)`

// groups returns complaints about wrong counts of records, none where an older schema has no counts.
func (e *examination) groups(ctx context.Context) ([]string, error) {
	counted, err := queryOne(ctx, e.db, rows.ScanInt64, `SELECT 1 FROM sqlite_schema WHERE name = 'record_counts'`)
	if err != nil || counted == nil {
		return nil, err
	}
	return queryAll(ctx, e.db, rows.ScanText, wrongGroups)
}

// writeGroups stores what the transaction has counted of records.
func (t *tx) writeGroups() error {
	counted := t.groups
	t.groups = nil
	return counted.Write(t.agent, t.Exec)
}

// countVectors counts the vectors of a bank by the validity bitmaps of sqlite-vec's chunks, of which
// there are many times fewer than rows.
func (s *Store) countVectors(ctx context.Context, v vectorSet, c memory.Corpus, low int64) (n int, err error) {
	err = queryEach(ctx, s.read, func(row rows.Row) error {
		var valid []byte
		err := row.Scan(&valid)
		for _, b := range valid {
			n += bits.OnesCount8(b)
		}
		return err
	}, `SELECT validity FROM `+v.table(c)+`_chunks WHERE partition00 = ?`, low>>rows.BankShift)
	return n, err
}
