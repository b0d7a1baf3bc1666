package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"

	"mcp-memory/memory"
)

// wrongVectors counts the vectors of a set whose two forms do not agree: each was made of
// the other, so one of them is damaged.
func wrongVectors(ctx context.Context, q queryer, v vectorSet, c memory.Corpus) (wrong int, err error) {
	fine := 4 * v.dimensions
	err = queryEach(ctx, q, func(rows *sql.Rows) error {
		var validity, coarse, exact []byte
		if err := rows.Scan(&validity, &coarse, &exact); err != nil {
			return err
		}
		slots := 8 * len(validity)
		width := v.dimensions
		if v.bits() {
			width = v.dimensions / 8
		}
		if len(exact) < slots*fine || len(coarse) < slots*width {
			wrong += slots
			return nil
		}
		for i := range slots {
			if validity[i/8]>>(i%8)&1 == 0 {
				continue
			}
			if !bytes.Equal(v.quantise(floatsOf(exact[i*fine:(i+1)*fine])), coarse[i*width:(i+1)*width]) {
				wrong++
			}
		}
		return nil
	}, fmt.Sprintf(`SELECT c.validity, a.vectors, b.vectors FROM %[1]s_chunks c
		JOIN %[1]s_vector_chunks00 a ON a.rowid = c.chunk_id JOIN %[1]s_vector_chunks01 b ON b.rowid = c.chunk_id`, v.table(c)))
	return wrong, err
}

// vectorSets returns all sets of a database, that which was used last first.
func vectorSets(ctx context.Context, q queryer) ([]vectorSet, error) {
	return queryAll(ctx, q, func(rows *sql.Rows) (v vectorSet, err error) {
		err = rows.Scan(&v.id, &v.dimensions, &v.name)
		return v, err
	}, `SELECT id, dimensions, fingerprint FROM vector_sets ORDER BY used_at DESC`)
}
