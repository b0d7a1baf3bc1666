package sqlite

import (
	"context"
	"math/bits"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// wrongGroups names the banks whose records are counted otherwise than they are.
var wrongGroups = `SELECT 'the records of ' || agent || ' are not counted as they are' FROM (` + rows.MiscountedSQL(``) + `)`

// groups compares what is counted of records with the records, where the schema has such counts.
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

// countVectors counts the vectors of a bank by the bit that sqlite-vec keeps for each:
// there are many times fewer chunks than rows.
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
