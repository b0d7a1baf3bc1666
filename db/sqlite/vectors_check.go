package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// vectorSum returns the checksum (CRC-32) of a vector's exact form. It is stored in the column id
// of sqlite-vec's table _rowids, which is meant for text primary keys and unused where these are
// numbers.
func vectorSum(exact []byte) int64 { return int64(crc32.ChecksumIEEE(exact)) }

// vectorChunk is a chunk of a vec0 table: up to 256 vectors of one bank. Each field of bytes is a
// blob of one of the shadow tables: a bitmap of the slots in use, and for each slot the row number,
// the compact and the exact vector.
type vectorChunk struct {
	id, bank                        int64
	validity, rowids, coarse, exact []byte
}

// vectorPlace says where a document's vector is, according to the shadow table _rowids.
type vectorPlace struct {
	chunk, slot int64
	sum         sql.NullInt64 // see vectorSum; NULL if it was stored without
}

// wrongVectors counts the vectors of a set that are not what was stored: the compact form is not
// that of the exact one, the checksum does not fit, or the shadow tables disagree about where the
// vector is.
func wrongVectors(ctx context.Context, q queryer, v vectorSet, c memory.Corpus) (wrong int, err error) {
	chunks, err := queryAll(ctx, q, rows.ScanInt64, fmt.Sprintf(`SELECT chunk_id FROM %s_chunks`, v.table(c)))
	if err != nil {
		return 0, err
	}
	placed := 0
	for _, id := range chunks {
		sound, bad, err := v.checkChunk(ctx, q, c, id)
		if err != nil {
			return 0, err
		}
		placed += sound + bad
		wrong += bad
	}
	var rows int
	err = q.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM %s_rowids`, v.table(c))).Scan(&rows)
	return wrong + max(0, rows-placed), err
}

// checkChunk counts a chunk's vectors that are what was stored, and those that are not.
func (v vectorSet) checkChunk(ctx context.Context, q queryer, c memory.Corpus, id int64) (sound, wrong int, err error) {
	k := vectorChunk{id: id}
	err = q.QueryRowContext(ctx, fmt.Sprintf(`SELECT c.partition00, c.validity, c.rowids, a.vectors, b.vectors FROM %[1]s_chunks c
		JOIN %[1]s_vector_chunks00 a ON a.rowid = c.chunk_id JOIN %[1]s_vector_chunks01 b ON b.rowid = c.chunk_id
		WHERE c.chunk_id = ?`, v.table(c)), id).Scan(&k.bank, &k.validity, &k.rowids, &k.coarse, &k.exact)
	if err == sql.ErrNoRows { // wrongVectors counts its vectors, as _rowids has more rows than were found
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	var seqs []int64
	for slot := range min(8*len(k.validity), len(k.rowids)/8) {
		if k.has(slot) {
			seqs = append(seqs, k.seq(slot))
		}
	}
	places := map[int64]vectorPlace{}
	err = queryEach(ctx, q, func(row rows.Row) error {
		var seq int64
		var p vectorPlace
		err := row.Scan(&seq, &p.chunk, &p.slot, &p.sum)
		places[seq] = p
		return err
	}, fmt.Sprintf(`SELECT x.rowid, coalesce(x.chunk_id, -1), coalesce(x.chunk_offset, -1), x.id FROM json_each(?) j
		CROSS JOIN %s_rowids x ON x.rowid = j.value`, v.table(c)), rows.List(seqs))
	if err != nil {
		return 0, 0, err
	}
	for slot := range 8 * len(k.validity) {
		switch {
		case !k.has(slot):
		case v.intact(k, slot, places):
			sound++
		default:
			wrong++
		}
	}
	return sound, wrong, nil
}

// has reports whether a slot of the chunk is in use.
func (k vectorChunk) has(slot int) bool { return k.validity[slot/8]>>(slot%8)&1 != 0 }

// seq returns the number of the document whose vector is in a slot.
func (k vectorChunk) seq(slot int) int64 {
	return int64(binary.LittleEndian.Uint64(k.rowids[8*slot:]))
}

// intact reports whether a slot has what was stored there.
func (v vectorSet) intact(k vectorChunk, slot int, places map[int64]vectorPlace) bool {
	fine, width := 4*v.dimensions, v.dimensions
	if v.bits() {
		width = v.dimensions / 8
	}
	if len(k.rowids) < 8*(slot+1) || len(k.exact) < fine*(slot+1) || len(k.coarse) < width*(slot+1) {
		return false
	}
	exact := k.exact[slot*fine : (slot+1)*fine]
	seq := k.seq(slot)
	p, known := places[seq]
	return known && p.chunk == k.id && p.slot == int64(slot) && seq>>rows.BankShift == k.bank && !rows.Differs(p.sum, vectorSum(exact)) &&
		bytes.Equal(v.quantise(rows.Vector(exact)), k.coarse[slot*width:(slot+1)*width])
}

// vectorSets returns all sets of a database, the one that was used last first.
func vectorSets(ctx context.Context, q queryer) ([]vectorSet, error) {
	return queryAll(ctx, q, func(row rows.Row) (v vectorSet, err error) {
		err = row.Scan(&v.id, &v.dimensions, &v.name)
		return v, err
	}, `SELECT id, dimensions, fingerprint FROM vector_sets ORDER BY used_at DESC`)
}
